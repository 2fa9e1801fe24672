import ICalendar

extension RulePlan {
  /// Years of numbered weeks start and end with a week (RFC 5545 §3.3.10, BYWEEKNO).
  var hasWeekYears: Bool { frequency == .yearly && days.hasWeeks }

  /// The seconds of a period of seconds, minutes or hours; nil for longer ones.
  var unit: Int? {
    switch frequency {
    case .secondly: 1
    case .minutely: 60
    case .hourly: 3600
    case .daily, .weekly, .monthly, .yearly: nil
    }
  }

  /// The number of the period that a civil second is in.
  func period(of second: Int) -> Int {
    let day = Gregorian.floorDivide(second, 86_400)
    switch frequency {
    case .secondly: return second
    case .minutely: return Gregorian.floorDivide(second, 60)
    case .hourly: return Gregorian.floorDivide(second, 3600)
    case .daily: return day
    // Day 0 is a Thursday, so day -3 starts a week of Mondays.
    case .weekly: return Gregorian.floorDivide(day + 3 - days.weekStart, 7)
    case .monthly:
      let date = Gregorian.date(ofDay: day)
      return date.year * 12 + date.month - 1
    case .yearly:
      return hasWeekYears
        ? Gregorian.week(ofDay: day, startingOn: days.weekStart).year
        : Gregorian.date(ofDay: day).year
    }
  }

  /// The first civil second of a period.
  func firstSecond(ofPeriod period: Int) -> Int {
    switch frequency {
    case .secondly: period
    case .minutely: period * 60
    case .hourly: period * 3600
    case .daily: period * 86_400
    case .weekly: (period * 7 - 3 + days.weekStart) * 86_400
    case .monthly:
      Gregorian.day(
        year: Gregorian.floorDivide(period, 12), month: Gregorian.floorModulo(period, 12) + 1,
        day: 1) * 86_400
    case .yearly:
      86_400
        * (hasWeekYears
          ? Gregorian.firstWeek(of: period, startingOn: days.weekStart)
          : Gregorian.day(year: period, month: 1, day: 1))
    }
  }

  /// All that the rule allows in a period, before BYSETPOS.
  func content(ofPeriod period: Int) -> PeriodContent {
    switch frequency {
    case .yearly:
      return PeriodContent(
        days: hasWeekYears ? days.days(ofWeekYear: period) : days.days(ofYear: period),
        clock: clock)
    case .monthly:
      let year = Gregorian.floorDivide(period, 12)
      return PeriodContent(
        days: days.days(ofMonth: period - year * 12 + 1, year: year), clock: clock)
    case .weekly:
      return PeriodContent(
        days: days.days(ofWeekFrom: period * 7 - 3 + days.weekStart), clock: clock)
    case .daily:
      let isIn = days.isEmpty || days.passes(period)
      return PeriodContent(days: isIn ? DayBits(day: period) : DayBits(base: period), clock: clock)
    case .hourly, .minutely, .secondly:
      let second = firstSecond(ofPeriod: period)
      let day = Gregorian.floorDivide(second, 86_400)
      let secondOfDay = second - day * 86_400
      let isIn = gate.contains(secondOfDay) && (days.isEmpty || days.passes(day))
      return PeriodContent(
        days: isIn ? DayBits(day: day) : DayBits(base: day), clock: clock(at: secondOfDay))
    }
  }

  /// The times within a period of less than a day that starts at a time.
  func clock(at secondOfDay: Int) -> ClockSet {
    var inside = ClockSet(secondOfDay)
    if frequency >= .minutely { inside.seconds = clock.seconds }
    if frequency >= .hourly { inside.minutes = clock.minutes }
    return inside
  }

  /// How many of `total` occurrences of a period BYSETPOS keeps.
  func kept(of total: Int) -> Int {
    positions.isEmpty ? total : picks(of: total).count
  }

  /// The places, from 0, that BYSETPOS keeps of `total` occurrences; sorted, each once.
  func picks(of total: Int) -> [Int] {
    let places = positions.compactMap { position -> Int? in
      let place = position > 0 ? position - 1 : total + position
      return place >= 0 && place < total ? place : nil
    }
    // Those of one sign are in order already.
    let isMixed = positions.first.map { $0 < 0 } != positions.last.map { $0 < 0 }
    return isMixed ? Set(places).sorted() : places
  }
}

extension RulePlan {
  /// The first period of the rule from `period` on: INTERVAL counts from the period of DTSTART.
  func onStep(_ period: Int) -> Int {
    let distance = period - firstPeriod
    guard distance > 0 else { return firstPeriod }
    return period + (step - distance % step) % step
  }
}
