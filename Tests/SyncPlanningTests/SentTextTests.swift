import SyncModel
import SyncPlanning
import Testing

/// What the text that is found says of the one that was sent: the gym became a run, in red.
@Suite struct SentTextTests {
  /// What is true of a text, in the order in which recovery asks.
  enum Answer: String, CaseIterable {
    case means, ofOneSubstance, allSaid, traced, goneOnTo, passedBy
  }

  private static let before = ["SUMMARY:Gym", "LOCATION:Hall"]
  private static let ours = ["SUMMARY:Run", "LOCATION:Hall", "X-COLOR:red"]

  private static let rows: [(what: String, found: [String], answers: Set<Answer>)] = [
    ("as it was sent", ours, [.means, .ofOneSubstance, .allSaid, .traced, .goneOnTo]),
    (
      "its lines in another order", ours.reversed(),
      [.means, .ofOneSubstance, .allSaid, .traced, .goneOnTo]
    ),
    (
      "the time of the write noted", ours + ["LAST-MODIFIED:20260107T080000Z"],
      [.ofOneSubstance, .allSaid, .traced, .goneOnTo]
    ),
    (
      "the colour dropped", ["SUMMARY:Run", "LOCATION:Hall"],
      [.ofOneSubstance, .allSaid, .traced, .goneOnTo]
    ),
    (
      "a priority filled in", ours + ["PRIORITY:0"],
      [.ofOneSubstance, .allSaid, .traced, .goneOnTo]
    ),
    (
      "an empty text filled in", ours + ["DESCRIPTION:"],
      [.ofOneSubstance, .allSaid, .traced, .goneOnTo]
    ),
    ("the place left out", ["SUMMARY:Run", "X-COLOR:red"], [.allSaid, .goneOnTo]),
    ("the place emptied", ["SUMMARY:Run", "LOCATION:", "X-COLOR:red"], [.allSaid, .goneOnTo]),
    ("as before", before, []),
    ("nothing but what was there before", ["LOCATION:Hall"], [.allSaid]),
    ("the title alone", ["SUMMARY:Run"], [.allSaid, .goneOnTo]),
    ("the title cut off", ["SUMMARY:Ru", "LOCATION:Hall", "X-COLOR:red"], []),
    ("moved to the park since", ["SUMMARY:Run", "LOCATION:Park", "X-COLOR:red"], [.goneOnTo]),
    ("the gym moved to the park", ["SUMMARY:Gym", "LOCATION:Park"], [.passedBy]),
    ("another title", ["SUMMARY:Swim", "LOCATION:Hall"], []),
  ]

  private static func event(_ lines: [String]) -> ItemData {
    let start = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//EN", "BEGIN:VEVENT", "UID:gym",
      "DTSTAMP:20260101T000000Z", "DTSTART:20260105T090000Z",
    ]
    let text = (start + lines + ["END:VEVENT", "END:VCALENDAR", ""]).joined(separator: "\r\n")
    return ItemData(bytes: Array(text.utf8))
  }

  private func sent(isNew: Bool = false, isRewritten: Bool = true) -> SentText {
    SentText(
      Self.event(Self.ours), over: isNew ? nil : Self.event(Self.before),
      isRewritten: isRewritten, zones: .ownDefinitions)
  }

  @Test(arguments: rows)
  func `what is there says`(what: String, found: [String], answers: Set<Answer>) {
    let (sent, text) = (sent(), Self.event(found))
    let holds: [Answer: Bool] = [
      .means: sent.means(text), .ofOneSubstance: sent.isOfOneSubstance(with: text),
      .allSaid: sent.isAllSaid(in: text),
      .traced: sent.isTraced(in: text), .goneOnTo: sent.wasGoneOnFrom(to: text),
      .passedBy: sent.isPassedBy(text),
    ]
    for answer in Answer.allCases {
      #expect(holds[answer] == answers.contains(answer), "\(what): \(answer)")
    }
  }

  private static let touch = ["LAST-MODIFIED:20260107T080000Z", "SEQUENCE:3"]
  private static let alarm = ["BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER:-PT5M", "END:VALARM"]

  /// The run in red was touched, and nothing else was changed.
  @Test(arguments: [
    ("as it was sent", ours + touch, true),
    ("the colour dropped and an alarm added", ours.dropLast() + touch + alarm, true),
    ("the same under another counter", ours.dropLast() + touch.dropLast() + alarm, false),
    ("as it was before, with an alarm", ours + alarm, false),
    ("another title since", ["SUMMARY:Swim"] + ours.dropFirst() + touch, false),
  ])
  func `a touch is known by its time and counter`(what: String, found: [String], isTrace: Bool) {
    let sent = SentText(
      Self.event(Self.ours + Self.touch), over: Self.event(Self.ours), isRewritten: true,
      zones: .ownDefinitions)
    #expect(sent.isTraced(in: Self.event(found)) == isTrace, "\(what)")
  }

  @Test(arguments: [
    ("the text left out", ["SUMMARY:Run", "CATEGORIES:Sport,Fun", "RRULE:FREQ=DAILY"], true),
    (
      "the words spelt otherwise",
      ["SUMMARY:Run", "DESCRIPTION:far", "CATEGORIES:sport\\,fun", "RRULE:FREQ=DAILY"], true
    ),
    ("the rule left out", ["SUMMARY:Run", "DESCRIPTION:far", "CATEGORIES:Sport,Fun"], false),
    (
      "a place given",
      [
        "SUMMARY:Run", "DESCRIPTION:far", "CATEGORIES:Sport,Fun", "RRULE:FREQ=DAILY",
        "LOCATION:Park",
      ], false
    ),
    ("another title", ["SUMMARY:Swim", "DESCRIPTION:far", "RRULE:FREQ=DAILY"], false),
  ])
  func `a server leaves out of a new item what it does not keep, and not when it is`(
    what: String, found: [String], isAllSaid: Bool
  ) {
    let ours = [
      "SUMMARY:Run", "DESCRIPTION:far", "CATEGORIES:Sport,Fun", "RRULE:FREQ=DAILY",
    ]
    let sent = SentText(Self.event(ours), over: nil, isRewritten: true, zones: .ownDefinitions)
    #expect(sent.isAllSaid(in: Self.event(found)) == isAllSaid, "\(what)")
  }

  @Test(arguments: [
    (["SUMMARY:Gym", "DTEND:20260105T103000Z"], true),
    (["SUMMARY:Gym", "DURATION:PT1H"], false), (["SUMMARY:Gym", "RRULE:FREQ=DAILY"], false),
    (["SUMMARY:Run", "LOCATION:Park", "DTEND:20260105T100000Z", "DESCRIPTION:far"], false),
  ])
  func `a new time no server leaves out, unlike another spelling of the old one`(
    ours: [String], isOfTime: Bool
  ) {
    let before = Self.event(["SUMMARY:Gym", "LOCATION:Hall", "DTEND:20260105T100000Z"])
    let sent = SentText(
      Self.event(ours), over: before, isRewritten: true, zones: .ownDefinitions)
    #expect(sent.isOfTime == isOfTime)
  }

  @Test func `where nothing was replaced, nobody can tell who went on from what`() {
    let moved = Self.event(["SUMMARY:Run", "LOCATION:Park", "X-COLOR:red"])
    #expect(!sent(isNew: true).wasGoneOnFrom(to: moved))
    #expect(!sent(isNew: true).isPassedBy(Self.event(["SUMMARY:Gym", "LOCATION:Park"])))
  }

  @Test func `an override beside ours is an edit of ours where the colour was dropped`() {
    func series(_ lines: [String], changed days: [String]) -> ItemData {
      let overrides = days.flatMap { day in
        [
          "END:VEVENT", "BEGIN:VEVENT", "UID:gym", "DTSTAMP:20260101T000000Z",
          "RECURRENCE-ID:\(day)T090000Z", "DTSTART:\(day)T163000Z", "SUMMARY:Gym",
        ]
      }
      return Self.event(["SUMMARY:Gym", "RRULE:FREQ=DAILY"] + lines + overrides)
    }
    let sent = SentText(
      series(["X-COLOR:red"], changed: ["20260106"]), over: series(["X-COLOR:red"], changed: []),
      isRewritten: true, zones: .ownDefinitions)
    #expect(sent.wasGoneOnFrom(to: series([], changed: ["20260106", "20260108"])))
    #expect(!sent.wasGoneOnFrom(to: series([], changed: ["20260108"])))
    #expect(
      sent.shared(with: series([], changed: ["20260106", "20260108"]))
        == series([], changed: ["20260106"]))
  }

  @Test func `a side that keeps what it is given drops nothing`() {
    let lossy = Self.event(["SUMMARY:Run", "LOCATION:Hall"])
    #expect(!sent(isRewritten: false).isTraced(in: lossy))
    #expect(sent(isRewritten: false).shared(with: lossy) == Self.event(Self.ours))
    let shared = sent().shared(with: Self.event(["SUMMARY:Run", "LOCATION:Park"]))
    #expect(shared == Self.event(["SUMMARY:Run", "LOCATION:Hall"]))
  }

  @Test func `what a server had before it keeps, and when an item is`() {
    let sent = Self.event([
      "SUMMARY:Run", "LOCATION:Hall", "CATEGORIES:sport", "COMMENT:far", "RRULE:FREQ=DAILY",
    ])
    let found = Self.event(["SUMMARY:Swim"])
    func shared(over old: [String]?) -> ItemData {
      SentText(
        sent, over: old.map(Self.event), isRewritten: true, zones: .ownDefinitions
      ).shared(with: found)
    }
    #expect(shared(over: nil) == Self.event(["SUMMARY:Run", "RRULE:FREQ=DAILY"]))
    #expect(
      shared(over: Self.before)
        == Self.event(["SUMMARY:Run", "LOCATION:Hall", "RRULE:FREQ=DAILY"]))
  }

  /// `W. Europe Standard Time` with a definition of its own, over `Europe/Berlin`.
  @Test(
    arguments: [
      ([], true), (["RRULE:FREQ=DAILY"], true), (["SUMMARY:Run"], false),
      (["RRULE:FREQ=DAILY", "EXDATE;TZID=ZONE:20260106T090000"], true), (["X-COLOR:red"], true),
    ] as [([String], Bool)])
  func `a zone by another name is no other time`(more: [String], isAlone: Bool) {
    func event(_ zone: String, _ lines: [String], defined: Bool, hour: String = "09") -> ItemData {
      let definition =
        defined
        ? [
          "BEGIN:VTIMEZONE", "TZID:\(zone)", "BEGIN:STANDARD", "DTSTART:19700101T000000",
          "TZOFFSETFROM:+0100", "TZOFFSETTO:+0100", "END:STANDARD", "END:VTIMEZONE",
        ] : []
      let text =
        ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//EN"] + definition + [
          "BEGIN:VEVENT", "UID:gym", "DTSTAMP:20260101T000000Z",
          "DTSTART;TZID=\(zone):20260105T\(hour)0000", "DTEND;TZID=\(zone):20260105T\(hour)3000",
        ] + lines.map { $0.replacing("ZONE", with: zone) }
        + ["END:VEVENT", "END:VCALENDAR", ""]
      return ItemData(bytes: Array(text.joined(separator: "\r\n").utf8))
    }
    func sent(_ text: ItemData, over old: ItemData?) -> SentText {
      SentText(text, over: old, isRewritten: true, zones: .ownDefinitions)
    }
    let shared = more.filter { !$0.hasPrefix("SUMMARY") && !$0.hasPrefix("X-") }
    let old = event("There", shared, defined: true)
    #expect(sent(event("Here", more, defined: true), over: old).renamesZoneAlone == isAlone)
    // Nobody knows what the name means, or it is another time.
    #expect(!sent(event("Here", more, defined: false), over: old).renamesZoneAlone)
    #expect(!sent(event("Here", more, defined: true, hour: "10"), over: old).renamesZoneAlone)
    #expect(!sent(event("Here", more, defined: true), over: nil).renamesZoneAlone)
  }

  /// A new override has the place of its series, and a category of its own.
  @Test func `what a server had in a series it keeps in an override of it`() {
    func series(_ lines: [String], override: [String]) -> ItemData {
      Self.event(
        ["SUMMARY:Gym", "RRULE:FREQ=DAILY"] + lines + [
          "END:VEVENT", "BEGIN:VEVENT", "UID:gym", "DTSTAMP:20260101T000000Z",
          "RECURRENCE-ID:20260106T090000Z", "DTSTART:20260106T163000Z", "SUMMARY:Gym",
        ] + override)
    }
    let old = Self.event(["SUMMARY:Gym", "RRULE:FREQ=DAILY", "LOCATION:Hall"])
    let sent = SentText(
      series(["LOCATION:Hall"], override: ["LOCATION:Hall", "CATEGORIES:sport"]), over: old,
      isRewritten: true, zones: .ownDefinitions)
    #expect(
      sent.shared(with: series([], override: []))
        == series(["LOCATION:Hall"], override: ["LOCATION:Hall"]))
  }

  /// A server that keeps neither extensions nor attachments was given an attachment. What it had
  /// from before it changed its mind was a colour and a sound.
  @Test(
    arguments: [
      (["SUMMARY:Gym"], true), (["SUMMARY:Gym", "X-SOUND:bell"], true),
      (["SUMMARY:Gym", "X-COLOR:red", "X-SOUND:bell"], false),
      (["SUMMARY:Run"], false), (["SUMMARY:Gym", "X-COLOR:blue"], false),
      (["SUMMARY:Gym", "ATTACH:https://example.org/a"], false), ([], false),
    ] as [([String], Bool)])
  func `what is there swallowed what was sent`(found: [String], isSwallowed: Bool) {
    let before = ["SUMMARY:Gym", "X-COLOR:red", "X-SOUND:bell"]
    let sent = SentText(
      Self.event(before + ["ATTACH:https://example.org/a"]), over: Self.event(before),
      isRewritten: true, zones: .ownDefinitions)
    #expect(sent.isSwallowed(by: Self.event(found)) == isSwallowed)
  }

  /// The gym became a run with an attachment. The server keeps no attachments, and no extensions
  /// since it was updated.
  @Test(
    arguments: [
      (["SUMMARY:Run"], [.traced, .goneOnTo]),
      (["SUMMARY:Run", "LOCATION:Park"], [.goneOnTo]),
      (["SUMMARY:Gym"], []),
    ] as [([String], Set<Answer>)])
  func `what is there is part of what was sent`(found: [String], answers: Set<Answer>) {
    let sent = SentText(
      Self.event(["SUMMARY:Run", "X-COLOR:red", "ATTACH:https://example.org/a"]),
      over: Self.event(["SUMMARY:Gym", "X-COLOR:red"]), isRewritten: true, zones: .ownDefinitions)
    let text = Self.event(found)
    #expect(sent.isTraced(in: text) == answers.contains(.traced))
    #expect(sent.wasGoneOnFrom(to: text) == answers.contains(.goneOnTo))
  }

  /// The gym got an attachment and, beside it, what no server leaves out of an edit. That the
  /// attachment is there may be anybody's doing: such a write never came where the rest is not.
  @Test(arguments: ["SUMMARY:Run", "DESCRIPTION:far", "LOCATION:Hall", "CATEGORIES:sport"])
  func `what servers keep of edits is not taken for left out`(line: String) {
    let before = line.hasPrefix("SUMMARY") ? [] : ["SUMMARY:Gym"]
    let attachment = "ATTACH:https://example.org/a"
    let sent = SentText(
      Self.event(before + [attachment, line]), over: Self.event(before), isRewritten: true,
      zones: .ownDefinitions)
    let without = Self.event(before + [attachment])
    #expect(!sent.isTraced(in: without))
    #expect(!sent.wasGoneOnFrom(to: without))
    #expect(sent.isTraced(in: Self.event(before + [line])))
  }

  /// The gym with an alarm got an attachment, and its place was taken away. That place and alarm
  /// are gone is no trace of that where the attachment is not there: the item may be another.
  @Test(
    arguments: [
      (["SUMMARY:Run", "ATTACH:https://example.org/a"], true), (["SUMMARY:Run"], false),
      (["SUMMARY:Run", "LOCATION:Hall", "ATTACH:https://example.org/a"], false),
    ] as [([String], Bool)])
  func `what else is gone is no part of what was sent`(found: [String], isGoneOnTo: Bool) {
    let kept = ["SUMMARY:Gym", "BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER:-PT5M", "END:VALARM"]
    let (attached, before) = (["ATTACH:https://example.org/a"] + kept, ["LOCATION:Hall"] + kept)
    let sent = SentText(
      Self.event(attached), over: Self.event(before), isRewritten: true, zones: .ownDefinitions)
    #expect(sent.wasGoneOnFrom(to: Self.event(found)) == isGoneOnTo)
  }
}
