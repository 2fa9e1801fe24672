import ICalendar

extension Zone {
  /// The text of a VTIMEZONE that gives this zone's offsets from an instant on (RFC 5545 §3.6.5),
  /// in
  /// lines that end with CRLF.
  ///
  /// Changes that come back every year are written as rules, from the year on since which they do;
  /// others by their dates. Before `from` it is not to be relied upon.
  /// - Parameters:
  ///   - name: The TZID; the zone's own name if it is nil.
  ///   - from: The first instant that matters, in seconds from 1970.
  ///   - through: The last one; nil for an item that goes on without end. Later changes of a zone
  ///     whose changes do not come back every year are left out.
  public func definitionText(as name: String? = nil, from: Int, through: Int? = nil) -> String {
    var lines = ["BEGIN:VTIMEZONE", "TZID:\(name ?? self.name)"]
    let regular = regularStart
    var listed: [Int] = []
    let first = max(0, transitions.partitioningIndex(after: from) - 1)
    for index in transitions.indices.dropFirst(first) {
      if let regular, index >= regular.index { break }
      if let through, transitions[index] > through, !listed.isEmpty { break }
      listed.append(index)
    }
    if listed.isEmpty, regular == nil { listed = Array(transitions.indices.suffix(1)) }
    if transitions.isEmpty {
      lines += observance(
        isDaylight: designations[0].isDaylight, start: "19700101T000000", from: Int(offsets[0]),
        to: Int(offsets[0]), name: designations[0].abbreviation, rest: [])
    }
    for group in groups(of: listed) { lines += text(of: group) }
    if let regular, through.map({ $0 >= transitions[regular.index] }) ?? true {
      lines += regular.changes.changes.flatMap { text(of: $0, from: regular.year) }
    }
    return (lines + ["END:VTIMEZONE", ""]).joined(separator: "\r\n")
  }

  /// Summer time is not older than 1908, so no tail has been regular for longer.
  private static let regularYears = 200

  /// Since when the listed changes are those of the tail; nil for a zone without a yearly tail, or
  /// one
  /// whose changes cannot be written as rules.
  private var regularStart: (index: Int, year: Int, changes: YearlyChanges)? {
    guard case .yearly(let changes) = tail,
      changes.changes.allSatisfy({ YearlyRuleText($0) != nil })
    else { return nil }
    // From the last change back, as long as the tail has the same ones and no other.
    guard let last = transitions.last else { return nil }
    let lastYear = Gregorian.date(ofDay: Gregorian.floorDivide(last, 86_400)).year
    var regular = changes.sorted(in: (lastYear - Self.regularYears)...(lastYear + 1)).filter {
      $0.instant <= last
    }
    var index = transitions.count
    while index > 0, let change = regular.popLast(), change.instant == transitions[index - 1],
      change.offset == Int(offsets[index])
    {
      index -= 1
    }
    guard index < transitions.count else { return nil }
    // A year is regular as a whole: it starts with the first change of the first full year.
    let wall = transitions[index] + Int(offsets[index])
    let year = Gregorian.date(ofDay: Gregorian.floorDivide(wall, 86_400)).year
    let earliest = changes.changes.map { $0.instant(in: year) }.min() ?? 0
    guard transitions[index] > earliest else { return (index, year, changes) }
    let next = changes.changes.map { $0.instant(in: year + 1) }.min() ?? 0
    guard let place = transitions.firstIndex(of: next) else { return nil }
    return (place, year + 1, changes)
  }

  /// Changes of one kind, to be written as one observance with its dates.
  private func groups(of listed: [Int]) -> [[Int]] {
    var groups: [[Int]] = []
    for index in listed {
      let same = groups.firstIndex { group in
        let other = group[0]
        return offsets[other] == offsets[index] && offsets[other + 1] == offsets[index + 1]
          && designations[other + 1] == designations[index + 1]
      }
      if let same { groups[same].append(index) } else { groups.append([index]) }
    }
    return groups
  }

  private func text(of group: [Int]) -> [String] {
    let (before, after) = (Int(offsets[group[0]]), Int(offsets[group[0] + 1]))
    let designation = designations[group[0] + 1]
    let walls = group.compactMap { Self.wallText(transitions[$0] + before) }
    guard let start = walls.first else { return [] }
    // A line for each date: a joined line could be longer than 75 bytes.
    return observance(
      isDaylight: designation.isDaylight, start: start, from: before, to: after,
      name: designation.abbreviation, rest: walls.dropFirst().map { "RDATE:\($0)" })
  }

  private func text(of change: YearlyChanges.Rule, from year: Int) -> [String] {
    guard let rule = YearlyRuleText(change),
      let start = Self.wallText(change.instant(in: year) + change.offsetBefore)
    else { return [] }
    return observance(
      isDaylight: change.designation.isDaylight, start: start, from: change.offsetBefore,
      to: change.offset, name: change.designation.abbreviation, rest: ["RRULE:\(rule.text)"])
  }

  private static func wallText(_ wall: Int) -> String? {
    CivilDateTime(secondsSince1970: wall).map { DateTime.floating($0).value }
  }

  private func observance(
    isDaylight: Bool, start: String, from: Int, to: Int, name: String, rest: [String]
  ) -> [String] {
    let kind = isDaylight ? "DAYLIGHT" : "STANDARD"
    let offsets = [("FROM", from), ("TO", to)].compactMap { suffix, seconds in
      UTCOffset(seconds: seconds).map { "TZOFFSET\(suffix):\($0.value)" }
    }
    let names = name.isEmpty ? [] : ["TZNAME:\(name)"]
    return ["BEGIN:\(kind)", "DTSTART:\(start)"] + offsets + names + rest + ["END:\(kind)"]
  }
}

extension YearlyChanges.Rule {
  func instant(in year: Int) -> Int { day.day(in: year) * 86_400 + time - offsetBefore }
}

/// A yearly change as a recurrence rule of its wall time before the change.
private struct YearlyRuleText {
  let text: String

  /// Nil where the day cannot be written as a weekday in seven days of a month or year. Times
  /// before
  /// 00:00 and after 24:00 move the weekday and the days.
  init?(_ rule: YearlyChanges.Rule) {
    let shift = Gregorian.floorDivide(rule.time, 86_400)
    let month: Int
    let weekday: Int
    let days: ClosedRange<Int>
    switch rule.day {
    case .weekday(let of, let week, let day):
      (month, weekday) = (of, day)
      if shift == 0 {
        let code = Weekday.allCases[weekday].code
        text = "FREQ=YEARLY;BYMONTH=\(month);BYDAY=\(week == 5 ? -1 : week)\(code)"
        return
      }
      days = week == 5 ? -7 ... -1 : (week * 7 - 6)...(week * 7)
    case .weekdayFrom(let of, let day, let name):
      (month, weekday, days) = (of, name, day...(day + 6))
    case .dayOfYear, .dayOfCommonYear: return nil
    }
    let moved = (days.lowerBound + shift)...(days.upperBound + shift)
    let shortest = Gregorian.days(inMonth: month, of: 2001)
    let isInMonth =
      days.lowerBound > 0
      ? moved.lowerBound > 0 && moved.upperBound <= shortest
      : moved.upperBound < 0 && moved.lowerBound >= -shortest
    let code = Weekday.allCases[Gregorian.floorModulo(weekday + shift, 7)].code
    if isInMonth {
      let list = moved.map { String($0) }.joined(separator: ",")
      text = "FREQ=YEARLY;BYMONTH=\(month);BYMONTHDAY=\(list);BYDAY=\(code)"
    } else if days.lowerBound < 0, month >= 3 {
      // From March on the days of a year are always as far from its end.
      let end =
        Gregorian.day(year: 2001, month: month, day: shortest)
        - Gregorian.day(year: 2001, month: 12, day: 31)
      let list = moved.map { String($0 + end) }
      text = "FREQ=YEARLY;BYYEARDAY=\(list.joined(separator: ","));BYDAY=\(code)"
    } else {
      return nil
    }
  }
}
