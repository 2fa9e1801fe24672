import ICalendar
import Recurrence
import TestSupport
import Testing

@Suite struct RecurrenceSetTests {
  private let zones = ZoneResolver(catalog: .system)

  private static let rules = [
    "FREQ=DAILY;COUNT=40", "FREQ=WEEKLY;BYDAY=MO,TH;COUNT=30", "FREQ=MONTHLY;BYDAY=-1FR;COUNT=20",
    "FREQ=HOURLY;INTERVAL=7;COUNT=60", "FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0,30;COUNT=50",
    "FREQ=YEARLY;COUNT=6", "FREQ=MINUTELY;INTERVAL=90;COUNT=50",
  ]
  private static let starts = [
    ("20260325T023000", "Europe/Vienna"), ("20261022T023000", "Europe/Vienna"),
    ("20260401T013000", "Australia/Lord_Howe"), ("20111225T120000", "Pacific/Apia"),
    ("20260305", ""), ("20260305T003000", ""), ("20380101T090000", "America/New_York"),
  ]

  /// A random set: a rule or two, exclusions, additions and overrides, some of them ranges.
  private func set(_ seed: UInt64) throws -> RecurrenceSet {
    var random = SeededRandom(seed: seed)
    var notes: [ValueNote] = []
    let (text, zone) = Self.starts[random.below(Self.starts.count)]
    let name = zone.isEmpty ? nil : TimeZoneName(zone)
    let start = try DateTime.read(Array(text.utf8), zone: name, notes: &notes)
    func rule() throws -> RecurrenceRule {
      try RecurrenceRule.read(
        Array(Self.rules[random.below(Self.rules.count)].utf8), notes: &notes)
    }
    func length() -> Schedule.Ending {
      let durations = [(0, 0), (0, 3600), (1, 0), (0, 86_400), (2, 1800), (0, 200_000)]
      let (days, seconds) = durations[random.below(durations.count)]
      return .duration(CivilDuration(days: days, seconds: seconds))
    }
    func moved(_ time: DateTime, by seconds: Int) -> DateTime {
      CivilDateTime(secondsSince1970: time.civil.secondsSince1970 + seconds).map(time.with) ?? time
    }
    var main = Schedule(start: start, ending: length(), rules: [try rule()])
    if random.chance(30) { main.rules.append(try rule()) }
    let plain = RecurrenceSet(main: main, zones: zones)
    let walls = plain.occurrences(in: .all).compactMap {
      CivilDateTime(secondsSince1970: $0.start.wall).map(start.with)
    }
    for wall in walls where random.chance(10) { main.exclusions.append(wall) }
    for wall in walls where random.chance(5) {
      main.additions.append(.start(moved(wall, by: 86_400 * 3)))
    }
    var overrides: [Schedule] = []
    for wall in walls where random.chance(10) {
      let shifts = [0, 3600, -7200, 86_400 * 20, -86_400 * 9]
      overrides.append(
        Schedule(
          start: moved(wall, by: shifts[random.below(shifts.count)]), ending: length(),
          recurrenceID: wall, isThisAndFuture: random.chance(15)))
    }
    return RecurrenceSet(main: main, overrides: overrides, zones: zones)
  }

  private func key(_ occurrence: Occurrence) -> [Int] {
    [
      occurrence.start.instant, occurrence.recurrenceID?.instant ?? 0, occurrence.end.instant,
      occurrence.start.offset ?? -1,
    ]
  }

  @Test func `a window has what overlaps it of the whole, in order`() throws {
    for seed in 0..<150 {
      let set = try set(UInt64(seed))
      let all = Array(set.occurrences(in: .all))
      #expect(!all.isEmpty)
      let starts = all.map(\.start.instant)
      #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 }, "seed \(seed)")
      var random = SeededRandom(seed: UInt64(seed) &+ 99)
      for _ in 0..<12 {
        let anchor = starts[random.below(starts.count)]
        let from = anchor + random.below(400_000) - 200_000
        let to = from + [1, 3600, 86_400, 700_000, 20_000_000][random.below(5)]
        let expected = all.filter {
          $0.start.instant < to
            && ($0.end.instant > from
              || ($0.end == $0.start && $0.start.instant >= from))
        }
        let found = Array(set.occurrences(in: OccurrenceWindow(from: from, to: to)))
        #expect(
          found.map(key).sorted { $0.lexicographicallyPrecedes($1) }
            == expected.map(key).sorted { $0.lexicographicallyPrecedes($1) },
          "seed \(seed), from \(from) to \(to)")
      }
    }
  }

  @Test func `an empty window and absurd windows are safe`() throws {
    let set = try set(1)
    #expect(Array(set.occurrences(in: OccurrenceWindow(from: 5, to: 5))).isEmpty)
    #expect(Array(set.occurrences(in: OccurrenceWindow(from: 9, to: Int.min))).isEmpty)
    #expect(Array(set.occurrences(in: OccurrenceWindow(from: Int.max, to: Int.max))).isEmpty)
  }

  @Test func `a rule that never matches says so`() throws {
    var notes: [ValueNote] = []
    let start = try DateTime.read(Array("20260101T000000Z".utf8), notes: &notes)
    let rule = try RecurrenceRule.read(
      Array("FREQ=HOURLY;INTERVAL=2;BYHOUR=1".utf8), notes: &notes)
    var found = RecurrenceSet(main: Schedule(start: start, rules: [rule]), zones: zones)
      .occurrences(in: .all)
    while found.next() != nil {}
    #expect(found.limits == [.stepsMissTheClock])
  }

  @Test func `what cannot be read is found with its line`() throws {
    let text = """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:1
      DTSTART:20260101T090000Z
      RRULE:FREQ=SOMETIMES
      EXDATE:20260101T090000Z,never
      DURATION:PT2D
      END:VEVENT
      END:VCALENDAR

      """
    var findings: [ScheduleFinding] = []
    let object = CalendarObject(SyntaxTree(bytes: Array(text.utf8)))
    let set = RecurrenceSet(object, catalog: .system, findings: &findings)
    #expect(findings.map(\.line) == [5, 6, 7])
    #expect(findings.map(\.property) == ["RRULE", "EXDATE", "DURATION"])
    #expect(findings[0].kind == .unreadable(.rule(.unknownFrequency)))
    #expect(findings[2].kind == .odd(.oddDuration))
    #expect(Array(set.occurrences(in: .all)).isEmpty)
  }
}
