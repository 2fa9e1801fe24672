import ICalendar
import Recurrence

/// Changes an occurrence of a series and all later ones: the series ends before it, and what
/// follows becomes a series of its own, with a new UID, that the edit changes as a whole.
func editFutureOccurrences(
  _ series: Series, _ edit: EventEdit, at key: Int, context: EditContext
) throws(EditError) -> LinkedChange {
  guard let main = series.main else {
    var editor = SeriesEditor(series.from(key), edit, now: context.now, named: key)
    try editor.run()
    return LinkedChange(item: editor.series.tree.bytes, notes: editor.notes)
  }
  guard series.set.gives(key) else { throw .notSplittable(series.name(ofKey: key)) }
  guard series.startsBefore(key) else {
    var editor = SeriesEditor(series, edit, now: context.now, named: key)
    try editor.run()
    return LinkedChange(item: try editor.text(), notes: editor.notes)
  }
  var (later, named) = try series.laterSeries(from: key, context: context)
  let unchanged = later.tree.bytes
  var editor = SeriesEditor(later, edit, now: context.now, named: named)
  try editor.run()
  guard editor.series.tree.bytes != unchanged, let model = later.main else {
    return LinkedChange(item: series.tree.bytes)
  }
  let first = try editor.foldIntoOne(model.id)
  later = editor.series
  if let uid = series.uid { try later.tree.relate(first, to: uid) }
  try later.tree.markNew(first, now: context.now)
  var earlier = series
  try earlier.endSeries(main, before: key, now: context.now, sibling: context.newUID)
  return LinkedChange(
    item: earlier.tree.bytes,
    created: NewItem(uid: context.newUID, text: later.tree.bytes), notes: editor.notes)
}

extension Series {
  /// The part of the series from an occurrence on, with the UID of the context, and the key that
  /// this occurrence has there.
  fileprivate func laterSeries(
    from key: Int, context: EditContext
  ) throws(EditError) -> (series: Series, named: Int) {
    guard endsCleanly(before: key, context: context) else { throw .notSplittable(name(ofKey: key)) }
    for (start, listsRules) in laterStarts(from: key) {
      var later = try part(from: key, start: start, listsRules: listsRules, context: context)
      guard later.has(sameKeysAs: self, from: key) else { continue }
      guard let range = set.range(at: key) else { return (later, key) }
      let named = try later.fold(overrides[range.index], of: self, since: range.key, at: key)
      return (
        try Series(CalendarObject(SyntaxTree(bytes: later.tree.bytes)), context: context), named
      )
    }
    throw .notSplittable(name(ofKey: key))
  }

  /// The starts that the later part could have, best first: the occurrence itself as a rule gives
  /// it, or as an RDATE does; else the first occurrence of a rule, with RDATEs before it.
  private func laterStarts(from key: Int) -> [(start: DateTime, listsRules: Bool)] {
    guard let home = set.home, let main, let start = main.schedule.effectiveStart else { return [] }
    let walls = home.walls(ofKey: key)
    let given = walls.last { wall in main.schedule.rules.contains { $0.gives(wall, from: start) } }
    var starts = [given ?? walls.last ?? home.wall(ofKey: key)]
    if given == nil {
      starts += main.schedule.rules.compactMap { rule in
        var endless = rule
        (endless.count, endless.until) = (nil, nil)
        var found = RuleExpansion(
          endless, start: start, window: starts[0]...CivilDateTime.lastSecond)
        return found.next()
      }.sorted().prefix(1)
    }
    let times = starts.compactMap { CivilDateTime(secondsSince1970: $0).map(start.with) }
    return times.map { ($0, false) } + times.map { ($0, true) }
  }

  /// Occurrences compared around a split; a rule that goes wrong does so within some of them.
  private static let compared = 60

  private func has(sameKeysAs other: Series, from key: Int) -> Bool {
    let range = key...Int.max
    return set.keys(in: range, limit: Self.compared)
      == other.set.keys(in: range, limit: Self.compared)
  }

  /// What is left in front of a split is what was there.
  private func endsCleanly(before key: Int, context: EditContext) -> Bool {
    guard let main else { return false }
    var earlier = self
    do throws(EditError) {
      try earlier.endSeries(main, before: key, now: context.now)
    } catch { return false }
    guard let schedule = earlier.schedule(of: main.id) else { return false }
    let left = RecurrenceSet(
      main: schedule, zones: clock.resolver, placement: clock.placement)
    let days = (key - 7 * 86_400)...(key - 1)
    return left.firstKey(in: key...Int.max) == nil
      && left.keys(in: days, limit: Self.compared) == set.keys(in: days, limit: Self.compared)
  }

  /// The overrides from one on, where there is no main component.
  fileprivate func from(_ key: Int) -> Series {
    Series(self) { id in set.key(of: id).map { $0 >= key } ?? false }
  }
}

extension RecurrenceRule {
  /// The rule, without its end, gives a wall time.
  func gives(_ wall: Int, from start: DateTime, includesStart: Bool = true) -> Bool {
    var endless = self
    (endless.count, endless.until) = (nil, nil)
    var expansion = RuleExpansion(
      endless, start: start, window: wall...wall, includesStart: includesStart)
    return expansion.next() == wall
  }
}
