public import ICalendar
import Recurrence

/// A new event, to be written as an item of its own.
public struct NewEvent: Sendable, Hashable {
  public var summary: String
  public var start: GivenTime
  /// Exclusive. Not together with `duration`.
  public var end: GivenTime?
  /// Of a wall time in `end` the time of day alone is meant: the first such time after the start.
  public var endsNext = false
  public var duration: CivilDuration?
  /// Only the days of start and end count. An end with a time of day is one of the event, unless
  /// that is midnight.
  public var isAllDay = false
  /// The event's zone; without it the user's zone, and without that UTC for a start with an offset
  /// and floating time for one without.
  public var zone: TimeZoneName?
  /// The value of RRULE.
  public var recurrence: [UInt8]?
  public var location: String?
  public var description: String?

  public init(summary: String, start: GivenTime) {
    self.summary = summary
    self.start = start
  }

  /// The item: a VCALENDAR with a VTIMEZONE where the event has a zone; lines end with CRLF.
  ///
  /// Its UID is the one of the context.
  public func item(context: EditContext) throws(EditError) -> NewItem {
    let clock = Clock(ZoneResolver(catalog: context.catalog), user: zone ?? context.zone)
    if let zone, clock.user == nil { throw .unknownZone(zone.text) }
    let none = OwnTimes(Schedule(start: nil))
    let times = try times(clock, none)
    var notes: [EditNote] = []
    if let recurrence {
      notes = [clock.note(ofStart: times.start, given: start)].compactMap { $0 }
      notes += try checkRule(recurrence, from: times.start, clock)
    }
    var tree = SyntaxTree(bytes: Self.frame)
    guard let event = tree.calendars.first?.components.first?.id else { throw .brokenText }
    let uid = Property(name: Array("UID".utf8), value: TextValue(bytes: context.newUID).escaped)
    try tree.setProperty(uid, in: event, after: "UID")
    for (name, after) in [("DTSTAMP", "UID"), ("CREATED", "DTSTAMP")] {
      try tree.setProperty(Property(name, value: context.now.value), in: event, after: after)
    }
    try tree.write(times, insteadOf: none, in: event, after: "CREATED")
    var lines = recurrence.map { [Property(name: Array("RRULE".utf8), value: $0)] } ?? []
    let texts = [("SUMMARY", summary), ("LOCATION", location), ("DESCRIPTION", description)]
    for case (let name, let text?) in texts where !text.isEmpty {
      lines.append(Property(name, text: text))
    }
    let rest = lines
    try editing { () throws(EditRefusal) in
      for line in rest { try tree.insert(line, in: event) }
    }
    var series = try Series(CalendarObject(SyntaxTree(bytes: tree.bytes)), context: context)
    try series.addZones(of: series.members.map(\.id), known: [])
    return NewItem(uid: context.newUID, text: series.tree.bytes, notes: notes)
  }

  private func times(_ clock: Clock, _ none: OwnTimes) throws(EditError) -> OwnTimes {
    var edit = EventEdit()
    edit.start = start
    edit.end = end
    edit.endsNext = endsNext
    edit.duration = duration
    if isAllDay {
      edit.form = .allDay
      edit.end = try end.map { end throws(EditError) in try dayAfter(end, clock) }
      edit.endsNext = false
    } else if let zone {
      if case .date = start { throw .mixedTimes }
      edit.form = .zone(zone)
    }
    return try none.edited(edit, clock: clock, isOne: recurrence == nil)
  }

  /// The end of whole days is the day after the last one (RFC 5545 §3.6.1); one that has a time of
  /// day lies on the last one.
  private func dayAfter(_ end: GivenTime, _ clock: Clock) throws(EditError) -> GivenTime {
    if case .date = end { return end }
    if case .exactly(.date) = end { return end }
    var wall = Self.wall(of: end, clock)
    if endsNext, case .wall(let time) = end {
      let from = Self.wall(of: start, clock)
      wall = Gregorian.floorDivide(from, 86_400) * 86_400 + time.secondOfDay
      if wall <= from { wall += 86_400 }
    }
    guard let day = CivilDateTime(secondsSince1970: wall + 86_399)?.date else { throw .outOfRange }
    return .date(day)
  }

  private static func wall(of time: GivenTime, _ clock: Clock) -> Int {
    switch time {
    case .date(let date): CivilDateTime(startOf: date).secondsSince1970
    case .wall(let civil): civil.secondsSince1970
    case .instant(let instant): clock.placement.wall(at: instant)
    case .exactly(let time): time.wall
    }
  }

  private static let frame = Array(
    [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//calgw//calgw//EN", "BEGIN:VEVENT", "END:VEVENT",
      "END:VCALENDAR", "",
    ].joined(separator: "\r\n").utf8)
}
