import ICalendar
import Recurrence

extension SeriesMove {
  /// The end of a rule after the move; the same where it stays.
  ///
  /// UNTIL moves like the occurrences, so that none is gained or lost.
  func end(of rule: RecurrenceRule, at index: Int) -> RecurrenceRule {
    var moved = rules[index].new
    (moved.count, moved.until) = (rule.count, rule.until)
    if let until = rule.until, let end = self.until(until, of: rule, at: index) {
      moved.until = end
    }
    if rules[index].fit == .kept, let count = rule.count {
      moved.count = keptCount(count, of: rule, at: index)
    }
    return moved
  }

  private func until(_ until: DateTime, of rule: RecurrenceRule, at index: Int) -> DateTime? {
    var wall = until.wall
    if case .utc = until, oldHome.zone != nil { wall = oldHome.wall(ofKey: oldHome.key(of: until)) }
    let end: Int
    switch rules[index].fit {
    case .uniform: end = movedEnd(wall)
    case .byPeriod:
      end = last(of: rule, through: wall).flatMap { self.wall(ofWall: $0) } ?? movedEnd(wall)
    case .kept: end = keptWalls(wall).max() ?? wall
    }
    guard let civil = CivilDateTime(secondsSince1970: end) else { return nil }
    if new.isDate { return .date(civil.date) }
    guard newHome.zone != nil else { return .floating(civil) }
    return CivilDateTime(secondsSince1970: newHome.key(ofWall: end)).map { .utc($0) }
  }

  /// A last wall time, moved. On days that have a time before the occurrence's, the day before is
  /// the last.
  private func movedEnd(_ wall: Int) -> Int {
    guard new.isDate, !old.isDate else { return moved(wall) }
    let isBefore = Gregorian.floorModulo(wall, 86_400) < old.civil.secondOfDay
    return moved(wall) - (isBefore ? 86_400 : 0)
  }

  /// The last occurrence of a rule up to a wall time.
  private func last(of rule: RecurrenceRule, through wall: Int) -> Int? {
    var endless = rule
    (endless.count, endless.until) = (nil, nil)
    let year = 366 * 86_400
    // Most rules have an occurrence within some steps; a leap day comes after 8 years at most.
    for years in [1, 10, 10_000] {
      let (span, overflow) = years.multipliedReportingOverflow(by: min(rule.interval, 10_000))
      let first = overflow || span > 10_000 ? old.wall : max(old.wall, wall - span * year)
      guard first <= wall else { return nil }
      var last: Int?
      let found = RuleExpansion(endless, start: old, window: first...wall)
      for wall in found.prefix(Self.lookLimit) { last = wall }
      if last != nil { return last }
    }
    return nil
  }

  /// Ten thousand years of a weekly rule.
  private static let lookLimit = 522_000

  /// Where the rule's days stay, the start is apart from them: what the rule gives after it is what
  /// it gave.
  private func keptCount(_ count: Int, of rule: RecurrenceRule, at index: Int) -> Int {
    guard new.wall >= old.wall,
      let civil = CivilDateTime(secondsSince1970: new.wall - shift.seconds + 1),
      let passed = RuleExpansion.counted(of: rule, start: old, before: civil)
    else { return oldStartAgain(by: index) != nil ? count + 1 : count }
    return 1 + count - passed
  }

  /// The old start, where a rule whose days stay gives it once more behind the new one.
  func oldStartAgain(by index: Int) -> Int? {
    guard rules[index].fit == .kept, new.wall < old.wall else { return nil }
    return keptWalls(old.wall).first { $0 > new.wall && gives(rules[index].new, from: new, $0) }
  }
}
