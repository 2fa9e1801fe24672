import Foundation
import ICalendar
import Recurrence
import TestSupport
import Testing

/// Occurrences a second of CPU, printed. Run in a release build with `CALGW_SPEED=1`.
@Suite(.serialized) struct SpeedTests {
  private static let isWanted = ProcessInfo.processInfo.environment["CALGW_SPEED"] != nil

  private static let zones = ZoneResolver(catalog: .system)

  private func schedule(_ start: String, _ rule: String) throws -> Schedule {
    var notes: [ValueNote] = []
    return Schedule(
      start: try DateTime.read(
        Array(start.utf8), zone: TimeZoneName("Europe/Vienna"), notes: &notes),
      ending: .none,
      rules: [try RecurrenceRule.read(Array(rule.utf8), notes: &notes)])
  }

  private func measure(
    _ name: String, repeat times: Int, _ body: () throws -> Int
  ) rethrows -> Double {
    _ = try body()
    let start = clock()
    var count = 0
    for _ in 0..<times { count += try body() }
    let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
    let rate = Double(count) / seconds
    print("\(name): \(count / times) in \(seconds / Double(times) * 1e6) µs, \(Int(rate)) a second")
    return seconds / Double(times)
  }

  private func expand(_ schedule: Schedule, from: Int = 0, to: Int) -> Int {
    let set = RecurrenceSet(main: schedule, zones: Self.zones)
    return set.occurrences(in: OccurrenceWindow(from: from, to: to)).reduce(0) { count, _ in
      count + 1
    }
  }

  @Test(.enabled(if: isWanted, "asked for by CALGW_SPEED=1"))
  func `speed of single rules`() throws {
    let year = 31_556_952
    let start = 852_105_600  // 1997-01-01
    for (name, rule, years) in [
      ("daily, 10 years", "FREQ=DAILY", 10),
      ("last Friday, 50 years", "FREQ=MONTHLY;BYDAY=-1FR", 50),
      ("Monday of week 20, 100 years", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", 100),
    ] {
      let schedule = try schedule("19970131T090000", rule)
      _ = measure(name, repeat: 200) { expand(schedule, from: start, to: start + years * year) }
      let expansion = RuleExpansion(
        schedule.rules[0], start: try #require(schedule.start),
        window: Int.min...(start + years * year))
      _ = measure(name + ", civil", repeat: 200) { expansion.reduce(0) { count, _ in count + 1 } }
    }
  }

  @Test(.enabled(if: isWanted, "asked for by CALGW_SPEED=1"))
  func `an hour of seconds, 20 years on`() throws {
    let far = 852_105_600 + 20 * 31_556_952
    for ending in [
      "", ";COUNT=2000000000", ";INTERVAL=7;BYHOUR=9;BYDAY=MO,TU,WE,TH,FR;COUNT=99999999",
    ] {
      let schedule = try schedule("19970101T000000", "FREQ=SECONDLY" + ending)
      let seconds = measure("SECONDLY" + ending, repeat: 100) {
        expand(schedule, from: far, to: far + 3600)
      }
      #expect(seconds < 0.001)
    }
  }

  @Test(.enabled(if: isWanted, "asked for by CALGW_SPEED=1"))
  func `two thousand events, one year`() throws {
    let rules = [
      "FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
      "FREQ=MONTHLY;BYDAY=-1FR", "FREQ=MONTHLY;BYMONTHDAY=15", "FREQ=YEARLY",
      "FREQ=DAILY;INTERVAL=3",
      "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
      "FREQ=YEARLY;BYMONTH=3,6,9;BYDAY=2TU",
    ]
    let schedules = try (0..<2000).map { index in
      try schedule("2020\(10 + index % 3)1\(index % 10)T090000", rules[index % rules.count])
    }
    let from = 1_767_225_600
    _ = measure("2,000 events, one year", repeat: 5) {
      schedules.reduce(0) { $0 + expand($1, from: from, to: from + 31_536_000) }
    }
  }
}
