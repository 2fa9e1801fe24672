import ICalendar
import SyncModel
import TestSupport

/// The texts of simulated items, and what they have in common.
enum ItemText {
  /// A new item. Its UID says what it is: a `meeting` has an organiser, a `task` is
  /// a VTODO, `weekly` is a series.
  static func new(_ uid: String, _ version: Int) -> [UInt8] {
    let kind = uid.hasPrefix("task") ? "VTODO" : "VEVENT"
    var lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//somebody//EN", "BEGIN:\(kind)",
      "UID:\(realUID(uid))", "DTSTAMP:20260101T000000Z", "DTSTART:20260105T100000Z",
      "SUMMARY:\(uid) \(version)", "X-KEEP:yes",
    ]
    if uid.hasPrefix("weekly") { lines.append("RRULE:FREQ=WEEKLY;COUNT=9") }
    if uid.hasPrefix("meeting") {
      lines += ["ORGANIZER:mailto:ann@example.org", "ATTENDEE:mailto:bob@example.org"]
    }
    lines += ["END:\(kind)", "END:VCALENDAR", ""]
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  /// UIDs that are no safe file names are part of the world.
  static func realUID(_ uid: String) -> String {
    uid == "odd" ? "od/d:1@ex ample" : uid
  }

  static func isWhole(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: "BEGIN:VCALENDAR".utf8)
      && trimmed(bytes).suffix(13).elementsEqual("END:VCALENDAR".utf8)
  }

  static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    var rest = bytes[...]
    while let last = rest.last, last == 10 || last == 13 { rest = rest.dropLast() }
    return rest
  }

  /// The UID of a text as its bytes; nil where it has none.
  static func uid(_ bytes: [UInt8]) -> String? {
    guard let start = bytes.place(of: "\nUID:").map({ $0 + 5 }) else { return nil }
    let end = bytes[start...].firstIndex { $0 == 10 || $0 == 13 } ?? bytes.endIndex
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// With CR LF, as a text leaves the storage of a server.
  static func wire(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + 20)
    var previous: UInt8 = 0
    for byte in bytes {
      if byte == 10, previous != 13 { output.append(13) }
      output.append(byte)
      previous = byte
    }
    return output
  }

  /// What the text means, whatever its order, folds and line ends.
  static func meaning(_ bytes: [UInt8]) -> [UInt8] { canonicalForm(of: SyntaxTree(bytes: bytes)) }
}
