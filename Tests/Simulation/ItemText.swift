import ICalendar
import SyncModel
import TestSupport

/// The texts of simulated items, and what they have in common.
enum ItemText {
  /// A new item. Its UID says what it is: a `meeting` has an organiser, a `task` is
  /// a VTODO and a `diary` a VJOURNAL, `weekly` is a series; a `flight` and `meeting2` have a time
  /// zone.
  static func new(_ uid: String, _ version: Int) -> [UInt8] {
    let kind =
      uid.hasPrefix("task") ? "VTODO" : uid.hasPrefix("diary") ? "VJOURNAL" : "VEVENT"
    let hasZone = uid.hasPrefix("flight") || uid.hasPrefix("meeting2")
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//somebody//EN"]
    if hasZone { lines += definition }
    lines += [
      "BEGIN:\(kind)", "UID:\(realUID(uid))", "DTSTAMP:20260101T000000Z",
      hasZone ? "DTSTART;TZID=CET:20260105T100000" : "DTSTART:20260105T100000Z",
      "SUMMARY:\(uid) \(version)", "X-KEEP:yes",
      "ATTACH:https://example.org/a",
    ]
    if uid.hasPrefix("weekly") { lines.append("RRULE:FREQ=WEEKLY;COUNT=9") }
    if uid.hasPrefix("meeting") {
      lines += ["ORGANIZER:mailto:ann@example.org", "ATTENDEE:mailto:bob@example.org"]
    }
    lines += ["END:\(kind)", "END:VCALENDAR", ""]
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  /// By a person's own program. No line is longer than 32 bytes.
  private static let definition = [
    "BEGIN:VTIMEZONE", "TZID:CET", "BEGIN:DAYLIGHT", "DTSTART:20250330T020000",
    "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", "RDATE:20260329T020000", "END:DAYLIGHT",
    "BEGIN:STANDARD", "DTSTART:20251026T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100",
    "RDATE:20261025T030000", "END:STANDARD", "END:VTIMEZONE",
  ]

  /// A text with the other one of two definitions that mean the same; nil where it has none.
  static func withOtherDefinition(_ bytes: [UInt8]) -> [UInt8]? {
    guard isWhole(bytes) else { return nil }
    let lines = String(decoding: wire(bytes), as: UTF8.self).split(separator: "\r\n")
      .map(String.init)
    guard let first = lines.firstIndex(of: "BEGIN:VTIMEZONE"),
      let last = lines.firstIndex(of: "END:VTIMEZONE"), first < last
    else { return nil }
    let servers = ModelText.serversDefinition(of: "CET")
    let other = Array(lines[first...last]) == servers ? definition : servers
    let text = lines[..<first] + other + lines[(last + 1)...] + [""]
    return Array(text.joined(separator: "\r\n").utf8)
  }

  /// UIDs that are no safe file names are part of the world.
  static func realUID(_ uid: String) -> String {
    uid == "odd" ? "od/d:1@ex ample" : uid
  }

  /// The UID with which an item was sent to a server that gave it one of its own.
  static func sentUID(_ uid: String) -> String {
    uid.hasPrefix("srv-") ? String(uid.dropFirst(4).drop(while: \.isNumber).dropFirst()) : uid
  }

  /// The UID is none of a person's, but one that calgw gives to a second item.
  static func isMade(_ uid: String) -> Bool {
    let parts = uid.split(separator: "-").map(\.count)
    return parts.count >= 4 && parts.prefix(4) == [8, 4, 4, 4] && uid.count <= 36
  }

  /// Of the line that names an item, in bytes.
  static func lineLength(_ uid: String) -> Int { "UID:\(uid)".utf8.count }

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

  /// What the text means, whatever its order, folds and line ends. The definitions of time zones in
  /// these worlds all say the same of the items in them.
  static func meaning(_ bytes: [UInt8]) -> [UInt8] {
    canonicalForm(of: SyntaxTree(bytes: bytes)) { $0.isNamed("VTIMEZONE") }
  }
}
