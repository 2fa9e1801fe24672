import ICalendar
import Recurrence
import TestSupport

/// What is done with the bytes of a seed; false where they are not given back as they were.
enum FuzzChecks {
  static func holds(_ target: FuzzTests.Target, _ bytes: [UInt8], seed: UInt64) -> Bool {
    switch target {
    case .item, .damagedItem, .definition: item(bytes, seed: seed)
    case .rule: rule(bytes, seed: seed)
    case .values: values(bytes)
    case .zoneFile: zoneFile(bytes, seed: seed)
    }
  }

  private static func item(_ bytes: [UInt8], seed: UInt64) -> Bool {
    let tree = SyntaxTree(bytes: bytes)
    let wire = wireForm(of: bytes)
    let canonical = canonicalForm(of: tree)
    let isKept =
      tree.bytes == bytes && tree.root.bytes == bytes && wireForm(of: wire) == wire
      && canonicalForm(of: SyntaxTree(bytes: wire)) == canonical
      && canonicalForm(of: SyntaxTree(bytes: bytes)) == canonical
    _ = tree.diagnostics
    _ = tree.wholeness
    var findings: [ScheduleFinding] = []
    let object = CalendarObject(tree)
    let set = RecurrenceSet(object, catalog: .system, findings: &findings)
    _ = Array(set.occurrences(in: .all).prefix(50))
    _ = Array(set.occurrences(in: window(seed)).prefix(50))
    for definition in TimeZoneDefinition.all(in: tree, findings: &findings) {
      definition.zone().map { probe($0, seed: seed) }
    }
    return isKept
  }

  private static func rule(_ bytes: [UInt8], seed: UInt64) -> Bool {
    var notes: [ValueNote] = []
    guard let rule = try? RecurrenceRule.read(bytes, notes: &notes) else { return true }
    var random = SeededRandom(seed: seed)
    let starts = ["20260131T090000", "20240229", "00000101T000000", "99991231T235959"]
    guard let start = try? DateTime.read(Array(random.one(of: starts).utf8), notes: &notes) else {
      return false
    }
    let found = Array(RuleExpansion(rule, start: start).prefix(50))
    let isAscending = zip(found, found.dropFirst()).allSatisfy { $0 < $1 }
    let set = RecurrenceSet(
      main: Schedule(start: start, rules: [rule]), zones: ZoneResolver(catalog: .system))
    _ = Array(set.occurrences(in: window(seed)).prefix(50))
    let again = try? RecurrenceRule.read(rule.value, notes: &notes)
    return isAscending && again == rule && again?.value == rule.value
  }

  private static func values(_ bytes: [UInt8]) -> Bool {
    var notes: [ValueNote] = []
    var isKept = true
    if let time = try? DateTime.read(bytes, notes: &notes) {
      isKept = (try? DateTime.read(Array(time.value.utf8), notes: &notes)) == time
    }
    _ = try? CivilDuration.read(bytes, notes: &notes)
    _ = try? UTCOffset.read(bytes, notes: &notes)
    _ = try? Period.read(bytes, notes: &notes)
    return isKept
  }

  private static func zoneFile(_ bytes: [UInt8], seed: UInt64) -> Bool {
    guard let zone = try? TZif.zone(name: "X", bytes: bytes) else { return true }
    probe(zone, seed: seed)
    return true
  }

  private static func probe(_ zone: Zone, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for time in [Int.min, Int.max, 0, random.number(-60_000_000_000...250_000_000_000)] {
      _ = zone.offset(at: time)
    }
    let time = random.number(-60_000_000_000...250_000_000_000)
    _ = zone.instant(of: time)
    _ = zone.wall(at: time)
    _ = zone.definitionText(from: 0)
  }

  /// Somewhere in ten thousand years, and mostly near our own.
  private static func window(_ seed: UInt64) -> OccurrenceWindow {
    var random = SeededRandom(seed: seed &+ 1)
    let from =
      random.oneIn(3)
      ? random.number(-60_000_000_000...250_000_000_000)
      : random.number(1_700_000_000...1_900_000_000)
    let length = random.one(of: [1, 86_400, 31_536_000, Int(1e11)])
    return OccurrenceWindow(from: from, to: from + length)
  }
}
