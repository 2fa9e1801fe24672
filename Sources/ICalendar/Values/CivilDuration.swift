/// A value of type DURATION (RFC 5545 §3.3.6): days that are counted on the calendar, and a time
/// that is counted on a clock. The two differ where a day has 23 or 25 hours.
public struct CivilDuration: Sendable, Hashable {
  /// Weeks and days, in days.
  public let days: Int
  /// Hours, minutes and seconds, in seconds.
  public let seconds: Int

  public init(days: Int, seconds: Int) {
    self.days = Swift.min(Swift.max(days, -Self.dayLimit), Self.dayLimit)
    self.seconds = Swift.min(Swift.max(seconds, -Self.dayLimit * 86_400), Self.dayLimit * 86_400)
  }

  /// Ten thousand years of days: what is longer ends after year 9999 all the same.
  public static let dayLimit = 3_660_000

  /// What is longer than the limit was cut to it, and is not known any more.
  var isWithinLimits: Bool {
    days.magnitude < Self.dayLimit && seconds.magnitude < Self.dayLimit * 86_400
  }

  /// Reads a value as it stands in a line: `P2W`, `P1DT2H`, `-PT15M`.
  ///
  /// Read too, and noted: weeks with other units, units twice or out of order, days after the `T`
  /// (`PT2D`), hours before it, and a `T` with nothing behind it.
  public static func read(
    _ value: some Collection<UInt8>, notes: inout [ValueNote]
  ) throws(ValueError) -> CivilDuration {
    var scanner = ValueScanner(value, notes: &notes)
    let sign = scanner.takeSign() ?? 1
    guard scanner.take(0x50, notes: &notes) else { throw .notDuration }
    var days = 0
    var seconds = 0
    var units: [UInt8] = []
    var isTime = false
    while !scanner.isAtEnd {
      if scanner.take(0x54, notes: &notes) {
        if isTime { notes.note(.oddDuration) }
        isTime = true
        continue
      }
      guard let number = scanner.takeNumber(upTo: dayLimit * 86_400), let unit = scanner.next,
        scanner.take(unit.uppercased, notes: &notes)
      else { throw .notDuration }
      let isTimeUnit: Bool
      switch unit.uppercased {
      case 0x57: (days, isTimeUnit) = (sum(days, number, 7), false)
      case 0x44: (days, isTimeUnit) = (sum(days, number, 1), false)
      case 0x48: (seconds, isTimeUnit) = (sum(seconds, number, 3600), true)
      case 0x4D: (seconds, isTimeUnit) = (sum(seconds, number, 60), true)
      case 0x53: (seconds, isTimeUnit) = (sum(seconds, number, 1), true)
      default: throw .notDuration
      }
      if isTimeUnit != isTime { notes.note(.oddDuration) }
      units.append(unit.uppercased)
    }
    guard !units.isEmpty else { throw .notDuration }
    if isOdd(units) || (isTime && !units.contains { timeUnits.contains($0) }) {
      notes.note(.oddDuration)
    }
    return CivilDuration(days: sign * days, seconds: sign * seconds)
  }

  /// `left + right * factor`, held below ten thousand years.
  private static func sum(_ left: Int, _ right: Int, _ factor: Int) -> Int {
    let limit = dayLimit * 86_400
    let (product, overflow) = right.multipliedReportingOverflow(by: factor)
    return overflow || product > limit - left ? limit : left + product
  }

  private static let timeUnits: [UInt8] = [0x48, 0x4D, 0x53]
  private static let order: [UInt8] = [0x57, 0x44, 0x48, 0x4D, 0x53]

  private static func isOdd(_ units: [UInt8]) -> Bool {
    let places = units.compactMap { order.firstIndex(of: $0) }
    let isAscending = zip(places, places.dropFirst()).allSatisfy { $0 < $1 }
    return !isAscending || (units.contains(0x57) && units.count > 1)
  }

  /// It goes back in time.
  public var isNegative: Bool { days < 0 || (days == 0 && seconds < 0) }

  /// The value as it is to stand in a line. Weeks are written if there is nothing else.
  public var value: String {
    let sign = isNegative ? "-" : ""
    let days = days.magnitude
    let seconds = seconds.magnitude
    if days > 0, days % 7 == 0, seconds == 0 { return "\(sign)P\(days / 7)W" }
    var text = sign + "P"
    if days > 0 { text += "\(days)D" }
    if seconds > 0 || days == 0 { text += "T" }
    if seconds >= 3600 { text += "\(seconds / 3600)H" }
    if seconds / 60 % 60 > 0 { text += "\(seconds / 60 % 60)M" }
    // Between hours and seconds the grammar wants minutes.
    if seconds % 60 > 0 || (days == 0 && seconds == 0) {
      if seconds >= 3600, seconds / 60 % 60 == 0 { text += "0M" }
      text += "\(seconds % 60)S"
    }
    return text
  }
}
