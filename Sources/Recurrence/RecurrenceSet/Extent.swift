package import ICalendar

/// How long each occurrence of a component is.
package enum Extent: Sendable, Hashable {
  /// Seconds in the world, the same for every occurrence: what DTEND and DTSTART give for the first
  /// one (RFC 5545 §3.8.5.3).
  case exact(Int)
  /// Days on the calendar and then seconds in the world, as DURATION and all-day events have.
  case nominal(days: Int, seconds: Int)

  /// The extent of a schedule; a moment or, for a date, a day where none is said or it is none.
  package init(_ schedule: Schedule, start: DateTime, home: Home, notes: inout [ValueNote]) {
    let least: Extent = home.isDate ? .nominal(days: 1, seconds: 0) : .exact(0)
    switch schedule.ending {
    case .none: self = least
    case .end(let end):
      // A VTODO with DUE alone starts when it is due.
      guard schedule.start != nil else {
        self = least
        return
      }
      self = Extent(from: start, to: end, home: home)
      if end.isDate != start.isDate { notes.note(.typeMismatch) }
      if home.key(of: end) < home.key(of: start) { notes.note(.endBeforeStart) }
    case .duration(let duration):
      if duration.isNegative { notes.note(.endBeforeStart) }
      self = Extent(duration, home: home)
    }
  }

  init(from start: DateTime, to end: DateTime, home: Home) {
    let seconds = home.key(of: end) - home.key(of: start)
    self =
      home.isDate ? .nominal(days: max(1, seconds / 86_400), seconds: 0) : .exact(max(0, seconds))
  }

  init(_ duration: CivilDuration, home: Home) {
    guard !duration.isNegative else {
      self = home.isDate ? .nominal(days: 1, seconds: 0) : .exact(0)
      return
    }
    guard home.isDate else {
      self =
        duration.days == 0
        ? .exact(duration.seconds) : .nominal(days: duration.days, seconds: duration.seconds)
      return
    }
    // On dates a part of a day is a day.
    let days = duration.days + (max(0, duration.seconds) + 86_399) / 86_400
    self = .nominal(days: max(1, days), seconds: 0)
  }

  /// The end of an occurrence, as a key, never before its start.
  package func end(from start: Int, home: Home) -> Int {
    switch self {
    case .exact(let seconds): return start + seconds
    case .nominal(let days, let seconds):
      guard home.zone != nil else { return start + days * 86_400 + seconds }
      let wall = home.wall(ofKey: start) + days * 86_400
      return max(start, home.key(ofWall: wall) + seconds)
    }
  }

  /// No occurrence is longer than so many seconds.
  var bound: Int {
    switch self {
    case .exact(let seconds): seconds
    // A day on the calendar may have some hours more; zones skip or repeat a day at most.
    case .nominal(let days, let seconds): (days + 2) * 86_400 + max(0, seconds)
    }
  }
}
