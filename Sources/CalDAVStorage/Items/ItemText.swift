import ICalendar
import SyncModel

/// The one form in which an item's text leaves this storage, whichever way it was read: XML turns
/// CR LF into LF (XML 1.0 §2.11) and GET does not.
package enum ItemText {
  /// With CR LF at line ends, without a byte order mark and blanks before the first line.
  static func normalised(_ bytes: [UInt8]) -> [UInt8] {
    let rest = withoutLead(bytes)
    var output: [UInt8] = []
    output.reserveCapacity(rest.count + rest.count / 32)
    var previous: UInt8 = 0
    for byte in rest {
      if byte == UInt8(ascii: "\n"), previous != UInt8(ascii: "\r") {
        output.append(UInt8(ascii: "\r"))
      }
      output.append(byte)
      previous = byte
    }
    // An answer without a length was cut off within its last line end.
    if previous == UInt8(ascii: "\r") { output.append(UInt8(ascii: "\n")) }
    return output
  }

  /// It begins as a calendar does, whatever its server calls it.
  static func isCalendar(_ bytes: [UInt8]) -> Bool {
    let beginning = "BEGIN:VCALENDAR"
    let found = withoutLead(bytes).prefix(beginning.utf8.count)
    return String(decoding: found, as: UTF8.self).uppercased() == beginning
  }

  private static func withoutLead(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    let rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    return rest.drop(while: isBlank)
  }

  /// A blank, or what ends lines and pages.
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  /// A text as it is sent: without METHOD, which belongs into messages. RFC 4791 §4.1 forbids it in
  /// what is stored, and some servers refuse it for good.
  static func sent(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var depth = 0
    var isDropped = false
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
      let line = rest[..<end]
      rest = rest[end...]
      let isFolded = line.first == 0x20 || line.first == 0x09
      if !isFolded {
        let head = String(decoding: line.prefix(7), as: UTF8.self).uppercased()
        if head.hasPrefix("BEGIN:") { depth += 1 }
        if head.hasPrefix("END:") { depth -= 1 }
        isDropped = depth == 1 && (head == "METHOD:" || head == "METHOD;")
      }
      if isDropped, output.isEmpty { output += bytes[..<line.startIndex] }
      if !isDropped, !output.isEmpty { output += line }
      // Nothing that may be dropped comes after the components have begun.
      if depth > 1, output.isEmpty { return bytes }
    }
    return output.isEmpty ? bytes : output
  }

  /// What is sent of it is not all of it.
  static func hasMethod(_ bytes: [UInt8]) -> Bool { sent(bytes).count != bytes.count }

  /// A control character that XML cannot carry (XML 1.0 §2.2): with it in one item, every answer
  /// that holds the item is ill-formed.
  static func hasForbiddenControl(_ bytes: [UInt8]) -> Bool {
    bytes.contains(where: isForbiddenControl)
  }

  static func isForbiddenControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D
  }

  /// The number of the line, from 1, that a byte is in.
  static func line(of place: Int, in bytes: [UInt8]) -> Int {
    1 + bytes[..<place].count { $0 == UInt8(ascii: "\n") }
  }

  /// It has an organizer, so that a server may send mail about it (RFC 6638 §3.1).
  static func hasOrganizer(_ bytes: [UInt8]) -> Bool {
    bytes.split(separator: UInt8(ascii: "\n")).contains { line in
      let name = String(decoding: line.prefix(10), as: UTF8.self).uppercased()
      return name.hasPrefix("ORGANIZER:") || name.hasPrefix("ORGANIZER;")
    }
  }

  /// The line with the first UID of an event, a task or a note, without folds; calendars and alarms
  /// may have UIDs of their own (RFC 7986 §5.3, RFC 9074 §4).
  static func lineOfUID(_ bytes: [UInt8]) -> [UInt8]? {
    var depth = 0
    var found: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      let line = rest[..<end]
      rest = rest[end...].dropFirst()
      guard let first = line.first else { continue }
      if first == 0x20 || first == 0x09 {
        if !found.isEmpty { found += line.dropFirst() }
      } else if !found.isEmpty {
        break
      } else if "beu".utf8.contains(first | 0x20) {
        let head = String(decoding: line.prefix(6), as: UTF8.self).uppercased()
        if head.hasPrefix("BEGIN:") { depth += 1 }
        if head.hasPrefix("END:") { depth -= 1 }
        if depth == 2, head.hasPrefix("UID:") || head.hasPrefix("UID;") { found += line }
      }
    }
    return found.isEmpty ? nil : found.filter { $0 != UInt8(ascii: "\r") }
  }

  /// The UIDs in a text, which may be cut off; none where it has too many lines to be looked
  /// through.
  static func uids(_ bytes: [UInt8]) -> [ItemID] {
    if ItemData(bytes: bytes).hasTooManyLines { return [] }
    return CalendarObject(SyntaxTree(bytes: bytes)).uids.prefix(ItemProblem.mostUIDs)
      .map(ItemID.init(bytes:))
  }

  /// How many lines a text has, and how many of them begin an event, a task or a note.
  static func extent(_ bytes: [UInt8]) -> (lines: Int, items: Int) {
    var (lines, items) = (0, 0)
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      lines += 1
      let next = bytes[(index + 1)...].prefix(10)
      guard next.first.map({ $0 | 0x20 }) == UInt8(ascii: "b") else { continue }
      let beginning = String(decoding: next, as: UTF8.self).uppercased()
      if beginnings.contains(where: beginning.hasPrefix) { items += 1 }
    }
    return (lines, items)
  }

  /// More than one VCALENDAR stands in it, one after the other.
  static func hasSeveralCalendars(_ bytes: [UInt8]) -> Bool {
    let count = bytes.split(separator: UInt8(ascii: "\n")).count { line in
      guard line.first.map({ $0 | 0x20 }) == UInt8(ascii: "b") else { return false }
      return String(decoding: line.prefix(15), as: UTF8.self).uppercased() == "BEGIN:VCALENDAR"
    }
    return count > 1
  }

  /// An event in it has neither DTEND nor DURATION, which is allowed (RFC 5545 §3.6.1).
  static func lacksEnd(_ bytes: [UInt8]) -> Bool {
    var components: [Substring] = []
    var (hasStart, hasEnd) = (false, false)
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      // What is folded is no line of its own.
      if line.first.map({ $0 <= 0x20 }) ?? true { continue }
      let text = String(decoding: line.prefix(20).filter { $0 > 0x20 }, as: UTF8.self).uppercased()
      let name = text.prefix { $0 != ":" && $0 != ";" }
      switch name {
      case "BEGIN":
        components.append(text.dropFirst("BEGIN:".count))
        if components.last == "VEVENT" { (hasStart, hasEnd) = (false, false) }
      case "END":
        if components.popLast() == "VEVENT", hasStart, !hasEnd { return true }
      case "DTSTART":
        if components.last == "VEVENT" { hasStart = true }
      case "DTEND", "DURATION":
        // An alarm has a DURATION of its own.
        if components.last == "VEVENT" { hasEnd = true }
      default: continue
      }
    }
    return false
  }

  /// How many components there are that are no override.
  static func mainComponents(_ bytes: [UInt8]) -> Int {
    var count = 0
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let text = String(decoding: line.prefix(14), as: UTF8.self).uppercased()
      if beginnings.contains(where: text.hasPrefix) { count += 1 }
      if text.hasPrefix("RECURRENCE-ID:") || text.hasPrefix("RECURRENCE-ID;") { count -= 1 }
    }
    return count
  }

  private static let beginnings = ["BEGIN:VEVE", "BEGIN:VTOD", "BEGIN:VJOU"]

  /// The text is there to its end: a body without a length may have been cut off unnoticed.
  static func isWhole(_ bytes: [UInt8]) -> Bool {
    guard let end = bytes.lastIndex(where: { !isBlank($0) }) else { return false }
    let tail = String(decoding: bytes[...end].suffix(13), as: UTF8.self)
    return tail.uppercased() == "END:VCALENDAR"
  }
}
