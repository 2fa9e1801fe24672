public import ICalendar

/// The recurrence set of an item: its main component and its overrides (RFC 5545 §3.8.5).
///
/// Nothing is expanded before it is asked for. Overrides without a main component are listed alone,
/// as an attendee of some occurrences has them.
public struct RecurrenceSet: Sendable {
  /// Something about the set as a whole that its reader should know.
  public enum Problem: Sendable, Hashable {
    /// A TZID means nothing here: its times are taken as floating.
    case missingZone(TimeZoneName)
    /// A zone is not one of tzdata, and where it was found.
    case foundZone(TimeZoneName, ZoneResolver.Origin)
    /// The main component has no start, so it has no place in time.
    case mainWithoutStart
    /// The override of that index has no start.
    case overrideWithoutStart(Int)
    /// Another override stands for the same occurrence with a higher SEQUENCE, or later in the
    /// text.
    case overriddenTwice(Int)
    /// The override of that index counts for its own occurrence alone: `rangeLimit` others before
    /// it have RANGE=THISANDFUTURE.
    case rangeLeftOut(Int)
    case note(ValueNote)
  }

  /// So many overrides with RANGE=THISANDFUTURE hold for what follows them. Hardly a program writes
  /// one, and each makes every step of a listing longer.
  public static let rangeLimit = 100

  public let problems: [Problem]

  let main: CompiledSet?
  /// One for each occurrence; sorted by what they stand for.
  let overrides: [CompiledOverride]
  /// What the overrides stand for, in the home of the main component.
  let overridden: Set<Int>
  let idHome: Home?

  /// Makes a set.
  /// - Parameters:
  ///   - main: Nil where there are overrides alone.
  ///   - overrides: With a `recurrenceID` each; others are not looked at.
  ///   - zones: Finds what a TZID means.
  ///   - placement: Where floating times and dates are in the world.
  public init(
    main: Schedule?, overrides: [Schedule] = [], zones: ZoneResolver, placement: Zone = .utc
  ) {
    var problems: [Problem] = []
    let found = Self.zones(
      of: (main.map { [$0] } ?? []) + overrides, resolver: zones, problems: &problems)
    var notes: [ValueNote] = []
    let compiled = main.flatMap {
      CompiledSet($0, placement: placement, zones: found, notes: &notes)
    }
    if main != nil, compiled == nil { problems.append(.mainWithoutStart) }
    let idHome =
      compiled?.home
      ?? overrides.lazy.compactMap(\.recurrenceID).first
      .map { Home(of: $0, placement: placement, zones: found) }
    var kept: [Int: CompiledOverride] = [:]
    for (index, schedule) in overrides.enumerated() {
      guard let id = schedule.recurrenceID, let idHome else { continue }
      guard let start = schedule.effectiveStart else {
        problems.append(.overrideWithoutStart(index))
        continue
      }
      let override = Self.compile(
        schedule, index: index, id: compiled?.key(of: id) ?? idHome.key(of: id), idHome: idHome,
        start: start, notes: &notes)
      if let other = kept[override.id] {
        let isNewer = schedule.sequence >= overrides[other.index].sequence
        problems.append(.overriddenTwice(isNewer ? other.index : index))
        guard isNewer else { continue }
      }
      kept[override.id] = override
    }
    self.main = compiled
    self.idHome = idHome
    var sorted = kept.values.sorted { $0.id < $1.id }
    for index in sorted.indices.filter({ sorted[$0].isThisAndFuture }).dropFirst(Self.rangeLimit) {
      sorted[index].isThisAndFuture = false
      problems.append(.rangeLeftOut(sorted[index].index))
    }
    self.overrides = sorted
    overridden = Set(kept.keys)
    self.problems = problems + notes.map { .note($0) }
  }

  private static func compile(
    _ schedule: Schedule, index: Int, id: Int, idHome: Home, start: DateTime,
    notes: inout [ValueNote]
  ) -> CompiledOverride {
    let home = Home(of: start, placement: idHome.placement, zones: idHome.zones)
    let key = home.key(of: start)
    return CompiledOverride(
      index: index, id: id, home: home, start: key,
      extent: Extent(schedule, start: start, home: home, notes: &notes),
      isThisAndFuture: schedule.isThisAndFuture,
      shift: home.wall(ofKey: key) - idHome.wall(ofKey: id))
  }

  private static func zones(
    of schedules: [Schedule], resolver: ZoneResolver, problems: inout [Problem]
  ) -> [TimeZoneName: Zone] {
    var zones: [TimeZoneName: Zone] = [:]
    var asked: Set<TimeZoneName> = []
    for name in schedules.flatMap(\.zoneNames) where asked.insert(name).inserted {
      guard let (zone, origin) = resolver.zone(named: name) else {
        problems.append(.missingZone(name))
        continue
      }
      if origin != .tzdata { problems.append(.foundZone(name, origin)) }
      zones[name] = zone
    }
    return zones
  }

  /// The occurrences of a window in the order of their starts, computed as they are asked for.
  public func occurrences(in window: OccurrenceWindow) -> OccurrenceSequence {
    OccurrenceSequence(self, window: window)
  }

  /// Its occurrences have a recurrence identifier: something recurs, or there are overrides.
  public var isSeries: Bool { main?.isSeries == true || !overrides.isEmpty }
}

extension Schedule {
  fileprivate var zoneNames: [TimeZoneName] {
    var times = [start, recurrenceID].compactMap { $0 } + exclusions
    if case .end(let end) = ending { times.append(end) }
    for addition in additions {
      times.append(addition.start)
      if case .period(let period) = addition, case .end(let end) = period.extent {
        times.append(end)
      }
    }
    return times.compactMap(\.zone)
  }
}
