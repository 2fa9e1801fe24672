/// Reads a duration with its unit: `500ms`, `30s`, `5m`, `1h`, `90d`; nil for anything else.
public func parseDuration(_ text: String) -> Duration? {
  let units: [(String, Int64)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
  ]
  guard let (number, unit) = splitUnit(text), let factor = units.first(where: { $0.0 == unit })
  else { return nil }
  let (milliseconds, overflow) = number.multipliedReportingOverflow(by: factor.1)
  return overflow ? nil : .milliseconds(milliseconds)
}

/// Reads a whole percentage from `0%` to `100%`; nil for anything else.
package func parsePercentage(_ text: String) -> Int? {
  guard let (number, unit) = splitUnit(text), unit == "%", number <= 100 else { return nil }
  return Int(number)
}

/// Reads a rate in bytes a second: `100B/s`, `1kB/s`, `2MB/s` (powers of 1000); nil for anything
/// else.
package func parseRate(_ text: String) -> Int? {
  let units: [(String, Int64)] = [("B/s", 1), ("kB/s", 1000), ("MB/s", 1_000_000)]
  guard let (number, unit) = splitUnit(text), let factor = units.first(where: { $0.0 == unit })
  else { return nil }
  let (rate, overflow) = number.multipliedReportingOverflow(by: factor.1)
  return overflow ? nil : Int(exactly: rate)
}

/// Splits digits from the unit that follows them.
private func splitUnit(_ text: String) -> (Int64, String)? {
  let digits = text.utf8.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  guard !digits.isEmpty, let number = Int64(String(decoding: digits, as: UTF8.self)) else {
    return nil
  }
  return (number, String(decoding: text.utf8.dropFirst(digits.count), as: UTF8.self))
}

extension Duration {
  /// Whole milliseconds, rounded towards zero, at most what fits.
  public var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    if overflow { return seconds < 0 ? .min : .max }
    return whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000).partialValue
  }
}
