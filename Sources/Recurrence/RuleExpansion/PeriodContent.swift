import ICalendar

/// The occurrences of a period: some days, and on each the same times. They are up to 31 million
/// in a year, so they are counted, found by number and stepped through, never listed.
struct PeriodContent {
  var days: DayBits
  var clock: ClockSet

  var count: Int { days.count * clock.count }

  /// How many come before a civil second.
  func rank(_ second: Int) -> Int {
    let day = Gregorian.floorDivide(second, 86_400)
    let whole = days.rank(day) * clock.count
    return days.first(from: day) == day ? whole + clock.rank(second - day * 86_400) : whole
  }

  /// The civil second with so many before it; nil if there are too few.
  func select(_ rank: Int) -> Int? {
    let perDay = clock.count
    guard perDay > 0, let day = days.select(rank / perDay) else { return nil }
    return day * 86_400 + clock.select(rank % perDay)
  }

  /// The first one from a civil second on.
  func first(from second: Int) -> Int? {
    let day = Gregorian.floorDivide(second, 86_400)
    guard let found = days.first(from: day) else { return nil }
    if found == day {
      if let time = clock.first(from: second - day * 86_400) { return day * 86_400 + time }
      guard let next = days.first(from: day + 1) else { return nil }
      return clock.first(from: 0).map { next * 86_400 + $0 }
    }
    return clock.first(from: 0).map { found * 86_400 + $0 }
  }
}
