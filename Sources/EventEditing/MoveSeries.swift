import ICalendar
import Recurrence

extension SeriesEditor {
  /// Lets rules, EXDATEs, RDATEs and overrides follow a new start of the main component.
  /// - Parameter movesOverrides: False where only what overrides stand for moves.
  @discardableResult
  mutating func moveSeries(
    _ main: Series.Member, from old: DateTime, to new: DateTime, movesOverrides: Bool = true
  ) throws(EditError) -> SeriesMove {
    if let line = series.unreadable, edit.recurrence == nil || line.property != "RRULE" {
      throw .unmovable(property: line.property, line: line.line, reason: line.reason)
    }
    let rules = edit.recurrence == nil ? main.schedule.rules : []
    let move = try SeriesMove(
      from: old, to: new, followers: rules, exclusions: main.schedule.exclusionRules,
      clock: series.clock)
    try moveRules(rules, "RRULE", firstIndex: 0, of: main, move)
    try moveRules(
      main.schedule.exclusionRules, "EXRULE", firstIndex: rules.count, of: main, move)
    try moveLists(of: main, move)
    for index in rules.indices {
      guard let wall = move.oldStartAgain(by: index),
        let civil = CivilDateTime(secondsSince1970: wall)
      else { continue }
      try series.tree.addExclusion(new.with(civil), in: main.id)
      break
    }
    for member in series.overrides {
      try moveOverride(member, move, movesTimes: movesOverrides && !isNamed(member))
    }
    return move
  }

  private mutating func moveRules(
    _ rules: [RecurrenceRule], _ name: String, firstIndex: Int, of main: Series.Member,
    _ move: SeriesMove
  ) throws(EditError) {
    let lines = series.tree[main.id]?.lines(named: name).map(\.id) ?? []
    for ((index, rule), line) in zip(rules.enumerated(), lines) {
      let place = firstIndex + index
      let moved = move.end(of: rule, at: place)
      guard var property = series.tree[line]?.property else { throw .brokenText }
      var text = RuleText(property.value)
      text.change(from: rule, to: moved)
      let oldValue = property.value
      property.value = text.value
      if property.value != oldValue {
        let changed = property
        try editing { () throws(EditRefusal) in try series.tree.replace(line, with: changed) }
      }
      if move.rules[place].fit.isKept {
        notes.append(
          name == "EXRULE"
            ? .exclusionRuleKept(oldValue)
            : .ruleKept(oldValue, withTimes: move.rules[place].fit == .kept))
      } else if move.rules[place].old != move.rules[place].new {
        notes.append(.ruleChanged(from: oldValue, to: text.value))
      }
      if name == "RRULE" { noteDifference(move, of: rule, after: moved, at: place) }
    }
  }

  /// Says which occurrences the moved rule lost, and which it has beyond them.
  private mutating func noteDifference(
    _ move: SeriesMove, of rule: RecurrenceRule, after moved: RecurrenceRule, at place: Int
  ) {
    let difference = move.difference(of: rule, after: moved, at: place)
    let lost = difference.lost.map { move.oldHome.key(ofWall: $0) }.filter { series.set.gives($0) }
    if !lost.isEmpty { notes.append(.occurrencesLost(lost.map { series.name(ofKey: $0) })) }
    let added = difference.added.map { move.name(ofNewWall: $0) }
    if !added.isEmpty { notes.append(.occurrencesAdded(added)) }
  }

  private mutating func moveLists(
    of main: Series.Member, _ move: SeriesMove
  ) throws(EditError) {
    let (set, clock) = (series.set, series.clock)
    var unmatched: [Int] = []
    var ends: [Int] = []
    try series.tree.mapTimes("EXDATE", in: main.id) { addition throws(EditError) in
      let time = addition.start
      if time.isDate, !move.old.isDate {
        let day = time.civil.date.daysSince1970 + move.shift.days
        return .start(try clock.time(day * 86_400, in: .allDay))
      }
      guard let key = set.key(of: time) else { return addition }
      let (wall, isMatched) = move.target(ofKey: key)
      if !isMatched { unmatched.append(key) }
      return .start(try move.time(ofWall: wall))
    }
    try series.tree.mapTimes("RDATE", in: main.id) { addition throws(EditError) in
      guard let key = set.key(of: addition.start) else { return addition }
      let moved = try move.time(ofWall: move.target(ofKey: key).wall)
      guard case .period(let period) = addition else { return .start(moved) }
      guard !moved.isDate else {
        ends.append(key)
        return .start(moved)
      }
      guard case .end(let end) = period.extent else {
        return .period(Period(start: moved, extent: period.extent))
      }
      let seconds = move.oldHome.key(of: end) - move.oldHome.key(of: period.start)
      let newEnd = try OwnLength.exact(seconds).end(
        from: moved, in: TimeForm(moved), clock: clock)
      return .period(Period(start: moved, extent: .end(newEnd)))
    }
    notes += unmatched.map { .exceptionUnmatched(series.name(ofKey: $0)) }
    notes += ends.map { .endDropped(series.name(ofKey: $0)) }
  }

  private mutating func moveOverride(
    _ member: Series.Member, _ move: SeriesMove, movesTimes: Bool
  ) throws(EditError) {
    guard let id = member.schedule.recurrenceID, let key = series.set.key(of: id) else { return }
    let (wall, isMatched) = move.target(ofKey: key)
    let moved = try move.time(ofWall: wall)
    if !isMatched { notes.append(.exceptionUnmatched(series.name(ofKey: key))) }
    try series.tree.setTime("RECURRENCE-ID", moved, in: member.id, after: "UID")
    let times = OwnTimes(member.schedule)
    guard movesTimes, let start = times.effectiveStart,
      let old = CivilDateTime(secondsSince1970: move.wall(ofKey: key)),
      let new = CivilDateTime(secondsSince1970: wall)
    else { return }
    let newStart = try start.moved(
      like: move.old.with(old), to: move.new.with(new), clock: series.clock)
    let changed = try times.at(newStart, clock: series.clock)
    try series.tree.write(changed, insteadOf: times, in: member.id)
  }
}
