import ICalendar

extension RuleShift {
  /// Rules of months and years. Days that no part names follow the start by themselves.
  func shiftPeriod(_ rule: inout RecurrenceRule) -> Fit? {
    if !rule.byWeekNumber.isEmpty { return shiftWeekNumber(&rule) }
    if !rule.byYearDay.isEmpty { return shiftYearDays(&rule) }
    guard shiftMonth(&rule) else { return nil }
    if !rule.bySetPosition.isEmpty { return shiftPosition(&rule) }
    // Weekdays first: their numbers count in the months that the rule had.
    guard shiftWeekdays(&rule), shiftMonthDays(&rule) else { return nil }
    return .byPeriod
  }

  /// One month that the start was in becomes the new one; several can stay only as they are.
  private func shiftMonth(_ rule: inout RecurrenceRule) -> Bool {
    guard !rule.byMonth.isEmpty, old.date.month != new.date.month else { return true }
    guard rule.byMonth == [old.date.month] else { return false }
    rule.byMonth = [new.date.month]
    return true
  }

  private func shiftMonthDays(_ rule: inout RecurrenceRule) -> Bool {
    let length = (old: old.date.monthLength, new: new.date.monthLength)
    if rule.byMonthDay.count == 1, let day = rule.byMonthDay.first {
      let place = day > 0 ? old.date.day : old.date.day - length.old - 1
      guard day == place else { return false }
      rule.byMonthDay = [countsFromStart(day) ? new.date.day : new.date.day - length.new - 1]
      return true
    }
    guard !rule.byMonthDay.isEmpty else { return true }
    // Days that every month has, before and after.
    let everyMonth = 1...28
    let moved = rule.byMonthDay.map { $0 + days }
    let staysInMonth = zip(rule.byMonthDay, moved).allSatisfy { before, after in
      (before > 0) == (after > 0) && everyMonth.contains(abs(before))
        && everyMonth.contains(abs(after))
    }
    guard months == 0, staysInMonth else { return false }
    rule.byMonthDay = moved
    return true
  }

  /// A day is counted from the end of its month that it was counted from, but where it goes over
  /// that end, by some days: a day after the last one is the first, and one before the first the
  /// last. Who moves it farther means the date.
  private func countsFromStart(_ day: Int) -> Bool {
    if days.magnitude > 7 { return day > 0 }
    return day > 0 ? months != -1 || day + days > 0 : months == 1 && day + days >= 0
  }

  private func shiftWeekdays(_ rule: inout RecurrenceRule) -> Bool {
    let numbered = rule.byDay.filter { $0.ordinal != nil && rule.allowsOrdinals }
    if numbered.isEmpty {
      guard rule.byDay.count != 1 || rule.byDay.first?.weekday == old.date.weekday else {
        return false
      }
      rule.byDay = rule.byDay.map { .init($0.ordinal, $0.weekday.later(by: days)) }
      return true
    }
    guard numbered.count == rule.byDay.count,
      rule.byDay.allSatisfy({ $0.weekday == old.date.weekday })
    else { return false }
    let isInYear = rule.frequency == .yearly && rule.byMonth.isEmpty
    if rule.byDay.count == 1, let ordinal = rule.byDay.first?.ordinal {
      guard old.date.ordinal(like: ordinal, inYear: isInYear) == ordinal else { return false }
      let moved = movedOrdinal(ordinal, inYear: isInYear)
      // A fifth weekday is rare; the last one is meant, where the old number was no fifth.
      let isLast = !isInYear && moved == 5 && ordinal != 5
      rule.byDay = [.init(isLast ? -1 : moved, new.date.weekday)]
      return true
    }
    // Several of one weekday, as the first and third: they keep their numbers if the start does.
    guard months == 0, !isInYear,
      old.date.ordinal(like: 1, inYear: false) == new.date.ordinal(like: 1, inYear: false),
      old.date.ordinal(like: -1, inYear: false) == new.date.ordinal(like: -1, inYear: false)
    else { return false }
    rule.byDay = rule.byDay.map { .init($0.ordinal, new.date.weekday) }
    return true
  }

  /// The number that the new date has among the weekdays of its name. It is counted from the end of
  /// the month or year as the old one was, but where the start leaves that over its other end: the
  /// Sunday after the last Friday is the first one, and the day before the first Monday the last of
  /// its name.
  private func movedOrdinal(_ ordinal: Int, inYear: Bool) -> Int {
    let isLast = new.date.ordinal(like: -1, inYear: inYear) == -1
    let periods = inYear ? new.date.year - old.date.year : months
    let countsFromEnd =
      ordinal < 0 ? periods == 0 || isLast : periods == -1 && isLast && days >= -7
    return new.date.ordinal(like: countsFromEnd ? -1 : 1, inYear: inYear)
  }

  /// `BYDAY=MO;BYSETPOS=2` is another way to say 2MO.
  private func shiftPosition(_ rule: inout RecurrenceRule) -> Fit? {
    let isMonthly = rule.frequency == .monthly || rule.byMonth.count == 1
    guard isMonthly, rule.byMonthDay.isEmpty, rule.byDay.count == 1, let day = rule.byDay.first,
      day.ordinal == nil, day.weekday == old.date.weekday, rule.bySetPosition.count == 1,
      let position = rule.bySetPosition.first,
      old.date.ordinal(like: position, inYear: false) == position,
      rule.byHour.count <= 1, rule.byMinute.count <= 1, rule.bySecond.count <= 1
    else { return nil }
    let moved = movedOrdinal(position, inYear: false)
    rule.byDay = [.init(nil, new.date.weekday)]
    rule.bySetPosition = [moved == 5 && position != 5 ? -1 : moved]
    return .byPeriod
  }

  private func shiftYearDays(_ rule: inout RecurrenceRule) -> Fit? {
    guard rule.byMonth.isEmpty, rule.byMonthDay.isEmpty, rule.byDay.isEmpty,
      rule.bySetPosition.isEmpty
    else { return nil }
    if rule.byYearDay.count == 1, let day = rule.byYearDay.first {
      guard old.date.yearDay(like: day) == day else { return nil }
      rule.byYearDay = [new.date.yearDay(like: day)]
      return .byPeriod
    }
    let moved = rule.byYearDay.map { $0 + days }
    let staysInYear = zip(rule.byYearDay, moved).allSatisfy { before, after in
      (before > 0) == (after > 0) && (1...365).contains(abs(before))
        && (1...365).contains(abs(after))
    }
    guard staysInYear else { return nil }
    rule.byYearDay = moved
    return .byPeriod
  }

  private func shiftWeekNumber(_ rule: inout RecurrenceRule) -> Fit? {
    guard rule.byMonth.isEmpty, rule.byMonthDay.isEmpty, rule.byYearDay.isEmpty,
      rule.bySetPosition.isEmpty, rule.byDay.count <= 1,
      rule.byDay.allSatisfy({ $0.weekday == old.date.weekday })
    else { return nil }
    let start = rule.weekStart ?? .monday
    let (oldWeek, newWeek) = (old.date.week(startingOn: start), new.date.week(startingOn: start))
    if oldWeek != newWeek {
      guard rule.byWeekNumber.count == 1, let number = rule.byWeekNumber.first else { return nil }
      guard weekNumber(oldWeek, like: number, startingOn: start) == number else { return nil }
      rule.byWeekNumber = [weekNumber(newWeek, like: number, startingOn: start)]
    }
    rule.byDay = rule.byDay.map { .init($0.ordinal, new.date.weekday) }
    return .byPeriod
  }
}

extension CivilDate {
  fileprivate var monthLength: Int { Gregorian.days(inMonth: month, of: year) }

  /// Which of the weekdays of its name in the month or year it is, from the start or, like a
  /// negative number, from the end.
  fileprivate func ordinal(like model: Int, inYear: Bool) -> Int {
    let first = Gregorian.day(year: year, month: inYear ? 1 : month, day: 1)
    let length = inYear ? Gregorian.days(inYear: year) : monthLength
    let place = daysSince1970 - first
    return model > 0 ? place / 7 + 1 : -((length - 1 - place) / 7 + 1)
  }

  fileprivate func yearDay(like model: Int) -> Int {
    let place = daysSince1970 - Gregorian.day(year: year, month: 1, day: 1)
    return model > 0 ? place + 1 : place - Gregorian.days(inYear: year)
  }
}

/// The number of a week of a year, from its start or, like a negative number, from its end.
private func weekNumber(
  _ week: (year: Int, number: Int), like model: Int, startingOn start: Weekday
) -> Int {
  model > 0
    ? week.number
    : week.number - Gregorian.weeks(inYear: week.year, startingOn: start.rawValue) - 1
}
