import ICalendar
import Recurrence

/// How the times of a component are written for scripts.
enum TimeForm: Sendable, Hashable {
  /// A date alone: `2026-01-05`.
  case date
  /// In UTC: `2026-01-05T08:00:00Z`.
  case utc
  /// With the offset of its zone, `2026-01-05T09:00:00+01:00`; without one for floating times.
  case local

  /// The form of what is written so; for no time at all any form will do.
  init(_ time: DateTime?) {
    switch time {
    case .date: self = .date
    case .utc: self = .utc
    case .floating, .zoned, nil: self = .local
    }
  }

  /// RFC 3339 where the time has a place in the world.
  func text(of time: OccurrenceTime) -> String {
    switch self {
    case .date: return wallText(time.wall, withClock: false)
    case .utc: return wallText(time.instant, withClock: true) + "Z"
    case .local:
      guard let offset = time.offset else { return wallText(time.wall, withClock: true) }
      // RFC 3339 §4.2 has no seconds in an offset, as local mean times before 1900 had them: the
      // time is given for the whole minutes of it, so that it is the same moment.
      let minutes = Int((offset / 60).magnitude)
      let sign = offset < 0 ? -1 : 1
      return wallText(time.instant + sign * minutes * 60, withClock: true)
        + (sign < 0 ? "-" : "+") + digits(minutes / 60, 2) + ":" + digits(minutes % 60, 2)
    }
  }
}

/// `2026-01-05T09:00:00`, or the date alone, of seconds from 1970 on the wall, which are held to
/// the years that have four digits.
func wallText(_ seconds: Int, withClock: Bool) -> String {
  let held = min(max(seconds, CivilDateTime.firstSecond), CivilDateTime.lastSecond)
  let day = Gregorian.floorDivide(held, 86_400)
  let date = Gregorian.date(ofDay: day)
  let text = "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))"
  guard withClock else { return text }
  let second = held - day * 86_400
  return text
    + "T\(digits(second / 3600, 2)):\(digits(second / 60 % 60, 2)):\(digits(second % 60, 2))"
}

/// A number from 0 up, with zeros in front.
func digits(_ number: Int, _ width: Int) -> String {
  let text = String(number)
  return text.utf8.count >= width
    ? text : String(repeating: "0", count: width - text.utf8.count) + text
}
