package import ICalendar

/// Where a component's times are at home: in a zone, or on any wall. It gives every time a key, and
/// keys of one home can be compared: instants in a zone, wall seconds without one.
package struct Home: Sendable {
  /// Nil for floating times and dates.
  package let zone: Zone?
  package let isDate: Bool
  /// Where floating times are placed in the world.
  package let placement: Zone
  /// The zones of all names in the set; a name that is not there means floating time.
  let zones: [TimeZoneName: Zone]

  package init(of start: DateTime, placement: Zone, zones: [TimeZoneName: Zone]) {
    self.placement = placement
    self.zones = zones
    isDate = start.isDate
    switch start {
    case .date, .floating: zone = nil
    case .utc: zone = .utc
    case .zoned(_, let name): zone = zones[name]
    }
  }

  /// The key of a time. Floating times are in the home's own zone; a date is its first second;
  /// times
  /// of a zone on a wall without one count as they are written.
  package func key(of time: DateTime) -> Int {
    let wall = time.civil.secondsSince1970
    guard zone != nil else { return isDate ? startOfDay(wall) : wall }
    switch time {
    case .date, .floating: return key(ofWall: wall)
    case .utc: return wall
    case .zoned(_, let name): return zones[name]?.instant(of: wall) ?? key(ofWall: wall)
    }
  }

  package func key(ofWall wall: Int) -> Int {
    isDate ? startOfDay(wall) : zone?.instant(of: wall) ?? wall
  }

  package func wall(ofKey key: Int) -> Int { zone?.wall(at: key) ?? key }

  /// When a key is.
  package func time(ofKey key: Int) -> OccurrenceTime {
    var maker = TimeMaker(self)
    return maker.time(ofKey: key)
  }

  /// The wall times that have a key, ascending: two for a time behind a gap. Empty for the second
  /// of two equal wall times, which nothing but an instant names.
  package func walls(ofKey key: Int) -> [Int] {
    guard let zone else { return [key] }
    var walls: [Int] = []
    let segment = zone.segment(at: key)
    if segment.lower > key - 2 * 86_400 {
      let inGap = key + zone.offset(at: segment.lower - 1)
      if inGap < key + segment.offset, zone.instant(of: inGap) == key { walls.append(inGap) }
    }
    let wall = key + segment.offset
    return zone.instant(of: wall) == key ? walls + [wall] : walls
  }

  /// The wall times that keys of a range can come from. A wall is ahead of UTC by the offset of its
  /// own time, or, in a gap, by the one before, which is no more than a day away.
  func walls(of keys: ClosedRange<Int>) -> ClosedRange<Int> {
    guard let zone else { return keys }
    let day = 86_400
    let first = [-day, 0, day].map { zone.offset(at: keys.lowerBound + $0) }.min() ?? 0
    let last = [-day, 0, day].map { zone.offset(at: keys.upperBound + $0) }.max() ?? 0
    return (keys.lowerBound + first)...(keys.upperBound + last)
  }

  /// The key that an instant has here.
  package func key(ofInstant instant: Int) -> Int {
    zone == nil ? placement.wall(at: instant) : instant
  }

  private func startOfDay(_ wall: Int) -> Int { Gregorian.floorDivide(wall, 86_400) * 86_400 }
}

/// Makes times of keys, and remembers the stretch of the zone that the last one was in.
struct TimeMaker {
  private let home: Home
  private var segment: ZoneSegment
  private let zone: Zone

  init(_ home: Home) {
    self.home = home
    zone = home.zone ?? home.placement
    segment = ZoneSegment(lower: 0, upper: 0, offset: 0)
  }

  mutating func time(ofKey key: Int) -> OccurrenceTime {
    if !segment.contains(key) {
      segment = home.zone == nil ? zone.wallSegment(at: key) : zone.segment(at: key)
    }
    if home.zone == nil {
      return OccurrenceTime(wall: key, offset: nil, instant: key - segment.offset)
    }
    return OccurrenceTime(wall: key + segment.offset, offset: segment.offset, instant: key)
  }
}
