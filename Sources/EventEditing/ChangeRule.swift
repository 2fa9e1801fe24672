import ICalendar
import Recurrence

extension SeriesEditor {
  /// Writes the rule that an edit gives, literally, in the place of all others.
  mutating func changeRule(of main: Series.Member) throws(EditError) {
    switch edit.recurrence {
    case nil: return
    case .removed: try series.tree.removeAll("RRULE", in: main.id)
    case .rule(let value):
      notes += try checkRule(
        value, from: series.schedule(of: main.id)?.effectiveStart, series.clock)
      let lines = series.tree[main.id]?.lines(named: "RRULE").count ?? 0
      if lines > 1 { notes.append(.linesReplaced(property: "RRULE", count: lines)) }
      let place = ["DTEND", "DUE", "DURATION"].first {
        series.tree[main.id]?.line(named: $0) != nil
      }
      let property = Property(name: Array("RRULE".utf8), value: value)
      try series.tree.setProperty(property, in: main.id, after: place ?? "DTSTART")
    }
  }

  /// Removes overrides and EXDATEs of occurrences that the new rule does not give, and says so.
  /// What was outside of the series before stays.
  mutating func dropWhatIsNotGiven() throws(EditError) {
    guard let main = series.main else { return }
    guard var schedule = series.schedule(of: main.id) else { throw .brokenText }
    let isSingle = schedule.rules.isEmpty && schedule.additions.isEmpty
    schedule.exclusions = []
    if isSingle { schedule.exclusionRules = [] }
    let new = RecurrenceSet(
      main: schedule, zones: series.clock.resolver, placement: series.clock.placement)
    var old = main.schedule
    old.exclusions = []
    let oldSet = RecurrenceSet(
      main: old, zones: series.clock.resolver, placement: series.clock.placement)
    for member in series.overrides {
      guard let oldID = member.schedule.recurrenceID, let oldKey = oldSet.key(of: oldID),
        let id = series.schedule(of: member.id)?.recurrenceID, let key = new.key(of: id)
      else { continue }
      if isSingle, new.gives(key) {
        left = member.id
        continue
      }
      guard isSingle || (oldSet.gives(oldKey) && !new.gives(key)) else { continue }
      try editing { () throws(EditRefusal) in try series.tree.remove(member.id) }
      notes.append(.overrideDropped(series.name(ofKey: oldKey)))
    }
    try dropExclusions(of: main, isSingle: isSingle, new: new)
    if isSingle { try series.tree.removeAll("EXRULE", in: main.id) }
  }

  private mutating func dropExclusions(
    of main: Series.Member, isSingle: Bool, new: RecurrenceSet
  ) throws(EditError) {
    var dropped: [EditNote] = []
    try series.tree.filterTimes("EXDATE", in: main.id) { addition in
      let time = addition.start
      guard let home = new.home, let key = new.key(of: time) else { return true }
      let isDay = time.isDate && !home.isDate
      let day = time.wall
      let isGiven =
        isDay
        ? new.firstKey(in: home.key(ofWall: day)...home.key(ofWall: day + 86_399)) != nil
        : new.gives(key)
      guard isSingle || !isGiven else { return true }
      let wall = home.wall(ofKey: key)
      dropped.append(
        .exclusionDropped(
          Clock.name(
            wall: isDay ? day : wall, offset: home.zone == nil ? nil : wall - key,
            isDate: isDay || home.isDate)))
      return false
    }
    notes += dropped
  }
}

extension SeriesEditor {
  /// Makes the override of the one occurrence that is left without a rule the event itself; gives
  /// the component that is the event then.
  mutating func foldIntoOne(_ main: Component.ID) throws(EditError) -> Component.ID {
    guard let left else { return main }
    let revisions = [main, left].compactMap { series.tree[$0].map(ItemComponent.init)?.sequence }
    try series.tree.removeAll("RECURRENCE-ID", in: left)
    if let now {
      try series.tree.setProperty(Property("DTSTAMP", value: now.value), in: left, after: "UID")
      try series.tree.setProperty(
        Property("LAST-MODIFIED", value: now.value), in: left, after: "DTSTAMP")
    }
    if let last = revisions.max() {
      try series.tree.setProperty(
        Property("SEQUENCE", value: String(last)), in: left, after: "LAST-MODIFIED")
    }
    try editing { () throws(EditRefusal) in try series.tree.remove(main) }
    return left
  }
}

/// Refuses a rule that cannot be read, or cannot be that of what starts then; gives what is to be
/// said of one that is taken as it stands, although RFC 5545 does not allow it so.
func checkRule(
  _ value: [UInt8], from start: DateTime?, _ clock: Clock
) throws(EditError) -> [EditNote] {
  var notes: [ValueNote] = []
  guard !value.contains(where: { $0 < 0x20 }) else {
    throw .badRule(reason: "it has a control character")
  }
  let rule: RecurrenceRule
  do { rule = try RecurrenceRule.read(value, notes: &notes) } catch {
    throw .badRule(reason: error.description)
  }
  guard let start else { throw .ruleWithoutStart }
  guard !start.isDate || rule.isOncePerDay else { throw .allDaySubDaily }
  var found: [EditNote] = []
  if let until = rule.until, let right = clock.until(until, from: start) {
    found.append(.untilType(until.value, right: right.value))
  }
  if case .never? = rule.first(from: start) { found.append(.ruleNeverMatches) }
  return found
}

extension Clock {
  /// An UNTIL in the type that it has to have; nil where it has that. A day ends with what starts
  /// on it at the time of the start.
  fileprivate func until(_ until: DateTime, from start: DateTime) -> DateTime? {
    guard !until.fits(asUntilFrom: start) else { return nil }
    let wall = until.wall + (until.isDate ? start.civil.secondOfDay : 0)
    guard let civil = CivilDateTime(secondsSince1970: wall) else { return nil }
    switch start {
    case .date: return .date(civil.date)
    case .floating: return .floating(civil)
    case .utc, .zoned:
      return CivilDateTime(secondsSince1970: home(of: start).key(ofWall: wall)).map { .utc($0) }
    }
  }
}

extension RecurrenceRule {
  /// It gives one occurrence a day at most, and so can be that of whole days.
  var isOncePerDay: Bool {
    frequency >= .daily && [byHour, byMinute, bySecond].allSatisfy { $0.count <= 1 }
  }
}
