import ICalendar
import Recurrence

extension Series {
  /// The key of the occurrence that a person means: by its original start, whatever an override
  /// says. An override outside of the recurrence set has its RECURRENCE-ID for a name.
  func key(of name: GivenTime) throws(EditError) -> Int {
    guard let home = set.home else { throw .noSuchOccurrence(text(of: name)) }
    let keys = try keys(of: name, home: home)
    if keys.count > 1 {
      throw .severalThatDay(text(of: name), named: keys.prefix(5).map(self.name(ofKey:)))
    }
    if let key = keys.first { return key }
    if let moved = original(ofMoved: name, home: home) {
      throw .movedStart(text(of: name), named: self.name(ofKey: moved))
    }
    throw .noSuchOccurrence(text(of: name))
  }

  /// Whether the set has an occurrence of a key: given and not left out, or overridden.
  func has(_ key: Int) -> Bool {
    set.gives(key) || (set.override(of: key) != nil && !set.isExcluded(key))
  }

  private func keys(of name: GivenTime, home: Home) throws(EditError) -> [Int] {
    switch name {
    case .date(let date) where !home.isDate:
      let day = CivilDateTime(startOf: date).secondsSince1970
      return keys(ofWalls: day...(day + 86_399), home: home)
    case .date(let date): return [CivilDateTime(startOf: date).secondsSince1970].filter(has)
    case .wall(let civil):
      guard !home.isDate || civil.secondOfDay == 0 else { return [] }
      return [home.key(ofWall: civil.secondsSince1970)].filter(has)
    case .instant(let instant):
      guard CivilDateTime(secondsSince1970: instant) != nil else { return [] }
      let key = home.key(ofInstant: instant)
      guard !home.isDate || key % 86_400 == 0 else { return [] }
      return [key].filter(has)
    case .exactly(let time): return (set.key(of: time).map { [$0] } ?? []).filter(has)
    }
  }

  /// The occurrences of a day, overrides outside of the set among them.
  private func keys(ofWalls walls: ClosedRange<Int>, home: Home) -> [Int] {
    let range = home.key(ofWall: walls.lowerBound)...home.key(ofWall: walls.upperBound)
    // More than a person can be asked to choose from.
    var keys = Set(set.keys(in: range, limit: 10))
    for member in overrides {
      guard let id = member.schedule.recurrenceID, let key = set.key(of: id), has(key),
        walls.contains(home.wall(ofKey: key))
      else { continue }
      keys.insert(key)
    }
    return keys.sorted()
  }

  private func instant(of name: GivenTime, home: Home) -> Int? {
    switch name {
    case .date(let date): clock.placement.instant(of: CivilDateTime(startOf: date).secondsSince1970)
    case .wall(let civil):
      (home.zone ?? clock.placement).instant(of: civil.secondsSince1970)
    case .instant(let instant): instant
    case .exactly(let time): clock.instant(of: time)
    }
  }

  /// The original start of the occurrence that an override moved to a time, or a day.
  private func original(ofMoved name: GivenTime, home: Home) -> Int? {
    guard case .date(let date) = name, !home.isDate else {
      return instant(of: name, home: home).flatMap { original(ofMoved: $0, home: home) }
    }
    let zone = home.zone ?? clock.placement
    let day = CivilDateTime(startOf: date).secondsSince1970
    let window = OccurrenceWindow(from: zone.instant(of: day), to: zone.instant(of: day + 86_400))
    return set.occurrences(in: window).first {
      (window.from..<window.to).contains($0.start.instant)
    }
    .flatMap { original(ofMoved: $0.start.instant, home: home) }
  }

  /// The original start of the occurrence that an override moved to an instant.
  private func original(ofMoved instant: Int, home: Home) -> Int? {
    if let key = set.keys(ofOverridesAt: instant).first(where: { !set.isExcluded($0) }) {
      return key
    }
    guard CivilDateTime(secondsSince1970: instant) != nil else { return nil }
    let found = set.occurrences(in: OccurrenceWindow(from: instant, to: instant + 1))
      .first { $0.start.instant == instant }
    return found?.recurrenceID.map { home.zone == nil ? $0.wall : $0.instant }
  }

  /// A name as it was given, for messages.
  private func text(of name: GivenTime) -> String {
    switch name {
    case .date(let date): return date.description
    case .wall(let civil): return civil.description
    case .exactly(let time): return time.value
    case .instant(let instant):
      guard CivilDateTime(secondsSince1970: instant) != nil else {
        return Clock.name(wall: Int.max, offset: nil)
      }
      let zone = set.home?.zone ?? clock.placement
      return Clock.name(wall: zone.wall(at: instant), offset: zone.offset(at: instant))
    }
  }
}
