import EventEditing
import ICalendar
import Recurrence

/// The zones that a store knows, and where the user is.
struct EventWorld: Sendable {
  let catalog: ZoneCatalog
  /// The user's zone; nil for none.
  let home: TimeZoneName?
  /// Where days and floating times are in the world.
  let placement: Zone

  init(catalog: ZoneCatalog, home: String?) {
    self.catalog = catalog
    let zone = home.flatMap(catalog.zone(named:))
    self.home = zone == nil ? nil : home.map { TimeZoneName($0) }
    placement = zone ?? .utc
  }
}

/// Makes the times of events of the times of occurrences, with the zones of one item.
struct EventZones: Sendable {
  let resolver: ZoneResolver
  let placement: Zone

  /// A time as a component writes its own: the second of two equal times on the wall, which a zone
  /// cannot write, in UTC.
  func time(_ time: OccurrenceTime, like model: DateTime) -> DateTime? {
    self.time(wall: time.wall, instant: time.instant, like: model)
  }

  private func time(wall: Int, instant: Int, like model: DateTime) -> DateTime? {
    guard let civil = CivilDateTime(secondsSince1970: wall) else { return nil }
    if case .zoned(_, let name) = model, let zone = zone(name), zone.instant(of: wall) != instant {
      return CivilDateTime(secondsSince1970: instant).map { .utc($0) }
    }
    return model.with(civil)
  }

  /// The end of an occurrence: in the zone that DTEND has, where it is one of its own.
  func end(_ time: OccurrenceTime, of schedule: Schedule, start: DateTime) -> DateTime? {
    guard case .end(let end) = schedule.ending, let name = end.zone, name != start.zone,
      !start.isDate, let zone = zone(name)
    else { return self.time(time, like: start) }
    return self.time(wall: zone.wall(at: time.instant), instant: time.instant, like: end)
  }

  /// Where a time is in the world.
  func instant(of time: DateTime) -> Int {
    let wall = time.civil.secondsSince1970
    return switch time {
    case .utc: wall
    case .date, .floating: placement.instant(of: wall)
    case .zoned(_, let name): (zone(name) ?? placement).instant(of: wall)
    }
  }

  private func zone(_ name: TimeZoneName) -> Zone? { resolver.zone(named: name)?.zone }
}
