/// Why an expansion gave no more occurrences.
public enum ExpansionEnd: Sendable, Hashable {
  /// COUNT is used up.
  case count
  /// What follows is after UNTIL.
  case until
  /// What follows is after the window that was asked for.
  case window
  /// What follows is after 9999-12-31, the last date that RFC 5545 can write.
  case calendarEnd
  /// The rule has no more occurrences, as far as a bounded search can say.
  case limit(ExpansionLimit)
}

/// A bound of a search for the next occurrence, with its reason.
public enum ExpansionLimit: String, Sendable, Hashable, CaseIterable {
  /// Steps of INTERVAL never land on a time that BYHOUR, BYMINUTE and BYSECOND allow. This is
  /// found by division and is certain.
  case stepsMissTheClock = "steps-miss-the-clock"
  /// So many periods without an occurrence that the calendar has repeated itself: weekdays and
  /// leap years come round after 400 years. This is certain.
  case wholeCalendarSearched = "whole-calendar-searched"
  /// `RuleExpansion.lookLimit` steps of a rule of hours, minutes or seconds without an occurrence.
  case stepsWithoutOccurrence = "steps-without-occurrence"
  /// A million starts left out by EXDATE and EXRULE in a row, without one that they let through.
  case allExcluded = "all-excluded"

  /// The rule is known to have no more occurrences; otherwise the search was only ended.
  public var isCertain: Bool {
    switch self {
    case .stepsMissTheClock, .wholeCalendarSearched: true
    case .stepsWithoutOccurrence, .allExcluded: false
    }
  }

  /// For people, without a full stop.
  public var reason: String {
    switch self {
    case .stepsMissTheClock:
      "the rule never matches: INTERVAL steps over every time of day that it allows"
    case .wholeCalendarSearched:
      "the rule never matches: 400 years, after which the calendar repeats, hold no occurrence"
    case .stepsWithoutOccurrence:
      "the search was ended: \(RuleExpansion.lookLimit) steps in a row hold no occurrence"
    case .allExcluded:
      "the search was ended: \(StartStream.exclusionLimit) steps in a row are left out"
    }
  }
}
