import ICalendar
import Recurrence

/// Zones and the forms of time: makes instants of times and times of instants.
struct Clock {
  let resolver: ZoneResolver
  /// The user's zone by name, if there is one and it is known.
  let user: TimeZoneName?
  /// Where floating times and dates are in the world.
  let placement: Zone

  init(_ resolver: ZoneResolver, user: TimeZoneName?) {
    self.resolver = resolver
    let zone = user.flatMap { resolver.zone(named: $0)?.zone }
    self.user = zone == nil ? nil : user
    placement = zone ?? .utc
  }

  /// The form of times in the user's zone, if there is one.
  var userForm: TimeForm? { user.map { TimeForm(zone: $0) } }

  /// The zone of a form; nil for dates and floating times, and for a name that means nothing.
  func zone(of form: TimeForm) -> Zone? {
    switch form {
    case .allDay, .floating: nil
    case .utc: .utc
    case .zone(let name): resolver.zone(named: name)?.zone
    }
  }

  /// - Parameter others: Times that are measured by it, in zones of their own.
  func home(of time: DateTime, measuring others: DateTime...) -> Home {
    var zones: [TimeZoneName: Zone] = [:]
    for name in ([time] + others).compactMap(\.zone) {
      zones[name] = resolver.zone(named: name)?.zone
    }
    return Home(of: time, placement: placement, zones: zones)
  }

  func instant(of time: DateTime) -> Int {
    let home = home(of: time)
    let key = home.key(of: time)
    return home.zone == nil ? placement.instant(of: key) : key
  }

  /// A wall time in a form.
  func time(_ wall: Int, in form: TimeForm) throws(EditError) -> DateTime {
    guard let civil = CivilDateTime(secondsSince1970: wall) else { throw .outOfRange }
    return form.time(civil)
  }

  /// An instant in a form. The second of two equal wall times of a zone is written in UTC.
  func time(at instant: Int, in form: TimeForm) throws(EditError) -> DateTime {
    let zone = zone(of: form)
    let wall = try held((zone ?? placement).wall(at: held(instant)))
    if let zone, zone.instant(of: wall) != instant {
      return try time(held(instant), in: .utc)
    }
    return try time(wall, in: form)
  }

  /// The seconds that a moment, in UTC, comes after the first that has this time on the wall of a
  /// zone; 0 where it is that one.
  func delay(of moment: DateTime, after own: DateTime) -> Int {
    guard case .utc = moment, case .zoned = own else { return 0 }
    return instant(of: moment) - instant(of: own)
  }

  /// The end behind a start that is the second of two equal times. A wall time that comes twice,
  /// too, is the second of its two. A series starts at the first, and is as long as was meant.
  func end(
    _ end: DateTime, given: GivenTime, in form: TimeForm, delay: Int, isOne: Bool
  ) throws(EditError) -> DateTime {
    if case .exactly = given { return end }
    var instant = instant(of: end)
    if case .wall = given, zone(of: TimeForm(end))?.wall(at: instant + delay) == end.wall {
      instant += delay
    }
    return try time(at: isOne ? instant : instant - delay, in: form)
  }

  /// What is to be said of a start of a series that was given as a moment, and cannot be written:
  /// on the wall of its zone it is the second of two.
  func note(ofStart start: DateTime?, given: GivenTime?) -> EditNote? {
    guard case .instant(let given)? = given, let start, case .zoned = start else { return nil }
    let instant = instant(of: start)
    guard instant != given else { return nil }
    return .firstOfTwo(Clock.name(wall: start.wall, offset: start.wall - instant))
  }

  /// Sums of times stay where a calendar can write them.
  private func held(_ seconds: Int) throws(EditError) -> Int {
    guard CivilDateTime(secondsSince1970: seconds) != nil else { throw .outOfRange }
    return seconds
  }

  /// A given time in a form that is known.
  func time(_ given: GivenTime, in form: TimeForm) throws(EditError) -> DateTime {
    switch given {
    case .exactly(let time): return time
    case .date(let date): return form.time(CivilDateTime(startOf: date))
    case .wall(let civil): return form.time(civil)
    case .instant(let instant): return try time(at: instant, in: form)
    }
  }

  /// A wall time as RFC 3339 has it, without an offset for floating time; a date alone for a date.
  static func name(wall: Int, offset: Int?, isDate: Bool = false) -> String {
    guard let civil = CivilDateTime(secondsSince1970: wall) else {
      return "a time outside of the years 0 to 9999"
    }
    if isDate { return civil.date.description }
    guard let offset else { return civil.description }
    guard offset != 0, let value = UTCOffset(seconds: offset)?.value else { return "\(civil)Z" }
    return "\(civil)\(value.prefix(3)):\(value.dropFirst(3).prefix(2))"
  }
}

extension TimeForm {
  init(_ time: DateTime) {
    self =
      switch time {
      case .date: .allDay
      case .floating: .floating
      case .utc: .utc
      case .zoned(_, let name): .zone(name)
      }
  }

  /// The form of a zone's times: those of UTC have one without a zone.
  init(zone: TimeZoneName) {
    self = ["UTC", "Etc/UTC"].contains(zone.text) ? .utc : .zone(zone)
  }

  func time(_ civil: CivilDateTime) -> DateTime {
    switch self {
    case .allDay: .date(civil.date)
    case .floating: .floating(civil)
    case .utc: .utc(civil)
    case .zone(let name): .zoned(civil, name)
    }
  }

  var isDate: Bool { self == .allDay }
}

extension DateTime {
  /// What its wall shows, in seconds from 1970.
  var wall: Int { civil.secondsSince1970 }
}
