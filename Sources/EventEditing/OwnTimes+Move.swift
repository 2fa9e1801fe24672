import ICalendar
import Recurrence

extension OwnTimes {
  /// The times of an occurrence of this component that starts then.
  func at(_ time: DateTime, clock: Clock) throws(EditError) -> OwnTimes {
    var times = self
    if isDueAlone {
      times.ending = .end(time)
      return times
    }
    times.start = time
    if start != nil { times.ending = try keptEnding(from: time, clock: clock) }
    return times
  }

  /// These times, moved by as much as others were, and as long as those became.
  func moved(
    like old: OwnTimes, to new: OwnTimes, keepingLength: Bool = false, clock: Clock
  ) throws(EditError) -> OwnTimes {
    guard let own = effectiveStart, let from = old.effectiveStart, let to = new.effectiveStart
    else { return self }
    let start = try own.moved(like: from, to: to, clock: clock)
    var moved = try at(start, clock: clock)
    if !keepingLength, new.ending == .none, old.ending != .none {
      moved.ending = .none
      return moved
    }
    guard !keepingLength, OwnLength(old, clock: clock) != OwnLength(new, clock: clock),
      let length = OwnLength(new, clock: clock), moved.start?.isDate == new.start?.isDate,
      let start = moved.start
    else { return moved }
    if case .duration = new.ending {
      moved.ending = new.ending
    } else {
      moved.ending = .end(
        try length.end(from: start, in: new.endForm(for: start), clock: clock))
    }
    return moved
  }
}

extension DateTime {
  /// This time, moved by as much as another was: on the wall where both are of one kind and zone,
  /// in the world otherwise.
  func moved(like old: DateTime, to new: DateTime, clock: Clock) throws(EditError) -> DateTime {
    if new.isDate != old.isDate, !isDate { return try turned(like: old, to: new, clock: clock) }
    let form = TimeForm(self) == TimeForm(old) ? TimeForm(new) : TimeForm(self)
    if form.isDate {
      let days = new.civil.date.daysSince1970 - old.civil.date.daysSince1970
      return try clock.time((civil.date.daysSince1970 + days) * 86_400, in: form)
    }
    if TimeForm(self) == TimeForm(old) || old.isDate || new.isDate {
      let wall = self.wall + new.wall - old.wall
      let shown = clock.zone(of: form).map { $0.wall(at: $0.instant(of: wall)) } ?? wall
      return try clock.time(shown, in: form)
    }
    let distance = clock.instant(of: new) - clock.instant(of: old)
    return try clock.time(at: clock.instant(of: self) + distance, in: form)
  }

  /// This time of day, where another time lost its own or got one: it becomes a day with that, and
  /// stays one on another day.
  private func turned(
    like old: DateTime, to new: DateTime, clock: Clock
  ) throws(EditError) -> DateTime {
    let days = new.civil.date.daysSince1970 - old.civil.date.daysSince1970
    guard new.isDate else { return try clock.time(wall + days * 86_400, in: TimeForm(self)) }
    var own = self
    // The day is that of the series' zone.
    if case .utc = self, let zone = clock.zone(of: TimeForm(old)) {
      own = try clock.time(zone.wall(at: wall), in: .floating)
    }
    return try clock.time((own.civil.date.daysSince1970 + days) * 86_400, in: .allDay)
  }
}
