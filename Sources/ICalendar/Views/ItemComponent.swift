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
  /// Of the lines above, those that follow the first one of their name.
  private let repeated: [ContentLine]

  /// It stands for one occurrence of a recurring main component.
  public var isOverride: Bool { recurrenceID != nil }

  /// Reads a component. Of several lines of one name the first is taken.
  public init(_ component: Component) {
    self.component = component
    kind = String(decoding: component.name.map(\.uppercased), as: UTF8.self)
    let (found, repeated) = Self.lines(of: component)
    self.repeated = repeated
    uid = found[0].flatMap(Self.uid(in:))
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

  /// Nil for a line of nothing but blanks.
  private static func uid(in line: ContentLine) -> [UInt8]? {
    let uid = TextValue(escaped: line.value).bytes
    return uid.allSatisfy { $0 <= 0x20 } ? nil : uid
  }

  /// The first line of each of the names and those after it, in one pass.
  private static func lines(
    of component: Component
  ) -> (first: [ContentLine?], repeated: [ContentLine]) {
    var found: [ContentLine?] = Array(repeating: nil, count: names.count)
    var repeated: [ContentLine] = []
    let storage = component.storage
    storage.forEachProperty(in: component.index) { index, lineName in
      guard let place = names.firstIndex(where: { sameName(lineName, $0) }) else { return }
      let line = ContentLine(storage: storage, index: index)
      if found[place] == nil { found[place] = line } else { repeated.append(line) }
    }
    return (found, repeated)
  }
}

/// Two components become one where the END of the first and the BEGIN of the second are lost.
extension ItemComponent {
  /// The UIDs other than its own, with their lines; none where it has none of its own.
  package var otherUIDs: [(uid: [UInt8], line: ContentLine)] {
    guard let own = uid else { return [] }
    return repeated.compactMap { line -> (uid: [UInt8], line: ContentLine)? in
      guard line.isNamed("UID"), let other = Self.uid(in: line), other != own else { return nil }
      return (other, line)
    }
  }

  /// All that it has.
  var uids: [[UInt8]] {
    guard let own = uid else { return [] }
    return [own] + otherUIDs.map { $0.uid }
  }

  /// The line that shows that it was two components: another UID, a second DTSTART, or another
  /// DTSTAMP. Nil where nothing shows it.
  var seam: ContentLine? {
    if let other = otherUIDs.first { return other.line }
    return repeated.first { line in
      line.isNamed("DTSTART")
        || line.isNamed("DTSTAMP") && line.value != component.line(named: "DTSTAMP")?.value
    }
  }
}
