import EventEditing
import ICalendar
import Recurrence

/// A person's zone that has no name in tzdata, as `TZ=CET-1CEST` says one: nobody who reads the
/// event could tell what it means.
struct NamelessZone {
  private let zone: Zone

  /// Nil where the zone has a name.
  init?(_ zone: Zone) {
    guard ZoneCatalog.system.zone(named: zone.name) == nil else { return nil }
    self.zone = zone
  }

  /// Gives the times of a new event as moments, to be written in UTC. What repeats gets a zone of
  /// tzdata that never changes either, as `Etc/GMT-9`, where there is one: its days and hours are
  /// not those of UTC.
  /// - Returns: what a person has to know of it; nil for nothing.
  func apply(to event: inout NewEvent) throws(RunFailure) -> String? {
    if event.recurrence != nil, let name = fixedName {
      event.zone = TimeZoneName(name)
      return nil
    }
    let note = try event.recurrence.flatMap { rule throws(RunFailure) in
      try noteOfSeries(rule, from: event.start)
    }
    let start = wall(of: event.start)
    if let length = event.duration, length.days != 0 {
      // Days are those of the zone.
      let last = start + length.days * 86_400
      guard CivilDateTime(secondsSince1970: last) != nil else {
        throw RunFailure(EditError.outOfRange, option: "--duration")
      }
      event.end = .instant(zone.instant(of: last) + length.seconds)
      event.duration = nil
    } else if case .wall(let time)? = event.end {
      var end = time.secondsSince1970
      if event.endsNext {
        end = Gregorian.floorDivide(start, 86_400) * 86_400 + time.secondOfDay
        if end <= start { end += 86_400 }
      }
      event.end = .instant(zone.instant(of: end))
      event.endsNext = false
    }
    if case .wall = event.start { event.start = .instant(zone.instant(of: start)) }
    return note
  }

  /// The zone of tzdata with the same offset for ever; its sign is that of POSIX.
  private var fixedName: String? {
    let (hours, rest) = zone.offset(at: 0).quotientAndRemainder(dividingBy: 3600)
    guard zone.isFixed, rest == 0 else { return nil }
    let name = hours == 0 ? "UTC" : "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))"
    return ZoneCatalog.system.zone(named: name).map { _ in name }
  }

  /// What the wall shows there.
  private func wall(of time: GivenTime) -> Int {
    switch time {
    case .date(let date): CivilDateTime(startOf: date).secondsSince1970
    case .wall(let civil): civil.secondsSince1970
    case .instant(let instant): zone.wall(at: instant)
    case .exactly(let time): time.civil.secondsSince1970
    }
  }

  /// A series in UTC stays where it is while the clock here is changed. Refused where its rule
  /// means other days or hours there.
  private func noteOfSeries(_ rule: [UInt8], from start: GivenTime) throws(RunFailure) -> String? {
    // A start with an offset means it.
    guard case .wall(let civil) = start else { return nil }
    let instant = zone.instant(of: civil.secondsSince1970)
    var notes: [ValueNote] = []
    let read = try? RecurrenceRule.read(rule, notes: &notes)
    guard let utc = CivilDateTime(secondsSince1970: instant), utc.date == civil.date,
      read?.meansTheSameInUTC ?? true
    else {
      throw .usage(
        "your time zone \(zone.name) has no name that other programs know, and the days or hours"
          + " of the rule are not those of UTC",
        hint: "name a zone, as with --tz Europe/Vienna")
    }
    guard !zone.isFixed else { return nil }
    let clock = utc.description.dropFirst(11).prefix(5)
    return "your time zone \(zone.name) has no name that other programs know: this repeats at"
      + " \(clock) UTC, also while your clock is changed; --tz names a zone to follow"
  }
}

extension RecurrenceRule {
  /// Written for another zone of the same days, it gives the same occurrences in UTC: it names no
  /// time of day, and no days where it does not go by days itself.
  fileprivate var meansTheSameInUTC: Bool {
    let namesTimes = [byHour, byMinute, bySecond].contains { !$0.isEmpty }
    let namesDays =
      !byDay.isEmpty || [byMonthDay, byYearDay, byWeekNumber, byMonth].contains { !$0.isEmpty }
    let isOfHours = [.hourly, .minutely, .secondly].contains(frequency)
    let endsByTheWall = if case .utc? = until { false } else { until != nil }
    return !namesTimes && !(isOfHours && namesDays) && !endsByTheWall
  }
}
