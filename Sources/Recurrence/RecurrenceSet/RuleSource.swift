import ICalendar

/// The occurrences of a rule as keys of a home, ascending and each once.
///
/// A rule runs on the wall. Where the wall leaps, times in the gap come out later than times behind
/// it, so they wait until it is their turn; what falls on one instant is one occurrence.
struct RuleSource {
  private var expansion: RuleExpansion
  private let zone: Zone?
  private let isDate: Bool
  /// The last key that an UNTIL in UTC allows.
  private let lastKey: Int
  private var segment = ZoneSegment(lower: 0, upper: 0, offset: 0)
  /// From this wall time on, the current stretch is the gap at its end.
  private var gap = 0
  /// Keys out of a gap, ascending from `firstWaiting` on. At most a day of seconds.
  private var waiting: [Int] = []
  private var firstWaiting = 0
  private var ahead: Int?
  private var last: Int?

  init(
    _ rule: RecurrenceRule, start: DateTime, home: Home, window: ClosedRange<Int>,
    includesStart: Bool
  ) {
    zone = home.zone
    isDate = home.isDate
    var until = Int.max
    var lastKey = Int.max
    if let end = rule.until {
      let isAnchored = !end.isDate && end.civil.secondsSince1970 < CivilDateTime.lastSecond
      if case .utc = end, home.zone != nil, isAnchored {
        lastKey = home.key(of: end)
        // The wall may be a day off, so the expansion goes that far and the keys are compared.
        until = lastKey + Self.slack
      } else {
        until = end.civil.secondsSince1970
      }
    }
    self.lastKey = lastKey
    expansion = RuleExpansion(
      rule, start: start, until: until, window: window, includesStart: includesStart)
  }

  /// Walls differ from UTC by less.
  static let slack = 2 * 86_400

  /// Why there are no more; nil while there may be.
  var end: ExpansionEnd? { expansion.end }

  mutating func next() -> Int? {
    while let key = nextInOrder() {
      guard key != last else { continue }
      last = key
      return key
    }
    return nil
  }

  private mutating func nextInOrder() -> Int? {
    guard let zone else { return expansion.next() }
    if ahead == nil { ahead = nextOutsideGap(zone) }
    if firstWaiting < waiting.count, ahead.map({ waiting[firstWaiting] <= $0 }) ?? true {
      firstWaiting += 1
      return waiting[firstWaiting - 1]
    }
    defer { ahead = nil }
    return ahead
  }

  private mutating func nextOutsideGap(_ zone: Zone) -> Int? {
    while let wall = expansion.next() {
      if !segment.contains(wall) { enter(zone.wallSegment(at: wall), of: zone) }
      let key = wall - segment.offset
      // DTSTART stays where it is no exclusion; later times are compared with UNTIL as instants.
      let isStart = expansion.includesStart && wall == expansion.plan.start
      if key > lastKey, !isStart { continue }
      if wall < gap { return key }
      if firstWaiting == waiting.count {
        waiting.removeAll(keepingCapacity: true)
        firstWaiting = 0
      }
      waiting.append(key)
    }
    return nil
  }

  private mutating func enter(_ next: ZoneSegment, of zone: Zone) {
    segment = next
    gap = next.upper
    guard next.upper < Int.max else { return }
    let after = zone.segment(at: next.upper - 1 - next.offset)
    if after.offset != next.offset { gap = after.lower + next.offset }
  }
}
