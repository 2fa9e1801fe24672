/// A value of type UTC-OFFSET (RFC 5545 §3.3.14): local time minus UTC.
public struct UTCOffset: Sendable, Hashable {
  /// East of Greenwich is positive. Within ±`limit`.
  public let seconds: Int

  /// 26 hours: more than any place ever had (15:13:42, in Alaska before 1867).
  public static let limit = 26 * 3600

  /// Nil if the offset is out of range.
  public init?(seconds: Int) {
    guard seconds >= -Self.limit, seconds <= Self.limit else { return nil }
    self.seconds = seconds
  }

  /// Reads a value as it stands in a line: `+0100`, `-053000`.
  ///
  /// Read too, and noted: a missing sign (as `+`), hours alone (`+01`), colons (`+01:00`), and
  /// `+5328`: no zone is so far off; some programs drop the zero hours of a local mean time, so
  /// this
  /// is read as minutes and seconds, `+00:53:28`.
  public static func read(
    _ value: some Collection<UInt8>, notes: inout [ValueNote]
  ) throws(ValueError) -> UTCOffset {
    var scanner = ValueScanner(value, notes: &notes)
    let sign = scanner.takeSign()
    var pairs: [Int] = []
    while !scanner.isAtEnd {
      guard pairs.count < 3 else { throw .notOffset }
      if !pairs.isEmpty, scanner.take(0x3A, notes: &notes) { notes.note(.oddOffset) }
      guard let pair = scanner.takeNumber(digits: 2) else { throw .notOffset }
      pairs.append(pair)
    }
    guard let first = pairs.first else { throw .notOffset }
    if sign == nil || pairs.count == 1 { notes.note(.oddOffset) }
    let isShifted = first > 26 && pairs.count == 2
    if isShifted { notes.note(.oddOffset) }
    let all = (isShifted ? [0] : []) + pairs + [0, 0]
    guard all[0] <= 26, all[1] <= 59, all[2] <= 59,
      let offset = UTCOffset(seconds: (sign ?? 1) * (all[0] * 3600 + all[1] * 60 + all[2]))
    else { throw .notOffset }
    return offset
  }

  /// The value as it is to stand in a line; seconds only where there are some. RFC 5545 forbids
  /// `-0000`, and this never writes it.
  public var value: String {
    let size = Int(seconds.magnitude)
    let tail = size % 60 == 0 ? "" : decimal(size % 60, digits: 2)
    return (seconds < 0 ? "-" : "+") + decimal(size / 3600, digits: 2)
      + decimal(size / 60 % 60, digits: 2) + tail
  }
}
