public import ICalendar

/// Durations as people write them: `75m`, `1h30m`, `2d`, or as RFC 5545 does: `PT75M`.
public enum HumanDuration {
  /// Reads a duration of RFC 5545 §3.3.6, or numbers with the units `w`, `d`, `h`, `m` or `min`,
  /// and `s`, each once and in this order. It is not negative; weeks and days are counted on the
  /// calendar.
  public static func parse(_ text: String) throws(HumanTimeError) -> CivilDuration {
    guard text.utf8.count <= HumanTime.lengthLimit else { throw HumanTimeError(duration: text) }
    if text.uppercased().hasPrefix("P") || text.uppercased().hasPrefix("+P") {
      var notes: [ValueNote] = []
      guard let duration = try? CivilDuration.read(Array(text.utf8), notes: &notes) else {
        throw HumanTimeError(duration: text)
      }
      return duration
    }
    guard let units = units(text.lowercased()[...]) else { throw HumanTimeError(duration: text) }
    return CivilDuration(days: units.days, seconds: units.seconds)
  }

  struct Units {
    var days = 0
    var seconds = 0
    /// Hours, minutes or seconds were written, were it none of them.
    var hasTime = false
  }

  /// Nil for what is no such text, or longer than ten thousand years.
  static func units(_ text: Substring) -> Units? {
    let names: [(name: String, days: Int, seconds: Int)] = [
      ("w", 7, 0), ("d", 1, 0), ("h", 0, 3600), ("min", 0, 60), ("m", 0, 60), ("s", 0, 1),
    ]
    var rest = text
    var units = Units()
    var next = 0
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      // Twelve digits of seconds are more than ten thousand years.
      guard let number = HumanTimeReader.number(digits, digits: 1...12) else { return nil }
      rest = rest.dropFirst(digits.count)
      let letters = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(letters.count)
      guard let place = names.firstIndex(where: { $0.name == letters }), place >= next else {
        return nil
      }
      // Of the two names for minutes one is enough.
      next = names[place].seconds == 60 ? 5 : place + 1
      units.days += number * names[place].days
      units.seconds += number * names[place].seconds
      units.hasTime = units.hasTime || names[place].seconds > 0
    }
    let limit = CivilDuration.dayLimit
    guard units.days <= limit, units.seconds <= limit * 86_400 else { return nil }
    return units
  }
}
