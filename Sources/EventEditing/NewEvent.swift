public import ICalendar

/// A new event, to be written as an item of its own.
public struct NewEvent: Sendable, Hashable {
  public var summary: String
  public var start: GivenTime
  /// Exclusive. Not together with `duration`.
  public var end: GivenTime?
  public var duration: CivilDuration?
  /// Only the days of start and end count.
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

  /// The item: a VCALENDAR with a VTIMEZONE where the event has a zone, in lines that end with CRLF.
  ///
  /// Its UID is the one of the context.
  public func item(context: EditContext) throws(EditError) -> NewItem {
    throw .noItem
  }
}
