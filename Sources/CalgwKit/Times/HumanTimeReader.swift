import ICalendar
import Recurrence

/// Reads the words of a time, given today.
struct HumanTimeReader {
  let text: String
  let now: Int
  let zone: Zone
  let today: CivilDate

  func read(_ words: [String]) throws(HumanTimeError) -> HumanTime {
    guard let first = words.first else { throw HumanTimeError(text) }
    if words == ["now"] { return .moment(now) }
    if first == "next" || first == "last", words.count >= 2 {
      guard let weekday = weekday(words[1]) else { throw HumanTimeError(text) }
      let day = first == "next" ? day(of: weekday, from: 1) : day(of: weekday, from: -7)
      return try at(try date(day), Array(words.dropFirst(2)))
    }
    if first.hasPrefix("+") || first.hasPrefix("-") {
      return try relative(first, Array(words.dropFirst()))
    }
    if let day = day(named: first) { return try at(try date(day), Array(words.dropFirst())) }
    if let moment = try written(words) { return moment }
    // A time of day alone.
    return try at(today, words)
  }

  // MARK: Days

  private func day(named word: String) -> Int? {
    switch word {
    case "today": today.daysSince1970
    case "tomorrow": today.daysSince1970 + 1
    case "yesterday": today.daysSince1970 - 1
    default: weekday(word).map { day(of: $0, from: 0) }
    }
  }

  private func weekday(_ word: String) -> Weekday? {
    let names = [
      "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    let others = ["tues": 1, "wednes": 2, "thur": 3, "thurs": 3, "satur": 5]
    let index = names.firstIndex { $0 == word || $0.prefix(3) == word } ?? others[word]
    return index.flatMap { Weekday(rawValue: $0) }
  }

  /// The first such weekday from so many days after today on.
  private func day(of weekday: Weekday, from offset: Int) -> Int {
    let first = today.daysSince1970 + offset
    return first + (weekday.rawValue - Gregorian.weekday(ofDay: first) + 7) % 7
  }

  private func date(_ day: Int) throws(HumanTimeError) -> CivilDate {
    guard let date = CivilDate(daysSince1970: day) else { throw HumanTimeError(outOfRange: text) }
    return date
  }

  // MARK: Relative times

  private func relative(_ word: String, _ rest: [String]) throws(HumanTimeError) -> HumanTime {
    guard let distance = HumanDuration.units(word.dropFirst()) else { throw HumanTimeError(text) }
    let sign = word.hasPrefix("-") ? -1 : 1
    let day = try date(today.daysSince1970 + sign * distance.days)
    guard distance.hasTime else { return try at(day, rest) }
    guard rest.isEmpty else { throw HumanTimeError(text) }
    // Without the seconds: nobody plans an event at 14:37:12.
    let minute = now - Gregorian.floorModulo(now, 60)
    let wall = zone.wall(at: minute)
    let start = zone.instant(of: wall + sign * distance.days * 86_400)
    let moment = (distance.days == 0 ? minute : start) + sign * distance.seconds
    guard CivilDateTime(secondsSince1970: zone.wall(at: moment)) != nil else {
      throw HumanTimeError(outOfRange: text)
    }
    return .moment(moment)
  }

  // MARK: Times of day

  /// A day with the time of day that follows it, if one does.
  private func at(_ date: CivilDate, _ words: [String]) throws(HumanTimeError) -> HumanTime {
    guard !words.isEmpty else { return .day(date) }
    // `9:30 am`
    let clock = words.count == 2 && ["am", "pm"].contains(words[1]) ? words.joined() : words[0]
    guard words.count == 1 || clock != words[0], let time = Self.clock(clock) else {
      throw HumanTimeError(text)
    }
    guard
      let civil = CivilDateTime(
        date, hour: time.hour, minute: time.minute, second: time.second)
    else { throw HumanTimeError(missing: text, "such time of day") }
    return .wall(civil)
  }

  struct Clock {
    var hour: Int
    var minute: Int
    var second: Int
  }

  /// `14:00`, `9:30:15`, `2pm`, `9:30am`, `noon`, `midnight`; numbers are not held to a clock's.
  static func clock(_ word: String) -> Clock? {
    if word == "noon" { return Clock(hour: 12, minute: 0, second: 0) }
    if word == "midnight" { return Clock(hour: 0, minute: 0, second: 0) }
    let half = ["am", "pm"].first { word.hasSuffix($0) }
    let digits = half == nil ? word : String(word.dropLast(2))
    let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), parts.count > 1 || half != nil else { return nil }
    let numbers = parts.compactMap { Self.number($0, digits: 1...2) }
    guard numbers.count == parts.count, parts.dropFirst().allSatisfy({ $0.utf8.count == 2 })
    else { return nil }
    var hour = numbers[0]
    if let half {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (half == "pm" ? 12 : 0)
    }
    return Clock(
      hour: hour, minute: numbers.count > 1 ? numbers[1] : 0,
      second: numbers.count > 2 ? numbers[2] : 0)
  }

  static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(text.utf8.count),
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(text)
  }
}
