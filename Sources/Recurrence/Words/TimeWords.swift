package import ICalendar

/// Days and times in English words, for people.
package enum TimeWords {
  private static let weekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  package static func name(_ weekday: Weekday) -> String { weekdays[weekday.rawValue] }

  /// Nil outside 1 to 12.
  package static func month(_ number: Int) -> String? {
    months.indices.contains(number - 1) ? months[number - 1] : nil
  }

  /// `Monday 5 January 2026`
  package static func day(_ date: CivilDate) -> String { "\(name(date.weekday)) \(dayAlone(date))" }

  /// `5 January 2026`
  package static func dayAlone(_ date: CivilDate) -> String {
    "\(date.day) \(months[date.month - 1]) \(date.year)"
  }

  /// `09:00`; seconds only where there are some.
  package static func clock(_ time: CivilDateTime) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let seconds = time.second == 0 ? "" : ":\(two(time.second))"
    return "\(two(time.hour)):\(two(time.minute))\(seconds)"
  }

  /// `Monday 5 January 2026, 09:00 to 10:00`, or with days alone where it is all day. The end is
  /// exclusive, and held to the years 0 to 9999; nil for a start outside of them.
  package static func span(fromWall start: Int, toWall end: Int, isAllDay: Bool) -> String? {
    guard let first = CivilDateTime(secondsSince1970: start),
      let last = CivilDateTime(
        secondsSince1970: min(
          isAllDay ? max(start, end - 86_400) : end, CivilDateTime.lastSecond))
    else { return nil }
    if isAllDay {
      guard first.date != last.date else { return "\(day(first.date)), all day" }
      return "\(day(first.date)) to \(day(last.date)), all day"
    }
    if start == end { return "\(day(first.date)), \(clock(first))" }
    guard first.date != last.date else {
      return "\(day(first.date)), \(clock(first)) to \(clock(last))"
    }
    return "\(day(first.date)), \(clock(first)) to \(day(last.date)), \(clock(last))"
  }

  /// `A`, `A and B`, `A, B and C`.
  package static func list(_ words: [String], _ joint: String = "and") -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) \(joint) \(last)"
  }

  /// `1 hour 30 minutes`.
  package static func length(seconds: Int) -> String {
    let units = [("week", 604_800), ("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1)]
    var rest = Int(seconds.magnitude)
    var words: [String] = []
    for (name, size) in units where rest >= size {
      // A fortnight is weeks, ten days are days.
      if name == "week", rest % size != 0 { continue }
      let count = rest / size
      rest %= size
      words.append("\(count) \(name)\(count == 1 ? "" : "s")")
    }
    return words.isEmpty ? "0 minutes" : words.joined(separator: " ")
  }
}
