import ICalendar

extension DayFilter {
  /// The days of a calendar year.
  func days(ofYear year: Int) -> DayBits {
    let newYear = Gregorian.day(year: year, month: 1, day: 1)
    var days = DayBits(base: newYear)
    var simple = self
    // Numbered weekdays of the year are joined with the others once, for all months.
    if ordinalsCountInYear {
      simple.ordinals = []
      simple.weekdays = 0
    }
    var offset = 0
    for month in 1...12 {
      if months.hasBit(month) {
        let bits = simple.monthBits(year: year, month: month, firstDay: newYear + offset)
        days.insert(UInt64(bits), at: offset)
      }
      offset += Gregorian.days(inMonth: month, of: year)
    }
    if ordinalsCountInYear {
      var wanted = ordinalDays(year: year)
      let firstWeekday = Gregorian.weekday(ofDay: newYear)
      let week = UInt64(Self.weekdayBits(weekdays, firstWeekday: firstWeekday) & 0x7F)
      for start in stride(from: 0, to: offset, by: 7) { wanted.insert(week, at: start) }
      days.formIntersection(wanted)
    }
    if hasYearDays {
      var wanted = DayBits(base: newYear)
      for day in yearDays { wanted.insert(1, at: day - 1) }
      for day in lastYearDays where day <= offset { wanted.insert(1, at: offset - day) }
      days.formIntersection(wanted)
    }
    return days
  }

  /// The days of a year of numbered weeks; it may start in the old year and end in the new one.
  func days(ofWeekYear year: Int) -> DayBits {
    let first = Gregorian.firstWeek(of: year, startingOn: weekStart)
    let total = (Gregorian.firstWeek(of: year + 1, startingOn: weekStart) - first) / 7
    var wanted = weeks
    var last = lastWeeks
    while last != 0 {
      let fromEnd = last.trailingZeroBitCount
      if fromEnd <= total { wanted |= 1 << UInt64(total + 1 - fromEnd) }
      last &= last &- 1
    }
    wanted = wanted.bits(below: total + 1)
    let week = UInt64(Self.weekdayBits(weekdays, firstWeekday: weekStart) & 0x7F)
    var days = DayBits(base: first)
    while wanted != 0 {
      let number = wanted.trailingZeroBitCount
      days.insert(
        asksOnlyWeeksAndWeekdays ? week : restOfWeek(number, from: first), at: number * 7 - 7)
      wanted &= wanted &- 1
    }
    return days
  }

  private var asksOnlyWeeksAndWeekdays: Bool {
    weekdays != 0 && !hasMonths && !hasMonthDays && !hasYearDays && ordinals.isEmpty
  }

  /// The days of a week, from bit 0, that meet all but BYWEEKNO.
  private func restOfWeek(_ number: Int, from first: Int) -> UInt64 {
    var rest = self
    rest.weeks = 0
    rest.lastWeeks = 0
    let start = first + number * 7 - 7
    var bits: UInt64 = 0
    for offset in 0..<7 where rest.passes(start + offset) { bits |= 1 << UInt64(offset) }
    return bits
  }

  /// The days of a month.
  func days(ofMonth month: Int, year: Int) -> DayBits {
    let firstDay = Gregorian.day(year: year, month: month, day: 1)
    var days = DayBits(base: firstDay)
    guard months.hasBit(month) else { return days }
    var bits = monthBits(year: year, month: month, firstDay: firstDay)
    if hasYearDays || hasWeeks {
      // Not allowed in a monthly rule, hence slow and rare.
      for place in 0..<31 where bits.hasBit(place) && !passes(firstDay + place) {
        bits &= ~(1 << UInt32(place))
      }
    }
    days.insert(UInt64(bits), at: 0)
    return days
  }

  /// The days of a week that starts with a day.
  func days(ofWeekFrom day: Int) -> DayBits {
    var days = DayBits(base: day)
    if isWeekdaysOnly {
      let firstWeekday = Gregorian.weekday(ofDay: day)
      let week = Self.weekdayBits(weekdays, firstWeekday: firstWeekday) & 0x7F
      days.insert(UInt64(week), at: 0)
    } else {
      for offset in 0..<7 where passes(day + offset) { days.insert(1, at: offset) }
    }
    return days
  }

  /// The first day from `day` on that may pass: months that are not wanted are stepped over.
  func candidate(from day: Int) -> Int {
    guard hasMonths else { return day }
    let date = Gregorian.date(ofDay: day)
    if months.hasBit(date.month) { return day }
    let later = months.bits(from: date.month)
    let year = later == 0 ? date.year + 1 : date.year
    let month = (later == 0 ? months : later).trailingZeroBitCount
    return Gregorian.day(year: year, month: month, day: 1)
  }
}
