import ICalendar
import Recurrence

/// A component with what its times mean.
struct TimedPart {
  let schedule: Schedule
  let times: ItemTimes
  var recurs: Bool
  private let groups: PropertyGroups

  init(_ component: Component, _ groups: PropertyGroups, _ times: ItemTimes) {
    var findings: [ScheduleFinding] = []
    schedule = Schedule.read(ItemComponent(component), findings: &findings)
    recurs = !schedule.rules.isEmpty || !schedule.additions.isEmpty
    self.groups = groups
    self.times = times
  }

  func form(_ name: [UInt8]) -> [UInt8] { groups[name]?.canonical ?? [] }
}

extension ScheduleSlot {
  /// Both say the same in this slot, whatever the spelling.
  func isSame(_ one: TimedPart, _ other: TimedPart) -> Bool {
    if isSpeltAlike(one, other) { return true }
    switch self {
    case .rule:
      return !one.schedule.rules.isEmpty && Self.rules(one.schedule) == Self.rules(other.schedule)
    case .end where ScheduleSlot.start.isSpeltAlike(one, other) && Self.areAsLong(one, other):
      return true
    case .start, .end:
      // Of a series, 09:00 in Vienna and 08:00 in UTC are two things, and 09:00 in two zones of one
      // clock is one.
      if one.recurs || other.recurs {
        return one.recurs == other.recurs && Self.areOnOneClock(one, other)
          && (self == .start || Self.areAsLong(one, other))
      }
      let moment = moment(one)
      return moment != nil && moment == self.moment(other)
    case .additions, .exclusions: return false
    }
  }

  private func isSpeltAlike(_ one: TimedPart, _ other: TimedPart) -> Bool {
    names.allSatisfy { one.form($0) == other.form($0) }
  }

  /// RRULE and EXRULE, with what they leave to WKST's default and to the start written out, and
  /// lists in order (RFC 5545 §3.3.10).
  private static func rules(_ schedule: Schedule) -> [[RecurrenceRule]] {
    [schedule.rules, schedule.exclusionRules].map { rules in
      rules.map { $0.complete(from: schedule.start).inOrder }
    }
  }

  /// An end says as much as a duration (RFC 5545 §3.6.1), of a series, too; and a day as much as 24
  /// hours, which it is but where the clock is changed in between: servers write the one for the
  /// other.
  private static func areAsLong(_ one: TimedPart, _ other: TimedPart) -> Bool {
    if case .duration(let length) = one.schedule.ending,
      case .duration(let otherLength) = other.schedule.ending
    {
      return length.length == otherLength.length
    }
    if let days = dayCount(one.schedule) { return days == dayCount(other.schedule) }
    let end = endOfFirst(one)
    return end != nil && end == endOfFirst(other)
  }

  /// In weeks: how far two zones are compared, about 20 years.
  private static let comparedWeeks = 1040

  /// The same wall time in two zones that have one clock from the start on: programs call a zone by
  /// names of their own (`W. Europe Standard Time`), and define it in the text.
  static func areOnOneClock(_ one: TimedPart, _ other: TimedPart) -> Bool {
    guard let start = zonedStart(one.schedule), let twin = zonedStart(other.schedule),
      start.civil == twin.civil
    else { return false }
    let first = start.civil.secondsSince1970
    return (0..<comparedWeeks).allSatisfy { week in
      guard let civil = CivilDateTime(secondsSince1970: first + week * 7 * 86_400) else {
        return true
      }
      let moment = one.times.moment(start.with(civil))
      guard case .instant = moment else { return false }
      return moment == other.times.moment(twin.with(civil))
    }
  }

  /// A start in a zone that its end is in as well, if it has one.
  private static func zonedStart(_ schedule: Schedule) -> DateTime? {
    guard let start = schedule.start, case .zoned(_, let name) = start else { return nil }
    switch schedule.ending {
    case .end(.zoned(_, name)), .duration, .none: return start
    case .end: return nil
    }
  }

  /// When the first occurrence ends; nil where nobody can say.
  private static func endOfFirst(_ part: TimedPart) -> Moment? {
    switch (part.schedule.ending, part.schedule.start) {
    case (.end(let end), _): part.times.moment(end)
    case (.duration(let length), let start?): part.times.moment(start, plus: length)
    case (.duration, nil), (.none, _): nil
    }
  }

  /// The length of an event of days, in days: one, where nothing says its end (RFC 5545 §3.6.1).
  private static func dayCount(_ schedule: Schedule) -> Int? {
    guard schedule.kind == .event, case .date(let start) = schedule.start else { return nil }
    switch schedule.ending {
    case .none: return 1
    case .end(.date(let end)): return end.daysSince1970 - start.daysSince1970
    case .duration(let length) where length.seconds == 0: return length.days
    case .end, .duration: return nil
    }
  }

  /// The moment of a start or an end; nil where nobody can say.
  private func moment(_ part: TimedPart) -> Moment? {
    self == .end ? Self.endOfFirst(part) : part.schedule.start.map(part.times.moment)
  }
}

extension RecurrenceRule {
  /// The rule with the weekday, the day or the month that the start gives it.
  fileprivate func complete(from start: DateTime?) -> RecurrenceRule {
    guard let date = start?.civil.date, otherParts.isEmpty, byDay.isEmpty, byMonthDay.isEmpty,
      byYearDay.isEmpty, byWeekNumber.isEmpty
    else { return self }
    var rule = self
    switch frequency {
    case .weekly: rule.byDay = [Day(nil, date.weekday)]
    case .monthly: rule.byMonthDay = [date.day]
    case .yearly:
      rule.byMonthDay = [date.day]
      if byMonth.isEmpty { rule.byMonth = [date.month] }
    case .secondly, .minutely, .hourly, .daily: break
    }
    return rule
  }

  /// The order of a list says nothing.
  fileprivate var inOrder: RecurrenceRule {
    var rule = self
    rule.weekStart = weekStart ?? .monday
    let lists: [WritableKeyPath<RecurrenceRule, [Int]>] = [
      \.bySecond, \.byMinute, \.byHour, \.byMonthDay, \.byYearDay, \.byWeekNumber, \.byMonth,
      \.bySetPosition,
    ]
    for list in lists { rule[keyPath: list].sort() }
    rule.byDay.sort {
      ($0.ordinal ?? 0, $0.weekday.rawValue) < ($1.ordinal ?? 0, $1.weekday.rawValue)
    }
    return rule
  }
}
