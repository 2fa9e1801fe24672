import ICalendar
import Recurrence

/// How long a component's occurrences are.
enum OwnLength: Equatable {
  /// Seconds in the world, or on the wall for floating time.
  case exact(Int)
  /// Days on the calendar, then seconds in the world.
  case nominal(CivilDuration)
  /// Days of an all-day component.
  case days(Int)

  /// Nil for a component without an end.
  init?(_ times: OwnTimes, clock: Clock) {
    guard let start = times.start else { return nil }
    switch times.ending {
    case .none: return nil
    case .duration(let duration):
      if start.isDate {
        self = .days(max(1, duration.days + (max(0, duration.seconds) + 86_399) / 86_400))
      } else {
        self = duration.days == 0 ? .exact(duration.seconds) : .nominal(duration)
      }
    case .end(let end):
      // A flight ends in another zone than that in which it starts.
      let home = clock.home(of: start, measuring: end)
      let seconds = home.key(of: end) - home.key(of: start)
      self = start.isDate ? .days(max(1, seconds / 86_400)) : .exact(seconds)
    }
  }

  /// The length when the start becomes all-day, or stops being so.
  func length(of newStart: DateTime, was start: DateTime) -> OwnLength {
    guard newStart.isDate != start.isDate else { return self }
    switch self {
    case .days(let days): return .nominal(CivilDuration(days: days, seconds: 0))
    case .exact(let seconds): return .days(max(1, (max(0, seconds) + 86_399) / 86_400))
    case .nominal(let duration):
      return .days(max(1, duration.days + (max(0, duration.seconds) + 86_399) / 86_400))
    }
  }

  /// The end of what starts then.
  func end(
    from start: DateTime, in form: TimeForm, clock: Clock
  ) throws(EditError) -> DateTime {
    let home = clock.home(of: start)
    let extent: Extent =
      switch self {
      case .exact(let seconds): .exact(seconds)
      case .nominal(let duration): .nominal(days: duration.days, seconds: duration.seconds)
      case .days(let days): .nominal(days: days, seconds: 0)
      }
    let key = extent.end(from: home.key(of: start), home: home)
    guard home.zone == nil else { return try clock.time(at: key, in: form) }
    return try clock.time(key, in: TimeForm(start))
  }
}
