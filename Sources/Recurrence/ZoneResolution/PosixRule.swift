import ICalendar

/// Reads the TZ string of POSIX with the extensions of RFC 8536 §3.3, as in the footer of a TZif
/// file: `CET-1CEST,M3.5.0,M10.5.0/3`.
enum PosixRule {
  /// What glibc takes where a text names daylight time without a rule: that of the United States.
  private static let usualRule = Array(",M3.2.0,M11.1.0".utf8)

  /// Nil if it cannot be read.
  static func tail(_ text: [UInt8]) -> ZoneTail? {
    var reader = Reader(text: text[...])
    guard let standardName = reader.name(), let standard = reader.time(hours: 24) else {
      return nil
    }
    // A constant footer agrees with the table's last offset, as RFC 8536 asks.
    guard !reader.text.isEmpty else { return ZoneTail.none }
    guard let daylightName = reader.name() else { return nil }
    var daylight = standard - 3600
    if let next = reader.text.first, next != 0x2C {
      guard let time = reader.time(hours: 24) else { return nil }
      daylight = time
    }
    if reader.text.isEmpty { reader.text = usualRule[...] }
    guard reader.take(0x2C), let start = reader.change(), reader.take(0x2C),
      let end = reader.change(), reader.text.isEmpty
    else { return nil }
    // POSIX counts west of Greenwich.
    return .yearly(
      YearlyChanges(changes: [
        .init(
          day: start.day, time: start.time, offsetBefore: -standard, offset: -daylight,
          designation: .init(abbreviation: daylightName, isDaylight: true)),
        .init(
          day: end.day, time: end.time, offsetBefore: -daylight, offset: -standard,
          designation: .init(abbreviation: standardName, isDaylight: false)),
      ]))
  }

  /// The name and the offset of standard time, in seconds east of Greenwich.
  static func standard(_ text: [UInt8]) -> (name: String, offset: Int)? {
    var reader = Reader(text: text[...])
    guard let name = reader.name(), let west = reader.time(hours: 24) else { return nil }
    return (name, -west)
  }

  private struct Reader {
    var text: ArraySlice<UInt8>

    mutating func take(_ byte: UInt8) -> Bool {
      guard text.first == byte else { return false }
      text.removeFirst()
      return true
    }

    /// `CET` or `<+03>`.
    mutating func name() -> String? {
      let isQuoted = take(0x3C)
      let name = text.prefix { byte in
        let isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
        return isLetter
          || (isQuoted && (byte == 0x2B || byte == 0x2D || (byte >= 0x30 && byte <= 0x39)))
      }
      text = text.dropFirst(name.count)
      guard !name.isEmpty, !isQuoted || take(0x3E) else { return nil }
      return String(decoding: name, as: UTF8.self)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int? {
      let digits = text.prefix { $0 >= 0x30 && $0 <= 0x39 }
      guard (1...3).contains(digits.count) else { return nil }
      text = text.dropFirst(digits.count)
      let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      return range.contains(number) ? number : nil
    }

    /// `[+-]h[h[h]][:mm[:ss]]`, in seconds.
    mutating func time(hours: Int) -> Int? {
      let sign = take(0x2D) ? -1 : 1
      if sign == 1 { _ = take(0x2B) }
      guard let hour = number(0...hours) else { return nil }
      var seconds = hour * 3600
      for unit in [60, 1] where take(0x3A) {
        guard let number = number(0...59) else { return nil }
        seconds += number * unit
      }
      return sign * seconds
    }

    /// `Mm.w.d`, `Jn` or `n`, each with an optional `/time`; 02:00 without one.
    mutating func change() -> (day: YearDay, time: Int)? {
      let day: YearDay
      if take(0x4D) {
        guard let month = number(1...12), take(0x2E), let week = number(1...5), take(0x2E),
          let sunday = number(0...6)
        else { return nil }
        day = .weekday(month: month, week: week, weekday: (sunday + 6) % 7)
      } else if take(0x4A) {
        guard let number = number(1...365) else { return nil }
        day = .dayOfCommonYear(number - 1)
      } else {
        guard let number = number(0...365) else { return nil }
        day = .dayOfYear(number)
      }
      guard take(0x2F) else { return (day, 7200) }
      return time(hours: 167).map { (day, $0) }
    }
  }
}

extension Zone {
  /// The zone of a TZ string of POSIX, as `CET-1CEST,M3.5.0,M10.5.0/3`; nil if it cannot be read.
  public convenience init?(posix text: String) {
    let bytes = Array(text.utf8)
    guard let tail = PosixRule.tail(bytes), let standard = PosixRule.standard(bytes) else {
      return nil
    }
    self.init(
      name: text, firstOffset: standard.offset,
      firstDesignation: Designation(abbreviation: standard.name, isDaylight: false), changes: [],
      tail: tail)
  }
}
