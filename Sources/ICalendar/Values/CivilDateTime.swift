/// A date with a time of day as a calendar and a clock on a wall show it, in no zone.
public struct CivilDateTime: Sendable, Hashable {
  public let date: CivilDate
  /// Seconds since midnight, 0 to 86,399.
  public let secondOfDay: Int

  /// Nil where there is no such time. There is no second 60: see `DateTime`.
  public init?(_ date: CivilDate, hour: Int, minute: Int, second: Int) {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else {
      return nil
    }
    self.date = date
    secondOfDay = hour * 3600 + minute * 60 + second
  }

  /// The start of a day.
  public init(startOf date: CivilDate) {
    self.date = date
    secondOfDay = 0
  }

  /// Nil outside the years 0 to 9999.
  public init?(secondsSince1970 seconds: Int) {
    let day = Gregorian.floorDivide(seconds, 86_400)
    guard let date = CivilDate(daysSince1970: day) else { return nil }
    self.date = date
    secondOfDay = seconds - day * 86_400
  }

  /// Seconds from 1970-01-01 00:00 on the same clock: an instant only if the clock shows UTC.
  public var secondsSince1970: Int { date.daysSince1970 * 86_400 + secondOfDay }

  /// The hour of its day.
  public var hour: Int { secondOfDay / 3600 }
  /// The minute of its hour.
  public var minute: Int { secondOfDay / 60 % 60 }
  /// The second of its minute.
  public var second: Int { secondOfDay % 60 }

  /// The first and last second that RFC 5545 can write.
  package static let firstSecond = CivilDate.firstDay * 86_400
  package static let lastSecond = CivilDate.lastDay * 86_400 + 86_399
}

extension CivilDateTime: Comparable {
  public static func < (left: CivilDateTime, right: CivilDateTime) -> Bool {
    (left.date, left.secondOfDay) < (right.date, right.secondOfDay)
  }
}

extension CivilDateTime: CustomStringConvertible {
  /// As ISO 8601 has it: `2026-01-31T09:00:00`.
  public var description: String {
    let clock = [hour, minute, second].map { decimal($0, digits: 2) }.joined(separator: ":")
    return "\(date)T\(clock)"
  }
}
