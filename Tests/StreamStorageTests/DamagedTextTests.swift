import ICalendar
import StreamStorage
import SyncModel
import TestSupport
import Testing

/// Texts whose BEGINs and ENDs are all there, and in which something is lost.
@Suite struct DamagedTextTests {
  /// Events of six lines each: a begins in line 4, b in line 10, c in line 16.
  private static let (a, b, c) = (component("a", "A"), component("b", "B"), component("c", "C"))
  private static let whole = String(decoding: calendar(a, b, c), as: UTF8.self)
  private static let zeros = String(repeating: "\0", count: 40)
  private static let end = "END:VCALENDAR\r\n"

  /// What became of the text of three events.
  struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What is told of the place.
    let words: String
    /// The items that are there, with what is wrong with them.
    let items: [String]
    let change: @Sendable (String) -> String

    init(
      _ description: String, _ words: String, _ items: String...,
      change: @escaping @Sendable (String) -> String
    ) {
      testDescription = description
      self.words = words
      self.items = items
      self.change = change
    }
  }

  private static let zeroBytes = "has bytes of value zero"
  private static let noLine = "is no line of a calendar"
  private static let misplaced = "may not stand there"

  static let damages = [
    Damage("zeros in place of an event", "line 10 \(zeroBytes)", "a", "c") {
      $0.replacing(b, with: "\(zeros)\r\n")
    },
    Damage("garbage in place of an event", "line 10 \(noLine)", "a", "c") {
      $0.replacing(b, with: "garbage here without colon\r\n")
    },
    Damage("a program's message in place of an event", "line 10 \(noLine)", "a", "c") {
      $0.replacing(b, with: "<b>Warning</b>: mysql_query() failed\r\n")
    },
    Damage("an event commented out", "line 10 \(noLine)", "a", "c") {
      $0.replacing(b, with: b.split(separator: "\r\n").map { "#\($0)\r\n" }.joined())
    },
    Damage("BEGIN and END lost", "line 12 \(misplaced)", "a", "c") {
      let rest = b.replacing("BEGIN:VEVENT\r\n", with: "").replacing("END:VEVENT\r\n", with: "")
      return $0.replacing(b, with: rest)
    },
    Damage(
      "two events that have become one", "one component has two UIDs, the second in line 9",
      "a several-uids", "c"
    ) {
      $0.replacing("END:VEVENT\r\nBEGIN:VEVENT\r\nUID:b", with: "UID:b")
    },
    Damage(
      "two events that have become one, without the UID of the second",
      "two components have become one, the second seems to begin before line 9", "a incomplete",
      "c"
    ) {
      let between = "END:VEVENT\r\nBEGIN:VEVENT\r\nUID:b\r\nDTSTAMP:20260101T000000Z\r\n"
      return $0.replacing(between, with: "")
    },
    Damage("an event in an event", "what begins in line 9 \(misplaced)", "a incomplete", "c") {
      $0.replacing("END:VEVENT\r\n\(b)", with: "\(b)END:VEVENT\r\n")
    },
    Damage("a calendar in the calendar", "what begins in line 10 \(misplaced)", "a", "c") {
      $0.replacing(b, with: "BEGIN:VCALENDAR\r\n\(b)\(end)")
    },
    Damage("two time zones that have become one", "before line 12", "a", "c") {
      $0.replacing(
        b, with: "BEGIN:VTIMEZONE\r\nTZID:Office\r\nTZID:Home\r\nEND:VTIMEZONE\r\n")
    },
    Damage("zeros within a title", "line 14 \(zeroBytes)", "a", "b incomplete", "c") {
      $0.replacing("SUMMARY:B", with: "SUMMARY:B\0")
    },
    Damage("zeros from one title to the next but one", "line 8 \(zeroBytes)", "a incomplete") {
      let head = c.replacing("C\r\nEND:VEVENT\r\n", with: "")
      return $0.replacing("A\r\nEND:VEVENT\r\n\(b)\(head)", with: zeros)
    },
    Damage("zeros after an end that came too early", "line 17 \(zeroBytes)", "a", "b") {
      $0.replacing("\(c)\(end)", with: "\(end)\(zeros)")
    },
    Damage("a web page after the end", "line 17 \(noLine)", "a", "b") {
      $0.replacing(c, with: "") + "<br />\n<b>Fatal error</b>:  Out of time\n"
    },
    Damage("a message with a colon after the end", "line 17 \(noLine)", "a", "b") {
      $0.replacing(c, with: "") + "Warning: out of time\r\n"
    },
    Damage("garbage between two calendars", "line 17 \(noLine)", "a", "b", "d") {
      $0.replacing(c, with: "") + "garbage\r\n"
        + String(decoding: calendar(component("d", "D")), as: UTF8.self)
    },
  ]

  /// A file's items need UIDs; a feed's get what they lack.
  enum Kind: String, CaseIterable {
    case file
    case feed
  }

  /// A text that its owner changes.
  private struct OwnedText {
    let stream: StreamStorage
    let save: (String) throws -> Void

    init(_ kind: Kind) throws {
      switch kind {
      case .file:
        let fixture = try FileFixture()
        stream = fixture.stream
        save = { try fixture.save(Array($0.utf8)) }
      case .feed:
        let feed = Feed(isReadOnly: true)
        var options = StreamStorage.Options(digest: sha256, isKnownZone: { _ in true })
        options.nameForUIDs = "feed"
        stream = StreamStorage(feed, options: options)
        save = { feed.give(Array($0.utf8)) }
      }
    }
  }

  /// As `b several-uids`.
  private func words(_ item: ListedItem) -> String {
    item.href.text + (item.problem.map { " \($0.code.rawValue)" } ?? "")
  }

  @Test(arguments: Kind.allCases, damages)
  func `what is lost is not gone, and what is there goes on`(kind: Kind, damage: Damage)
    async throws
  {
    let text = try OwnedText(kind)
    try text.save(Self.whole)
    let first = try await text.stream.listChanges(since: nil)
    #expect(first.extent == .everything)
    #expect(first.present.map(words) == ["a", "b", "c"])

    try text.save(damage.change(Self.whole))
    let page = try await text.stream.listChanges(since: first.next)
    #expect(page.extent == .changesOnly)
    #expect(page.present.map(words) == damage.items + ["(damaged) incomplete"])
    for problem in page.present.compactMap(\.problem) {
      #expect(problem.message.contains(damage.words), "\(problem.message)")
    }
    let all = ["a", "b", "c"].map { Href($0) }
    for outcome in try await text.stream.readAll(all + page.present.suffix(1).map(\.href)) {
      let isWhole = damage.items.contains(outcome.href.text)
      #expect((outcome.version != nil) == isWhole, "\(outcome)")
      #expect(outcome.result != .missing, "\(outcome)")
    }
    #expect(try await text.stream.confirmAbsence(of: all).isEmpty)

    try text.save(Self.whole.replacing(Self.b, with: ""))
    let last = try await text.stream.listChanges(since: page.next)
    #expect(last.extent == .everything)
    #expect(last.present.map(words) == ["a", "c"])
    #expect(try await text.stream.confirmAbsence(of: all) == [Href("b")])
  }

  /// What programs write, in place of the second event.
  struct Oddity: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let event: String

    init(_ description: String, _ event: String) {
      testDescription = description
      self.event = event
    }
  }

  static let oddities = [
    Oddity("blank lines", "\r\n\r\n\(b)\r\n"),
    Oddity("folds", b.replacing("SUMMARY:B", with: "SUMM\r\n ARY:B\r\n\tB")),
    Oddity("blanks after a line", b.replacing("END:VEVENT", with: "END:VEVENT \t")),
    Oddity("a text that is not folded", b.replacing("B\r\n", with: "B\r\nand more of it\r\n")),
    Oddity("extensions that cannot be read", "X-ODD\r\n\(b)x-odd;A=\"b\r\n"),
    Oddity("a property of the calendar after its events", "\(b)X-WR-TIMEZONE:Europe/Vienna\r\n"),
    Oddity("a component of a program's own", "BEGIN:X-N\r\nodd line\r\nEND:X-N\r\n\(b)"),
    Oddity(
      "hours of work",
      "BEGIN:VAVAILABILITY\r\nDTSTART:20260101T000000Z\r\nBEGIN:AVAILABLE\r\nEND:AVAILABLE\r\n"
        + "END:VAVAILABILITY\r\n\(b)"),
    Oddity("a poll", "BEGIN:VPOLL\r\nBEGIN:VEVENT\r\nEND:VEVENT\r\nEND:VPOLL\r\n\(b)"),
    Oddity("a UID that stands twice", b.replacing("UID:b\r\n", with: "UID:b\r\nUID:b\r\n")),
    Oddity(
      "a time stamp that stands twice",
      b.replacing("SUMMARY", with: "DTSTAMP:20260101T000000Z\r\nSUMMARY")),
    Oddity(
      "an alarm with a UID",
      b.replacing("END:VEVENT", with: "BEGIN:VALARM\r\nUID:x\r\nEND:VALARM\r\nEND:VEVENT")),
  ]

  @Test(arguments: Kind.allCases, oddities)
  func `what is odd and takes no item's place is no damage`(kind: Kind, oddity: Oddity)
    async throws
  {
    let text = try OwnedText(kind)
    let odd = Self.whole.replacing(Self.b, with: oddity.event)
    // A byte order mark in front, no line end behind.
    for form in [odd, "\u{FEFF}" + odd, String(odd.dropLast()), odd + "\r\n\r\n"] {
      try text.save(form)
      let page = try await text.stream.listChanges(since: nil)
      #expect(page.extent == .everything)
      #expect(page.present.map(words) == ["a", "b", "c"])
    }
  }

  @Test func `a lost UID shows among items that have one`() async throws {
    let text = try OwnedText(.feed)
    let broken = component(nil, "B").replacing("DTSTAMP", with: "UIDb\r\nDTSTAMP")
    try text.save(Self.whole.replacing(Self.b, with: broken))
    #expect(try await text.stream.listChanges(since: nil).extent == .changesOnly)
    try text.save(String(decoding: calendar(component(nil, "A"), broken), as: UTF8.self))
    #expect(try await text.stream.listChanges(since: nil).extent == .everything)
  }

  @Test func `what is damaged is not written over, and what is whole is`() async throws {
    let fixture = try FileFixture()
    let fused = Self.whole.replacing("END:VEVENT\r\nBEGIN:VEVENT\r\nUID:b", with: "UID:b")
    try fixture.save(Array(fused.utf8))
    let old = try #require(try await fixture.stream.read([Href("c")]).first?.version)
    let bytes = try #require(CalendarStream(Array(fused.utf8)).text(of: Array("a".utf8)))
    let page = try await fixture.stream.listChanges(since: nil)
    let known = Version(tag: page.present.first?.tag, digest: sha256(bytes))
    func new(_ uid: String) -> ItemData { ItemData(bytes: calendar(component(uid, "New"))) }
    let outcomes = await fixture.stream.carryOut([
      .replace(Href("c"), expecting: old, with: new("c")), .create(Href("b"), new("b")),
      .replace(Href("a"), expecting: known, with: new("a")),
    ])
    #expect(outcomes.first?.isStored == true)
    for outcome in outcomes.dropFirst() {
      guard case .refused(let problem) = outcome.result else {
        Issue.record("\(outcome)")
        continue
      }
      #expect(problem.code == .severalUIDs)
      #expect(outcome.isTransient, "it can go once the file is mended")
    }
    let deleted = await fixture.stream.carryOut([.delete(Href("a"), expecting: known)])
    #expect(deleted.map(\.result) == [.changedMeanwhile])
    let after = fused.replacing("SUMMARY:C", with: "SUMMARY:New")
    #expect(fixture.text == Array(after.utf8))
  }
}
