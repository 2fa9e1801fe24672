public import ICalendar
public import Recurrence

/// A time as people write it on a command line: `today`, `fri 9:30`, `+2d`, `2026-12-24 14:00`.
public enum HumanTime: Sendable, Hashable {
  /// A day without a time of day.
  case day(CivilDate)
  /// A time on the wall, in the zone that the caller means.
  case wall(CivilDateTime)
  /// A moment, in seconds from 1970 UTC: the text has an offset, or counts hours or minutes from
  /// now.
  case moment(Int)

  /// Reads a text; the case of letters does not count.
  ///
  /// | text | meaning |
  /// |---|---|
  /// | `now` | this moment |
  /// | `today`, `tomorrow`, `yesterday` | that day |
  /// | `fri`, `friday` | the next Friday, today if it is one |
  /// | `next fri`, `last fri` | the first Friday after today, the last one before it |
  /// | `2026-12-24`, `20261224`, `24.12.2026` | that day |
  /// | `+2d`, `-1w`, `+1w2d` | so many days from today |
  /// | `+90m`, `-2h`, `+1h30m` | so long from now, without the seconds |
  /// | a time of day alone | today at that time |
  /// | a day and a time of day, with a blank or, after digits, a `T` between | that time |
  /// | `2026-12-24T14:00:00+01:00`, `20261224T130000Z` | that moment (RFC 3339) |
  ///
  /// A time of day is `14:00`, `9:30:15`, `2pm`, `9:30am`, `noon` or
  /// `midnight` (the start of the day); after digits also `1400` and `140000`.
  /// - Parameters:
  ///   - now: Seconds from 1970 UTC.
  ///   - zone: Where today is a day, and hours of `+1d2h` are counted.
  public static func parse(_ text: String, now: Int, zone: Zone) throws(HumanTimeError)
    -> HumanTime
  {
    guard text.utf8.count <= lengthLimit else { throw HumanTimeError(text) }
    let words = text.lowercased().split { $0 == " " || $0 == "\t" }.map(String.init)
    guard let today = CivilDateTime(secondsSince1970: zone.wall(at: now))?.date else {
      throw HumanTimeError(outOfRange: text)
    }
    let reader = HumanTimeReader(text: text, now: now, zone: zone, today: today)
    return try reader.read(words)
  }

  /// The text is a time of day alone. An edit means it on the day that it is made on.
  static func isTimeOfDay(_ text: String) -> Bool {
    guard text.utf8.count <= lengthLimit else { return false }
    let words = text.lowercased().split { $0 == " " || $0 == "\t" }
    let isOne = words.count == 1 || words.count == 2 && ["am", "pm"].contains(words[1])
    return isOne && HumanTimeReader.clock(words.joined()) != nil
  }

  /// In bytes; the longest date with a time and an offset has 35.
  static let lengthLimit = 64

  /// It says no time of day.
  public var isDay: Bool {
    if case .day = self { true } else { false }
  }

  /// The moment, in seconds from 1970 UTC; a day is its start.
  public func instant(in zone: Zone) -> Int {
    switch self {
    case .day(let date): zone.instant(of: CivilDateTime(startOf: date).secondsSince1970)
    case .wall(let civil): zone.instant(of: civil.secondsSince1970)
    case .moment(let instant): instant
    }
  }

  /// What the wall shows; nil outside the years 0 to 9999.
  public func civil(in zone: Zone) -> CivilDateTime? {
    switch self {
    case .day(let date): CivilDateTime(startOf: date)
    case .wall(let civil): civil
    case .moment(let instant): CivilDateTime(secondsSince1970: zone.wall(at: instant))
    }
  }
}

/// Why a text is no time or no duration.
public struct HumanTimeError: Error, Sendable, Hashable {
  /// What is wrong, one sentence without a full stop. Holds the text.
  public var message: String
  /// What to write instead.
  public var hint: String

  init(_ text: String) {
    message = "\"\(visibleText(text, limit: 40))\" is not a time"
    hint =
      "write for example today, tomorrow 14:00, \"fri 9:30\", +2d, 2026-12-24 or"
      + " 2026-12-24T14:00"
  }

  init(outOfRange text: String) {
    self.init(text)
    message = "\"\(visibleText(text, limit: 40))\" is not in the years 0 to 9999"
  }

  init(missing text: String, _ what: String) {
    self.init(text)
    message = "\"\(visibleText(text, limit: 40))\" is not a time: there is no \(what)"
  }

  init(duration text: String) {
    message = "\"\(visibleText(text, limit: 40))\" is not a duration"
    hint = "write for example 75m, 1h30m, 2d or PT75M"
  }
}
