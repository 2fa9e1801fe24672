/// Changes to items of a stream, gathered first and then made in one text: every byte that belongs
/// to no changed item stays as it is.
///
/// New lines end as the stream's do. A VTIMEZONE that an item brings is added where the stream has
/// none of that name; one that no other item uses is replaced. One that the stream has stays also
/// when its item goes.
public struct StreamEdit: Sendable {
  private let stream: CalendarStream
  private let isKnownZone: @Sendable ([UInt8]) -> Bool
  private var splices: [Splice] = []
  /// The VTIMEZONEs as they will be, by VCALENDAR and name, and the items that asked for them.
  private var plannedZones: [ZonePlace: [UInt8]] = [:]
  private var plannedUsers: [ZonePlace: Set<[UInt8]>] = [:]

  /// Why an item cannot be put into a stream; nothing was changed.
  public enum Refusal: Error, Sendable, Hashable {
    /// The text is not that of one item.
    case notAnItem
    /// The stream has another VTIMEZONE of this name, which other items use and which is no name
    /// of the time zone database, or is not UTF-8: with it, the item would take place at another
    /// time, or be none.
    case zoneDiffers([UInt8])
    /// Parts of the item need two time zones of one name.
    case zonesClash(ZoneClash)
    /// The item brings a VTIMEZONE of this name with more than `CalendarStream.zoneLimit`.
    case zoneTooLarge([UInt8])
  }

  private struct ZonePlace: Hashable {
    var frame: Int
    var name: [UInt8]
  }

  private struct Splice {
    var range: Range<Int>
    var bytes: [UInt8]
    /// Of what goes to one place, zones stand before items.
    var isZone = false
  }

  /// - Parameters:
  ///   - stream: one that is taken apart, or the empty text.
  ///   - isKnownZone: says whether a TZID means the same everywhere, whatever its VTIMEZONE says.
  public init(_ stream: CalendarStream, isKnownZone: @escaping @Sendable ([UInt8]) -> Bool) {
    let isThere = stream.isTakenApart && !stream.frames.isEmpty
    self.stream = isThere ? stream : CalendarStream(CalendarStream.empty)
    self.isKnownZone = isKnownZone
  }

  /// Takes an item out; the stream need not have it.
  public mutating func remove(_ uid: [UInt8]) {
    for part in stream.members[uid] ?? [] { splices.append(Splice(range: part.range, bytes: [])) }
  }

  /// Puts an item in the place of the one of its UID, or at the end. An item may be put or removed
  /// once in an edit.
  public mutating func put(_ text: [UInt8], as uid: [UInt8]) throws(Refusal) {
    let tree = SyntaxTree(bytes: text)
    let object = CalendarObject(tree)
    guard case .whole = tree.wholeness, object.uids == [uid] else { throw .notAnItem }
    var old = stream.members[uid] ?? []
    let frame = old.first?.frame ?? 0
    let components = object.components.filter { $0.uid != nil }
    if components.count > 1 {
      let item = CalendarStream(text)
      guard item.clashes.isEmpty else { throw .notAnItem }
      let clash = item.zoneClashes[uid]?.first { !isKnownZone($0.name) }
      if let clash { throw .zonesClash(clash) }
    }
    try putZones(of: components, from: tree, for: uid, in: frame)
    let place = old.last?.range.upperBound ?? stream.frames[frame].itemPlace
    for component in components {
      let bytes = withLineEnds(component.component.bytes, stream.lineEnd)
      let identity = identity(of: component)
      guard let index = old.firstIndex(where: { $0.identity == identity }) else {
        splices.append(Splice(range: place..<place, bytes: bytes))
        continue
      }
      let part = old.remove(at: index)
      if !stream.bytes[part.range].elementsEqual(bytes) {
        splices.append(Splice(range: part.range, bytes: bytes))
      }
    }
    for part in old { splices.append(Splice(range: part.range, bytes: [])) }
  }

  private mutating func putZones(
    of components: [ItemComponent], from tree: SyntaxTree, for uid: [UInt8], in frame: Int
  ) throws(Refusal) {
    var names: [[UInt8]] = []
    for name in components.flatMap({ zoneNames(of: $0.component) }) where !names.contains(name) {
      names.append(name)
    }
    let zones = tree.calendars.flatMap(\.components).filter { $0.isNamed("VTIMEZONE") }
    var added: [Splice] = []
    for name in names {
      let place = ZonePlace(frame: frame, name: name)
      guard let zone = zones.first(where: { $0.line(named: "TZID")?.value == name }) else {
        continue
      }
      let bytes = withLineEnds(zone.bytes, stream.lineEnd)
      guard bytes.count <= CalendarStream.zoneLimit else { throw .zoneTooLarge(name) }
      let there = stream.frames[frame].zones[name]
      if let present = plannedZones[place] ?? there.map({ Array(stream.bytes[$0.range]) }) {
        let isOdd = !isUTF8(present)
        guard isOdd || !isSameZone(present, bytes) else { continue }
        if let there, plannedZones[place] == nil, !isUsed(place, byOthersThan: uid) {
          added.append(Splice(range: there.range, bytes: bytes, isZone: true))
          plannedZones[place] = bytes
        } else if isOdd || !isKnownZone(name) {
          throw .zoneDiffers(name)
        }
      } else {
        let end = stream.frames[frame].zonePlace
        added.append(Splice(range: end..<end, bytes: bytes, isZone: true))
        plannedZones[place] = bytes
      }
    }
    splices += added
    for name in names {
      plannedUsers[ZonePlace(frame: frame, name: name), default: []].insert(uid)
    }
  }

  private func isSameZone(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one == other
      || canonicalForm(of: SyntaxTree(bytes: one)) == canonicalForm(of: SyntaxTree(bytes: other))
  }

  private func isUsed(_ zone: ZonePlace, byOthersThan uid: [UInt8]) -> Bool {
    if plannedUsers[zone]?.contains(where: { $0 != uid }) ?? false { return true }
    return stream.members.contains { member in
      member.key != uid
        && member.value.contains { $0.frame == zone.frame && $0.zones.contains(zone.name) }
    }
  }

  /// In bytes, of the text with all changes made.
  public var size: Int {
    splices.reduce(stream.bytes.count) { $0 + $1.bytes.count - $1.range.count }
  }

  /// The text with all changes made.
  public var bytes: [UInt8] {
    let ordered = splices.enumerated().sorted { left, right in
      let (one, other) = (left.element, right.element)
      if one.range.lowerBound != other.range.lowerBound {
        return one.range.lowerBound < other.range.lowerBound
      }
      // What is inserted at a place comes before what stands there and is replaced.
      if one.range.isEmpty != other.range.isEmpty { return one.range.isEmpty }
      if one.isZone != other.isZone { return one.isZone }
      return left.offset < right.offset
    }
    var result: [UInt8] = []
    result.reserveCapacity(stream.bytes.count)
    var done = 0
    for (_, splice) in ordered {
      result += stream.bytes[done..<max(done, splice.range.lowerBound)]
      result += splice.bytes
      done = max(done, splice.range.upperBound)
    }
    return result + stream.bytes[done...]
  }
}
