/// A value of type RECUR (RFC 5545 §3.3.10), as it is written: lists keep their order and their
/// duplicates, and nothing is filled in from DTSTART.
public struct RecurrenceRule: Sendable, Hashable {
  /// The period that a rule repeats by (FREQ).
  public enum Frequency: Int, Sendable, Hashable, CaseIterable, Comparable {
    case secondly, minutely, hourly, daily, weekly, monthly, yearly

    /// The word that FREQ has, as `WEEKLY`.
    public var word: String {
      switch self {
      case .secondly: "SECONDLY"
      case .minutely: "MINUTELY"
      case .hourly: "HOURLY"
      case .daily: "DAILY"
      case .weekly: "WEEKLY"
      case .monthly: "MONTHLY"
      case .yearly: "YEARLY"
      }
    }

    public static func < (left: Frequency, right: Frequency) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// A weekday of BYDAY, as `MO` or, with a number, `-1FR`.
  public struct Day: Sendable, Hashable {
    /// Counts from the start of the month or year, or from its end if it is negative; nil for every
    /// such weekday. Never 0, within ±53.
    public var ordinal: Int?
    public var weekday: Weekday

    public init(_ ordinal: Int? = nil, _ weekday: Weekday) {
      self.ordinal = ordinal
      self.weekday = weekday
    }
  }

  /// A part that is not of RFC 5545, kept as it is written.
  public struct OtherPart: Sendable, Hashable {
    public var name: [UInt8]
    public var value: [UInt8]
  }

  public var frequency: Frequency
  /// From 1. What is written larger than `intervalLimit` is that.
  public var interval = 1
  /// From 1; nil for a rule without COUNT.
  public var count: Int?
  /// The last moment or day that counts; nil for a rule without UNTIL.
  public var until: DateTime?
  /// 0 to 60.
  public var bySecond: [Int] = []
  public var byMinute: [Int] = []
  public var byHour: [Int] = []
  public var byDay: [Day] = []
  /// 1 to 31 and -1 to -31.
  public var byMonthDay: [Int] = []
  /// 1 to 366 and -1 to -366.
  public var byYearDay: [Int] = []
  /// 1 to 53 and -1 to -53.
  public var byWeekNumber: [Int] = []
  /// 1 to 12.
  public var byMonth: [Int] = []
  /// 1 to 366 and -1 to -366.
  public var bySetPosition: [Int] = []
  /// WKST; Monday if it is not written, which is nil.
  public var weekStart: Weekday?
  /// Parts that are not known, in order.
  public var otherParts: [OtherPart] = []

  public init(_ frequency: Frequency) { self.frequency = frequency }

  /// More seconds than ten thousand years have, so a longer step leads nowhere.
  public static let intervalLimit = 1 << 40
}
