/// A day of the Gregorian calendar, also where it is older than that calendar.
public struct CivilDate: Sendable, Hashable {
  public let year: Int
  public let month: Int
  public let day: Int

  /// Nil where there is no such day. Years are 0 to 9999: RFC 5545 writes them with four digits.
  public init?(year: Int, month: Int, day: Int) {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Gregorian.days(inMonth: month, of: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Nil outside the years 0 to 9999.
  public init?(daysSince1970 days: Int) {
    guard (Self.firstDay...Self.lastDay).contains(days) else { return nil }
    (year, month, day) = Gregorian.date(ofDay: days)
  }

  /// Days from 1970-01-01; negative before it.
  public var daysSince1970: Int { Gregorian.day(year: year, month: month, day: day) }

  /// The day of the week.
  public var weekday: Weekday { Weekday(ofDay: daysSince1970) }

  /// The number of its week and the year that the week belongs to, for weeks that start on
  /// `start`; with `.monday` it is the week of ISO 8601.
  public func week(startingOn start: Weekday) -> (year: Int, number: Int) {
    Gregorian.week(ofDay: daysSince1970, startingOn: start.rawValue)
  }

  /// 0000-01-01 and 9999-12-31, the first and last date that RFC 5545 can write.
  package static let firstDay = Gregorian.day(year: 0, month: 1, day: 1)
  package static let lastDay = Gregorian.day(year: 9999, month: 12, day: 31)
}

extension CivilDate: Comparable {
  public static func < (left: CivilDate, right: CivilDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}

extension CivilDate: CustomStringConvertible {
  /// As ISO 8601 has it: `2026-01-31`.
  public var description: String {
    "\(decimal(year, digits: 4))-\(decimal(month, digits: 2))-\(decimal(day, digits: 2))"
  }
}

/// A day of the week; the raw value counts from Monday, 0.
public enum Weekday: Int, Sendable, Hashable, CaseIterable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  package init(ofDay day: Int) {
    self = Self.allCases[Gregorian.weekday(ofDay: day)]
  }

  /// The two letters of RFC 5545 §3.3.10, as `MO`.
  public var code: String { Self.codes[rawValue] }

  /// Reads the two letters; their case does not count.
  public init?(code: some Collection<UInt8>) {
    let letters = code.map(\.uppercased)
    guard let index = Self.codes.firstIndex(where: { $0.utf8.elementsEqual(letters) }) else {
      return nil
    }
    self = Self.allCases[index]
  }

  private static let codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
}

/// A number in decimal digits with zeros in front; the sign of a negative one comes before them.
func decimal(_ number: Int, digits: Int) -> String {
  let text = String(number.magnitude)
  let zeros = String(repeating: "0", count: Swift.max(0, digits - text.utf8.count))
  return (number < 0 ? "-" : "") + zeros + text
}
