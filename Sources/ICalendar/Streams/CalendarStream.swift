/// An iCalendar stream that holds many items (RFC 5545 §3.4): which of its bytes belong to which
/// item, so that each can be read as a text of its own and changed without touching the others.
///
/// An item is all components of one UID, with the VTIMEZONEs that they name.
public struct CalendarStream: Sendable {
  public let bytes: [UInt8]
  /// Nothing can be said of what a stream lacks unless it is whole.
  public let wholeness: Wholeness
  /// The items in the order of the text, each once.
  public private(set) var uids: [[UInt8]] = []
  /// The components that need a UID and have none, in the order of the text.
  public private(set) var nameless: [Nameless] = []

  /// The components of each item.
  private(set) var members: [[UInt8]: [Part]] = [:]
  /// The VCALENDARs.
  private(set) var frames: [Frame] = []
  let lineEnd: [UInt8]

  /// A component that is no item, since it has no UID.
  public struct Nameless: Sendable, Hashable {
    /// The physical line that it begins on, from 1.
    public let line: Int
    /// From BEGIN to END.
    public let bytes: [UInt8]
    /// Its SUMMARY, for people.
    public let summary: String
  }

  /// A component of an item.
  struct Part: Sendable {
    var frame: Int
    /// From the start of its BEGIN line to the start of the line after its END.
    var range: Range<Int>
    /// The UID that it did not have, and where its first line after BEGIN starts.
    var madeUID: (uid: [UInt8], place: Int)?
    /// What tells it from the others of its item: its kind and its RECURRENCE-ID.
    var identity: [UInt8]
    /// The TZIDs that it names, each once.
    var zones: [[UInt8]]
  }

  /// A VCALENDAR: what its items have in common, and where more of them go.
  struct Frame: Sendable {
    /// The lines that every item of it repeats.
    var head: [UInt8]
    var zones: [(name: [UInt8], range: Range<Int>)] = []
    /// Where another VTIMEZONE goes.
    var zonePlace: Int
    /// Where another component goes: in front of END:VCALENDAR.
    var itemPlace: Int
  }

  /// Reads a stream.
  ///
  /// - Parameter naming: gives a component without a UID one, the same each time; where two unlike
  ///   components get one name, the later ones get a number. Nil: such components are `nameless`.
  public init(_ bytes: [UInt8], naming: ((ItemComponent) -> [UInt8])? = nil) {
    let tree = SyntaxTree(bytes: bytes)
    self.bytes = bytes
    wholeness = tree.wholeness
    lineEnd = tree.storage.lineEnd
    guard case .whole = wholeness else { return }
    for calendar in tree.calendars { add(calendar, naming) }
  }

  /// A stream without items, for a place where none is yet.
  public static let empty = Array(
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(madeProduct)\r\nEND:VCALENDAR\r\n".utf8)

  private static let madeProduct = "PRODID:-//calgw//calendar stream//EN"
  private static let itemKinds: Set = ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"]

  private mutating func add(_ calendar: Component, _ naming: ((ItemComponent) -> [UInt8])?) {
    guard let end = calendar.endPlace else { return }
    var frame = Frame(head: head(of: calendar), zonePlace: end, itemPlace: end)
    for component in calendar.components {
      guard let range = component.sourceRange else { continue }
      if component.isNamed("VTIMEZONE") {
        let name = component.line(named: "TZID")?.value ?? []
        if !frame.zones.contains(where: { $0.name == name }) { frame.zones.append((name, range)) }
        frame.zonePlace = range.upperBound
      } else {
        if frame.zonePlace == end { frame.zonePlace = range.lowerBound }
        add(component, at: range, naming)
      }
    }
    frames.append(frame)
  }

  private mutating func add(
    _ component: Component, at range: Range<Int>, _ naming: ((ItemComponent) -> [UInt8])?
  ) {
    let item = ItemComponent(component)
    var part = Part(
      frame: frames.count, range: range, identity: identity(of: item),
      zones: zoneNames(of: component))
    var uid = item.uid
    if uid == nil {
      guard Self.itemKinds.contains(item.kind) else { return }
      guard let naming, let place = component.placeAfterBegin else {
        nameless.append(
          Nameless(
            line: component.lineNumber ?? 0, bytes: Array(bytes[range]),
            summary: item.summary?.text ?? ""))
        return
      }
      let made = unusedName(naming(item), for: range)
      part.madeUID = (made, place)
      uid = made
    }
    guard let uid else { return }
    if members[uid] == nil { uids.append(uid) }
    members[uid, default: []].append(part)
  }

  /// A copy of a component has its name; what only shares the name gets a number.
  private func unusedName(_ base: [UInt8], for range: Range<Int>) -> [UInt8] {
    var name = base
    // Each number that is tried is taken by a component of this very stream.
    var number = 1
    while let parts = members[name],
      !parts.contains(where: { bytes[$0.range].elementsEqual(bytes[range]) })
    {
      number += 1
      name = base + Array("-\(number)".utf8)
    }
    return name
  }

  private func head(of calendar: Component) -> [UInt8] {
    var head: [UInt8] = []
    let kept = ["VERSION", "PRODID", "CALSCALE"].map { calendar.line(named: $0) }
    if kept[0] == nil { head += Array("VERSION:2.0".utf8) + lineEnd }
    if kept[1] == nil { head += Array(Self.madeProduct.utf8) + lineEnd }
    // METHOD is not stored (RFC 4791 §4.1); names and colours are the collection's and no item's.
    for line in kept { head += line?.source ?? [] }
    return head
  }

  // MARK: Items

  /// The text of an item, as a stream of its own; nil if there is none of that UID.
  public func text(of uid: [UInt8]) -> [UInt8]? {
    guard let parts = members[uid], let first = parts.first else { return nil }
    var text = Array("BEGIN:VCALENDAR".utf8) + lineEnd + frames[first.frame].head
    for range in zoneRanges(of: parts) { text += bytes[range] }
    // A copy of a component says nothing new.
    var seen: Set<[UInt8]> = []
    for part in parts {
      if parts.count > 1, !seen.insert(Array(bytes[part.range])).inserted { continue }
      guard let (made, place) = part.madeUID else {
        text += bytes[part.range]
        continue
      }
      text += bytes[part.range.lowerBound..<place] + Array("UID:".utf8)
      text += TextValue(text: String(decoding: made, as: UTF8.self)).escaped + lineEnd
      text += bytes[place..<part.range.upperBound]
    }
    return text + Array("END:VCALENDAR".utf8) + lineEnd
  }

  /// The VTIMEZONEs that components name, of their own VCALENDAR before those of others.
  private func zoneRanges(of parts: [Part]) -> [Range<Int>] {
    var wanted = Set(parts.flatMap(\.zones))
    var own: [Int] = []
    for part in parts where !own.contains(part.frame) { own.append(part.frame) }
    var ranges: [Range<Int>] = []
    for frame in own + frames.indices.filter({ !own.contains($0) }) where !wanted.isEmpty {
      for zone in frames[frame].zones where wanted.remove(zone.name) != nil {
        ranges.append(zone.range)
      }
    }
    return ranges
  }
}

/// The kind of a component and its RECURRENCE-ID.
func identity(of component: ItemComponent) -> [UInt8] {
  Array(component.kind.utf8) + [ASCII.lineFeed] + (component.recurrenceID?.content ?? [])
}

/// The TZIDs that a component and those in it name, each once.
func zoneNames(of component: Component) -> [[UInt8]] {
  var names: [[UInt8]] = []
  func collect(_ component: Component) {
    component.forEachEntry { entry in
      switch entry {
      case .component(let inner): collect(inner)
      case .line(let line):
        // Most lines have no parameter at all.
        guard line.record.nameEnd != line.record.colon else { return }
        for value in line.parameter(named: "TZID")?.values ?? [] where !names.contains(value) {
          names.append(value)
        }
      }
    }
  }
  collect(component)
  return names
}

extension Component {
  /// Where it is in the text that was read, from BEGIN to the line end after END; nil where it has
  /// no END, or was changed since.
  var sourceRange: Range<Int>? {
    guard record.begin != .none, record.end != .none else { return nil }
    let begin = storage.lines[Int(record.begin)]
    let end = storage.lines[Int(record.end)]
    guard begin.number > 0, end.number > 0 else { return nil }
    return Int(begin.start)..<(Int(end.start) + Int(end.contentCount) + Int(end.endCount))
  }

  /// Where its END line starts in the text that was read.
  fileprivate var endPlace: Int? {
    record.end == .none ? nil : Int(storage.lines[Int(record.end)].start)
  }

  /// Where the line after its BEGIN starts in the text that was read.
  fileprivate var placeAfterBegin: Int? {
    guard record.begin != .none else { return nil }
    let begin = storage.lines[Int(record.begin)]
    return Int(begin.start) + Int(begin.contentCount) + Int(begin.endCount)
  }
}
