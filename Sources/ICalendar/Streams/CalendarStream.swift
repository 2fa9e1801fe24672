/// An iCalendar stream that holds many items (RFC 5545 §3.4): which of its bytes belong to which
/// item, so that each can be read as a text of its own and changed without touching the others.
///
/// An item is all components of one UID, with the VTIMEZONEs that they name.
public struct CalendarStream: Sendable {
  public let bytes: [UInt8]
  /// Nothing can be said of what a stream lacks unless it `isTakenApart`.
  public let wholeness: Wholeness
  /// The items in the order of the text, each once.
  public private(set) var uids: [[UInt8]] = []
  /// The components that need a UID and have none that is UTF-8, in the order of the text.
  public private(set) var nameless: [Nameless] = []
  /// What has one UID and is more than one item.
  public private(set) var clashes: [[UInt8]: Clash] = [:]
  /// What has one UID and needs two time zones of one name.
  public internal(set) var zoneClashes: [[UInt8]: [ZoneClash]] = [:]

  /// The components of each item.
  private(set) var members: [[UInt8]: [Part]] = [:]
  /// The VCALENDARs.
  private(set) var frames: [Frame] = []
  /// The first VTIMEZONE of each name in any of them.
  private(set) var zones: [[UInt8]: Zone] = [:]
  /// The lines that are not UTF-8.
  private(set) var oddLines: [OddLine] = []
  let lineEnd: [UInt8]

  /// A component that is no item, since it has no UID that is UTF-8.
  public struct Nameless: Sendable, Hashable {
    /// The physical line that it begins on, from 1.
    public let line: Int
    /// From BEGIN to END.
    public let bytes: [UInt8]
    /// Its SUMMARY, for people.
    public let summary: String
    /// It has a UID that is not UTF-8.
    public let hasOddUID: Bool
  }

  /// Components of one UID that cannot be one item: two unlike ones that are no overrides, or some
  /// of two kinds.
  public struct Clash: Sendable, Hashable {
    /// The physical lines that the items begin on, from 1.
    public let lines: [Int]
    /// As `VEVENT`, each once, in the order of the text.
    public let kinds: [String]
  }

  /// A VTIMEZONE.
  struct Zone: Sendable {
    /// As of a `Part`.
    var range: Range<Int>
    /// The physical line that it begins on, from 1.
    var line: Int
    /// As `ZoneVariants` numbers it.
    var variant: Int
  }

  /// A component of an item.
  struct Part: Sendable {
    var frame: Int
    /// The physical line that it begins on, from 1.
    var line: Int
    /// As `VEVENT`.
    var kind: String
    /// It is no override of another's occurrence.
    var isMain: Bool
    /// It says nothing but what another one of its item does.
    var isCopy = false
    /// From the start of its BEGIN line to the start of the line after its END.
    var range: Range<Int>
    /// A UID that the text does not give it, and where the line of it goes.
    var givenUID: (uid: [UInt8], place: Int)?
    /// What tells it from the others of its item: its kind and its RECURRENCE-ID.
    var identity: [UInt8]
    /// The TZIDs that it names, each once.
    var zones: [[UInt8]]
  }

  /// A VCALENDAR: what its items have in common, and where more of them go.
  struct Frame: Sendable {
    /// The lines that every item of it repeats.
    var head: [UInt8]
    var zones: [[UInt8]: Zone] = [:]
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
    guard isTakenApart else { return }
    if wholeness != .whole { oddLines = Self.oddLines(in: tree) }
    var names = naming.map { MadeNames($0) }
    var variants = ZoneVariants()
    for calendar in tree.calendars { add(calendar, &names, &variants) }
    findClashes()
    findZoneClashes()
  }

  /// A stream without items, for a place where none is yet.
  public static let empty = Array(
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(madeProduct)\r\nEND:VCALENDAR\r\n".utf8)

  private static let madeProduct = "PRODID:-//calgw//calendar stream//EN"
  private static let itemKinds: Set = ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"]

  /// The UIDs that components without one got.
  private struct MadeNames {
    let naming: (ItemComponent) -> [UInt8]
    var ofText: [ArraySlice<UInt8>: [UInt8]] = [:]
    /// The last number that a name was given.
    var numbers: [[UInt8]: Int] = [:]

    init(_ naming: @escaping (ItemComponent) -> [UInt8]) { self.naming = naming }

    /// A copy of a component has its name; what only shares the name gets a number.
    mutating func name(
      _ item: ItemComponent, _ text: ArraySlice<UInt8>, besides members: [[UInt8]: [Part]]
    ) -> [UInt8] {
      if let name = ofText[text] { return name }
      let base = naming(item)
      var number = numbers[base, default: 0] + 1
      var name = number == 1 ? base : base + Array("-\(number)".utf8)
      // Each name that is tried is taken by a component of this very stream.
      while members[name] != nil {
        number += 1
        name = base + Array("-\(number)".utf8)
      }
      numbers[base] = number
      ofText[text] = name
      return name
    }
  }

  private mutating func add(
    _ calendar: Component, _ names: inout MadeNames?, _ variants: inout ZoneVariants
  ) {
    guard let end = calendar.endPlace else { return }
    var frame = Frame(head: head(of: calendar), zonePlace: end, itemPlace: end)
    for component in calendar.components {
      guard let range = component.sourceRange else { continue }
      if component.isNamed("VTIMEZONE") {
        let name = component.line(named: "TZID")?.value ?? []
        let variant = variants.number(of: Array(bytes[range]), named: name)
        let zone = Zone(range: range, line: component.lineNumber ?? 0, variant: variant)
        if frame.zones[name] == nil { frame.zones[name] = zone }
        if zones[name] == nil { zones[name] = zone }
        frame.zonePlace = range.upperBound
      } else {
        if frame.zonePlace == end { frame.zonePlace = range.lowerBound }
        add(component, at: range, &names)
      }
    }
    frames.append(frame)
  }

  private mutating func add(
    _ component: Component, at range: Range<Int>, _ names: inout MadeNames?
  ) {
    let item = ItemComponent(component)
    let line = component.lineNumber ?? 0
    var part = Part(
      frame: frames.count, line: line, kind: item.kind, isMain: !item.isOverride, range: range,
      identity: identity(of: item), zones: zoneNames(of: component))
    var uid = item.uid.flatMap { isUTF8($0) ? $0 : nil }
    if uid == nil {
      guard Self.itemKinds.contains(item.kind) else { return }
      guard let place = component.placeAfterBegin,
        let made = names?.name(item, bytes[range], besides: members)
      else {
        nameless.append(
          Nameless(
            line: line, bytes: Array(bytes[range]), summary: item.summary?.text ?? "",
            hasOddUID: item.uid != nil))
        return
      }
      part.givenUID = (made, place)
      uid = made
    }
    guard let uid else { return }
    if members[uid] == nil { uids.append(uid) }
    members[uid, default: []].append(part)
  }

  /// The same with other UIDs for some of its items: in their texts, each stands in the very place
  /// of the item's own.
  ///
  /// No two items become one: a UID that the stream has, or that several of its items are to get,
  /// is given to none.
  public func renaming(_ names: [[UInt8]: [UInt8]]) -> CalendarStream {
    var uses: [[UInt8]: Int] = [:]
    for uid in uids { if let name = names[uid] { uses[name, default: 0] += 1 } }
    let clear = names.filter { uid, name in
      members[uid] != nil && members[name] == nil && uses[name] == 1
    }
    if clear.isEmpty { return self }
    var stream = self
    stream.uids = uids.map { clear[$0] ?? $0 }
    for uid in uids {
      guard let name = clear[uid] else { continue }
      stream.members[name] = stream.members.removeValue(forKey: uid)?.map { part in
        var part = part
        part.givenUID = placeOfUID(in: part).map { (name, $0) }
        return part
      }
      stream.clashes[name] = stream.clashes.removeValue(forKey: uid)
      stream.zoneClashes[name] = stream.zoneClashes.removeValue(forKey: uid)
    }
    return stream
  }

  /// Finds what is more than one item under one UID, and what only repeats another component but
  /// for its DTSTAMP.
  private mutating func findClashes() {
    for uid in uids {
      guard let parts = members[uid], parts.count > 1 else { continue }
      let items = parts.indices.filter { Self.itemKinds.contains(parts[$0].kind) }
      var kinds: [String] = []
      var firsts: [Int] = []
      for index in items where !kinds.contains(parts[index].kind) {
        kinds.append(parts[index].kind)
        firsts.append(index)
      }
      var unlike: [Int] = []
      var meaning: [UInt8]?
      for index in items where parts[index].isMain {
        guard let first = unlike.first else {
          unlike.append(index)
          continue
        }
        let (one, other) = (parts[first].range, parts[index].range)
        if !bytes[one].elementsEqual(bytes[other]) {
          let expected = meaning ?? form(at: one)
          meaning = expected
          guard form(at: other) == expected else {
            unlike.append(index)
            continue
          }
        }
        members[uid]?[index].isCopy = true
      }
      if kinds.count > 1 { unlike = firsts }
      guard unlike.count > 1 else { continue }
      clashes[uid] = Clash(lines: unlike.map { parts[$0].line }, kinds: kinds)
    }
  }

  private func form(at range: Range<Int>) -> [UInt8] {
    canonicalForm(of: SyntaxTree(bytes: Array(bytes[range])))
  }

  private func head(of calendar: Component) -> [UInt8] {
    var head: [UInt8] = []
    let kept = ["VERSION", "PRODID", "CALSCALE"].map { name in
      calendar.line(named: name).flatMap { isUTF8($0.content) ? $0 : nil }
    }
    if kept[0] == nil { head += Array("VERSION:2.0".utf8) + lineEnd }
    if kept[1] == nil { head += Array(Self.madeProduct.utf8) + lineEnd }
    // METHOD is not stored (RFC 4791 §4.1); names and colours are the collection's and no item's.
    for line in kept { head += line?.source ?? [] }
    return head
  }
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
