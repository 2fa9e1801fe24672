import EventEditing
import ICalendar
import SyncModel

/// Times are written as people read them: `{"time": "2026-01-12T09:00:00", "zone":
/// "Europe/Vienna"}`, `{"time": "2026-01-12T08:00:00Z"}`, `{"date": "2026-01-12"}`; moments as
/// milliseconds since 1970-01-01T00:00:00Z.
extension CalendarEvent: Codable {
  private enum Key: String, CodingKey {
    case id, calendar, title, description, location, start, end, rule, reminders, attendees
    case organizer, isDetached, lastModified, etag, startInstant, endInstant, revision
  }

  /// Reads an event as `encode(to:)` writes it.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      in: try values.decode(EventCalendar.self, forKey: .calendar),
      title: try values.decode(String.self, forKey: .title),
      start: try values.decode(CodedTime.self, forKey: .start).time,
      end: try values.decode(CodedTime.self, forKey: .end).time,
      rule: try values.decodeIfPresent(String.self, forKey: .rule),
      location: try values.decodeIfPresent(String.self, forKey: .location),
      description: try values.decodeIfPresent(String.self, forKey: .description),
      reminders: try values.decodeIfPresent([Reminder].self, forKey: .reminders) ?? [])
    id = try values.decodeIfPresent(EventIdentifier.self, forKey: .id)
    attendees = try values.decodeIfPresent([Attendee].self, forKey: .attendees) ?? []
    organizer = try values.decodeIfPresent(Attendee.self, forKey: .organizer)
    isDetached = try values.decodeIfPresent(Bool.self, forKey: .isDetached) ?? false
    etag = try values.decodeIfPresent(String.self, forKey: .etag)
    revision = try values.decodeIfPresent(String.self, forKey: .revision)
    func instant(_ key: Key) throws -> Instant? {
      try values.decodeIfPresent(Int64.self, forKey: key).map(Instant.init(milliseconds:))
    }
    lastModified = try instant(.lastModified)
    startInstant = try instant(.startInstant)
    endInstant = try instant(.endInstant)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encodeIfPresent(id, forKey: .id)
    try values.encode(calendar, forKey: .calendar)
    try values.encode(title, forKey: .title)
    try values.encodeIfPresent(description, forKey: .description)
    try values.encodeIfPresent(location, forKey: .location)
    try values.encode(CodedTime(start), forKey: .start)
    try values.encode(CodedTime(end), forKey: .end)
    try values.encodeIfPresent(rule, forKey: .rule)
    try values.encode(reminders, forKey: .reminders)
    try values.encode(attendees, forKey: .attendees)
    try values.encodeIfPresent(organizer, forKey: .organizer)
    try values.encode(isDetached, forKey: .isDetached)
    try values.encodeIfPresent(lastModified?.milliseconds, forKey: .lastModified)
    try values.encodeIfPresent(etag, forKey: .etag)
    try values.encodeIfPresent(startInstant?.milliseconds, forKey: .startInstant)
    try values.encodeIfPresent(endInstant?.milliseconds, forKey: .endInstant)
    try values.encodeIfPresent(revision, forKey: .revision)
  }
}

/// A start or end in a coded event.
private struct CodedTime: Codable {
  let time: DateTime

  init(_ time: DateTime) { self.time = time }

  private enum Key: String, CodingKey {
    case date, time, zone
    /// A TZID that is not UTF-8.
    case zoneBytes
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let key: Key = values.contains(.date) ? .date : .time
    let text = try values.decode(String.self, forKey: key)
    let name = try values.decodeIfPresent(String.self, forKey: .zone)
    let bytes = try values.decodeIfPresent([UInt8].self, forKey: .zoneBytes)
    guard let given = try? DateTime(text), given.isDate == (key == .date) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: values, debugDescription: "it is no date or time")
    }
    if case .floating(let civil) = given, let zone = bytes ?? name.map({ Array($0.utf8) }) {
      time = .zoned(civil, TimeZoneName(bytes: zone))
    } else {
      time = given
    }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    switch time {
    case .date(let date): try values.encode(date.description, forKey: .date)
    case .floating(let civil): try values.encode(civil.description, forKey: .time)
    case .utc(let civil): try values.encode(civil.description + "Z", forKey: .time)
    case .zoned(let civil, let zone):
      try values.encode(civil.description, forKey: .time)
      if Array(zone.text.utf8) == zone.bytes {
        try values.encode(zone.text, forKey: .zone)
      } else {
        try values.encode(zone.bytes, forKey: .zoneBytes)
      }
    }
  }
}
