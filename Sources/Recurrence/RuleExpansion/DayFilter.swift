import ICalendar

/// What BYMONTH, BYMONTHDAY, BYYEARDAY, BYWEEKNO and BYDAY ask of a day. A part that is not there
/// asks nothing; several are all to be met, which is what expanding by one and limiting by the
/// next comes to (RFC 5545 §3.3.10).
struct DayFilter {
  /// Bits 1 to 12.
  var months: UInt32 = allMonths
  /// Bits 1 to 31, from the start and from the end of a month.
  var monthDays: UInt32 = 0
  var lastMonthDays: UInt32 = 0
  /// From the start and from the end of a year; sorted.
  var yearDays: [Int] = []
  var lastYearDays: [Int] = []
  /// Bits 1 to 53, from the start and from the end of a year.
  var weeks: UInt64 = 0
  var lastWeeks: UInt64 = 0
  /// Bits 0, Monday, to 6.
  var weekdays: UInt32 = 0
  /// Weekdays with a number, counted in a month or in a year.
  var ordinals: [Ordinal] = []
  var ordinalsCountInYear = false
  /// From 0, Monday.
  var weekStart = 0

  struct Ordinal: Hashable {
    var ordinal: Int
    var weekday: Int
  }

  static let allMonths: UInt32 = 0x1FFE

  var hasMonths: Bool { months != Self.allMonths }
  var hasMonthDays: Bool { monthDays | lastMonthDays != 0 }
  var hasYearDays: Bool { !yearDays.isEmpty || !lastYearDays.isEmpty }
  var hasWeeks: Bool { weeks | lastWeeks != 0 }
  var hasDays: Bool { weekdays != 0 || !ordinals.isEmpty }

  /// It asks for nothing but weekdays without a number.
  var isWeekdaysOnly: Bool {
    !hasMonths && !hasMonthDays && !hasYearDays && !hasWeeks && ordinals.isEmpty
  }

  /// It lets every day through.
  var isEmpty: Bool { isWeekdaysOnly && (weekdays == 0 || weekdays == 0x7F) }

  /// Whether a day meets all of it.
  func passes(_ day: Int) -> Bool {
    if isWeekdaysOnly {
      return weekdays == 0 || weekdays.hasBit(Gregorian.weekday(ofDay: day))
    }
    let (year, month, dayOfMonth) = Gregorian.date(ofDay: day)
    guard months.hasBit(month) else { return false }
    if hasYearDays || hasWeeks, !passesYear(day, year: year) { return false }
    guard hasMonthDays || hasDays else { return true }
    let bits = monthBits(year: year, month: month, firstDay: day - dayOfMonth + 1)
    return bits.hasBit(dayOfMonth - 1)
  }

  private func passesYear(_ day: Int, year: Int) -> Bool {
    let newYear = Gregorian.day(year: year, month: 1, day: 1)
    if hasYearDays {
      let length = Gregorian.days(inYear: year)
      guard yearDays.contains(day - newYear + 1) || lastYearDays.contains(newYear + length - day)
      else { return false }
    }
    guard hasWeeks else { return true }
    let week = Gregorian.week(ofDay: day, startingOn: weekStart)
    let total = Gregorian.weeks(inYear: week.year, startingOn: weekStart)
    return weeks.hasBit(week.number) || lastWeeks.hasBit(total + 1 - week.number)
  }

  /// The days of a month, from bit 0, that meet BYMONTHDAY and BYDAY. Numbered weekdays that count
  /// in a year are looked up in that year.
  func monthBits(year: Int, month: Int, firstDay: Int) -> UInt32 {
    let length = Gregorian.days(inMonth: month, of: year)
    let all: UInt32 = (1 << UInt32(length)) &- 1
    var bits = all
    if hasMonthDays {
      var wanted = monthDays >> 1
      var last = lastMonthDays
      while last != 0 {
        let fromEnd = last.trailingZeroBitCount
        if fromEnd <= length { wanted |= 1 << UInt32(length - fromEnd) }
        last &= last &- 1
      }
      bits &= wanted
    }
    guard hasDays, bits != 0 else { return bits }
    let firstWeekday = Gregorian.weekday(ofDay: firstDay)
    var wanted = Self.weekdayBits(weekdays, firstWeekday: firstWeekday)
    if ordinalsCountInYear {
      let inYear = ordinalDays(year: year)
      var offset = 0
      while offset < length {
        if inYear.first(from: firstDay + offset) == firstDay + offset {
          wanted |= 1 << UInt32(offset)
        }
        offset += 1
      }
    } else {
      for ordinal in ordinals {
        if let place = ordinal.place(firstWeekday: firstWeekday, length: length) {
          wanted |= 1 << UInt32(place)
        }
      }
    }
    return bits & wanted
  }

  /// The weekdays of a mask in 31 days of which the first is `firstWeekday`.
  static func weekdayBits(_ weekdays: UInt32, firstWeekday: Int) -> UInt32 {
    guard weekdays != 0 else { return 0 }
    let turned =
      (weekdays >> UInt32(firstWeekday) | weekdays << UInt32(7 - firstWeekday)) & 0x7F
    return turned | turned << 7 | turned << 14 | turned << 21 | turned << 28
  }

  /// The numbered weekdays of a year.
  func ordinalDays(year: Int) -> DayBits {
    let newYear = Gregorian.day(year: year, month: 1, day: 1)
    let firstWeekday = Gregorian.weekday(ofDay: newYear)
    let length = Gregorian.days(inYear: year)
    var days = DayBits(base: newYear)
    for ordinal in ordinals {
      if let place = ordinal.place(firstWeekday: firstWeekday, length: length) {
        days.insert(1, at: place)
      }
    }
    return days
  }
}

extension DayFilter.Ordinal {
  /// The place of the day, from 0, in a span of days that starts with a weekday; nil if the span
  /// has too few.
  func place(firstWeekday: Int, length: Int) -> Int? {
    let first = Gregorian.floorModulo(weekday - firstWeekday, 7)
    let place: Int
    if ordinal > 0 {
      place = first + (ordinal - 1) * 7
    } else {
      let last = first + (length - 1 - first) / 7 * 7
      place = last + (ordinal + 1) * 7
    }
    return place >= 0 && place < length ? place : nil
  }
}
