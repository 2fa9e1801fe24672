import ICalendar
import Recurrence
import SyncPlanning
import TestSupport
import Testing

/// Random items with random definitions of their zone, right ones and wrong ones, against the
/// occurrences that the definitions give by themselves.
@Suite struct DefinitionPropertyTests {
  #if DEBUG
    private static let seeds = 300
  #else
    private static let seeds = 3_000
  #endif
  private let zones = ItemZones(.machine)

  @Test func `texts that differ in what a definition means for the item are never the same`() {
    var same = 0
    var different = 0
    for seed in 0..<UInt64(Self.seeds) {
      var trial = DefinitionTrial(seed: seed)
      let (name, lines) = trial.item()
      let texts = [trial.definition(of: name), trial.definition(of: name), ""].map {
        DefinitionTrial.tree($0, lines)
      }
      for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        let isSame = zones.isSameContent(texts[one], texts[other])
        #expect(isSame == zones.isSameContent(texts[other], texts[one]), "seed \(seed)")
        guard isSame else { continue }
        let means = DefinitionTrial.occurrences(of: texts[one])
        if means != DefinitionTrial.occurrences(of: texts[other]) {
          let text = String(decoding: texts[one].bytes, as: UTF8.self)
          Issue.record("seed \(seed), texts \(one) and \(other):\n\(text)")
        }
        same += 1
      }
      if !zones.isSameContent(texts[0], texts[2]),
        DefinitionTrial.occurrences(of: texts[0]) != DefinitionTrial.occurrences(of: texts[2])
      {
        different += 1
      }
    }
    // Else the test would not see what it is for.
    #expect(same > Self.seeds / 3, "of \(Self.seeds) seeds")
    #expect(different > Self.seeds / 20, "of \(Self.seeds) seeds")
  }

  @Test func `what tzdata itself would write is always redundant`() throws {
    for seed in 0..<UInt64(Self.seeds) {
      var trial = DefinitionTrial(seed: seed)
      let (name, lines) = trial.item()
      let right = try #require(ZoneCatalog.machine.zone(named: name))
        .definitionText(from: DefinitionTrial.beforeAll)
      let (with, without) = (DefinitionTrial.tree(right, lines), DefinitionTrial.tree("", lines))
      #expect(zones.isSameContent(with, without), "seed \(seed): \(lines)")
    }
  }
}

/// Draws items and definitions.
private struct DefinitionTrial {
  var random: SeededRandom

  /// A month before the first time that an item may have.
  static let beforeAll = Gregorian.day(year: 1989, month: 12, day: 1) * 86_400

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// A zone, and the lines of an event in it.
  mutating func item() -> (zone: String, lines: [String]) {
    let zone = random.one(of: [
      "Europe/Vienna", "America/New_York", "Australia/Sydney", "Europe/Istanbul", "Asia/Tokyo",
    ])
    let year = random.number(1990...2035)
    let start = time(year)
    var lines = ["DTSTART;TZID=\(zone):\(start)"]
    switch random.number(0...4) {
    case 0: lines.append("DURATION:PT1H")
    case 1: lines.append("DURATION:P\(random.number(1...40))D")
    case 2: lines.append("DTEND;TZID=\(zone):\(time(year + 1))")
    default: break
    }
    switch random.number(0...6) {
    case 0: lines.append("RRULE:FREQ=WEEKLY;COUNT=\(random.number(1...60))")
    case 1: lines.append("RRULE:FREQ=DAILY;UNTIL=\(time(year + random.number(0...2)))Z")
    case 2: lines.append("RRULE:FREQ=MONTHLY")
    case 3: lines.append("RRULE:FREQ=YEARLY;COUNT=\(random.number(1...30))")
    case 4: lines.append("RDATE;TZID=\(zone):\(time(year + random.number(0...3)))")
    default: break
    }
    return (zone, lines)
  }

  private mutating func time(_ year: Int) -> String {
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    let (month, day) = (random.number(1...12), random.number(1...28))
    return "\(year)\(two(month))\(two(day))T\(two(random.number(0...23)))3000"
  }

  /// What tzdata says from some year on, to some year or for good; often with a digit changed.
  mutating func definition(of name: String) -> String {
    guard let zone = ZoneCatalog.machine.zone(named: name) else { return "" }
    func start(_ year: Int) -> Int { Gregorian.day(year: year, month: 1, day: 1) * 86_400 }
    let year = random.number(1985...2030)
    let text = zone.definitionText(
      from: start(year), through: random.oneIn(3) ? start(year + random.number(0...20)) : nil)
    guard random.oneIn(2) else { return text }
    var lines = text.split(separator: "\r\n").map(String.init)
    let places = lines.indices.filter { index in
      ["DTSTART", "TZOFFSET", "RRULE", "RDATE"].contains { lines[index].hasPrefix($0) }
    }
    let place = random.one(of: places)
    let digits = lines[place].indices.filter { lines[place][$0].isNumber }
    if let digit = random.pick(Array(digits)) {
      lines[place].replaceSubrange(digit...digit, with: String(random.number(0...9)))
    }
    return lines.joined(separator: "\r\n") + "\r\n"
  }

  static func tree(_ definition: String, _ lines: [String]) -> SyntaxTree {
    let event = ["BEGIN:VEVENT", "UID:1@example.org"] + lines + ["END:VEVENT", ""]
    let text =
      "BEGIN:VCALENDAR\r\n" + definition + event.joined(separator: "\r\n") + "END:VCALENDAR\r\n"
    return SyntaxTree(bytes: Array(text.utf8))
  }

  /// When the item is by its own definition, or by tzdata where it has none: the first occurrences
  /// and those of the last two years.
  static func occurrences(of tree: SyntaxTree) -> [[Int]] {
    var findings: [ScheduleFinding] = []
    let hasDefinition = tree.calendars.contains {
      $0.components.contains { $0.isNamed("VTIMEZONE") }
    }
    let set = RecurrenceSet(
      CalendarObject(tree), catalog: hasDefinition ? .empty : .machine, findings: &findings)
    func start(_ year: Int) -> Int { Gregorian.day(year: year, month: 1, day: 1) * 86_400 }
    let windows = [
      OccurrenceWindow(from: Int.min, to: start(2038)),
      OccurrenceWindow(from: start(2036), to: start(2038)),
    ]
    return windows.flatMap { window in
      set.occurrences(in: window).prefix(400).map { [$0.start.instant, $0.end.instant] }
    }
  }
}
