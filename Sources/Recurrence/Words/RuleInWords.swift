package import ICalendar

/// A recurrence rule in English words (RFC 5545 §3.3.10).
///
/// Said is only what is sure to be right: for a rule with parts that have no plain words, or that
/// work together in a way that words would hide, there are none.
package struct RuleInWords {
  let rule: RecurrenceRule
  /// DTSTART on its wall: what the rule leaves open comes from it.
  let start: CivilDateTime
  let isAllDay: Bool
  /// Gives the wall time at the event's home for a time in UTC; nil where that is not known.
  let wall: (CivilDateTime) -> CivilDateTime?

  package init(
    rule: RecurrenceRule, start: CivilDateTime, isAllDay: Bool,
    wall: @escaping (CivilDateTime) -> CivilDateTime?
  ) {
    self.rule = rule
    self.start = start
    self.isAllDay = isAllDay
    self.wall = wall
  }

  /// Nil where the rule's own text says it better.
  package var text: String? {
    guard rule.otherParts.isEmpty, rule.bySecond.isEmpty, rule.byWeekNumber.isEmpty,
      let days = days, let times = times, let end = end
    else { return nil }
    return [frequency, days, times, end].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private var frequency: String {
    let (adverb, noun): (String, String) =
      switch rule.frequency {
      case .secondly: ("every second", "second")
      case .minutely: ("every minute", "minute")
      case .hourly: ("every hour", "hour")
      case .daily: ("daily", "day")
      case .weekly: ("weekly", "week")
      case .monthly: ("monthly", "month")
      case .yearly: ("yearly", "year")
      }
    return rule.interval == 1 ? adverb : "every \(rule.interval) \(noun)s"
  }

  // MARK: Days

  private var days: String? {
    switch rule.frequency {
    case .secondly, .minutely, .hourly:
      let isPlain =
        rule.byDay.isEmpty && rule.byMonth.isEmpty && rule.byMonthDay.isEmpty
        && rule.byYearDay.isEmpty && rule.bySetPosition.isEmpty
      return isPlain ? "" : nil
    case .daily: return daily
    case .weekly: return weekly
    case .monthly: return monthly
    case .yearly: return yearly
    }
  }

  private var daily: String? {
    guard rule.byMonthDay.isEmpty, rule.byYearDay.isEmpty, rule.bySetPosition.isEmpty,
      hasNoOrdinals, let months = inMonths
    else { return nil }
    guard !rule.byDay.isEmpty else { return months }
    // With an interval, days are counted whether they fit or not.
    guard rule.interval == 1 else { return nil }
    return join("on \(weekdayList())", months)
  }

  private var weekly: String? {
    guard rule.byMonthDay.isEmpty, rule.byYearDay.isEmpty, rule.bySetPosition.isEmpty,
      hasNoOrdinals, let months = inMonths
    else { return nil }
    let days = rule.byDay.isEmpty ? TimeWords.name(start.date.weekday) : weekdayList()
    let weekStart = rule.weekStart ?? .monday
    // Where weeks are skipped it matters on which day they start.
    let note =
      rule.interval > 1 && Set(rule.byDay).count > 1 && weekStart != .monday
      ? "(weeks start on \(TimeWords.name(weekStart)))" : ""
    return join("on \(days)", months, note)
  }

  private var monthly: String? {
    guard rule.byYearDay.isEmpty, let months = inMonths else { return nil }
    let isByDay = !rule.byDay.isEmpty
    switch (isByDay, rule.byMonthDay.isEmpty) {
    case (false, true):
      guard rule.bySetPosition.isEmpty else { return nil }
      return join("on \(dayList([start.date.day]))", months)
    case (false, false):
      guard rule.bySetPosition.isEmpty else { return nil }
      return join("on \(dayList(rule.byMonthDay))", months)
    case (true, false):
      guard rule.bySetPosition.isEmpty, hasNoOrdinals else { return nil }
      return join(
        "on \(dayList(rule.byMonthDay)) if it is a \(weekdayList(joint: "or", groups: false))",
        months)
    case (true, true):
      guard let days = countedDays(of: "") else { return nil }
      return join("on \(days)", months)
    }
  }

  private var yearly: String? {
    let months = Set(rule.byMonth).sorted().compactMap(TimeWords.month)
    guard months.count == Set(rule.byMonth).count else { return nil }
    if !rule.byYearDay.isEmpty {
      guard months.isEmpty, rule.byDay.isEmpty, rule.byMonthDay.isEmpty,
        rule.bySetPosition.isEmpty, rule.byYearDay.allSatisfy({ $0 > 0 })
      else { return nil }
      let days = Set(rule.byYearDay).sorted().map(String.init)
      return "on day \(TimeWords.list(days)) of the year"
    }
    guard !rule.byDay.isEmpty else {
      guard rule.bySetPosition.isEmpty else { return nil }
      let days = rule.byMonthDay.isEmpty ? [start.date.day] : rule.byMonthDay
      guard months.isEmpty || !rule.byMonth.isEmpty else { return nil }
      let names = months.isEmpty ? [TimeWords.month(start.date.month) ?? ""] : months
      // BYMONTHDAY alone means the month of DTSTART (docs of our expander: D8).
      return "on \(dayList(days)) of \(TimeWords.list(names))"
    }
    guard rule.byMonthDay.isEmpty else { return nil }
    let place = months.isEmpty ? "the year" : TimeWords.list(months)
    // Several months would be one set of positions.
    guard rule.bySetPosition.isEmpty || months.count == 1 else { return nil }
    guard let days = countedDays(of: place) else { return nil }
    return "on \(days)"
  }

  /// `the second Tuesday of March`; without numbers `every Tuesday of March`.
  private func countedDays(of place: String) -> String? {
    let suffix = place.isEmpty ? "" : " of \(place)"
    if !rule.bySetPosition.isEmpty {
      guard hasNoOrdinals, let positions = ordinals(rule.bySetPosition) else { return nil }
      return "the \(positions) \(weekdayList(joint: "or", isOne: true))\(suffix)"
    }
    if rule.byDay.allSatisfy({ $0.ordinal == nil }) { return "every \(weekdayList())\(suffix)" }
    var words: [String] = []
    for day in rule.byDay {
      guard let number = day.ordinal, let ordinal = ordinal(number) else { return nil }
      words.append("the \(ordinal) \(TimeWords.name(day.weekday))")
    }
    return TimeWords.list(words) + suffix
  }

  private var hasNoOrdinals: Bool { rule.byDay.allSatisfy { $0.ordinal == nil } }

  private var inMonths: String? {
    guard !rule.byMonth.isEmpty else { return "" }
    let months = Set(rule.byMonth).sorted().compactMap(TimeWords.month)
    guard months.count == Set(rule.byMonth).count else { return nil }
    return "in \(TimeWords.list(months))"
  }

  private func weekdayList(joint: String = "and", groups: Bool = true, isOne: Bool = false)
    -> String
  {
    let days = Set(rule.byDay.map(\.weekday))
    let week = Weekday.allCases
    if groups, days == Set(week.prefix(5)) {
      return isOne ? "weekday (Monday to Friday)" : "weekdays (Monday to Friday)"
    }
    if groups, isOne, days.count == week.count { return "day" }
    return TimeWords.list(week.filter(days.contains).map(TimeWords.name), joint)
  }

  /// `day 1 and 15`, `the last day`, `day 1 and the last day`.
  private func dayList(_ days: [Int]) -> String {
    let positive = Set(days.filter { $0 > 0 }).sorted().map(String.init)
    let negative = Set(days.filter { $0 < 0 }).sorted(by: >).map {
      $0 == -1 ? "the last day" : "the \(englishOrdinal(-$0)) last day"
    }
    let counted = positive.isEmpty ? [] : ["day \(TimeWords.list(positive))"]
    return TimeWords.list(counted + negative)
  }

  private func ordinals(_ numbers: [Int]) -> String? {
    let words = numbers.compactMap(ordinal)
    return words.count == numbers.count ? TimeWords.list(words) : nil
  }

  private func ordinal(_ number: Int) -> String? {
    let names = ["first", "second", "third", "fourth", "fifth"]
    switch number {
    case 1...5: return names[number - 1]
    case 6...: return englishOrdinal(number)
    case -1: return "last"
    case ..<(-1): return "\(englishOrdinal(-number)) last"
    default: return nil
    }
  }

  private func englishOrdinal(_ number: Int) -> String {
    let suffix =
      switch (number % 100, number % 10) {
      case (11...13, _): "th"
      case (_, 1): "st"
      case (_, 2): "nd"
      case (_, 3): "rd"
      default: "th"
      }
    return "\(number)\(suffix)"
  }

  // MARK: Times and the end

  /// `at 09:00 and 17:00` where the rule says hours.
  private var times: String? {
    guard !rule.byHour.isEmpty || !rule.byMinute.isEmpty else { return "" }
    // Dates have no hours: the parts are left out of account.
    if isAllDay { return rule.frequency >= .daily ? "" : nil }
    guard rule.frequency >= .daily, start.second == 0 else { return nil }
    // Positions would count times and not days.
    guard rule.bySetPosition.isEmpty else { return nil }
    let hours = rule.byHour.isEmpty ? [start.hour] : Set(rule.byHour).sorted()
    let minutes = rule.byMinute.isEmpty ? [start.minute] : Set(rule.byMinute).sorted()
    /// More than so many times are a list that nobody reads.
    let limit = 8
    guard hours.count * minutes.count <= limit else { return nil }
    let clocks = hours.flatMap { hour in
      minutes.compactMap { minute in
        CivilDateTime(start.date, hour: hour, minute: minute, second: 0).map(TimeWords.clock)
      }
    }
    return "at \(TimeWords.list(clocks))"
  }

  private var end: String? {
    // With both, the first one to come ends it: that takes counting.
    if let count = rule.count {
      return rule.until == nil ? (count == 1 ? "once" : "\(count) times") : nil
    }
    guard let until = rule.until else { return "" }
    switch until {
    case .date(let date):
      // For timed events a date is its midnight, so that the day itself does not count.
      return isAllDay
        ? "until \(TimeWords.dayAlone(date))"
        : untilText(CivilDateTime(startOf: date), always: true)
    case .floating(let civil), .zoned(let civil, _): return untilText(civil)
    case .utc(let civil):
      if isAllDay { return "until \(TimeWords.dayAlone(civil.date))" }
      return wall(civil).map { untilText($0) }
    }
  }

  private func untilText(_ civil: CivilDateTime, always: Bool = false) -> String {
    let day = "until \(TimeWords.dayAlone(civil.date))"
    if isAllDay { return day }
    // Any time of the day after the event's own means that day.
    let isWholeDay =
      !always && rule.byHour.isEmpty && rule.byMinute.isEmpty && rule.frequency >= .daily
      && civil.secondOfDay >= start.secondOfDay
    return isWholeDay ? day : "\(day), \(TimeWords.clock(civil))"
  }

  private func join(_ parts: String...) -> String {
    parts.filter { !$0.isEmpty }.joined(separator: " ")
  }
}
