import ICalendar

/// Dates in digits, alone or with a time of day and an offset from UTC.
extension HumanTimeReader {
  /// Reads `2026-12-24`, `20261224`, `24.12.2026`, each also with a time; nil where the text does
  /// not start with a date in digits.
  func written(_ words: [String]) throws(HumanTimeError) -> HumanTime? {
    guard let first = words.first, words.count <= 3 else { return nil }
    let parts = first.split(separator: "t", maxSplits: 1, omittingEmptySubsequences: false)
    guard let digits = parts.first, let (year, month, day) = Self.date(digits) else { return nil }
    guard let date = CivilDate(year: year, month: month, day: day) else {
      throw HumanTimeError(missing: text, "such day")
    }
    var rest = words.dropFirst().joined()
    if parts.count == 2 {
      guard words.count == 1, !parts[1].isEmpty else { throw HumanTimeError(text) }
      rest = String(parts[1])
    }
    guard !rest.isEmpty else { return .day(date) }
    let (clockText, offset) = try splitOffset(rest)
    guard let clock = Self.clock(clockText) ?? Self.compactClock(clockText) else {
      throw HumanTimeError(text)
    }
    // RFC 3339 has a second 60; no calendar has.
    let second = clock.second == 60 && clock.minute == 59 ? 59 : clock.second
    guard
      let civil = CivilDateTime(date, hour: clock.hour, minute: clock.minute, second: second)
    else { throw HumanTimeError(missing: text, "such time of day") }
    guard let offset else { return .wall(civil) }
    return .moment(civil.secondsSince1970 - offset)
  }

  private static func date(_ text: Substring) -> (year: Int, month: Int, day: Int)? {
    if let number = number(text, digits: 8...8) {
      return (number / 10_000, number / 100 % 100, number % 100)
    }
    let dashed = text.split(separator: "-", omittingEmptySubsequences: false)
    if dashed.count == 3, let year = number(dashed[0], digits: 4...4),
      let month = number(dashed[1], digits: 1...2), let day = number(dashed[2], digits: 1...2)
    {
      return (year, month, day)
    }
    let dotted = text.split(separator: ".", omittingEmptySubsequences: false)
    guard dotted.count == 3, let year = number(dotted[2], digits: 4...4),
      let month = number(dotted[1], digits: 1...2), let day = number(dotted[0], digits: 1...2)
    else { return nil }
    return (year, month, day)
  }

  /// `1400`, `140000`.
  private static func compactClock(_ text: String) -> Clock? {
    if let number = number(text[...], digits: 4...4) {
      return Clock(hour: number / 100, minute: number % 100, second: 0)
    }
    return number(text[...], digits: 6...6).map {
      Clock(hour: $0 / 10_000, minute: $0 / 100 % 100, second: $0 % 100)
    }
  }

  /// Takes `z`, `+01:00` or `+0100` off the end, and a fraction of a second before it.
  private func splitOffset(_ text: String) throws(HumanTimeError) -> (String, Int?) {
    var clock = text[...]
    var offset: Int?
    if clock.hasSuffix("z") {
      clock = clock.dropLast()
      offset = 0
    } else if let place = clock.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      let digits = clock[clock.index(after: place)...].filter { $0 != ":" }
      guard let number = Self.number(digits[...], digits: 4...4), number / 100 <= 23,
        number % 100 <= 59
      else { throw HumanTimeError(self.text) }
      offset = (clock[place] == "-" ? -1 : 1) * (number / 100 * 3600 + number % 100 * 60)
      clock = clock[..<place]
    }
    if let dot = clock.firstIndex(of: ".") {
      let fraction = clock[clock.index(after: dot)...]
      guard Self.number(fraction, digits: 1...9) != nil else { throw HumanTimeError(self.text) }
      clock = clock[..<dot]
    }
    return (String(clock), offset)
  }
}
