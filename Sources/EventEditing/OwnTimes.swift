import ICalendar
import Recurrence

/// The times that a component has of its own: its start, and how it says when it ends.
struct OwnTimes: Equatable {
  var kind: Schedule.Kind
  /// DTSTART.
  var start: DateTime?
  var ending: Schedule.Ending

  init(_ schedule: Schedule) {
    kind = schedule.kind
    start = schedule.start
    ending = schedule.ending
  }

  /// DTSTART, or the DUE of a to-do that has nothing else.
  var effectiveStart: DateTime? {
    Schedule(kind: kind, start: start, ending: ending).effectiveStart
  }

  /// A to-do without a start: what moves is when it is due.
  var isDueAlone: Bool { start == nil && effectiveStart != nil }

  /// As other programs write overrides, and as calgw does where a zone has a time twice.
  var isInUTC: Bool { effectiveStart.map(TimeForm.init) == .utc }

  /// As a component is called that cannot have an end.
  private var kindName: String {
    switch kind {
    case .event: "an event without a start"
    case .todo: "a to-do without a start"
    case .journal: "a journal entry"
    }
  }
}

extension OwnTimes {
  /// The times that an edit gives. A new start alone keeps the duration: seconds of timed events,
  /// days of all-day ones; a timed event that becomes all-day has the days that it began.
  /// - Parameters:
  ///   - isOne: The component stands for one occurrence, so that the second of two equal wall times
  ///     can be written in UTC.
  ///   - home: The form in which given times are meant, where it is not the component's own.
  func edited(
    _ edit: EventEdit, clock: Clock, isOne: Bool = false, home: TimeForm? = nil
  ) throws(EditError) -> OwnTimes {
    guard [edit.end != nil, edit.duration != nil, edit.removesEnd].count(where: \.self) < 2 else {
      throw .endAndDuration
    }
    let shown = try shown(in: home, clock: clock)
    var edit = edit
    if edit.startsOnItsDay { edit.start = try edit.start.map(shown.onItsDay) }
    if isDueAlone, let given = edit.start, edit.end == nil, edit.duration == nil,
      !edit.removesEnd
    {
      var moved = EventEdit()
      moved.end = given
      moved.form = edit.form
      return try edited(moved, clock: clock, isOne: isOne, home: home)
    }
    var times = self
    let form = try shown.form(for: edit, clock: clock)
    // The start on the wall of its zone, and how much later it is where it is the second of two.
    var (own, delay) = (shown.start, shown.delay(of: start, clock: clock))
    if let given = edit.start {
      let time = try clock.time(given, in: form)
      let wall = try self.time(of: time, in: form, clock: clock)
      (own, delay) = (wall, clock.delay(of: time, after: wall))
      times.start = isOne && delay > 0 ? time : wall
    } else if let start = shown.start, edit.form != nil {
      (own, delay) = (form.time(start.civil), 0)
      times.start = own
    }
    if times.start != start { times.ending = try keptEnding(from: times.start, clock: clock) }
    if let given = edit.end {
      guard kind != .journal, kind == .todo || times.start != nil else {
        throw .noEnd(kind: kindName)
      }
      let given = edit.endsNext ? try shown.next(given, after: own) : given
      var end = try end(
        given, start: own, form: form, isFormGiven: edit.form != nil, clock: clock)
      if delay > 0, let own {
        let form = isOne ? .utc : TimeForm(end.zone == nil ? own : end)
        end = try clock.end(end, given: given, in: form, delay: delay, isOne: isOne)
      } else if own == nil, !isOne, case .utc = end {
        // A series of a to-do without a start goes by when it is due, on the wall.
        end = try time(of: end, in: form, clock: clock)
      }
      if let start, times.start == start, shown.start != start {
        end = try clock.time(at: clock.instant(of: end), in: endForm(for: start))
      }
      times.ending = .end(end)
    } else if let duration = edit.duration {
      try times.setDuration(duration, clock: clock)
    } else if isDueAlone, edit.form != nil, case .end(let due) = shown.ending {
      times.ending = .end(form.time(due.civil))
    }
    if edit.removesEnd { times.ending = .none }
    if edit.end != nil || edit.duration != nil { try times.checkOrder(clock) }
    return times
  }

  /// The same times on the wall of a zone, whatever zone each is written in. What has no place in
  /// the world, a date or a floating time, is the same there.
  func shown(in form: TimeForm?, clock: Clock) throws(EditError) -> OwnTimes {
    guard let form, let zone = clock.zone(of: form) else { return self }
    func shown(_ time: DateTime) throws(EditError) -> DateTime {
      guard clock.zone(of: TimeForm(time)) != nil else { return time }
      return try clock.time(zone.wall(at: clock.instant(of: time)), in: form)
    }
    var times = self
    times.start = try start.map(shown)
    if case .end(let end) = ending { times.ending = .end(try shown(end)) }
    return times
  }

  /// How much later a moment is than this start, whose wall shows the same.
  private func delay(of moment: DateTime?, clock: Clock) -> Int {
    guard let moment, let start else { return 0 }
    return clock.delay(of: moment, after: start)
  }

  /// The time of day on the day that the start has; as given where it has none.
  private func onItsDay(_ given: GivenTime) throws(EditError) -> GivenTime {
    guard case .wall(let time) = given, let day = effectiveStart?.civil.date else { return given }
    return try Self.wall(day, time, later: 0)
  }

  /// The first such time of day after a start; without a start on the day that it was due.
  private func next(_ given: GivenTime, after start: DateTime?) throws(EditError) -> GivenTime {
    guard case .wall(let time) = given, let from = (start ?? effectiveStart)?.civil else {
      return given
    }
    let isOver = start != nil && time.secondOfDay <= from.secondOfDay
    return try Self.wall(from.date, time, later: isOver ? 1 : 0)
  }

  private static func wall(
    _ day: CivilDate, _ time: CivilDateTime, later days: Int
  ) throws(EditError) -> GivenTime {
    let seconds = (day.daysSince1970 + days) * 86_400 + time.secondOfDay
    guard let civil = CivilDateTime(secondsSince1970: seconds) else { throw .outOfRange }
    return .wall(civil)
  }

  /// A time in a form, its wall as the form's zone shows it.
  private func time(
    of time: DateTime, in form: TimeForm, clock: Clock
  ) throws(EditError) -> DateTime {
    guard case .utc = time, form != .utc, let zone = clock.zone(of: form) else {
      return form.time(time.civil)
    }
    return try clock.time(zone.wall(at: time.wall), in: form)
  }

  /// The form that the new start has.
  private func form(for edit: EventEdit, clock: Clock) throws(EditError) -> TimeForm {
    if let form = edit.form { return try known(form, clock: clock) }
    let old = effectiveStart.map(TimeForm.init)
    let given = edit.start ?? (old == nil || isDueAlone ? edit.end : nil)
    switch given {
    case .exactly(let time): return try known(TimeForm(time), clock: clock)
    case .date: return .allDay
    case .wall:
      if let old, !old.isDate { return old }
      return clock.userForm ?? .floating
    case .instant:
      if let old, !old.isDate { return old }
      return clock.userForm ?? .utc
    case nil: return old ?? .floating
    }
  }

  private func known(_ form: TimeForm, clock: Clock) throws(EditError) -> TimeForm {
    guard case .zone(let name) = form else { return form }
    if TimeForm(zone: name) == .utc { return .utc }
    guard clock.zone(of: form) != nil else { throw .unknownZone(name.text) }
    return form
  }

  /// A given end: a wall time is one of the start's zone, and written in the zone that the end has.
  private func end(
    _ given: GivenTime, start: DateTime?, form: TimeForm, isFormGiven: Bool, clock: Clock
  ) throws(EditError) -> DateTime {
    let startForm = start.map(TimeForm.init) ?? form
    switch given {
    case .exactly(let time):
      _ = try known(TimeForm(time), clock: clock)
      return time
    case .date: if !startForm.isDate, !isFormGiven { throw .mixedTimes }
    case .wall, .instant: if startForm.isDate, !isFormGiven { throw .mixedTimes }
    }
    let time = try clock.time(given, in: startForm)
    guard case .end(let old) = ending, let own = old.zone, own != startForm.zone,
      case .zone = startForm, own != self.start?.zone
    else { return time }
    return try clock.time(at: clock.instant(of: time), in: .zone(own))
  }

  private mutating func setDuration(
    _ duration: CivilDuration, clock: Clock
  ) throws(EditError) {
    guard kind != .journal, let start else { throw .noEnd(kind: kindName) }
    guard !start.isDate || duration.seconds % 86_400 == 0 else { throw .durationOfDays }
    if case .duration = ending {
      ending = .duration(
        start.isDate
          ? CivilDuration(days: duration.days + duration.seconds / 86_400, seconds: 0) : duration)
      return
    }
    let length: OwnLength =
      start.isDate
      ? .days(duration.days + duration.seconds / 86_400)
      : duration.days == 0 ? .exact(duration.seconds) : .nominal(duration)
    ending = .end(try length.end(from: start, in: endForm(for: start), clock: clock))
  }

  /// The ending that keeps the length from a new start.
  func keptEnding(
    from newStart: DateTime?, clock: Clock
  ) throws(EditError) -> Schedule.Ending {
    guard let newStart, let start else { return ending }
    let length = OwnLength(self, clock: clock)?.length(of: newStart, was: start)
    switch ending {
    case .none: return .none
    case .duration(let duration):
      guard newStart.isDate, !start.isDate, case .days(let days) = length else {
        return .duration(duration)
      }
      return .duration(CivilDuration(days: days, seconds: 0))
    case .end:
      guard let length else { return ending }
      return .end(
        try length.end(from: newStart, in: endForm(for: newStart), clock: clock))
    }
  }

  /// The form of an end: that of the start, unless both are times and the end has another.
  func endForm(for newStart: DateTime) -> TimeForm {
    guard case .end(let end) = ending, let start, !end.isDate, !newStart.isDate,
      TimeForm(end) != TimeForm(start), case .zone = TimeForm(end)
    else { return TimeForm(newStart) }
    return TimeForm(end)
  }

  /// Refuses an end that is not after the start (RFC 5545 §3.8.2.2, §3.8.2.3).
  private func checkOrder(_ clock: Clock) throws(EditError) {
    if case .duration(let duration) = ending, duration.days <= 0, duration.seconds <= 0 {
      throw .endNotAfterStart
    }
    guard let start, case .end(let end) = ending else { return }
    guard end.isDate == start.isDate else { throw .mixedTimes }
    guard clock.instant(of: end) > clock.instant(of: start) else { throw .endNotAfterStart }
  }
}

extension TimeForm {
  fileprivate var zone: TimeZoneName? {
    if case .zone(let name) = self { name } else { nil }
  }
}
