import ICalendar

/// Looks at the times of one series: a main component and its overrides.
struct SeriesCheck {
  let main: ItemComponent?
  let overrides: [ItemComponent]
  let zones: ZoneResolver

  /// So many EXDATEs and overrides of a series are looked for in it; each costs a search.
  private static let searches = 1000

  /// The series of an object; a component without a UID is one of its own.
  static func all(in object: CalendarObject, catalog: ZoneCatalog) -> [SeriesCheck] {
    let zones = ZonesOfText(object.tree, catalog: catalog)
    var order: [[UInt8]] = []
    var groups: [[UInt8]: [ItemComponent]] = [:]
    var alone: [SeriesCheck] = []
    for item in object.components where ["VEVENT", "VTODO", "VJOURNAL"].contains(item.kind) {
      guard let uid = item.uid else {
        alone.append(SeriesCheck([item], zones: zones))
        continue
      }
      if groups[uid] == nil { order.append(uid) }
      groups[uid, default: []].append(item)
    }
    return order.map { SeriesCheck(groups[$0] ?? [], zones: zones) } + alone
  }

  private init(_ items: [ItemComponent], zones: ZonesOfText) {
    main = items.first { !$0.isOverride }
    overrides = items.filter(\.isOverride)
    self.zones = zones.resolver(for: (main ?? items.first)?.component)
  }

  func run() -> [CheckFinding] {
    var findings: [CheckFinding] = []
    var read: [ScheduleFinding] = []
    let schedule = main.map { Schedule.read($0, findings: &read) }
    if let main, let schedule {
      findings += CheckFinding.all(read, in: main.component)
      findings += ScheduleCheck(item: main, schedule: schedule, zones: zones).run()
    }
    let isReadable = !read.contains { if case .unreadable = $0.kind { true } else { false } }
    var schedules: [Schedule] = []
    for override in overrides {
      var read: [ScheduleFinding] = []
      let one = Schedule.read(override, findings: &read)
      schedules.append(one)
      findings += CheckFinding.all(read, in: override.component)
      findings += ScheduleCheck(item: override, schedule: one, zones: zones).run()
      guard findings.count <= CheckFinding.limit else { return findings }
    }
    findings += twice(schedules, main: schedule)
    if let schedule, let main {
      // A rule that cannot be read has no occurrences to compare with.
      if isReadable { findings += compare(schedules, with: schedule, main) }
    } else if let first = overrides.first {
      findings.append(CheckFinding(.overrideAlone, at: place(of: first)))
    }
    return findings
  }

  private func place(of override: ItemComponent) -> TextPosition {
    override.recurrenceID?.position() ?? override.component.position
  }

  /// Overrides of an occurrence that another one stands for, too.
  private func twice(_ schedules: [Schedule], main: Schedule?) -> [CheckFinding] {
    let set = RecurrenceSet(main: main, overrides: schedules, zones: zones)
    return set.problems.compactMap { problem in
      guard case .overriddenTwice(let index) = problem, overrides.indices.contains(index) else {
        return nil
      }
      return CheckFinding(.overrideTwice, at: place(of: overrides[index]))
    }
  }

  /// Overrides and EXDATEs that stand for no occurrence of the series.
  private func compare(_ schedules: [Schedule], with schedule: Schedule, _ main: ItemComponent)
    -> [CheckFinding]
  {
    guard let start = schedule.effectiveStart else { return [] }
    let finder = OccurrenceFinder(schedule, zones: zones)
    var findings: [CheckFinding] = []
    for (item, override) in zip(overrides, schedules).prefix(Self.searches) {
      guard let id = override.recurrenceID else { continue }
      if id.isDate != start.isDate {
        findings.append(CheckFinding(.startType, at: place(of: item)))
      }
      if !finder.has(id) { findings.append(CheckFinding(.overrideOutside, at: place(of: item))) }
    }
    var left = Self.searches
    for line in main.component.lines where line.isNamed("EXDATE") || line.isNamed("RDATE") {
      var notes: [ScheduleFinding] = []
      let times = Schedule.times(of: line, kind: main.kind, findings: &notes)
      if times.contains(where: { $0.isDate != start.isDate }) {
        findings.append(CheckFinding(.startType, at: line.position()))
      }
      guard line.isNamed("EXDATE") else { continue }
      for time in times.prefix(left) where !finder.has(time) {
        findings.append(CheckFinding(.idleExclusion, at: line.position()))
        break
      }
      left = max(0, left - times.count)
    }
    return findings
  }
}

/// Tells whether a series has an occurrence of an original start, EXDATE aside.
private struct OccurrenceFinder {
  private let schedule: Schedule
  private let set: RecurrenceSet
  private let zones: ZoneResolver

  init(_ schedule: Schedule, zones: ZoneResolver) {
    var all = schedule
    all.exclusions = []
    // Starts alone are looked for: how many long occurrences overlap one has no bound.
    all.start = schedule.effectiveStart
    all.ending = .none
    all.additions = schedule.additions.map { .start($0.start) }
    self.schedule = all
    self.zones = zones
    set = RecurrenceSet(main: all, zones: zones)
  }

  func has(_ time: DateTime) -> Bool {
    guard let main = set.main else { return true }
    // Names of other zones than the main component's are found with a set of their own.
    var override = Schedule(start: time)
    override.recurrenceID = time
    let probe = RecurrenceSet(main: schedule, overrides: [override], zones: zones)
    guard let id = probe.overrides.first?.id else { return true }
    if time.isDate, !main.home.isDate { return hasDay(time, main) }
    let instant = main.home.zone == nil ? main.home.placement.instant(of: id) : id
    return set.occurrences(in: OccurrenceWindow(from: instant, to: instant + 1))
      .contains { $0.start.instant == instant }
  }

  private func hasDay(_ day: DateTime, _ main: CompiledSet) -> Bool {
    let wall = day.civil.secondsSince1970
    let from = main.home.key(ofWall: wall)
    let instant = main.home.zone == nil ? main.home.placement.instant(of: wall) : from
    return set.occurrences(in: OccurrenceWindow(from: instant - 86_400, to: instant + 2 * 86_400))
      .contains { Gregorian.floorDivide($0.start.wall, 86_400) == day.civil.date.daysSince1970 }
  }
}
