public import EventEditing
public import ICalendar
public import SyncModel

/// An event, or one occurrence of a recurring one, as a value: change its properties and give it
/// to `EventStore.save(_:span:commit:)`.
///
/// What a change does not touch keeps its bytes in the calendar, be it known here or not.
public struct CalendarEvent: Sendable, Hashable, Identifiable {
  /// Nil before it is saved for the first time.
  public internal(set) var id: EventIdentifier?
  /// The calendar that it is in, with its colour.
  public internal(set) var calendar: EventCalendar
  /// SUMMARY (RFC 5545 §3.8.1.12); empty for none.
  public var title: String
  /// DESCRIPTION (§3.8.1.5).
  public var description: String?
  /// LOCATION (§3.8.1.7).
  public var location: String?
  /// When it starts: a day, or a time in a zone, in UTC, or floating (§3.3.4, §3.3.5). The second
  /// of two equal times on the wall of a zone is given in UTC, which alone can name it.
  public var start: DateTime
  /// When it ends, exclusive, of the same kind as the start; of an all-day event the day after its
  /// last. Equal to the start for a moment.
  public var end: DateTime
  /// The value of RRULE (§3.8.5.3), as `FREQ=WEEKLY;BYDAY=MO`; nil for none. Every occurrence has
  /// that of its series. Of several rules it is the first, and a new one takes the place of all.
  public var rule: String?
  /// Alarms that can be read; others stay as they are.
  public var reminders: [Reminder]
  /// ATTENDEE, in the order of the text.
  public internal(set) var attendees: [Attendee]
  /// ORGANIZER.
  public internal(set) var organizer: Attendee?
  /// An override says what this occurrence is like, or its time, otherwise than its series does.
  public internal(set) var isDetached: Bool
  /// LAST-MODIFIED (§3.8.7.3), else when the side says that the resource changed.
  public internal(set) var lastModified: Instant?
  /// The side's tag of the item's state (RFC 9110 §8.8.3), for people; nil where it gives none.
  public internal(set) var etag: String?
  /// Where the start was in the world when the event was read; nil before it is saved.
  public internal(set) var startInstant: Instant?
  /// Where the end was in the world when the event was read; nil before it is saved.
  public internal(set) var endInstant: Instant?
  /// Names the text that the event was read from: a change is refused when the item has become
  /// another one since. Nil before it is saved.
  public internal(set) var revision: String?

  /// A new event, which is in the calendar once it is saved.
  public init(
    in calendar: EventCalendar, title: String, start: DateTime, end: DateTime,
    rule: String? = nil, location: String? = nil, description: String? = nil,
    reminders: [Reminder] = []
  ) {
    self.calendar = calendar
    self.title = title
    self.description = description
    self.location = location
    self.start = start
    self.end = end
    self.rule = rule
    self.reminders = reminders
    attendees = []
    isDetached = false
  }

  /// The UID, which all occurrences share; nil before it is saved. Bytes that are not UTF-8 are
  /// shown as U+FFFD.
  public var externalIdentifier: String? { id?.externalIdentifier }

  /// The original start of an occurrence of a series, whatever was changed since; nil for an event
  /// that does not recur.
  public var occurrence: GivenTime? { id?.occurrence }

  /// It lasts whole days.
  public var isAllDay: Bool { start.isDate }

  /// The zone of its start, as `Europe/Vienna`; nil for days, floating times and times in UTC.
  public var zone: String? { start.zone?.text }

  /// Gives it a new start, and keeps how long it lasts on the wall. From days to times or back the
  /// end cannot follow: then set both.
  public mutating func move(to newStart: DateTime) {
    let length = end.civil.secondsSince1970 - start.civil.secondsSince1970
    let isSame = newStart.isDate == start.isDate
    start = newStart
    guard isSame,
      let civil = CivilDateTime(secondsSince1970: newStart.civil.secondsSince1970 + length)
    else { return }
    end = newStart.with(civil)
  }

  /// A new event with the same title, place, times, rule and reminders, in any calendar. Attendees
  /// are not taken along.
  public func copy(in calendar: EventCalendar) -> CalendarEvent {
    CalendarEvent(
      in: calendar, title: title, start: start, end: end, rule: rule, location: location,
      description: description, reminders: reminders)
  }
}

extension DateTime {
  /// A day as `2026-01-12`, a time on the wall of a zone as `2026-01-12T09:00`, which floats
  /// without a zone, or an instant as `2026-01-12T08:00:00Z`. Throws `EditError.badTime` for
  /// other texts.
  public init(_ text: String, zone: String? = nil) throws(EditError) {
    switch try GivenTime(text) {
    case .date(let date): self = .date(date)
    case .wall(let civil):
      self = zone.map { .zoned(civil, TimeZoneName($0)) } ?? .floating(civil)
    case .instant(let instant):
      guard let civil = CivilDateTime(secondsSince1970: instant) else { throw .badTime(text) }
      self = .utc(civil)
    case .exactly(let time): self = time
    }
  }
}
