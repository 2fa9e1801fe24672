import ICalendar

extension Zone {
  /// The stretch of instants around one.
  func segment(at instant: Int) -> ZoneSegment {
    segment(at: instant, in: transitions, onWall: false)
  }

  /// The stretch of wall times around one.
  func wallSegment(at wall: Int) -> ZoneSegment {
    segment(at: wall, in: wallTransitions, onWall: true)
  }

  private func segment(at time: Int, in times: [Int], onWall: Bool) -> ZoneSegment {
    let index = times.partitioningIndex(after: time)
    let lower = index > 0 ? times[index - 1] : Int.min
    let offset = Int(offsets[index])
    if index < times.count { return ZoneSegment(lower: lower, upper: times[index], offset: offset) }
    guard case .yearly(let changes) = tail else {
      return ZoneSegment(lower: lower, upper: Int.max, offset: offset)
    }
    return changes.segment(at: time, after: lower, offset: offset, onWall: onWall)
  }

  /// What an offset is called at an instant.
  func designation(at instant: Int) -> Designation {
    let index = transitions.partitioningIndex(after: instant)
    guard index == transitions.count, case .yearly(let changes) = tail else {
      return designations[index]
    }
    let offset = segment(at: instant).offset
    return changes.changes.first { $0.offset == offset }?.designation ?? designations[index]
  }
}

extension [Int] {
  /// The index of the first element greater than a value, in an ascending array.
  func partitioningIndex(after value: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// How a zone goes on after the last change that is listed.
enum ZoneTail: Sendable {
  /// With its last offset.
  case none
  /// With changes that come back every year.
  case yearly(YearlyChanges)
}

/// Changes that come back every year, as in the footer of a TZif file.
struct YearlyChanges: Sendable {
  struct Rule: Sendable {
    var day: YearDay
    /// Seconds after the start of the day, on the wall before the change; -167 to 167 hours.
    var time: Int
    var offsetBefore: Int
    var offset: Int
    var designation: Zone.Designation
  }

  /// A change in some year.
  struct Change {
    var instant: Int
    var offset: Int
  }

  /// At least one.
  var changes: [Rule]

  /// The changes of some years, in order.
  func sorted(in years: ClosedRange<Int>) -> [Change] {
    var all: [Change] = []
    all.reserveCapacity(changes.count * years.count)
    for year in years {
      for rule in changes {
        all.append(Change(instant: rule.instant(in: year), offset: rule.offset))
      }
    }
    return all.sorted { $0.instant < $1.instant }
  }

  /// The stretch around a time that is after the last listed change, which led to `offset`.
  func segment(at time: Int, after lower: Int, offset: Int, onWall: Bool) -> ZoneSegment {
    // Times far outside the calendar are asked for only by accident, and must not overflow.
    let held = min(max(time, CivilDateTime.firstSecond), CivilDateTime.lastSecond)
    let year = Gregorian.date(ofDay: Gregorian.floorDivide(held, 86_400)).year
    var segment = ZoneSegment(lower: lower, upper: Int.max, offset: offset)
    narrow(&segment, around: held, in: year, onWall: onWall)
    // Changes of the years beside it count only where none of this one is nearer.
    let newYear = Gregorian.day(year: year, month: 1, day: 1) * 86_400
    let lastDays = newYear + Gregorian.days(inYear: year) * 86_400 - Self.reach
    if segment.lower < newYear + Self.reach {
      narrow(&segment, around: held, in: year - 1, onWall: onWall)
    }
    if segment.upper > lastDays {
      narrow(&segment, around: held, in: year + 1, onWall: onWall)
    }
    return segment
  }

  /// In seconds. A change is less than 16 days outside of its year: its day may be six days on (a
  /// weekday from 31 December), its time 167 hours, and two offsets come on top.
  private static let reach = 16 * 86_400

  /// Brings the ends of a stretch to the changes of a year that are nearer to a time in it.
  private func narrow(_ segment: inout ZoneSegment, around time: Int, in year: Int, onWall: Bool) {
    for rule in changes {
      let instant = rule.instant(in: year)
      let change = onWall ? instant + max(rule.offset, rule.offsetBefore) : instant
      if change > time {
        segment.upper = min(segment.upper, change)
      } else if change > segment.lower {
        segment.lower = change
        segment.offset = rule.offset
      }
    }
  }
}

/// A day that is found in every year.
enum YearDay: Sendable, Hashable {
  /// A weekday (0 is Monday) of a month: the first to fourth, or the last as 5.
  case weekday(month: Int, week: Int, weekday: Int)
  /// The weekday (0 is Monday) on a day of a month or next after it, as `SU>=8`.
  case weekdayFrom(month: Int, day: Int, weekday: Int)
  /// Days from 1 January; 29 February counts.
  case dayOfYear(Int)
  /// Days from 1 January as if there were no 29 February.
  case dayOfCommonYear(Int)

  /// The day from 1970-01-01.
  func day(in year: Int) -> Int {
    let newYear = Gregorian.day(year: year, month: 1, day: 1)
    switch self {
    case .weekday(let month, let week, let weekday):
      if week < 5 {
        return Self.weekdayFrom(month: month, day: week * 7 - 6, weekday: weekday).day(in: year)
      }
      let last = Gregorian.day(
        year: year, month: month, day: Gregorian.days(inMonth: month, of: year))
      return last - Gregorian.floorModulo(Gregorian.weekday(ofDay: last) - weekday, 7)
    case .weekdayFrom(let month, let day, let weekday):
      let first = Gregorian.day(year: year, month: month, day: day)
      return first + Gregorian.floorModulo(weekday - Gregorian.weekday(ofDay: first), 7)
    case .dayOfYear(let day): return newYear + day
    case .dayOfCommonYear(let day):
      return newYear + day + (Gregorian.isLeap(year) && day >= 59 ? 1 : 0)
    }
  }
}
