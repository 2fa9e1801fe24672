public import ICalendar

/// What a component says about when it is: its start, its end and what recurs. Of a main component
/// or of an override.
public struct Schedule: Sendable, Hashable {
  /// Which component it belongs to.
  public enum Kind: Sendable, Hashable {
    case event
    case todo
    case journal
  }

  /// How it says when an occurrence ends.
  public enum Ending: Sendable, Hashable {
    /// Neither DTEND, DUE nor DURATION.
    case none
    /// DTEND, or DUE of a VTODO.
    case end(DateTime)
    case duration(CivilDuration)
  }

  /// An element of RDATE.
  public enum Addition: Sendable, Hashable {
    case start(DateTime)
    case period(Period)

    package var start: DateTime {
      switch self {
      case .start(let start): start
      case .period(let period): period.start
      }
    }
  }

  public var kind: Kind
  /// DTSTART; of a VTODO without one, DUE counts as a start without a length.
  public var start: DateTime?
  public var ending: Ending
  /// RRULE. A component has one; several are united.
  public var rules: [RecurrenceRule]
  /// EXRULE (RFC 2445): what they give is left out.
  public var exclusionRules: [RecurrenceRule]
  /// RDATE.
  public var additions: [Addition]
  /// EXDATE.
  public var exclusions: [DateTime]
  /// RECURRENCE-ID of an override: the start, by the rule, of the occurrence that it is.
  public var recurrenceID: DateTime?
  /// RANGE=THISANDFUTURE: the override holds for all later occurrences too.
  public var isThisAndFuture: Bool
  /// SEQUENCE; of two overrides of one occurrence the higher counts.
  public var sequence: Int

  /// So many RRULE are read of a component, and so many EXRULE. RFC 5545 §3.8.5.3 wants one; each
  /// may cost the ten milliseconds of a search that finds nothing.
  public static let ruleLimit = 20

  public init(
    kind: Kind = .event, start: DateTime?, ending: Ending = .none, rules: [RecurrenceRule] = [],
    exclusionRules: [RecurrenceRule] = [], additions: [Addition] = [],
    exclusions: [DateTime] = [], recurrenceID: DateTime? = nil, isThisAndFuture: Bool = false,
    sequence: Int = 0
  ) {
    self.kind = kind
    self.start = start
    self.ending = ending
    self.rules = rules
    self.exclusionRules = exclusionRules
    self.additions = additions
    self.exclusions = exclusions
    self.recurrenceID = recurrenceID
    self.isThisAndFuture = isThisAndFuture
    self.sequence = sequence
  }

  /// The start, or what stands for it.
  package var effectiveStart: DateTime? {
    if let start { return start }
    if case .end(let due) = ending, kind == .todo { return due }
    return nil
  }
}
