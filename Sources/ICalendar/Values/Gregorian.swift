/// Arithmetic of the proleptic Gregorian calendar on plain numbers. Days count from 1970-01-01.
///
/// Nothing here can overflow for years within ±100,000,000; callers hold years to 0…9999.
package enum Gregorian {
  /// The calendar repeats, weekdays included, after 400 years of so many days.
  @inlinable package static var daysInCycle: Int { 146_097 }

  @inlinable
  package static func isLeap(_ year: Int) -> Bool {
    year & 3 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  @inlinable
  package static func days(inYear year: Int) -> Int { isLeap(year) ? 366 : 365 }

  /// The length of a month, `month` being 1…12.
  @inlinable
  package static func days(inMonth month: Int, of year: Int) -> Int {
    if month == 2 { return isLeap(year) ? 29 : 28 }
    // From January on long and short months alternate, and from August on once more.
    return 30 + ((month + (month >> 3)) & 1)
  }

  /// The day that a date is. Years are counted from March, so that the leap day is the last.
  @inlinable
  package static func day(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = floorDivide(marchYear, 400)
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * daysInCycle + dayOfEra - 719_468
  }

  /// The date that a day is.
  @inlinable
  package static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = floorDivide(shifted, daysInCycle)
    let dayOfEra = shifted - era * daysInCycle
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfMonth)
  }

  /// The weekday of a day: 0 is Monday, 6 Sunday. 1970-01-01 was a Thursday.
  @inlinable
  package static func weekday(ofDay day: Int) -> Int { floorModulo(day + 3, 7) }

  /// The first day of the first week of a year: the week, starting with weekday `start`, that has
  /// at least four of its days in that year (RFC 5545 §3.3.10, BYWEEKNO).
  @inlinable
  package static func firstWeek(of year: Int, startingOn start: Int) -> Int {
    let newYear = day(year: year, month: 1, day: 1)
    let into = floorModulo(weekday(ofDay: newYear) - start, 7)
    return into <= 3 ? newYear - into : newYear + 7 - into
  }

  /// The year that the week of a day belongs to, and its number from 1 in that year.
  @inlinable
  package static func week(ofDay day: Int, startingOn start: Int) -> (year: Int, number: Int) {
    let calendarYear = date(ofDay: day).year
    for year in [calendarYear + 1, calendarYear] {
      let first = firstWeek(of: year, startingOn: start)
      if day >= first { return (year, (day - first) / 7 + 1) }
    }
    let year = calendarYear - 1
    return (year, (day - firstWeek(of: year, startingOn: start)) / 7 + 1)
  }

  /// How many weeks a year has: 52 or 53.
  @inlinable
  package static func weeks(inYear year: Int, startingOn start: Int) -> Int {
    (firstWeek(of: year + 1, startingOn: start) - firstWeek(of: year, startingOn: start)) / 7
  }

  /// Division towards negative infinity; `divisor` is positive.
  @inlinable
  package static func floorDivide(_ value: Int, _ divisor: Int) -> Int {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }

  /// What `floorDivide` leaves: 0..<divisor.
  @inlinable
  package static func floorModulo(_ value: Int, _ divisor: Int) -> Int {
    let rest = value % divisor
    return rest < 0 ? rest + divisor : rest
  }
}
