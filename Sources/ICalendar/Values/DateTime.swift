/// A value of type DATE or DATE-TIME (RFC 5545 §3.3.4, §3.3.5): a day, or a time in one of the
/// three forms.
public enum DateTime: Sendable, Hashable {
  case date(CivilDate)
  /// Form 1, local time: the same on every wall, in no zone.
  case floating(CivilDateTime)
  /// Form 2, in UTC.
  case utc(CivilDateTime)
  /// Form 3, local time of a zone.
  case zoned(CivilDateTime, TimeZoneName)

  /// Reads a value as it stands in a line.
  ///
  /// A time of second 60 is read as second 59 (RFC 5545 §3.3.12). What the value is decides, and
  /// not what VALUE says.
  /// - Parameters:
  ///   - value: The bytes after the colon, or one element of a list.
  ///   - isDate: What the VALUE parameter says; nil where there is none.
  ///   - zone: What the TZID parameter says.
  ///   - notes: Gains what is odd but read.
  public static func read(
    _ value: some Collection<UInt8>, isDate: Bool? = nil, zone: TimeZoneName? = nil,
    notes: inout [ValueNote]
  ) throws(ValueError) -> DateTime {
    var scanner = ValueScanner(value, notes: &notes)
    guard let year = scanner.takeNumber(digits: 4), let month = scanner.takeNumber(digits: 2),
      let day = scanner.takeNumber(digits: 2)
    else { throw .notDateTime }
    let isOnlyDate = scanner.isAtEnd
    let clock = isOnlyDate ? nil : try clock(&scanner, notes: &notes)
    guard let date = CivilDate(year: year, month: month, day: day) else { throw .noSuchDateTime }
    guard let clock else {
      if isDate == false { notes.note(.typeMismatch) }
      return .date(date)
    }
    if isDate == true { notes.note(.typeMismatch) }
    guard
      let civil = CivilDateTime(
        date, hour: clock.hour, minute: clock.minute, second: clock.second)
    else { throw .noSuchDateTime }
    if clock.isUTC {
      if zone != nil { notes.note(.zoneOnUTC) }
      return .utc(civil)
    }
    return zone.map { .zoned(civil, $0) } ?? .floating(civil)
  }

  private static func clock(
    _ scanner: inout ValueScanner, notes: inout [ValueNote]
  ) throws(ValueError) -> (hour: Int, minute: Int, second: Int, isUTC: Bool) {
    guard scanner.take(0x54, notes: &notes), let hour = scanner.takeNumber(digits: 2),
      let minute = scanner.takeNumber(digits: 2), let second = scanner.takeNumber(digits: 2)
    else { throw .notDateTime }
    let isUTC = scanner.take(0x5A, notes: &notes)
    guard scanner.isAtEnd else { throw .notDateTime }
    if second == 60 { notes.note(.leapSecond) }
    return (hour, minute, second == 60 ? 59 : second, isUTC)
  }

  /// It is a date without a time (RFC 5545 §3.3.4).
  public var isDate: Bool {
    if case .date = self { true } else { false }
  }

  /// What the wall shows; a day's start for a date.
  public var civil: CivilDateTime {
    switch self {
    case .date(let date): CivilDateTime(startOf: date)
    case .floating(let civil), .utc(let civil), .zoned(let civil, _): civil
    }
  }

  /// The TZID of a zoned time.
  public var zone: TimeZoneName? {
    if case .zoned(_, let zone) = self { zone } else { nil }
  }

  /// The value as it is to stand in a line, as `20260131T090000`; a zone goes into TZID.
  public var value: String {
    let date = civil.date
    let day =
      decimal(date.year, digits: 4) + decimal(date.month, digits: 2) + decimal(date.day, digits: 2)
    let clock =
      "T" + decimal(civil.hour, digits: 2) + decimal(civil.minute, digits: 2)
      + decimal(civil.second, digits: 2)
    return switch self {
    case .date: day
    case .floating, .zoned: day + clock
    case .utc: day + clock + "Z"
    }
  }

  /// The same kind of value, in the same zone, with another wall time; a date keeps the day only.
  public func with(_ civil: CivilDateTime) -> DateTime {
    switch self {
    case .date: .date(civil.date)
    case .floating: .floating(civil)
    case .utc: .utc(civil)
    case .zoned(_, let zone): .zoned(civil, zone)
    }
  }
}

/// What a TZID says (RFC 5545 §3.2.19): the bytes as they are written, without quotes.
public struct TimeZoneName: Sendable, Hashable {
  public let bytes: [UInt8]

  public init(bytes: [UInt8]) { self.bytes = bytes }
  /// A name of our own.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// For people; bytes that are not UTF-8 are shown as U+FFFD.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
}
