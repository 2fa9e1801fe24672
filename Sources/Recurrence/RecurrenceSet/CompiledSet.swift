import ICalendar

/// A main component whose zones are found and whose lists are sorted.
struct CompiledSet: Sendable {
  let schedule: Schedule
  let start: DateTime
  let home: Home
  let extent: Extent
  /// DTSTART and RDATE; sorted, each once.
  let listed: [StartStream.Start]
  let exclusions: Exclusions

  init?(
    _ schedule: Schedule, placement: Zone, zones: [TimeZoneName: Zone], notes: inout [ValueNote]
  ) {
    guard let start = schedule.effectiveStart else { return nil }
    self.schedule = schedule
    self.start = start
    let home = Home(of: start, placement: placement, zones: zones)
    self.home = home
    extent = Extent(schedule, start: start, home: home, notes: &notes)
    exclusions = Exclusions(schedule.exclusions, home: home)
    var starts = [StartStream.Start(key: home.key(of: start))]
    for addition in schedule.additions {
      if addition.start.isDate != start.isDate { notes.note(.typeMismatch) }
      var extent: Extent?
      if case .period(let period) = addition {
        extent =
          switch period.extent {
          case .end(let end): Extent(from: period.start, to: end, home: home)
          case .duration(let duration): Extent(duration, home: home)
          }
      }
      starts.append(
        .init(key: Self.key(of: addition.start, home: home, start: start), extent: extent))
    }
    // Of equal ones a period comes first, since its end is its own.
    starts.sort { ($0.key, $0.extent == nil ? 1 : 0) < ($1.key, $1.extent == nil ? 1 : 0) }
    var distinct: [StartStream.Start] = []
    for start in starts where distinct.last?.key != start.key { distinct.append(start) }
    listed = distinct
  }

  /// The key that a RECURRENCE-ID or RDATE names. A date among times is the time that DTSTART has.
  static func key(of time: DateTime, home: Home, start: DateTime) -> Int {
    guard time.isDate, !home.isDate else { return home.key(of: time) }
    return home.key(ofWall: time.civil.secondsSince1970 + start.civil.secondOfDay)
  }

  func key(of time: DateTime) -> Int { Self.key(of: time, home: home, start: start) }

  /// Something recurs, be it by overrides.
  var isSeries: Bool { !schedule.rules.isEmpty || !schedule.additions.isEmpty }

  /// The longest that an occurrence may be.
  var longest: Int { listed.reduce(extent.bound) { max($0, $1.extent?.bound ?? 0) } }
}

/// An override whose zones are found.
struct CompiledOverride: Sendable {
  /// Its index in the list that the set was made of.
  let index: Int
  /// The key, in the set's home, of the occurrence that it stands for.
  let id: Int
  let home: Home
  /// Its own start, as a key of its own home.
  let start: Int
  let extent: Extent
  var isThisAndFuture: Bool
  /// Its own wall minus the wall of the occurrence that it stands for.
  let shift: Int
}
