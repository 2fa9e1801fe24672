public import ICalendar

/// A date or time as a person gives it: the start of an occurrence that is meant, or a new start or
/// end.
public enum GivenTime: Sendable, Hashable {
  /// A day. As a new start it makes the event all-day.
  case date(CivilDate)
  /// What the wall shows, in the event's own zone.
  case wall(CivilDateTime)
  /// Seconds from 1970-01-01T00:00:00Z, shown in the event's own zone.
  case instant(Int)
  /// Exactly this value, with its zone or without one. As a new start it changes the zone.
  case exactly(DateTime)

  /// Reads `2026-01-05`, `2026-01-05T09:00`, `2026-01-05T09:00:00+01:00`, `20260105`,
  /// `20260105T090000` or `20260105T080000Z`; a blank may stand for the `T`.
  ///
  /// A time with `Z` or an offset is an instant, one without is in the event's own zone. Second 60
  /// is 59.
  public init(_ text: String) throws(EditError) {
    guard let time = TimeText.read(Array(text.utf8)) else { throw .badTime(text) }
    self = time
  }
}

/// The forms of RFC 3339 and of RFC 5545 §3.3.4 and §3.3.5, with and without an offset.
private struct TimeText {
  private let bytes: [UInt8]
  private var index = 0

  /// More bytes than the longest form has, so that nothing is read on and on.
  private static let limit = 40

  static func read(_ bytes: [UInt8]) -> GivenTime? {
    guard bytes.count <= limit else { return nil }
    var text = TimeText(bytes: bytes)
    return text.time()
  }

  private mutating func time() -> GivenTime? {
    guard let year = number(4) else { return nil }
    let isDashed = take("-")
    guard let month = number(2), take("-") == isDashed, let day = number(2),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    if index == bytes.count { return .date(date) }
    guard take("T") || take("t") || take(" "), let wall = clock(on: date) else { return nil }
    if index == bytes.count { return .wall(wall) }
    guard let offset = offset(), index == bytes.count else { return nil }
    return .instant(wall.secondsSince1970 - offset)
  }

  private mutating func clock(on date: CivilDate) -> CivilDateTime? {
    guard let hour = number(2) else { return nil }
    let isDivided = take(":")
    guard let minute = number(2) else { return nil }
    var second = 0
    if isDivided ? take(":") : index < bytes.count && isDigit(bytes[index]) {
      guard let given = number(2) else { return nil }
      second = given == 60 ? 59 : given
    }
    return CivilDateTime(date, hour: hour, minute: minute, second: second)
  }

  private mutating func offset() -> Int? {
    if take("Z") || take("z") { return 0 }
    let isEast = take("+")
    guard isEast || take("-"), let hours = number(2), hours <= 23 else { return nil }
    _ = take(":")
    var minutes = 0
    if index < bytes.count {
      guard let given = number(2), given <= 59 else { return nil }
      minutes = given
    }
    return (isEast ? 1 : -1) * (hours * 3600 + minutes * 60)
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, UInt32(bytes[index]) == character.value else { return false }
    index += 1
    return true
  }

  private mutating func number(_ digits: Int) -> Int? {
    guard index + digits <= bytes.count else { return nil }
    var number = 0
    for byte in bytes[index..<(index + digits)] {
      guard isDigit(byte) else { return nil }
      number = number * 10 + Int(byte &- 0x30)
    }
    index += digits
    return number
  }

  private func isDigit(_ byte: UInt8) -> Bool { (byte &- 0x30) < 10 }
}
