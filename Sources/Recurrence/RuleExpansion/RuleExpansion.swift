public import ICalendar

/// The occurrences of one rule from one start, in civil time: seconds from 1970-01-01 00:00 as the
/// wall shows them, in order. Zones come in later (`RecurrenceSet`).
///
/// It is lazy: an occurrence is computed when it is asked for. It is bounded: no rule makes it
/// walk further than the limits of `ExpansionLimit`. DTSTART is the first occurrence and counts in
/// COUNT, whether or not it matches the rule (RFC 5545 §3.8.5.3).
public struct RuleExpansion: IteratorProtocol, Sequence, Sendable {
  let plan: RulePlan
  let ending: Ending
  /// Whether DTSTART is given out. It is not for EXRULE, where it must match to be excluded.
  let includesStart: Bool

  /// Nothing before it is given out, but counted.
  var lowerBound: Int
  var content: PeriodContent
  /// The current period; nil when nothing was given out yet.
  var period: Int?
  /// The next occurrence of the period is at this second or later.
  var position: Int
  /// With BYSETPOS: what is left of the period, the next one last.
  var picked: [Int] = []
  /// The last occurrence that the rule gave, for rules of even steps.
  private var lastGiven: Int?
  /// How many were given out or passed over.
  var counted = 0
  var lookedUpDay = LookedUpDay()

  /// Why there are no more; nil while there may be.
  public private(set) var end: ExpansionEnd?

  /// Where an expansion stops by itself.
  struct Ending {
    /// The last civil second that UNTIL allows.
    var until: Int
    /// The last civil second of the window.
    var window: Int

    var last: Int { Swift.min(until, window, CivilDateTime.lastSecond) }

    /// What ends an expansion that has come to a second beyond `last`.
    func reason(at second: Int) -> ExpansionEnd {
      if second > until { return .until }
      return second > window ? .window : .calendarEnd
    }
  }

  /// A day and whether it passed the filter: most rules of minutes ask for one day many times.
  struct LookedUpDay {
    var day = Int.min
    var passes = false
  }

  /// So many steps of a rule of hours, minutes or seconds, or days looked at, are done in about
  /// ten milliseconds, and more than a rule needs that meets its time of day every few decades.
  public static let lookLimit = 1_000_000

  /// Expands a rule from its start.
  /// - Parameters:
  ///   - rule: UNTIL in UTC is compared with the wall as if that showed UTC; a caller who knows the
  ///     zone passes `until`.
  ///   - start: DTSTART. For a date, BYHOUR, BYMINUTE and BYSECOND are ignored.
  ///   - until: The last second that may be given out, instead of the rule's UNTIL.
  ///   - window: The first and last civil second that are asked for.
  ///   - includesStart: False to give DTSTART only where the rule gives it.
  public init(
    _ rule: RecurrenceRule, start: DateTime, until: Int? = nil,
    window: ClosedRange<Int> = Int.min...Int.max, includesStart: Bool = true
  ) {
    plan = RulePlan(rule, start: start.civil, isDate: start.isDate)
    let last = until ?? rule.until.map { Self.lastSecond($0, of: start) } ?? Int.max
    ending = Ending(until: last, window: window.upperBound)
    self.includesStart = includesStart
    lowerBound = window.lowerBound
    content = PeriodContent(days: DayBits(base: 0), clock: plan.clock)
    position = plan.start
  }

  /// An UNTIL without zones: a date ends a timed rule at its start (DTSTART decides the type, RFC
  /// 5545 §3.3.10), a time ends a rule of dates on its day.
  private static func lastSecond(_ until: DateTime, of start: DateTime) -> Int {
    until.civil.secondsSince1970
  }

  /// The next occurrence; nil at the end, and then `end` says why.
  public mutating func next() -> Int? {
    guard end == nil else { return nil }
    if period == nil {
      if let start = begin() { return start }
      guard end == nil else { return nil }
    }
    while true {
      if let count = plan.count, counted >= count {
        end = .count
        return nil
      }
      guard let second = nextEvenStep() ?? nextInPeriod() else {
        guard advance() else { return nil }
        continue
      }
      guard second <= ending.last else {
        end = ending.reason(at: second)
        return nil
      }
      counted += 1
      if plan.evenStep != nil { lastGiven = second }
      return second
    }
  }

  private func nextEvenStep() -> Int? {
    guard let lastGiven, let step = plan.evenStep else { return nil }
    return lastGiven + step
  }

  /// Gives DTSTART out, or goes to the first period of the window.
  private mutating func begin() -> Int? {
    period = plan.firstPeriod
    guard plan.start <= ending.window else {
      end = .window
      return nil
    }
    if includesStart { counted = 1 }
    if includesStart, lowerBound <= plan.start {
      position = plan.start + 1
      load(plan.firstPeriod)
      return plan.start
    }
    position = includesStart ? plan.start + 1 : plan.start
    if lowerBound > position {
      seek(to: lowerBound)
    } else {
      load(plan.firstPeriod)
    }
    return nil
  }

  mutating func stop(_ reason: ExpansionEnd) { end = reason }
}
