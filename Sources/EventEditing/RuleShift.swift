import ICalendar

/// How a rule follows a start that moves on the wall (docs/spans.md has the table).
struct RuleShift {
  /// How the occurrences of the rule follow.
  enum Fit {
    /// Each by as much as the start.
    case uniform
    /// Each to the place that the rule now gives it in its month, year or week.
    case byPeriod
    /// The rule cannot say it: its days stay, at the new time of day.
    case keptDays
    /// The rule cannot say it: its days and times stay.
    case kept

    /// All but the first occurrence stay on their days.
    var isKept: Bool { self == .keptDays || self == .kept }
  }

  let old: CivilDateTime
  let new: CivilDateTime
  /// The series becomes, or is, one of whole days.
  let isDate: Bool

  /// The days that the start moves.
  var days: Int { new.date.daysSince1970 - old.date.daysSince1970 }
  /// The change of the time of day.
  var seconds: Int { isDate ? 0 : new.secondOfDay - old.secondOfDay }
  var months: Int { (new.date.year - old.date.year) * 12 + new.date.month - old.date.month }

  /// The rule for the new start; COUNT and UNTIL are not touched.
  func shifted(_ rule: RecurrenceRule) -> (rule: RecurrenceRule, fit: Fit) {
    var clockOnly = rule
    if isDate { (clockOnly.byHour, clockOnly.byMinute, clockOnly.bySecond) = ([], [], []) }
    guard let days = shiftClock(&clockOnly) else { return (kept(rule), .kept) }
    guard days != 0 else { return (clockOnly, .uniform) }
    var shifted = clockOnly
    let fit: Fit? =
      switch rule.frequency {
      case .secondly, .minutely, .hourly, .daily: shiftFilters(&shifted, by: days)
      case .weekly: shiftWeek(&shifted, by: days)
      // Days of a month are told by those of the start, so the rule has to be at its time of day.
      case .monthly, .yearly: days == self.days ? shiftPeriod(&shifted) : nil
      }
    if let fit { return (shifted, fit) }
    // A time of day that would come to another day than the start does stays with its day.
    guard days == self.days else { return (kept(rule), .kept) }
    clockOnly.writeOutDays(old.date, for: new.date)
    return (clockOnly, .keptDays)
  }

  /// Moves the times of day, and says how many days further an occurrence comes then: nil where one
  /// rule cannot say it.
  private func shiftClock(_ rule: inout RecurrenceRule) -> Int? {
    guard seconds != 0 || (!isDate && days != 0) else { return days }
    if rule.frequency >= .daily, !isDate,
      [rule.byHour, rule.byMinute, rule.bySecond].allSatisfy({ $0.count <= 1 })
    {
      return shiftOneTime(&rule)
    }
    let hours = new.hour - old.hour
    guard let byHour = moved(rule.byHour, by: hours, in: 0...23),
      let byMinute = moved(rule.byMinute, by: new.minute - old.minute, in: 0...59),
      let bySecond = moved(rule.bySecond, by: new.second - old.second, in: 0...59)
    else { return nil }
    // What steps through a day and keeps to some days would cross midnight at another step.
    let crosses = rule.frequency == .hourly ? hours != 0 : rule.frequency < .hourly
    guard seconds == 0 || !crosses || !rule.hasDayParts else { return nil }
    (rule.byHour, rule.byMinute, rule.bySecond) = (byHour, byMinute, bySecond)
    return days
  }

  /// A rule of one time of day, which need not be that of the start.
  private func shiftOneTime(_ rule: inout RecurrenceRule) -> Int {
    let hour = rule.byHour.first ?? old.hour
    let minute = rule.byMinute.first ?? old.minute
    let second = rule.bySecond.first ?? old.second
    let distance = new.secondsSince1970 - old.secondsSince1970
    let moved = hour * 3600 + minute * 60 + min(second, 59) + distance
    let clock = Gregorian.floorModulo(moved, 86_400)
    // What the new start says by itself need not be written.
    if !rule.byHour.isEmpty || clock / 3600 != new.hour { rule.byHour = [clock / 3600] }
    if !rule.byMinute.isEmpty || clock / 60 % 60 != new.minute {
      rule.byMinute = [clock / 60 % 60]
    }
    if !rule.bySecond.isEmpty || clock % 60 != new.second { rule.bySecond = [clock % 60] }
    return Gregorian.floorDivide(moved, 86_400)
  }

  /// INTERVAL counts from the new start as it did from the old one, so that a rule whose days stay
  /// has the same ones.
  func keepsStep(of rule: RecurrenceRule) -> Bool {
    let week = (rule.weekStart ?? .monday).rawValue
    /// Full units of the clock between the two, where 8:30 is an hour before 9:00.
    func units(_ unit: Int) -> Int {
      Gregorian.floorDivide(new.secondsSince1970, unit)
        - Gregorian.floorDivide(old.secondsSince1970, unit)
    }
    let steps =
      switch rule.frequency {
      case .secondly: units(1)
      case .minutely: units(60)
      case .hourly: units(3600)
      case .daily: days
      case .weekly: new.date.weekNumber(startingOn: week) - old.date.weekNumber(startingOn: week)
      case .monthly: months
      case .yearly: new.date.year - old.date.year
      }
    return steps % rule.interval == 0
  }

  /// The rule with the days and times that it has; those that the start gave it are written out.
  private func kept(_ rule: RecurrenceRule) -> RecurrenceRule {
    var rule = rule
    rule.writeOutDays(old.date, for: new.date)
    rule.writeOutClock(old, for: new)
    return rule
  }

  private func moved(_ list: [Int], by distance: Int, in range: ClosedRange<Int>) -> [Int]? {
    let moved = list.map { $0 + distance }
    return moved.allSatisfy(range.contains) ? moved : nil
  }

  /// Rules of days and less, where parts that name days only filter.
  private func shiftFilters(_ rule: inout RecurrenceRule, by days: Int) -> Fit? {
    guard rule.hasDayParts else { return .uniform }
    guard rule.byMonth.isEmpty, rule.byMonthDay.isEmpty, rule.byYearDay.isEmpty,
      rule.byWeekNumber.isEmpty
    else { return nil }
    rule.byDay = rule.byDay.map { .init($0.ordinal, $0.weekday.later(by: days)) }
    return .uniform
  }

  /// Every weekday moves by as much; so does the start of the week where it says which weeks count.
  private func shiftWeek(_ rule: inout RecurrenceRule, by days: Int) -> Fit? {
    guard rule.byMonthDay.isEmpty, rule.byYearDay.isEmpty, rule.byWeekNumber.isEmpty else {
      return nil
    }
    let isPlain =
      rule.byDay.isEmpty || rule.byDay.allSatisfy { $0.weekday == old.date.weekday }
    rule.byDay = rule.byDay.map { .init($0.ordinal, $0.weekday.later(by: days)) }
    let needsWeek = !isPlain && (rule.interval > 1 || !rule.bySetPosition.isEmpty)
    if needsWeek, days % 7 != 0 { rule.weekStart = (rule.weekStart ?? .monday).later(by: days) }
    return rule.byMonth.isEmpty ? .uniform : .byPeriod
  }
}

extension RecurrenceRule {
  /// Some part names days.
  var hasDayParts: Bool {
    !byDay.isEmpty || !byMonthDay.isEmpty || !byYearDay.isEmpty || !byWeekNumber.isEmpty
      || !byMonth.isEmpty
  }
}

extension CivilDate {
  /// Weeks since one in 1970.
  fileprivate func weekNumber(startingOn weekday: Int) -> Int {
    Gregorian.floorDivide(daysSince1970 + 3 - weekday, 7)
  }
}

extension Weekday {
  /// The weekday so many days later.
  func later(by days: Int) -> Weekday {
    Weekday.allCases[Gregorian.floorModulo(rawValue + days, 7)]
  }
}
