/// A component of an item: a VEVENT, VTODO, VJOURNAL or any other but VTIMEZONE.
public struct ItemComponent: Sendable {
  public let component: Component
  /// The name in upper case, as `VEVENT`.
  public let kind: String
  /// The UID without escapes (RFC 5545 §3.8.4.7); nil if there is none, or
  /// it is nothing but blanks, by which nobody could tell two items apart.
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
    let found = Self.firstLines(of: component)
    let uid = found[0].map { TextValue(escaped: $0.value).bytes } ?? []
    self.uid = uid.allSatisfy { $0 <= 0x20 } ? nil : uid
    recurrenceID = found[1]
    sequence = found[2].flatMap { Int(String(decoding: $0.value, as: UTF8.self)) }
    lastModified = found[3].flatMap { UTCDateTime($0.value) }
    stamp = found[4].flatMap { UTCDateTime($0.value) }
    summary = found[5].map { TextValue(escaped: $0.value) }
    start = found[6]
  }

  private static let names: [StaticString] = [
    "UID", "RECURRENCE-ID", "SEQUENCE", "LAST-MODIFIED", "DTSTAMP", "SUMMARY", "DTSTART",
  ]

  /// The first line of each of the names, in one pass.
  private static func firstLines(of component: Component) -> [ContentLine?] {
    var found: [ContentLine?] = Array(repeating: nil, count: names.count)
    let storage = component.storage
    storage.forEachProperty(in: component.index) { index, lineName in
      guard let place = names.firstIndex(where: { sameName(lineName, $0) }), found[place] == nil
      else { return }
      found[place] = ContentLine(storage: storage, index: index)
    }
    return found
  }
}
