import ICalendar
import Recurrence

/// Changes one occurrence of a series: its override, or a new one. The main component keeps its
/// bytes.
func editThisOccurrence(
  _ series: Series, _ edit: EventEdit, at key: Int, now: UTCDateTime
) throws(EditError) -> LinkedChange {
  if edit.recurrence != nil { throw .notOfOneOccurrence(property: "RRULE") }
  for change in edit.properties {
    try change.check()
    if ["RDATE", "EXDATE", "EXRULE"].contains(change.name) {
      throw .notOfOneOccurrence(property: change.name)
    }
  }
  var series = series
  let original = series.tree.bytes
  let override: Component.ID
  if let index = series.set.override(of: key) {
    let member = series.overrides[index]
    // It would change later occurrences too.
    guard !member.schedule.isThisAndFuture else {
      throw .rangeOverride(series.name(ofKey: key))
    }
    override = member.id
  } else {
    override = try series.addOverride(at: key)
  }
  let revision = Revision(of: override, in: series.tree)
  guard let schedule = series.schedule(of: override) else { throw .brokenText }
  let times = OwnTimes(schedule)
  if edit.changesTimes {
    let new = try times.edited(
      edit, clock: series.clock, isOne: true, home: times.isInUTC ? series.zoneForm : nil)
    try series.tree.write(new, insteadOf: times, in: override)
  }
  var notes: [EditNote] = []
  for change in edit.properties {
    let replaced = try series.tree.apply(change, to: override)
    if replaced > 1 { notes.append(.linesReplaced(property: change.name, count: replaced)) }
  }
  guard revision.isChanged(in: series.tree) else { return LinkedChange(item: original) }
  try series.addZones(of: [override])
  try revision.finish(
    in: &series.tree, now: now, setByHand: Set(edit.properties.map(\.name)))
  return LinkedChange(item: series.tree.bytes, notes: notes)
}

extension Series {
  /// Adds an override that says what holds without it: a copy of the main component, or of the
  /// override that holds since an earlier occurrence.
  fileprivate mutating func addOverride(at key: Int) throws(EditError) -> Component.ID {
    let range = set.range(at: key)
    guard let model = range.map({ overrides[$0.index] }) ?? main, let view = tree[model.id],
      let calendar = view.parent
    else { throw .brokenText }
    let siblings = members.map(\.id).filter { tree[$0]?.parent?.id == calendar.id }
    let copy = try editing { () throws(EditRefusal) in
      try tree.insert(view, in: calendar.id, after: siblings.last)
    }
    for name in ["RRULE", "RDATE", "EXDATE", "EXRULE", "RECURRENCE-ID"] {
      try tree.removeAll(name, in: copy)
    }
    let id = try time(ofKey: key)
    let property = Property(
      name: Array("RECURRENCE-ID".utf8),
      parameters: id.parameters(keeping: main.flatMap { tree[$0.id]?.zoneParameters } ?? []),
      value: Array(id.value.utf8))
    try tree.setProperty(property, in: copy, after: "UID")
    let times = OwnTimes(model.schedule)
    try tree.write(
      try self.times(at: key, id: id, of: model, since: range?.key), insteadOf: times, in: copy)
    return copy
  }

  /// The times of an occurrence that has no override of its own.
  private func times(
    at key: Int, id: DateTime, of model: Member, since range: Int?
  ) throws(EditError) -> OwnTimes {
    var start = id
    if let range, let own = model.schedule.effectiveStart {
      start = try own.moved(like: try time(ofKey: range), to: id, clock: clock)
    }
    var times = try OwnTimes(model.schedule).at(start, clock: clock)
    if let extent = set.ownExtent(of: key), range == nil {
      let length: OwnLength =
        switch extent {
        case .exact(let seconds): .exact(seconds)
        case .nominal(let days, let seconds):
          start.isDate ? .days(days) : .nominal(CivilDuration(days: days, seconds: seconds))
        }
      times.ending = .end(try length.end(from: start, in: TimeForm(start), clock: clock))
    }
    return times
  }
}
