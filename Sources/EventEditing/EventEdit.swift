public import ICalendar

/// What an edit changes. Nothing that is not named changes.
public struct EventEdit: Sendable, Hashable {
  /// A new rule, or none.
  public enum RuleChange: Sendable, Hashable {
    /// The value of RRULE, taken literally: nothing in it follows a new start.
    case rule([UInt8])
    /// No rule any more.
    case removed
  }

  /// The new start; alone, it keeps the duration. With `Span.allEvents` it is the new DTSTART of
  /// the series, with the other spans the start of the occurrence that is meant.
  public var start: GivenTime?
  /// Of a wall time in `start` the time of day alone is meant: the day stays, where there is one.
  public var startsOnItsDay = false
  /// The new end, which is exclusive: DTEND, or DUE of a to-do.
  public var end: GivenTime?
  /// Of a wall time in `end` the time of day alone is meant: the first such time after the start.
  public var endsNext = false
  /// The end goes, however it is written. Not together with `end` or `duration`.
  public var removesEnd = false
  /// The new duration, from the start to the end. Not together with `end`.
  public var duration: CivilDuration?
  /// The zone, or the kind of time, to change to. The wall time stays as it is, where no new start
  /// is given.
  public var form: TimeForm?
  public var recurrence: RuleChange?
  /// Changes of other properties, carried out in order.
  public var properties: [PropertyChange] = []

  public init() {}

  /// Nothing is to change.
  public var isEmpty: Bool { self == EventEdit() }

  /// Sets a property whose value is a text, as SUMMARY; an empty text removes it.
  public mutating func setText(_ name: String, to text: String) {
    properties.append(PropertyChange(name, text: text))
  }

  /// Reads a change as it is given on a command line: `NAME=VALUE`, or with parameters
  /// `NAME;PARAM=x=VALUE`, where a colon may stand for the last equals sign if none comes behind it
  /// before another colon. An empty value removes the property.
  ///
  /// The texts of SUMMARY, DESCRIPTION, LOCATION, COMMENT and CONTACT are given as they are to be
  /// read, and escaped here; other values are given as they stand in a line (RFC 5545 §3.1).
  /// DTSTART, DTEND, DUE, DURATION and RRULE are the same as `start`, `end`, `duration` and
  /// `recurrence`. UID, RECURRENCE-ID, BEGIN, END, DTSTAMP and LAST-MODIFIED cannot be set.
  public mutating func set(_ text: String) throws(EditError) {
    try apply(SetText(text))
  }
}

/// What kind of time an event has (RFC 5545 §3.3.4, §3.3.5).
public enum TimeForm: Sendable, Hashable {
  /// Days without a time.
  case allDay
  /// The same on every wall, in no zone.
  case floating
  case utc
  /// The local time of a zone, which must be one that the catalogue or the object knows.
  case zone(TimeZoneName)
}

/// A property that is set or removed.
public struct PropertyChange: Sendable, Hashable {
  /// In upper case.
  public var name: String
  /// Nil keeps those that the property has.
  public var parameters: [Parameter]?
  /// The value as it is to stand in the line; nil removes all properties of the name.
  public var value: [UInt8]?

  /// Sets a property, or with an empty value removes it.
  public init(_ name: String, parameters: [Parameter]? = nil, value: [UInt8]) {
    self.name = name.uppercased()
    self.parameters = parameters
    self.value = value.isEmpty ? nil : value
  }

  /// Sets a property whose value is a text, which is escaped (RFC 5545 §3.3.11), or with an empty
  /// text removes it.
  public init(_ name: String, text: String) {
    self.init(name, value: TextValue(text: text).escaped)
  }
}
