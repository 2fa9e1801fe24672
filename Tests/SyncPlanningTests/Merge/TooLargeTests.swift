import SyncModel
import SyncPlanning
import Testing

/// What is too large to be compared property by property waits for a person, and everything else is
/// merged whatever it has attached.
@Suite struct TooLargeTests {
  private static func event(_ title: String, _ lines: [String] = [], attached: Int = 0) -> ItemData
  {
    let start = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:dentist", "SUMMARY:\(title)"]
    let attachment =
      attached == 0
      ? [] : ["ATTACH;ENCODING=BASE64;VALUE=BINARY:" + String(repeating: "A", count: attached)]
    let text = (start + attachment + lines + ["END:VEVENT", "END:VCALENDAR", ""])
    return ItemData(bytes: Array(text.joined(separator: "\r\n").utf8))
  }

  /// What each of the versions has besides its title.
  enum Burden: String, CaseIterable {
    case oneMegabyte = "an attachment of 1 MB"
    case fiveMegabytes = "an attachment of 5 MB"
    case foldedAttachment = "an attachment in 60,000 folded lines"
    case manyLines = "60,000 lines"

    var isTooLarge: Bool { self == .fiveMegabytes || self == .manyLines }

    func event(_ title: String, _ place: String) -> ItemData {
      switch self {
      case .oneMegabyte: TooLargeTests.event(title, [place], attached: 1_000_000)
      case .fiveMegabytes: TooLargeTests.event(title, [place], attached: 5_000_000)
      case .foldedAttachment:
        TooLargeTests.event(
          title, [place, "ATTACH:A"] + Array(repeating: " AAAAAAAA", count: 60_000))
      case .manyLines:
        TooLargeTests.event(title, [place] + Array(repeating: "X:1", count: 60_000))
      }
    }
  }

  private func plan(_ base: ItemData?, _ local: ItemData, _ remote: ItemData) -> Plan {
    let item = Build.item(base: base == nil ? "-" : "A", local: "B", remote: "C")
    let rules = ReconcileRules(now: Build.now)
    var texts = [
      Build.version("B").version.digest: local, Build.version("C").version.digest: remote,
    ]
    texts[Build.version("A").version.digest] = base
    return mergeConflicts(
      reconcile([item], rules: rules), texts: texts, zones: .ownDefinitions, rules: rules)
  }

  @Test(arguments: Burden.allCases)
  func `a new title here and a new place there`(burden: Burden) {
    let plan = plan(
      burden.event("Dentist", "LOCATION:Hall"), burden.event("Doctor", "LOCATION:Hall"),
      burden.event("Dentist", "LOCATION:Park"))
    #expect(plan.conflicts.map(\.reason) == (burden.isTooLarge ? [.tooLarge] : []))
    #expect(plan.actions.count == (burden.isTooLarge ? 0 : 1))
  }

  @Test func `one version that is too large is enough`() {
    let small = Self.event("Dentist")
    let large = Burden.manyLines.event("Dentist", "LOCATION:Hall")
    #expect(plan(small, Self.event("Doctor"), large).conflicts.map(\.reason) == [.tooLarge])
    #expect(plan(small, large, Self.event("Doctor")).conflicts.map(\.reason) == [.tooLarge])
    #expect(plan(nil, large, Self.event("Doctor")).conflicts.map(\.reason) == [.tooLarge])
  }

  @Test func `nobody is asked where both were touched alone`() {
    func touched(_ times: Int) -> ItemData {
      Self.event("Dentist", ["SEQUENCE:\(times)"], attached: 5_000_000)
    }
    let plan = plan(touched(0), touched(1), touched(2))
    #expect(plan.conflicts.isEmpty && plan.actions.count == 1)
  }

  @Test func `of a change the sizes are told`() {
    let change = PropertyDifference.ofSizes(
      from: Self.event("A", attached: 5_000_000), to: ItemData(bytes: Array("BEGIN".utf8)))
    #expect(
      change.words == "changed; it is too large to be shown in detail (4.7 MiB → 5 bytes)")
  }
}
