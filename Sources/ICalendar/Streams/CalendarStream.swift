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
  public internal(set) var clashes: [[UInt8]: Clash] = [:]
  /// What has one UID and needs two time zones of one name.
  public internal(set) var zoneClashes: [[UInt8]: [ZoneClash]] = [:]
  /// What shows that something of the text is lost, in its order.
  public internal(set) var damages: [Damage] = []

  /// Of components without a UID: damages where others have one.
  var unreadableLines: [Damage] = []
  /// The UIDs that stand in components of other items alone.
  var fusedUIDs: [[UInt8]: Damage] = [:]
  /// The components of each item.
  var members: [[UInt8]: [Part]] = [:]
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

  /// Gives a component a UID, the same each time: one of its own where others share the first.
  public typealias Naming = (_ item: ItemComponent, _ isShared: Bool) -> [UInt8]

  /// Reads a stream.
  ///
  /// - Parameter naming: gives components without a UID one, as `MadeNames` has it. Nil: they are
  ///   `nameless`.
  public init(_ bytes: [UInt8], naming: Naming? = nil) {
    let tree = SyntaxTree(bytes: bytes)
    self.bytes = bytes
    wholeness = tree.wholeness
    lineEnd = tree.storage.lineEnd
    guard isTakenApart else { return }
    if wholeness != .whole { oddLines = Self.oddLines(in: tree) }
    let calendars = tree.calendars
    let names = naming.map { MadeNames(in: calendars, of: bytes, by: $0) }
    var variants = ZoneVariants()
    for calendar in calendars { add(calendar, names, &variants) }
    findClashes()
    findZoneClashes()
    findDamages(in: tree)
  }

  /// A stream without items, for a place where none is yet.
  public static let empty = Array(
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(madeProduct)\r\nEND:VCALENDAR\r\n".utf8)

  private static let madeProduct = "PRODID:-//calgw//calendar stream//EN"
  static let itemKinds: Set = ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"]

  private mutating func add(
    _ calendar: Component, _ names: MadeNames?, _ variants: inout ZoneVariants
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
        noteSeam(ofZone: component)
        frame.zonePlace = range.upperBound
      } else {
        if frame.zonePlace == end { frame.zonePlace = range.lowerBound }
        add(component, at: range, names)
      }
    }
    frames.append(frame)
  }

  private mutating func add(
    _ component: Component, at range: Range<Int>, _ names: MadeNames?
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
        let made = names?.ofText[bytes[range]]
      else {
        nameless.append(
          Nameless(
            line: line, bytes: Array(bytes[range]), summary: item.summary?.text ?? "",
            hasOddUID: item.uid != nil))
        return
      }
      part.givenUID = (made, place)
      uid = made
      noteUnreadableLine(in: component)
    }
    guard let uid else { return }
    noteSeam(of: item)
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
