import ICalendar
import Recurrence

extension SeriesMove {
  /// The end of a rule after the move; the same where it stays.
  ///
  /// UNTIL moves with the last occurrence; `difference(of:after:at:)` says what is lost or added.
  func end(of rule: RecurrenceRule, at index: Int) -> RecurrenceRule {
    var moved = rules[index].new
    (moved.count, moved.until) = (rule.count, rule.until)
    if let until = rule.until, let end = endWall(of: until, rule, at: index) {
      if isInGap(end), rule.count == nil,
        let count = count(of: rule, through: wall(of: until, in: oldHome))
      {
        // Times behind the gap would come before such an end.
        (moved.count, moved.until) = (count, nil)
      } else {
        moved.until = self.until(end) ?? until
      }
    }
    if rules[index].fit.isKept, let count = rule.count {
      moved.count = keptCount(count, of: rule, at: index)
    }
    return moved
  }

  /// The wall time of an UNTIL.
  func wall(of until: DateTime, in home: Home) -> Int {
    guard case .utc = until, home.zone != nil else { return until.wall }
    return home.wall(ofKey: home.key(of: until))
  }

  private func endWall(of until: DateTime, _ rule: RecurrenceRule, at index: Int) -> Int? {
    let wall = wall(of: until, in: oldHome)
    let end =
      switch rules[index].fit {
      case .uniform: movedEnd(wall)
      case .byPeriod:
        last(of: rule, through: wall).flatMap { self.wall(ofWall: $0) } ?? movedEnd(wall)
      case .keptDays: keptWall(wall, .keptDays) - (isBeforeStart(wall) ? 86_400 : 0)
      case .kept: wall
      }
    return CivilDateTime(secondsSince1970: end) == nil ? nil : end
  }

  private func until(_ wall: Int) -> DateTime? {
    guard let civil = CivilDateTime(secondsSince1970: wall) else { return nil }
    if new.isDate { return .date(civil.date) }
    guard newHome.zone != nil else { return .floating(civil) }
    return CivilDateTime(secondsSince1970: newHome.key(ofWall: wall)).map { .utc($0) }
  }

  private func isInGap(_ wall: Int) -> Bool {
    newHome.zone != nil && newHome.wall(ofKey: newHome.key(ofWall: wall)) != wall
  }

  /// How many occurrences a rule has up to a wall time; nil if they are too many to count.
  private func count(of rule: RecurrenceRule, through wall: Int) -> Int? {
    var endless = rule
    (endless.count, endless.until) = (nil, nil)
    let found = RuleExpansion(endless, start: old, window: old.wall...max(old.wall, wall))
    let count = found.prefix(Self.lookLimit).reduce(0) { count, _ in count + 1 }
    return count < Self.lookLimit ? count : nil
  }

  /// A last wall time, moved.
  private func movedEnd(_ wall: Int) -> Int {
    moved(wall) - (isBeforeStart(wall) ? 86_400 : 0)
  }

  /// Of a series that becomes one of days: on a day that ends before the time of its occurrence,
  /// the day before is the last.
  private func isBeforeStart(_ wall: Int) -> Bool {
    new.isDate && !old.isDate && Gregorian.floorModulo(wall, 86_400) < old.civil.secondOfDay
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
    let clock = keptWall(old.wall, rules[index].fit) - old.wall
    guard new.wall >= old.wall,
      let civil = CivilDateTime(secondsSince1970: new.wall - clock + 1),
      let passed = RuleExpansion.counted(of: rule, start: old, before: civil)
    else { return oldStartAgain(by: index) != nil ? count + 1 : count }
    return 1 + count - passed
  }

  /// The old start, where a rule whose days stay gives it once more behind the new one.
  func oldStartAgain(by index: Int) -> Int? {
    let again = keptWall(old.wall, rules[index].fit)
    guard rules[index].fit.isKept, new.wall < again, rules[index].new.gives(again, from: new)
    else { return nil }
    return again
  }
}
