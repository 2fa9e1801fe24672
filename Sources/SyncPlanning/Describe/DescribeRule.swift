import ICalendar

/// A rule in words: `every Monday`, `every 2 weeks on Tuesday and Friday, 10 times`. Nil where it
/// has parts that cannot be said so shortly.
func words(for rule: RecurrenceRule, start: CivilDate?) -> String? {
  guard rule.bySecond.isEmpty, rule.byMinute.isEmpty, rule.byHour.isEmpty,
    rule.byYearDay.isEmpty, rule.byWeekNumber.isEmpty, rule.bySetPosition.isEmpty,
    rule.otherParts.isEmpty, let period = periodWords(for: rule, start: start)
  else { return nil }
  var words = period
  if let count = rule.count { words += ", \(count) time\(count == 1 ? "" : "s")" }
  if let until = rule.until { words += ", until \(day(until.civil.date))" }
  return words
}

private func periodWords(for rule: RecurrenceRule, start: CivilDate?) -> String? {
  let hasNumberedDays = rule.byDay.contains { $0.ordinal != nil }
  switch rule.frequency {
  case .secondly: return rule.hasOnlyFrequency ? every(rule.interval, "second") : nil
  case .minutely: return rule.hasOnlyFrequency ? every(rule.interval, "minute") : nil
  case .hourly: return rule.hasOnlyFrequency ? every(rule.interval, "hour") : nil
  case .daily: return rule.hasOnlyFrequency ? every(rule.interval, "day") : nil
  case .weekly:
    guard rule.byMonth.isEmpty, rule.byMonthDay.isEmpty, !hasNumberedDays else { return nil }
    let days = rule.byDay.isEmpty ? start.map { [$0.weekday] } ?? [] : rule.byDay.map(\.weekday)
    let names = list(days.map(\.name))
    if names.isEmpty { return every(rule.interval, "week") }
    return rule.interval == 1 ? "every \(names)" : "every \(rule.interval) weeks on \(names)"
  case .monthly:
    guard rule.byMonth.isEmpty else { return nil }
    let base = every(rule.interval, "month")
    switch (rule.byMonthDay.isEmpty, rule.byDay.isEmpty) {
    case (true, true): return base + (start.map { " on the \(ordinal($0.day))" } ?? "")
    case (false, true): return "\(base) on the \(list(rule.byMonthDay.map(dayOfMonth)))"
    case (true, false): return "\(base) on \(list(rule.byDay.map(weekday)))"
    case (false, false): return nil
    }
  case .yearly: return yearWords(for: rule, start: start)
  }
}

private func yearWords(for rule: RecurrenceRule, start: CivilDate?) -> String? {
  let base = every(rule.interval, "year")
  guard rule.byMonth.count <= 1, rule.byMonthDay.count <= 1 else { return nil }
  let month = (rule.byMonth.first ?? start?.month)
    .flatMap { (1...12).contains($0) ? monthNames[$0 - 1] : nil }
  guard let month else { return rule.hasOnlyFrequency ? base : nil }
  if !rule.byDay.isEmpty {
    guard rule.byMonthDay.isEmpty, rule.byMonth.count == 1 else { return nil }
    return "\(base) on \(list(rule.byDay.map(weekday))) of \(month)"
  }
  guard let number = rule.byMonthDay.first ?? start?.day, number > 0 else { return nil }
  return "\(base) on \(number) \(month)"
}

private func every(_ interval: Int, _ unit: String) -> String {
  interval == 1 ? "every \(unit)" : "every \(interval) \(unit)s"
}

private func list(_ words: [String]) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " and " + last
}

private func ordinal(_ number: Int) -> String {
  let suffix: String
  switch (number % 10, number % 100) {
  case (_, 11...13): suffix = "th"
  case (1, _): suffix = "st"
  case (2, _): suffix = "nd"
  case (3, _): suffix = "rd"
  default: suffix = "th"
  }
  return "\(number)\(suffix)"
}

private func dayOfMonth(_ number: Int) -> String {
  switch number {
  case -1: "last day"
  case ..<0: "\(ordinal(-number)) day from the end"
  default: ordinal(number)
  }
}

private func weekday(_ day: RecurrenceRule.Day) -> String {
  switch day.ordinal {
  case nil: "every \(day.weekday.name)"
  case .some(-1): "the last \(day.weekday.name)"
  case let number? where number < 0: "the \(ordinal(-number)) \(day.weekday.name) from the end"
  case let number?: "the \(ordinal(number)) \(day.weekday.name)"
  }
}

extension RecurrenceRule {
  fileprivate var hasOnlyFrequency: Bool { byMonth.isEmpty && byMonthDay.isEmpty && byDay.isEmpty }
}

extension Weekday {
  /// The English name.
  var name: String {
    switch self {
    case .monday: "Monday"
    case .tuesday: "Tuesday"
    case .wednesday: "Wednesday"
    case .thursday: "Thursday"
    case .friday: "Friday"
    case .saturday: "Saturday"
    case .sunday: "Sunday"
    }
  }
}
