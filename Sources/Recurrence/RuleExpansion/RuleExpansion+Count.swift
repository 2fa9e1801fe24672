public import ICalendar

extension RuleExpansion {
  /// How many of the occurrences that COUNT counts come before a time on the wall; nil for a rule
  /// without COUNT. So a series is split: the rest of COUNT belongs to what follows.
  ///
  /// EXDATE and overrides do not matter to COUNT (RFC 5545 §3.8.5.3). It costs what a seek costs.
  public static func counted(
    of rule: RecurrenceRule, start: DateTime, before time: CivilDateTime
  ) -> Int? {
    guard let count = rule.count else { return nil }
    let first = time.secondsSince1970
    guard first > start.civil.secondsSince1970 else { return 0 }
    var expansion = RuleExpansion(rule, start: start, window: first...Int.max)
    let isGiven = expansion.next() != nil
    return Swift.min(count, expansion.counted - (isGiven ? 1 : 0))
  }
}
