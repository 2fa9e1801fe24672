public import EventEditing
import ICalendar

/// What tells an event from all others of a store: its calendar, the UID of its item and, for an
/// occurrence of a series, the original start.
///
/// All occurrences of a series share the UID (RFC 5545 §3.8.4.7), and another calendar may hold the
/// same one, so only the three together are unique. The original start is the one that the rule
/// gives, whatever was changed since (RECURRENCE-ID, §3.8.4.4). A split gives the later part a new
/// UID, so the identifiers of its occurrences change.
public struct EventIdentifier: Sendable, Hashable {
  /// The id of the calendar.
  public let calendar: String
  /// The UID, as the bytes of its text: two that differ in normalisation alone are two.
  public let uid: [UInt8]
  /// The original start of an occurrence: a day, a time on the wall, or an instant. Nil for an
  /// event that does not recur, and for a series as a whole.
  public let occurrence: GivenTime?

  public init(calendar: String, uid: [UInt8], occurrence: GivenTime? = nil) {
    self.calendar = calendar
    self.uid = uid
    self.occurrence = occurrence
  }

  /// The item as a whole. Asked for, it gives the first occurrence.
  public var series: EventIdentifier { EventIdentifier(calendar: calendar, uid: uid) }

  /// The UID for people; bytes that are not UTF-8 are shown as U+FFFD.
  public var externalIdentifier: String { String(decoding: uid, as: UTF8.self) }

  /// In bytes: more than a calendar's id, a UID and a time have in practice, three for each byte.
  private static let textLimit = 16_384
}

extension EventIdentifier: LosslessStringConvertible {
  /// One word that can be kept and read again: `work/uid%40example.org@20260112T080000Z`.
  public var description: String {
    let name = occurrence.map { "@" + Self.text(of: $0) } ?? ""
    return "\(percentEncoded(Array(calendar.utf8)))/\(percentEncoded(uid))\(name)"
  }

  /// Nil for a text that `description` does not give.
  public init?(_ description: String) {
    let bytes = Array(description.utf8)
    guard bytes.count <= Self.textLimit, let slash = bytes.firstIndex(of: UInt8(ascii: "/")),
      let calendar = percentDecoded(bytes[..<slash])
    else { return nil }
    let rest = bytes[(slash + 1)...]
    let end = rest.firstIndex(of: UInt8(ascii: "@")) ?? rest.endIndex
    guard let uid = percentDecoded(rest[..<end]), !uid.isEmpty else { return nil }
    var occurrence: GivenTime?
    if end < rest.endIndex {
      let text = String(decoding: rest[(end + 1)...], as: UTF8.self)
      guard let time = try? GivenTime(text) else { return nil }
      occurrence = time
    }
    self.init(
      calendar: String(decoding: calendar, as: UTF8.self), uid: uid, occurrence: occurrence)
  }

  private static func text(of time: GivenTime) -> String {
    switch time {
    case .date(let date): DateTime.date(date).value
    case .wall(let civil): DateTime.floating(civil).value
    case .instant(let instant):
      CivilDateTime(secondsSince1970: instant).map { DateTime.utc($0).value } ?? ""
    case .exactly(let time): time.value
    }
  }
}

extension EventIdentifier: Codable {
  /// Reads what `description` gives.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let identifier = EventIdentifier(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "it is no identifier of an event")
    }
    self = identifier
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// Letters, digits, `-`, `.`, `_` and `~` as they are, every other byte as `%XX` (RFC 3986 §2).
private func percentEncoded(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  var result: [UInt8] = []
  for byte in bytes {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      result.append(byte)
    default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: result, as: UTF8.self)
}

/// Nil where a percent sign has no two hexadecimal digits behind it.
private func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
  var result: [UInt8] = []
  var rest = bytes
  while let byte = rest.popFirst() {
    guard byte == UInt8(ascii: "%") else {
      result.append(byte)
      continue
    }
    guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue)
    else { return nil }
    result.append(high << 4 | low)
  }
  return result
}

private func hexValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  default: nil
  }
}
