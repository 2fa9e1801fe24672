/// Something in a value that RFC 5545 does not allow but that is read all the same.
public enum ValueNote: String, Sendable, Hashable, CaseIterable {
  case surroundingBlanks = "surrounding-blanks"
  case lowerCase = "lower-case"
  case leapSecond = "leap-second"
  case zoneOnUTC = "zone-on-utc"
  case typeMismatch = "type-mismatch"
  case oddDuration = "odd-duration"
  case oddOffset = "odd-offset"
  case endBeforeStart = "end-before-start"
  case repeatedPart = "repeated-part"
  case emptyPart = "empty-part"
  case unknownPart = "unknown-part"
  case misplacedPart = "misplaced-part"
  case ignoredOrdinal = "ignored-ordinal"
  case zeroInterval = "zero-interval"
  case countAndUntil = "count-and-until"

  /// What is odd and how it is read, for people, without a full stop.
  public var message: String {
    switch self {
    case .surroundingBlanks: "the value has blanks around it, which are ignored"
    case .lowerCase: "letters that RFC 5545 writes in upper case are in lower case"
    case .leapSecond: "second 60 is read as second 59"
    case .zoneOnUTC: "a time in UTC has a TZID, which is ignored"
    case .typeMismatch:
      "the value is not of the type that VALUE says (without it, DATE-TIME), and read as what it is"
    case .oddDuration: "the duration has units out of place, as days after a T"
    case .oddOffset: "the UTC offset has other than two or three pairs of digits, or is too large"
    case .endBeforeStart: "the period ends before it starts, and is read as a moment"
    case .repeatedPart: "a part of the rule occurs twice; the last one counts"
    case .emptyPart: "a part of the rule is empty, and ignored"
    case .unknownPart: "a part of the rule is not known, and ignored"
    case .misplacedPart: "a part of the rule is not allowed with its FREQ, and read as a filter"
    case .ignoredOrdinal: "a number before a weekday is not allowed here, and ignored"
    case .zeroInterval: "INTERVAL=0 is read as 1"
    case .countAndUntil: "a rule has COUNT or UNTIL, not both; what comes first ends it"
    }
  }
}

/// Why a value cannot be read.
public enum ValueError: Error, Sendable, Hashable {
  /// It is no date or time as RFC 5545 §3.3.4 and §3.3.5 write them.
  case notDateTime
  /// It has the form of a date or time, but there is none such.
  case noSuchDateTime
  case notDuration
  case notOffset
  case notPeriod
  /// The numbers are too large for years up to 9999.
  case outOfRange
  case rule(RuleError)
}

/// Why a recurrence rule cannot be read (RFC 5545 §3.3.10).
public enum RuleError: Error, Sendable, Hashable {
  case missingFrequency
  case unknownFrequency
  /// A part is not `NAME=value`.
  case notPart(index: Int)
  /// A value of a part is no number, no weekday, or out of its range.
  case badValue(part: String)
  /// RSCALE names another calendar than the Gregorian (RFC 7529 §4.1).
  case unsupportedCalendar
  /// SKIP is BACKWARD or FORWARD, or no such word (RFC 7529 §4.1).
  case unsupportedSkip
}

extension RuleError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .missingFrequency: "the rule has no FREQ"
    case .unknownFrequency: "FREQ is none of SECONDLY to YEARLY"
    case .notPart(let index): "part \(index + 1) of the rule is not NAME=value"
    case .badValue(let part): "\(part) has a value that is none or out of its range"
    case .unsupportedCalendar: "RSCALE names a calendar that is not supported (RFC 7529)"
    case .unsupportedSkip: "SKIP other than OMIT is not supported (RFC 7529)"
    }
  }
}

extension ValueError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notDateTime: "the value is no date or date-time"
    case .noSuchDateTime: "there is no such date or time"
    case .notDuration: "the value is no duration"
    case .notOffset: "the value is no UTC offset"
    case .notPeriod: "the value is no period"
    case .outOfRange: "the value is too large"
    case .rule(let error): error.description
    }
  }
}
