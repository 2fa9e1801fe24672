import EventEditing
import EventStore
import ICalendar
import Recurrence
import SyncModel
import TestSupport
import Testing

/// A query gives what the recurrence sets of the items give, whatever they are.
@Suite struct ExpansionPropertyTests {
  private static let rules = [
    "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY;BYDAY=MO,TH", "FREQ=MONTHLY;BYDAY=-1FR",
    "FREQ=MONTHLY;BYMONTHDAY=31", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "FREQ=HOURLY;INTERVAL=7",
    "FREQ=DAILY;COUNT=40", "FREQ=WEEKLY;UNTIL=20260601T000000Z", "FREQ=MINUTELY;INTERVAL=500",
  ]
  private static let starts = [
    ";TZID=Europe/Vienna:20260325T023000", ";TZID=America/New_York:20251101T013000",
    ":20260105T080000Z", ":20260105T080000", ";VALUE=DATE:20260131",
  ]

  private func text(_ number: Int, _ random: inout SeededRandom) -> String {
    let start = random.one(of: Self.starts)
    let isDate = start.contains("DATE")
    var lines = ["UID:\(number)", "DTSTART\(start)", "SUMMARY:main"]
    if random.oneIn(2) { lines.append(isDate ? "DURATION:P2D" : "DURATION:PT90M") }
    lines.append("RRULE:\(random.one(of: isDate ? Array(Self.rules.prefix(5)) : Self.rules))")
    if random.oneIn(2) { lines.append("EXDATE\(start)") }
    if random.oneIn(3) {
      lines.append(isDate ? "RDATE;VALUE=DATE:20260401" : "RDATE:20260401T101500Z")
    }
    guard random.oneIn(2) else { return item(lines) }
    let own = random.one(of: Self.starts)
    var override = ["UID:\(number)", "RECURRENCE-ID\(start)", "DTSTART\(own)", "SUMMARY:own"]
    if random.oneIn(4) {
      override[1] = "RECURRENCE-ID;RANGE=THISANDFUTURE\(start)"
      lines.removeAll { $0.hasPrefix("EXDATE") }
    }
    return item(lines, override)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a query is the union of the recurrence sets`(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let bench = try StoreBench(random.oneIn(2) ? .memory : .vdir)
    var expected: [String] = []
    let from = try instant("2026-01-01").milliseconds / 1000
    let start = Int(from) + random.number(0...300) * 86_400
    let end = start + random.number(1...200) * 86_400
    let window = OccurrenceWindow(from: start, to: end)
    let home = try #require(ZoneCatalog.machine.zone(named: "Europe/Vienna"))
    for number in 0..<15 {
      let text = text(number, &random)
      bench.put("\(number).ics", text)
      var findings: [ScheduleFinding] = []
      let set = RecurrenceSet(
        CalendarObject(SyntaxTree(bytes: Array(text.utf8))), catalog: .machine, placement: home,
        findings: &findings)
      for occurrence in set.occurrences(in: window) {
        let title = occurrence.source == .main ? "main" : "own"
        expected.append(
          "\(occurrence.start.instant) \(occurrence.end.instant) \(number) \(title) "
            + "\(occurrence.recurrenceID?.instant ?? 0)")
      }
    }
    let predicate = EventPredicate(
      from: Instant(seconds: Int64(start)), to: Instant(seconds: Int64(end)))
    let events = try await bench.store.events(matching: predicate)
    var given: [String] = []
    for event in events {
      let (from, to) = (event.startInstant?.milliseconds ?? 0, event.endInstant?.milliseconds ?? 0)
      let id = try #require(event.id)
      var original = 0
      switch event.occurrence {
      case .instant(let instant)?: original = instant
      case .date(let date)?:
        original = home.instant(of: CivilDateTime(startOf: date).secondsSince1970)
      case .wall(let wall)?: original = home.instant(of: wall.secondsSince1970)
      default: break
      }
      given.append(
        "\(from / 1000) \(to / 1000) \(id.externalIdentifier) \(event.title) \(original)")
      // Each is found again by its name, and by no other's.
      if given.count % 7 == 0 {
        #expect(try await bench.store.event(withIdentifier: id) == event, "seed \(seed)")
      }
    }
    #expect(given.sorted() == expected.sorted(), "seed \(seed)")
    #expect(Set(events.map(\.id)).count == events.count, "seed \(seed)")
    let starts = events.compactMap(\.startInstant)
    #expect(starts == starts.sorted(), "seed \(seed)")
    #expect(!events.isEmpty || expected.isEmpty)
  }
}
