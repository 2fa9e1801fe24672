import ICalendar
import Recurrence

/// Where the occurrences of a series go when its start moves on the wall.
struct SeriesMove {
  /// A rule before and after, without its end.
  struct MovedRule {
    let old: RecurrenceRule
    let new: RecurrenceRule
    let fit: RuleShift.Fit
  }

  /// The start of the series before and after.
  let old: DateTime
  let new: DateTime
  let oldHome: Home
  let newHome: Home
  let shift: RuleShift
  private(set) var rules: [MovedRule]

  /// - Parameters:
  ///   - followers: The rules that follow the start: none where a new rule is given.
  ///   - exclusions: The rules of what is left out, which follow it too.
  init(
    from old: DateTime, to new: DateTime, followers: [RecurrenceRule],
    exclusions: [RecurrenceRule], clock: Clock
  ) throws(EditError) {
    self.old = old
    self.new = new
    oldHome = clock.home(of: old)
    newHome = clock.home(of: new)
    shift = RuleShift(old: old.civil, new: new.civil, isDate: new.isDate)
    rules = []
    for (index, rule) in (followers + exclusions).enumerated() {
      guard !new.isDate || old.isDate || rule.isOncePerDay else { throw .allDaySubDaily }
      var endless = rule
      (endless.count, endless.until) = (nil, nil)
      var given = endless
      if old.isDate, !new.isDate {
        // Times of day mean nothing to whole days (RFC 5545 §3.3.10), and would from now on.
        (given.byHour, given.byMinute, given.bySecond) = ([], [], [])
      }
      let (shifted, fit) = shift.shifted(given)
      let moved = MovedRule(old: endless, new: shifted, fit: fit)
      guard
        !fit.isKept
          || shift.keepsStep(of: rule)
            && (index >= followers.count || staysBetweenNeighbours(moved, of: rule))
      else { throw .cannotFollow(rule: rule.value) }
      rules.append(moved)
    }
  }

  /// The first occurrence leaves no other of its rule behind, and gets none in front of the others.
  /// Where the others stay, they would be lost, or given though they were not.
  private func staysBetweenNeighbours(_ moved: MovedRule, of rule: RecurrenceRule) -> Bool {
    let again = keptWall(old.wall, moved.fit)
    if new.wall < again {
      var given = RuleExpansion(
        moved.new, start: new, window: new.wall...(again - 1), includesStart: false)
      return given.next() == nil
    }
    let later = RuleExpansion(moved.old, start: old, window: old.wall...CivilDateTime.lastSecond)
    guard rule.count != 1, let next = later.first(where: { $0 > old.wall }),
      rule.until.map({ next <= wall(of: $0, in: oldHome) }) ?? true
    else { return true }
    return keptWall(next, moved.fit) > new.wall
  }

  /// The new wall time of an old one, each as a rule gives it; nil where the moved rule has no
  /// counterpart.
  func wall(ofWall wall: Int) -> Int? {
    if wall == old.wall { return new.wall }
    guard rules.contains(where: { $0.fit != .uniform }) else { return moved(wall) }
    guard let rule = rules.first(where: { $0.old.gives(wall, from: old) }) else {
      return moved(wall)
    }
    switch rule.fit {
    case .uniform: return moved(wall)
    case .byPeriod: return placed(wall, by: rule)
    case .keptDays, .kept:
      let kept = keptWall(wall, rule.fit)
      return rule.new.gives(kept, from: new) ? kept : nil
    }
  }

  /// Where an occurrence is whose day stays.
  func keptWall(_ wall: Int, _ fit: RuleShift.Fit) -> Int {
    if new.isDate { return Gregorian.floorDivide(wall, 86_400) * 86_400 }
    return fit == .kept ? wall : wall + shift.seconds
  }

  /// A wall time moved by as much as the start.
  func moved(_ wall: Int) -> Int {
    guard new.isDate, !old.isDate else { return wall + new.wall - old.wall }
    return (Gregorian.floorDivide(wall, 86_400) + shift.days) * 86_400
  }

  /// The wall time, as a rule gives it, that has a key; times in a gap have that of another.
  func wall(ofKey key: Int) -> Int {
    let walls = oldHome.walls(ofKey: key)
    guard walls.count > 1, key != oldHome.key(of: old) else {
      return key == oldHome.key(of: old) ? old.wall : walls.first ?? oldHome.wall(ofKey: key)
    }
    return walls.last { wall in rules.contains { $0.old.gives(wall, from: old) } }
      ?? oldHome.wall(ofKey: key)
  }

  /// Where an occurrence, or an exception from one, goes on the wall.
  func target(ofKey key: Int) -> (wall: Int, isMatched: Bool) {
    let old = wall(ofKey: key)
    let found = wall(ofWall: old)
    return (found ?? moved(old), found != nil)
  }

  /// A new wall time; one in a gap is written as the time that the clock shows then.
  func time(ofWall wall: Int) throws(EditError) -> DateTime {
    let shown = newHome.isDate ? wall : newHome.wall(ofKey: newHome.key(ofWall: wall))
    guard let civil = CivilDateTime(secondsSince1970: shown) else { throw .outOfRange }
    return new.with(civil)
  }

  /// The occurrence of the new rule that has the same place in its period.
  func placed(_ wall: Int, by rule: MovedRule) -> Int? {
    guard rule.old.frequency > .weekly, let period = period(of: wall, rule.old) else {
      let other = moved(wall)
      return rule.new.gives(other, from: new) ? other : nil
    }
    guard let start = self.period(of: old.wall, rule.old),
      let newStart = self.period(of: new.wall, rule.new)
    else { return nil }
    let range = range(ofPeriod: period, rule.old)
    let newRange = self.range(ofPeriod: period - start + newStart, rule.new)
    let before = RuleExpansion(rule.old, start: old, window: range.lowerBound...wall)
    let index = before.prefix(Self.placeLimit).reduce(0) { count, _ in count + 1 } - 1
    let after = RuleExpansion(rule.new, start: new, window: newRange)
    guard index >= 0, index < Self.placeLimit else { return nil }
    return after.prefix(index + 1).reversed().first.flatMap { last in
      after.prefix(index + 1).reduce(0) { count, _ in count + 1 } == index + 1 ? last : nil
    }
  }

  /// More places than a year has days, at every quarter of an hour.
  private static let placeLimit = 40_000

  /// The number of the month, year or week-year that a wall time is in.
  private func period(of wall: Int, _ rule: RecurrenceRule) -> Int? {
    guard let date = CivilDateTime(secondsSince1970: wall)?.date else { return nil }
    if rule.frequency == .monthly { return date.year * 12 + date.month - 1 }
    guard !rule.byWeekNumber.isEmpty else { return date.year }
    return date.week(startingOn: rule.weekStart ?? .monday).year
  }

  private func range(ofPeriod period: Int, _ rule: RecurrenceRule) -> ClosedRange<Int> {
    func first(_ period: Int) -> Int {
      if rule.frequency == .monthly {
        let year = Gregorian.floorDivide(period, 12)
        return Gregorian.day(year: year, month: period - year * 12 + 1, day: 1)
      }
      guard rule.byWeekNumber.isEmpty else {
        let start = rule.weekStart ?? .monday
        return Gregorian.firstWeek(of: period, startingOn: start.rawValue)
      }
      return Gregorian.day(year: period, month: 1, day: 1)
    }
    return (first(period) * 86_400)...(first(period + 1) * 86_400 - 1)
  }
}
