public import ICalendar
public import Recurrence

/// What an edit needs from the world.
public struct EditContext: Sendable {
  /// For DTSTAMP, LAST-MODIFIED and CREATED.
  public var now: UTCDateTime
  /// The UID of a series or event that an edit may have to make. Without escapes.
  public var newUID: [UInt8]
  /// The zones of tzdata.
  public var catalog: ZoneCatalog
  /// The user's zone: where all-day and floating times are in the world, and the zone of a time
  /// that is given to an event without one. Nil for none: UTC, and floating times.
  public var zone: TimeZoneName?

  public init(now: UTCDateTime, newUID: [UInt8], catalog: ZoneCatalog, zone: TimeZoneName? = nil) {
    self.now = now
    self.newUID = newUID
    self.catalog = catalog
    self.zone = zone
  }
}
