extension RecurrenceRule {
  /// The value as it is to stand in a line: FREQ first, then the parts that differ from what holds
  /// without them; parts that are not of RFC 5545 last.
  public var value: [UInt8] {
    var parts = ["FREQ=\(frequency.word)"]
    if let until { parts.append("UNTIL=\(until.value)") }
    if let count { parts.append("COUNT=\(count)") }
    if interval != 1 { parts.append("INTERVAL=\(interval)") }
    let numbers: [(String, [Int])] = [
      ("BYSECOND", bySecond), ("BYMINUTE", byMinute), ("BYHOUR", byHour),
      ("BYMONTHDAY", byMonthDay), ("BYYEARDAY", byYearDay), ("BYWEEKNO", byWeekNumber),
      ("BYMONTH", byMonth), ("BYSETPOS", bySetPosition),
    ]
    for (name, list) in numbers where !list.isEmpty {
      parts.append("\(name)=\(list.map { String($0) }.joined(separator: ","))")
    }
    if !byDay.isEmpty {
      parts.append("BYDAY=\(byDay.map { $0.description }.joined(separator: ","))")
    }
    if let weekStart { parts.append("WKST=\(weekStart.code)") }
    var bytes = Array(parts.joined(separator: ";").utf8)
    for part in otherParts {
      bytes += [ASCII.semicolon] + part.name + [ASCII.equals] + part.value
    }
    return bytes
  }
}

extension RecurrenceRule.Day: CustomStringConvertible {
  /// As it stands in BYDAY: `-1FR`.
  public var description: String { (ordinal.map { String($0) } ?? "") + weekday.code }
}
