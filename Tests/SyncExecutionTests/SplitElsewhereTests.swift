import Recurrence
import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// Programs split a series in two each in its own way; what the other side changed of the whole
/// reaches both parts.
@Suite struct SplitElsewhereTests {
  private func series(
    _ uid: String, from day: String, _ rule: String, _ lines: [String] = []
  ) -> ItemData {
    let text = """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//calgw//test//EN
      BEGIN:VEVENT
      UID:\(uid)
      DTSTAMP:20260101T000000Z
      DTSTART:\(day)T190000Z
      DTEND:\(day)T210000Z
      RRULE:FREQ=WEEKLY;\(rule)
      SUMMARY:Choir
      \((lines + ["END:VEVENT"]).joined(separator: "\n"))
      END:VCALENDAR

      """
    return ItemData(bytes: Array(text.replacing("\n", with: "\r\n").utf8))
  }

  private func lines(_ world: World, _ href: Href, on side: Side) -> [String] {
    let text = String(decoding: world.storage(side).items[href]?.bytes ?? [], as: UTF8.self)
    return text.split(separator: "\r\n").map(String.init)
  }

  /// A series of both sides that the remote one has split since, and the lines that each side has
  /// given what it calls by the first name.
  private func splitRemotely(
    _ world: World, at day: String, here: [String], there: [String] = [],
    _ change: (inout SyncOptions) -> Void = { _ in }
  ) throws {
    for side in Side.allCases {
      world.storage(side).put(Self.old, series("choir", from: "20260105", "BYDAY=MO"))
    }
    _ = try world.sync(change)
    let other = "RELATED-TO;RELTYPE=SIBLING"
    world.remote.put(
      Self.old,
      series(
        "choir", from: "20260105", "BYDAY=MO;UNTIL=\(day)T000000Z", ["\(other):new"] + there))
    world.remote.put(
      Self.new, series("new", from: day, "BYDAY=MO", ["\(other):choir"]))
    world.local.put(Self.old, series("choir", from: "20260105", "BYDAY=MO", here))
  }

  private static let (old, new) = (Href("choir.ics"), Href("new.ics"))

  @Test func `nothing is carried into a part on a side that is only read`() throws {
    let world = World(remoteTraits: World.serverTraits)
    let place = ["LOCATION:Aula"]
    try splitRemotely(world, at: "20260302", here: place, there: place) { $0.readOnly = [.remote] }
    let there = world.remote.items
    for isDryRun in [true, false, false] {
      let report = try world.sync {
        $0.readOnly = [.remote]
        $0.isDryRun = isDryRun
      }
      #expect(report.pushed.total == 0 && report.problems.isEmpty && report.conflicts.isEmpty)
      #expect(world.remote.items == there)
    }
    #expect(
      lines(world, Self.old, on: .local)
        .contains("RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260302T000000Z"))
    #expect(lines(world, Self.new, on: .local) == lines(world, Self.new, on: .remote))
  }

  @Test func `a server that drops what a part is given is asked once, and the split goes on`()
    throws
  {
    let world = World { data in
      let lines = String(decoding: data.bytes, as: UTF8.self).split(separator: "\r\n")
      let kept = lines.filter { !$0.hasPrefix("X-") }.joined(separator: "\r\n") + "\r\n"
      return ItemData(bytes: Array(kept.utf8))
    }
    try splitRemotely(world, at: "20260302", here: ["X-FOO:1"])
    let before = world.remote.counts.writes
    #expect(try world.sync().problems.isEmpty)
    let after = world.remote.counts.writes
    #expect(after - before == 2, "one for each part")
    let old = lines(world, Self.old, on: .local)
    #expect(old.contains("RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260302T000000Z"))
    #expect(old.contains("X-FOO:1"))
    #expect(lines(world, Self.new, on: .local) == lines(world, Self.new, on: .remote))
    #expect(!lines(world, Self.new, on: .local).isEmpty)
    let quiet = try world.sync()
    #expect(quiet.problems.isEmpty && quiet.pulled.total + quiet.merged == 0)
    #expect(world.remote.counts.writes == after)
  }

  /// Series that go on from January 2026 are inside, what begins in 2027 is outside.
  private static func takeSpring(_ options: inout SyncOptions) {
    options.window = SyncWindow(
      from: Instant(seconds: 1_767_225_600), to: Instant(seconds: 1_780_272_000), zones: .empty)
  }

  /// What the local side has changed of the whole series, if anything.
  @Test(arguments: [[], ["LOCATION:Aula"]] as [[String]])
  func `a new part outside the window comes, with what was changed of the whole here`(
    here: [String]
  ) throws {
    let world = World(remoteTraits: World.serverTraits)
    try splitRemotely(world, at: "20270301", here: here, Self.takeSpring)
    let other = Href("other.ics")
    world.remote.put(other, series("other", from: "20270301", "BYDAY=MO"))
    let report = try world.sync(Self.takeSpring)
    #expect(report.problems.isEmpty && report.conflicts.isEmpty)
    #expect(report.pulled.created == 1 && report.merged == here.count)
    let rule = "RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20270301T000000Z"
    for side in Side.allCases {
      #expect(lines(world, Self.old, on: side).contains(rule))
      #expect(lines(world, Self.new, on: side).contains("UID:new"))
      for part in [Self.old, Self.new] {
        #expect(lines(world, part, on: side).contains("LOCATION:Aula") == !here.isEmpty)
      }
    }
    #expect(lines(world, other, on: .local).isEmpty, "it was never here")
    let quiet = try world.sync(Self.takeSpring)
    #expect(quiet.problems.isEmpty)
    #expect(quiet.pulled.total + quiet.pushed.total + quiet.merged == 0)
  }

  @Test func `what an earlier run left outside comes as the part of a series that is split since`()
    throws
  {
    let world = World(remoteTraits: World.serverTraits)
    let other = "RELATED-TO;RELTYPE=SIBLING"
    for side in Side.allCases {
      world.storage(side).put(Self.old, series("choir", from: "20260105", "BYDAY=MO"))
    }
    world.remote.put(Self.new, series("new", from: "20270301", "BYDAY=MO", ["\(other):choir"]))
    _ = try world.sync(Self.takeSpring)
    #expect(lines(world, Self.new, on: .local).isEmpty)
    world.remote.put(
      Self.old,
      series("choir", from: "20260105", "BYDAY=MO;UNTIL=20270301T000000Z", ["\(other):new"]))
    #expect(try world.sync(Self.takeSpring).problems.isEmpty)
    for part in [Self.old, Self.new] {
      #expect(lines(world, part, on: .local) == lines(world, part, on: .remote))
    }
  }

  /// Somebody edits files in the call after so many writes to the other side.
  private static func put(
    _ files: [(href: Href, data: ItemData)], in world: World, afterWrite number: Int
  ) {
    world.local.beforeNextCall { folder in
      if world.remote.counts.writes < number {
        put(files, in: world, afterWrite: number)
      } else {
        for file in files { folder.put(file.href, file.data) }
      }
    }
  }

  @Test func `a change of the whole amid a run reaches a part that was given another one`() throws {
    let world = World(remoteTraits: World.serverTraits)
    let solo = Href("solo.ics")
    for side in Side.allCases {
      world.storage(side).put(solo, series("solo", from: "20260105", "COUNT=3"))
    }
    try splitRemotely(world, at: "20260302", here: ["LOCATION:Aula"])
    // The write of this one finds the folder changed, so that the run looks there again.
    world.remote.put(solo, series("solo", from: "20260105", "COUNT=3", ["PRIORITY:5"]))
    let edits = [
      (solo, series("solo", from: "20260105", "COUNT=3", ["LOCATION:Gym"])),
      (
        Self.old,
        series("choir", from: "20260105", "BYDAY=MO", ["LOCATION:Aula", "PRIORITY:1"])
      ),
    ]
    Self.put(edits, in: world, afterWrite: world.remote.counts.writes + 1)
    #expect(try world.sync().problems.isEmpty)
    for side in Side.allCases {
      for part in [Self.old, Self.new] {
        let text = lines(world, part, on: side)
        #expect(text.contains("LOCATION:Aula") && text.contains("PRIORITY:1"))
      }
    }
  }

  @Test func `a part that was split off another part of the series is not touched`() throws {
    let world = World(remoteTraits: World.serverTraits)
    let (old, new) = (Href("choir.ics"), Href("new.ics"))
    let rule = "BYDAY=MO;UNTIL=20260301T225959Z"
    for side in Side.allCases {
      world.storage(side).put(old, series("choir", from: "20260105", rule))
    }
    _ = try world.sync()
    world.remote.put(old, series("choir", from: "20260105", rule, ["PRIORITY:5"]))
    world.remote.put(new, series("choir_R20260504T190000", from: "20260504", "BYDAY=MO"))
    world.local.put(old, series("choir", from: "20260105", rule, ["LOCATION:Aula"]))
    for _ in 0..<2 { #expect(try world.sync().problems.isEmpty) }
    #expect(lines(world, old, on: .remote).contains("LOCATION:Aula"))
    #expect(!lines(world, new, on: .remote).contains("LOCATION:Aula"))
  }

  /// The UID of the new part, what it says of the series, and whether it is known to be a part.
  @Test(arguments: [
    ("choir_R20260302T190000", "", true), ("choir_20260302T190000", "", false),
    ("other_R20260302T190000", "", false),
    ("x-2", "RELATED-TO;RELTYPE=X-CALENDARSERVER-RECURRENCE-SET:SET1", true),
    ("x-2", "RELATED-TO;RELTYPE=X-CALENDARSERVER-RECURRENCE-SET:SET2", false),
    ("x-2", "RELATED-TO:choir", false),
  ])
  func `a new place of the whole series is that of a part which another program split off`(
    part: String, relation: String, isKnown: Bool
  ) throws {
    for side in Side.allCases {
      let world = World(remoteTraits: World.serverTraits)
      let (old, new) = (Href("choir.ics"), Href("new.ics"))
      for each in Side.allCases {
        world.storage(each).put(old, series("choir", from: "20260105", "BYDAY=MO"))
      }
      _ = try world.sync()
      let set = "RELATED-TO;RELTYPE=X-CALENDARSERVER-RECURRENCE-SET:SET1"
      world.storage(side).put(
        old,
        series("choir", from: "20260105", "BYDAY=MO;UNTIL=20260301T225959Z", [set]))
      world.storage(side).put(
        new,
        series(part, from: "20260302", "BYDAY=MO", [relation].filter { !$0.isEmpty }))
      world.storage(side.opposite).put(
        old, series("choir", from: "20260105", "BYDAY=MO", ["LOCATION:Aula"]))
      for _ in 0..<2 { #expect(try world.sync().problems.isEmpty) }
      #expect(lines(world, old, on: side).contains("LOCATION:Aula"))
      #expect(lines(world, new, on: side).contains("LOCATION:Aula") == isKnown, "\(part)")
    }
  }

  @Test(
    arguments: [
      ("a_R20260302T180000@google.com", "a@google.com"), ("a_b_R20260302", "a_b"),
      ("a_R2026030@google.com", nil), ("a@google.com", nil), ("_R20260302T180000", ""),
      ("a@x_R20260302T180000", nil),
    ] as [(String, String?)])
  func `the series of a part, by its name`(part: String, series: String?) {
    #expect(ItemID(part).seriesOfPart?.text == series)
  }
}
