import Foundation
import ICalendar
import Recurrence
import TestSupport
import Testing

/// Random bytes and damaged fixtures, put through all that reads calendars and zones: nothing
/// stops the program, nothing takes long, and what was read is printed as it was.
///
/// `Scripts/fuzz` runs more seeds: the environment names the first one, their number, and a file
/// that is to hold the seed that is being tried.
@Suite struct FuzzTests {
  /// What a seed is turned into.
  enum Target: String, CaseIterable {
    case item, damagedItem, rule, values, definition, zoneFile
  }

  private static let environment = ProcessInfo.processInfo.environment
  private static let first = UInt64(environment["CALGW_FUZZ_FIRST"] ?? "") ?? 0
  private static let count = UInt64(environment["CALGW_FUZZ_COUNT"] ?? "") ?? 1_500
  private static let place = environment["CALGW_FUZZ_PLACE"].map {
    open($0, O_WRONLY | O_CREAT, 0o600)
  }

  /// The processor time that a seed may take; the slowest takes some hundredths of a second in a
  /// release build.
  private static let patience = Duration.seconds(5)

  @Test(.timeLimit(.minutes(20)), arguments: Target.allCases)
  func `no bytes stop, hang or change`(target: Target) throws {
    let inputs = try FuzzInputs()
    for seed in Self.first..<(Self.first + Self.count) {
      Self.note("\(target) \(seed)")
      let bytes = inputs.bytes(target, seed: seed)
      var isKept = false
      let time = threadTime { isKept = FuzzChecks.holds(target, bytes, seed: seed) }
      #expect(isKept, "\(target) \(seed) is not printed as it was read")
      #expect(time < Self.patience, "\(target) \(seed)")
    }
  }

  /// Leaves word of what is being tried, for when the program is stopped by it.
  private static func note(_ text: String) {
    guard let place else { return }
    let line = Array((text + "          \n").utf8)
    _ = pwrite(place, line, line.count, 0)
  }
}

/// What seeds damage: fixtures, rules, VTIMEZONEs and files of tzdata.
private struct FuzzInputs {
  private let items: [[UInt8]]
  private let rules: [[UInt8]]
  private let definitions: [[UInt8]]
  private let zoneFiles: [[UInt8]]

  init() throws {
    let fixtures = try ["rfc5545-3.8.5.3", "decisions", "random-sets"].flatMap {
      try RuleFixture.all(in: $0 + ".rrule")
    }
    items =
      try Project.files(in: "Fixtures/icalendar", endingIn: ".ics")
      .map { try Array(Data(contentsOf: Project.root.appending(path: "Fixtures/icalendar/" + $0))) }
      + fixtures.map { Array($0.calendar.utf8) }
    rules = fixtures.flatMap { $0.components.joined() }
      .filter { $0.hasPrefix("RRULE:") }.map { Array($0.dropFirst(6).utf8) }
    let names = [
      "Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "UTC",
      "Asia/Kathmandu", "Pacific/Apia", "America/Sao_Paulo",
    ]
    zoneFiles = names.compactMap(systemZone)
    definitions = names.compactMap { ZoneCatalog.system.zone(named: $0) }.map { zone in
      Array(("BEGIN:VCALENDAR\n" + zone.definitionText(from: 0) + "END:VCALENDAR\n").utf8)
    }
  }

  func bytes(_ target: FuzzTests.Target, seed: UInt64) -> [UInt8] {
    var random = SeededRandom(seed: seed)
    let words = Self.words + OddBytes.pieces
    switch target {
    case .item: return OddBytes.random(seed: seed)
    case .damagedItem: return OddBytes.mutate(random.one(of: items), seed: seed, pieces: words)
    case .rule: return OddBytes.mutate(random.one(of: rules), seed: seed, pieces: words)
    case .values: return OddBytes.mutate(random.one(of: Self.values), seed: seed, pieces: words)
    case .definition: return OddBytes.mutate(random.one(of: definitions), seed: seed, pieces: words)
    case .zoneFile:
      let extremes: [[UInt8]] = [[0xFF, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0x7F, 0xFF], [0]]
      return OddBytes.mutate(random.one(of: zoneFiles), seed: seed, pieces: extremes)
    }
  }

  private static let words: [[UInt8]] = [
    "FREQ=", "SECONDLY", "YEARLY", ";", "=", ",", "BYDAY=", "-1", "+53", "99999999999999999999",
    "0", "MO", ";UNTIL=", "20260101T", "99991231", "00000101", "T235960Z", "BYSETPOS=-366",
    ";COUNT=1000000000", ";INTERVAL=4294967296", ";BYHOUR=23", ";BYWEEKNO=53", ";BYYEARDAY=366",
    ";BYMONTH=2", ";BYMONTHDAY=30", "RDATE;VALUE=PERIOD:", "EXDATE:", "DURATION:P", "W", "/PT",
    "RECURRENCE-ID;RANGE=THISANDFUTURE:", "\nTZOFFSETTO:-2359", "\nRRULE:FREQ=DAILY",
    ";TZID=../../etc/passwd", "\n ", "BEGIN:VTIMEZONE\n", "BEGIN:STANDARD\n",
  ].map { Array($0.utf8) }

  private static let values: [[UInt8]] = [
    "20260131T235959Z", "20260228", "P1DT2H3M4S", "-P15W", "+0130", "-123456",
    "19970101T180000Z/PT5H30M", "19970101T180000Z/19970102T070000Z",
  ].map { Array($0.utf8) }
}
