/// A component of an item: a VEVENT, VTODO, VJOURNAL or any other but VTIMEZONE.
public struct ItemComponent: Sendable {
  public let component: Component
  /// The name in upper case, as `VEVENT`.
  public let kind: String
  /// The UID without escapes (RFC 5545 §3.8.4.7); nil if there is none or it is empty.
  public let uid: [UInt8]?
  /// The first RECURRENCE-ID (RFC 5545 §3.8.4.4).
  public let recurrenceID: ContentLine?
  /// SEQUENCE (RFC 5545 §3.8.7.4); nil if there is none or it is no number.
  public let sequence: Int?
  public let lastModified: UTCDateTime?
  public let stamp: UTCDateTime?
  /// The SUMMARY without escapes.
  public let summary: TextValue?
  /// The first DTSTART, as it is written.
  public let start: ContentLine?

  /// It stands for one occurrence of a recurring main component.
  public var isOverride: Bool { recurrenceID != nil }

  /// Reads a component. Of several lines of one name the first is taken.
  public init(_ component: Component) {
    self.component = component
    kind = String(decoding: component.name.map(\.uppercased), as: UTF8.self)
    var found: [String: ContentLine] = [:]
    for line in component.lines {
      guard let name = Self.names.first(where: { line.isNamed($0) }) else { continue }
      if found[name] == nil { found[name] = line }
    }
    let uid = found["UID"].map { TextValue(escaped: $0.value).bytes } ?? []
    self.uid = uid.isEmpty ? nil : uid
    recurrenceID = found["RECURRENCE-ID"]
    sequence = found["SEQUENCE"].flatMap { Int(String(decoding: $0.value, as: UTF8.self)) }
    lastModified = found["LAST-MODIFIED"].flatMap { UTCDateTime($0.value) }
    stamp = found["DTSTAMP"].flatMap { UTCDateTime($0.value) }
    summary = found["SUMMARY"].map { TextValue(escaped: $0.value) }
    start = found["DTSTART"]
  }

  private static let names = [
    "UID", "RECURRENCE-ID", "SEQUENCE", "LAST-MODIFIED", "DTSTAMP", "SUMMARY", "DTSTART",
  ]
}
