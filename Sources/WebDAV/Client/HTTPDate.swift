/// Dates of HTTP headers (RFC 9110 §5.6.7), in its three forms.
package enum HTTPDate {
  /// Milliseconds since 1970, or nil if it is no date.
  package static func milliseconds(_ bytes: [UInt8]) -> Int64? {
    let words = bytes.split(whereSeparator: { $0 == 0x20 || $0 == UInt8(ascii: ",") })
      .map { String(decoding: $0, as: UTF8.self) }
    if words.count == 6 { return imf(words) }
    if words.count == 4 { return rfc850(words) }
    return words.count == 5 ? asctime(words) : nil
  }

  /// `Sun, 06 Nov 1994 08:49:37 GMT`
  private static func imf(_ words: [String]) -> Int64? {
    guard ["GMT", "UTC", "+0000"].contains(words[5].uppercased()) else { return nil }
    return date(day: words[1], month: words[2], year: words[3], time: words[4])
  }

  /// `Sunday, 06-Nov-94 08:49:37 GMT`; two digits of a year are of 1970 to 2069.
  private static func rfc850(_ words: [String]) -> Int64? {
    let parts = words[1].split(separator: "-").map(String.init)
    guard parts.count == 3, let short = Int(parts[2]), (0...9999).contains(short) else {
      return nil
    }
    let year = short < 70 ? 2000 + short : short < 100 ? 1900 + short : short
    return date(day: parts[0], month: parts[1], year: String(year), time: words[2])
  }

  /// `Sun Nov  6 08:49:37 1994`
  private static func asctime(_ words: [String]) -> Int64? {
    date(day: words[2], month: words[1], year: words[4], time: words[3])
  }

  /// `20260105T080000Z` (ISO 8601, basic form).
  package static func basic(_ bytes: [UInt8]) -> Int64? {
    guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z") else {
      return nil
    }
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    guard let month = Int(part(4..<6)), months.indices.contains(month - 1) else { return nil }
    return date(
      day: part(6..<8), month: months[month - 1], year: part(0..<4),
      time: [part(9..<11), part(11..<13), part(13..<15)].joined(separator: ":"))
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  private static func date(day: String, month: String, year: String, time: String) -> Int64? {
    let clock = time.split(separator: ":").map { Int64($0) }
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
      let day = Int64(day), (1...31).contains(day), let year = Int64(year),
      (1601...9999).contains(year),
      let month = months.firstIndex(of: String(month.prefix(3)).lowercased())
    else { return nil }
    let days = daysSinceEpoch(year: year, month: Int64(month) + 1, day: day)
    return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000
  }

  /// In the proleptic Gregorian calendar; years begin in March here, so that the leap day is last.
  private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month > 2 ? year : year - 1
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

/// How long a server asks to wait (RFC 9110 §10.2.3).
package enum RetryAfter {
  /// In milliseconds from `now`; nil where the header is missing or says nothing usable. A date is
  /// one of the server's clock, which its `Date` tells.
  package static func milliseconds(_ head: HTTPResponseHead, now: Int64) -> Int64? {
    guard let value = head.values(of: "Retry-After").first?.trimmed else { return nil }
    // A year is as good as any longer time, also one of more digits than are counted with.
    let year: Int64 = 366 * 86_400
    if let seconds = Int64(String(decoding: value, as: UTF8.self)) {
      return seconds < 0 ? nil : min(seconds, year) * 1000
    }
    if !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) { return year * 1000 }
    let theirs = head.values(of: "Date").first.flatMap { HTTPDate.milliseconds($0.trimmed) } ?? now
    return HTTPDate.milliseconds(value).map {
      min(max(0, $0.subtractingReportingOverflow(theirs).0), year * 1000)
    }
  }
}
