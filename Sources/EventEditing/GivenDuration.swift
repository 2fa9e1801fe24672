public import ICalendar

extension CivilDuration {
  /// Reads a duration as a person gives it: `PT75M` as RFC 5545 §3.3.6 has it, or `75m`, `1h30m`,
  /// `2d`, `1w`. It has to be longer than nothing.
  public init(given text: String) throws(EditError) {
    let bytes = Array(text.utf8)
    var notes: [ValueNote] = []
    if let first = bytes.first, first | 0x20 == 0x70 {
      guard let read = try? CivilDuration.read(bytes, notes: &notes),
        notes.allSatisfy({ $0 == .lowerCase }),
        !read.isNegative, read.days > 0 || read.seconds > 0
      else { throw .badDuration(text) }
      self = read
      return
    }
    guard let read = Self.plain(bytes), read.days > 0 || read.seconds > 0 else {
      throw .badDuration(text)
    }
    self = read
  }

  /// Digits that a duration of this calendar's ten thousand years can need.
  private static let digitLimit = 12

  /// Numbers with a unit each, the larger units first.
  private static func plain(_ bytes: [UInt8]) -> CivilDuration? {
    var days = 0
    var seconds = 0
    var digits: [UInt8] = []
    var units = Array("wdhms".utf8)[...]
    for byte in bytes {
      if (byte &- 0x30) < 10 {
        digits.append(byte &- 0x30)
        guard digits.count <= digitLimit else { return nil }
        continue
      }
      guard !digits.isEmpty, let place = units.firstIndex(of: byte | 0x20) else { return nil }
      let number = min(digits.reduce(0) { $0 * 10 + Int($1) }, dayLimit * 86_400)
      switch units[place] {
      case UInt8(ascii: "w"): days += number * 7
      case UInt8(ascii: "d"): days += number
      case UInt8(ascii: "h"): seconds += number * 3600
      case UInt8(ascii: "m"): seconds += number * 60
      default: seconds += number
      }
      units = units[(place + 1)...]
      digits = []
    }
    return digits.isEmpty ? CivilDuration(days: days, seconds: seconds) : nil
  }
}
