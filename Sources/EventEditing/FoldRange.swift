import ICalendar
import Recurrence

extension Series {
  /// Makes an override that holds since before the split (RANGE=THISANDFUTURE) the main component
  /// of this later part, so that no RANGE has to be written for it.
  ///
  /// Its shift becomes that of the series, so what overrides and EXDATEs stand for moves, and what
  /// they say does not. Gives the key that the first occurrence has then.
  mutating func fold(
    _ range: Member, of whole: Series, since rangeKey: Int, at key: Int
  ) throws(EditError) -> Int {
    guard let main, let view = whole.tree[range.id], let old = main.schedule.effectiveStart,
      let own = range.schedule.effectiveStart, let calendar = tree[main.id]?.parent?.id,
      let uid = tree[main.id]?.line(named: "UID")?.property
    else { throw .brokenText }
    let start = try own.moved(
      like: try whole.time(ofKey: rangeKey), to: old, clock: clock)
    // The series' own lines move first: they know the start that they belong to.
    var editor = SeriesEditor(self, EventEdit(), now: nil)
    let move = try editor.moveSeries(main, from: old, to: start, movesOverrides: false)
    guard move.rules.allSatisfy({ $0.fit == .uniform }) else {
      throw .notSplittable(whole.name(ofKey: key))
    }
    tree = editor.series.tree
    let copy = try editing { () throws(EditRefusal) in
      try tree.insert(view, in: calendar, after: main.id)
    }
    let schedule = ["RRULE", "EXRULE", "RDATE", "EXDATE"]
    for name in schedule + ["RECURRENCE-ID"] { try tree.removeAll(name, in: copy) }
    let times = OwnTimes(range.schedule)
    try tree.write(try times.at(start, clock: clock), insteadOf: times, in: copy)
    var lines = schedule.flatMap { tree[main.id]?.lines(named: $0).compactMap(\.property) ?? [] }
    lines += tree[main.id]?.lines(named: "RELATED-TO").compactMap(\.property) ?? []
    try tree.removeAll("RELATED-TO", in: copy)
    let added = lines
    try editing { () throws(EditRefusal) in
      try tree.set(uid, in: copy)
      for line in added { try tree.insert(line, in: copy) }
      try tree.remove(main.id)
    }
    return move.newHome.key(of: start)
  }
}
