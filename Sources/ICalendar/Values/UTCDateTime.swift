/// A date with time in UTC, as `20260131T235959Z` (RFC 5545 §3.3.5, form 2).
public struct UTCDateTime: Sendable, Hashable, Comparable {
  /// Since 1970-01-01T00:00:00Z, without leap seconds.
  public let millisecondsSince1970: Int64

  /// Reads a value as it stands in a line; nil where it is no such date, or a day or time that
  /// does not exist. Second 60 is a leap second and read as second 59, as in `DateTime` (RFC 5545
  /// §3.3.12).
  public init?(_ value: [UInt8]) {
    guard value.count == 16, value[8] == 0x54, value[15] == 0x5A,
      let year = Self.number(value[0..<4]), let month = Self.number(value[4..<6]),
      let day = Self.number(value[6..<8]), let hour = Self.number(value[9..<11]),
      let minute = Self.number(value[11..<13]), let second = Self.number(value[13..<15]),
      second <= 60, let date = CivilDate(year: year, month: month, day: day),
      let civil = CivilDateTime(date, hour: hour, minute: minute, second: min(second, 59))
    else { return nil }
    // Years have four digits, so nothing here can overflow.
    millisecondsSince1970 = Int64(civil.secondsSince1970) * 1000
  }

  /// A second in the years 0 to 9999; nil outside of them.
  public init?(secondsSince1970 seconds: Int) {
    guard CivilDateTime(secondsSince1970: seconds) != nil else { return nil }
    millisecondsSince1970 = Int64(seconds) * 1000
  }

  /// The value as it is to stand in a line.
  public var value: String {
    let seconds = Gregorian.floorDivide(Int(millisecondsSince1970), 1000)
    return CivilDateTime(secondsSince1970: seconds).map { DateTime.utc($0).value } ?? ""
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var number = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      number = number * 10 + Int(digit - 0x30)
    }
    return number
  }

  public static func < (left: UTCDateTime, right: UTCDateTime) -> Bool {
    left.millisecondsSince1970 < right.millisecondsSince1970
  }
}
