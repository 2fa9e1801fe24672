import ICalendar
import Recurrence

extension Series {
  /// The text from an occurrence on as an item of its own; what does not change in it keeps its
  /// bytes.
  /// - Parameter listsRules: Rules that do not give the start, and end, are written out as RDATEs
  ///   and EXDATEs.
  func part(
    from key: Int, start: DateTime, listsRules: Bool, context: EditContext
  ) throws(EditError) -> Series {
    guard let main, let oldStart = main.schedule.effectiveStart else { throw .brokenText }
    var later = self
    try later.removeOverrides { $0 < key }
    try later.removeStrangers()
    let times = OwnTimes(main.schedule)
    try later.tree.write(
      try times.at(start, clock: clock), insteadOf: times, in: main.id)
    for name in ["RRULE", "EXRULE"] {
      try later.writeRules(name, from: oldStart, to: start, listsRules: listsRules)
    }
    let (set, isDate) = (set, set.home?.isDate ?? false)
    let day = set.home.map { startOfDay($0.wall(ofKey: key)) } ?? key
    let startKey = set.key(of: start)
    try later.tree.filterTimes("EXDATE", in: main.id) { addition in
      if addition.start.isDate, !isDate { return addition.start.wall >= day }
      return set.key(of: addition.start).map { $0 >= key } ?? true
    }
    try later.tree.filterTimes("RDATE", in: main.id) { addition in
      let added = set.key(of: addition.start)
      if case .start = addition, added == startKey { return false }
      return added.map { $0 >= key } ?? true
    }
    let uid = Property(name: Array("UID".utf8), value: TextValue(bytes: context.newUID).escaped)
    for member in members where later.tree[member.id] != nil {
      try editing { () throws(EditRefusal) in try later.tree.set(uid, in: member.id) }
    }
    return try Series(CalendarObject(SyntaxTree(bytes: later.tree.bytes)), context: context)
  }

  /// Removes what is no part of the series: other components than its own and the time zones, and
  /// calendars that are empty then.
  private mutating func removeStrangers() throws(EditError) {
    let own = Set(members.map(\.id))
    for calendar in tree.calendars.map(\.id) {
      let components = tree[calendar]?.components ?? []
      let kept = components.filter { own.contains($0.id) }
      let strangers = components.filter { !own.contains($0.id) && !$0.isNamed("VTIMEZONE") }
        .map(\.id)
      try editing { () throws(EditRefusal) in
        if kept.isEmpty {
          try tree.remove(calendar)
        } else {
          for stranger in strangers { try tree.remove(stranger) }
        }
      }
    }
  }

  /// Writes what is left of each rule from a new start on; a rule of which nothing is left goes.
  private mutating func writeRules(
    _ name: String, from oldStart: DateTime, to start: DateTime, listsRules: Bool
  ) throws(EditError) {
    guard let main, let startKey = set.key(of: start) else { throw .brokenText }
    let isExclusion = name == "EXRULE"
    let rules = isExclusion ? main.schedule.exclusionRules : main.schedule.rules
    let lines = tree[main.id]?.lines(named: name).map(\.id) ?? []
    for (rule, line) in zip(rules, lines) {
      let rest =
        isExclusion
        ? rule.restOfExclusion(from: oldStart, to: start) : rule.rest(from: oldStart, to: start)
      let isOver = lastKey(of: rule).map { $0 < startKey } ?? false
      guard let rest, !isOver else {
        try editing { () throws(EditRefusal) in try tree.remove(line) }
        continue
      }
      if listsRules, let times = try listed(rule, isExclusion, from: oldStart, to: start) {
        try write(times, as: isExclusion ? "EXDATE" : "RDATE", insteadOf: line, in: main.id)
        continue
      }
      guard var property = tree[line]?.property else { throw .brokenText }
      var text = RuleText(property.value)
      text.change(from: rule, to: rest)
      guard text.value != property.value else { continue }
      property.value = text.value
      let changed = property
      try editing { () throws(EditRefusal) in try tree.replace(line, with: changed) }
    }
  }
}

extension Series {
  /// So many dates are written out for a rule that cannot start where it is cut: a line that a
  /// person can still look through.
  private static let listLimit = 500

  /// What is left of a rule behind a start that it does not give; nil for one that gives it, or
  /// that goes on too long.
  private func listed(
    _ rule: RecurrenceRule, _ isExclusion: Bool, from oldStart: DateTime, to start: DateTime
  ) throws(EditError) -> [DateTime]? {
    guard let home = set.home, let startKey = set.key(of: start),
      !rule.gives(start.wall, from: oldStart, includesStart: !isExclusion)
    else { return nil }
    let last = lastKey(of: rule) ?? Int.max
    var endless = rule
    endless.until = nil
    let walls = RuleExpansion(
      endless, start: oldStart, window: start.wall...CivilDateTime.lastSecond,
      includesStart: !isExclusion)
    var times: [DateTime] = []
    for wall in walls {
      let key = home.key(ofWall: wall)
      guard key <= last else { break }
      guard times.count < Self.listLimit else { return nil }
      if key != startKey { times.append(try time(ofKey: key)) }
    }
    return times
  }

  private mutating func write(
    _ times: [DateTime], as name: String, insteadOf line: ContentLine.ID, in main: Component.ID
  ) throws(EditError) {
    let zone = tree[main]?.zoneParameters ?? []
    let value = times.map(\.value).joined(separator: ",")
    let property = times.first.map {
      Property(
        name: Array(name.utf8), parameters: $0.parameters(keeping: zone), value: Array(value.utf8))
    }
    try editing { () throws(EditRefusal) in
      if let property { try tree.replace(line, with: property) } else { try tree.remove(line) }
    }
  }
}

extension RecurrenceRule {
  /// The rule from a later start on: COUNT is what is left of it, and what the old start gave it is
  /// written out where the new one would give it something else. Nil where nothing is left.
  fileprivate func rest(from old: DateTime, to start: DateTime) -> RecurrenceRule? {
    var rest = self
    let isGiven = gives(start.wall, from: old)
    if let count, let passed = RuleExpansion.counted(of: self, start: old, before: start.civil) {
      guard passed < count else { return nil }
      // The start counts, whether or not the rule gives it.
      rest.count = count - passed + (isGiven ? 0 : 1)
    }
    if !isGiven { rest.writeOut(old.civil, for: start.civil, isDate: start.isDate) }
    return rest
  }

  /// The same for EXRULE, where the start counts only if the rule gives it.
  fileprivate func restOfExclusion(from old: DateTime, to start: DateTime) -> RecurrenceRule? {
    var rest = self
    if let count, let passed = RuleExpansion.counted(of: self, start: old, before: start.civil) {
      let isOldGiven = gives(old.wall, from: old, includesStart: false)
      let used = passed - (isOldGiven || passed == 0 ? 0 : 1)
      guard used < count else { return nil }
      rest.count = count - used
    }
    if !gives(start.wall, from: old, includesStart: false) {
      rest.writeOut(old.civil, for: start.civil, isDate: start.isDate)
    }
    return rest
  }

  private mutating func writeOut(_ old: CivilDateTime, for new: CivilDateTime, isDate: Bool) {
    writeOutDays(old.date, for: new.date)
    if !isDate { writeOutClock(old, for: new) }
  }
}

extension RecurrenceRule {
  /// Writes out the days that a start gives the rule (RFC 5545 §3.3.10) where another would give it
  /// other ones.
  mutating func writeOutDays(_ old: CivilDate, for new: CivilDate) {
    let hasDays = !byMonthDay.isEmpty || !byYearDay.isEmpty || !byDay.isEmpty
    switch frequency {
    case .weekly where byDay.isEmpty && old.weekday != new.weekday:
      byDay = [.init(nil, old.weekday)]
    case .monthly where !hasDays && byWeekNumber.isEmpty && old.day != new.day:
      byMonthDay = [old.day]
    case .yearly where !byWeekNumber.isEmpty:
      if !hasDays, old.weekday != new.weekday { byDay = [.init(nil, old.weekday)] }
    case .yearly where byYearDay.isEmpty && byDay.isEmpty:
      let isOtherMonth = byMonth.isEmpty && old.month != new.month
      if byMonthDay.isEmpty, isOtherMonth || old.day != new.day {
        byMonthDay = [old.day]
        // Some programs read the day alone as one of each month.
        if byMonth.isEmpty { byMonth = [old.month] }
      }
      if isOtherMonth { byMonth = [old.month] }
    default: break
    }
  }

  /// The same for the times of day.
  mutating func writeOutClock(_ old: CivilDateTime, for new: CivilDateTime) {
    if frequency >= .daily, byHour.isEmpty, old.hour != new.hour { byHour = [old.hour] }
    if frequency >= .hourly, byMinute.isEmpty, old.minute != new.minute {
      byMinute = [old.minute]
    }
    if frequency >= .minutely, bySecond.isEmpty, old.second != new.second {
      bySecond = [old.second]
    }
  }
}
