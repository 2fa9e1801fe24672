/// Texts that no program would write on purpose, from a seed.
public enum OddBytes {
  /// A random string of the pieces that the grammar is made of, and of bytes of any kind.
  public static func random(seed: UInt64) -> [UInt8] {
    var random = SeededRandom(seed: seed)
    var bytes: [UInt8] = []
    for _ in 0..<random.number(0...60) {
      switch random.number(0...9) {
      case 0: bytes.append(UInt8(random.number(0...255)))
      case 1...2: bytes += random.one(of: lineEnds)
      default: bytes += random.one(of: pieces)
      }
    }
    return bytes
  }

  /// A text with some bytes changed, dropped, doubled or moved.
  ///
  /// `pieces` are what is put in, too; those of the grammar unless told.
  public static func mutate(
    _ original: [UInt8], seed: UInt64, pieces: [[UInt8]] = lineEnds + pieces
  ) -> [UInt8] {
    var random = SeededRandom(seed: seed)
    var bytes = original
    for _ in 0..<random.number(1...6) {
      let place = random.number(0...bytes.count)
      switch random.number(0...4) {
      case 0 where place < bytes.count: bytes[place] = UInt8(random.number(0...255))
      case 1 where place < bytes.count: bytes.remove(at: place)
      case 2: bytes.insert(contentsOf: random.one(of: pieces), at: place)
      case 3: bytes.removeSubrange(min(place, random.number(0...bytes.count))..<place)
      default:
        let start = random.number(0...place)
        bytes.insert(contentsOf: bytes[start..<place], at: random.number(0...bytes.count))
      }
    }
    return bytes
  }

  public static let lineEnds: [[UInt8]] = ["\r\n", "\n", "\r", "\r\n ", "\n\t", "\r\r\n"].map {
    Array($0.utf8)
  }

  public static let pieces: [[UInt8]] =
    [
      "BEGIN:VCALENDAR\r\n", "END:VCALENDAR\r\n", "BEGIN:VEVENT\n", "END:VEVENT\n",
      "begin:valarm\n", "end:valarm\n", "UID:1\n", "SUMMARY", "DTSTART", ";TZID=", "X-A", ":", ";",
      ",", "\"", "=",
      "\\", "^", " ", "\t", "VALUE=DATE", "é", "🎂", "PRODID:x\n", "RRULE:FREQ=DAILY;COUNT=2\n",
    ].map { Array($0.utf8) } + [[0xEF, 0xBB, 0xBF], [0xC3], [0x80], [0], [0xED, 0xA0, 0x80]]
}
