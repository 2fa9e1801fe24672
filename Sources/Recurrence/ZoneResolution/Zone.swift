public import ICalendar

/// A time zone: the offsets from UTC and when they change. Immutable, and shared by all who use it.
public final class Zone: Sendable {
  /// What it is called where it comes from: a tzdata name, or a TZID for a zone of a VTIMEZONE.
  public let name: String
  /// Instants of changes, in seconds from 1970, ascending.
  let transitions: [Int]
  /// The wall time from which each change counts when a wall time is looked up: the later of both
  /// readings, so that times in a gap and the first of two equal times have the offset before it.
  let wallTransitions: [Int]
  /// The offset before the first change, then after each.
  let offsets: [Int32]
  /// What each offset is called and whether it is daylight time; as many as offsets.
  let designations: [Designation]
  /// How it goes on after the last change.
  let tail: ZoneTail

  /// What a zone calls an offset, as `CEST`.
  struct Designation: Sendable, Hashable {
    var abbreviation: String
    var isDaylight: Bool
  }

  static let unnamed = Designation(abbreviation: "", isDaylight: false)

  init(
    name: String, firstOffset: Int, firstDesignation: Designation, changes: [ZoneChange],
    tail: ZoneTail
  ) {
    self.name = name
    self.tail = tail
    var offsets = [Int32(firstOffset)]
    var walls: [Int] = []
    offsets.reserveCapacity(changes.count + 1)
    walls.reserveCapacity(changes.count)
    var before = firstOffset
    for change in changes {
      walls.append(change.instant + max(before, change.offset))
      offsets.append(Int32(change.offset))
      before = change.offset
    }
    // Two changes within hours could swap on the wall; lookups need an ascending list.
    for index in walls.indices.dropFirst() { walls[index] = max(walls[index], walls[index - 1]) }
    transitions = changes.map(\.instant)
    wallTransitions = walls
    self.offsets = offsets
    designations = [firstDesignation] + changes.map(\.designation)
  }

  /// A zone that never changes.
  public convenience init(name: String, offset: UTCOffset) {
    self.init(
      name: name, firstOffset: offset.seconds,
      firstDesignation: Designation(abbreviation: name, isDaylight: false), changes: [],
      tail: .none)
  }

  /// Coordinated universal time.
  public static let utc = Zone(
    name: "UTC", firstOffset: 0,
    firstDesignation: Designation(abbreviation: "UTC", isDaylight: false), changes: [],
    tail: .none)

  /// It has one offset for ever.
  package var isFixed: Bool {
    guard case .none = tail else { return false }
    return transitions.isEmpty
  }

  /// The offset from UTC in seconds at an instant.
  public func offset(at instant: Int) -> Int { segment(at: instant).offset }

  /// The instant of a wall time. In a gap the offset before it counts, so 02:30 is 03:30 on that
  /// day; of two instants it is the first.
  public func instant(of wall: Int) -> Int { wall - wallSegment(at: wall).offset }

  /// What the wall shows at an instant.
  public func wall(at instant: Int) -> Int { instant + offset(at: instant) }
}

/// A change of a zone's offset.
struct ZoneChange: Sendable {
  var instant: Int
  /// The offset from then on.
  var offset: Int
  var designation: Zone.Designation
}

/// A stretch of time with one offset, by instants or by wall times: from `lower` on, before
/// `upper`.
struct ZoneSegment: Sendable {
  var lower: Int
  var upper: Int
  var offset: Int

  func contains(_ time: Int) -> Bool { time >= lower && time < upper }
}
