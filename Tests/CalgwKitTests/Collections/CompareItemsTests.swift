import CalgwKit
import SyncModel
import Testing

/// Folders and calendars that nothing joins but what they hold. An item is a letter here.
@Suite struct CompareItemsTests {
  private func collection(_ name: String, _ side: Side) -> CollectionDescription {
    CollectionDescription(href: Href(name), name: name, identity: "\(side) \(name)")
  }

  private func uids(_ letters: String) -> Set<[UInt8]> { Set(letters.utf8.map { [$0] }) }

  /// What becomes of folders, as `folder: calendar` or `folder? calendar…`; each is called by its
  /// place.
  ///
  /// - Parameter counts: of the calendars' items, where they are not those that were read.
  private func decide(
    _ folders: [String], _ calendars: [String], counts: [Int: Int?] = [:],
    failing: Set<Int> = [], rules: [CollectionRule] = [.include("*")], areAll: Bool = true
  ) -> [String] {
    let here = folders.indices.map { collection("f\($0)", .local) }
    let there = calendars.indices.map { collection("c\($0)", .remote) }
    var comparison = ItemComparison(rules)
    for (folder, letters) in zip(here, folders) where !letters.isEmpty {
      comparison.folders[folder.href] = uids(letters)
    }
    for (number, letters) in calendars.enumerated() {
      let identity = there[number].identity
      if failing.contains(number) {
        comparison.troubles[identity] = StorageError(.unreachable, "no answer")
      } else {
        comparison.samples[identity] = CalendarSample(
          uids: uids(letters), count: counts[number] ?? letters.utf8.count)
      }
    }
    let same = comparison.decide(here, among: there, areAll: areAll)
    return here.compactMap { folder in
      if let identity = same.pairs[folder.href] {
        return "\(folder.name): \(there.first { $0.identity == identity }?.name ?? "")"
      }
      switch same.doubts[folder.href] {
      case .mayBe(let calendars)?:
        return "\(folder.name)? " + calendars.map(\.name).sorted().joined(separator: " ")
      case .unread(let unread)?:
        return "\(folder.name)! " + unread.map(\.calendar.name).joined(separator: " ")
      case nil: return nil
      }
    }
  }

  @Test(
    arguments: [
      ("abcd", ["abcd"], "f0: c0"), ("abcd", ["abxy"], "f0: c0"), ("abcd", ["axyz"], nil),
      ("abcd", ["wxyz", "abcd"], "f0: c1"), ("abcd", [""], nil), ("", ["abcd"], nil),
      // A copy: a person has to say which.
      ("abcd", ["abcd", "abcd"], "f0? c0 c1"), ("abcd", ["abcd", "abc"], "f0? c0 c1"),
      ("abcdefgh", ["abcdefgh", "ab"], "f0: c0"),
      // Most of the folder is elsewhere.
      ("abcdefgh", ["ab"], "f0? c0"),
      // One item says something only where the folder has hardly others.
      ("abcdefgh", ["a"], nil), ("a", ["a"], "f0: c0"), ("ab", ["a"], "f0: c0"),
      ("a", ["axyz"], nil),
    ] as [(String, [String], String?)])
  func `at least half of each is in the other one, and of no other`(
    folder: String, calendars: [String], result: String?
  ) {
    #expect(decide([folder], calendars) == [result].compactMap { $0 })
  }

  @Test func `a calendar that two folders hold belongs to neither before a person says so`() {
    #expect(decide(["abcd", "abcd"], ["abcd"]) == ["f0? c0", "f1? c0"])
    #expect(decide(["abcd", "wxyz"], ["abcd", "wxyz"]) == ["f0: c0", "f1: c1"])
  }

  @Test func `a sample stands for all that a calendar holds`() {
    let many = "abcdefghijklmnopqrstuvwxyz"
    #expect(decide([many], ["abcd"], counts: [0: 26]) == ["f0: c0"])
    #expect(decide([many], ["abcd"], counts: [0: nil]) == ["f0: c0"])
    #expect(decide(["abcd"], ["abcd"], counts: [0: 1000]) == ["f0: c0"])
  }

  @Test func `what does not show what it holds may be the one`() {
    #expect(decide(["abcd", ""], ["wxyz", ""], failing: [1]) == ["f0! c1"])
    #expect(decide(["abcd"], ["abcd", ""], failing: [1]) == ["f0: c0"])
    #expect(
      decide(["abcd"], ["", ""], failing: [0, 1], rules: [.include("*"), .exclude("c1")])
        == ["f0! c0"])
  }

  @Test func `where not all calendars are shown, one may be a copy of another`() {
    #expect(decide(["abcd", "wxyz"], ["abcd"], areAll: false) == ["f0? c0"])
  }

  @Test func `what the rules leave out, or do not ask for, is no folder's`() {
    let rules: [CollectionRule] = [.include("*"), .exclude("c1")]
    #expect(decide(["abcd"], ["abcd", "abcd"], rules: rules) == ["f0: c0"])
    #expect(decide(["abcd"], ["abcd", "abcd"], rules: [.include("f0")]) == [])
  }

  @Test func `one item that was read of many tells nothing`() {
    #expect(decide(["abcd"], ["a"], counts: [0: 4]) == [])
    #expect(decide(["a"], ["a"], counts: [0: 4]) == [])
  }
}
