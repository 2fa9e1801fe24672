import ICalendar
import Recurrence

/// Deletes one occurrence: an EXDATE, and its override goes. One that is outside of the recurrence
/// set, or has no main component, is its override alone.
func deleteThisOccurrence(
  _ series: Series, at key: Int, now: UTCDateTime
) throws(EditError) -> LinkedChange {
  var series = series
  var notes: [EditNote] = []
  let isGiven = series.set.gives(key)
  for member in series.overrides {
    guard let id = member.schedule.recurrenceID, series.set.key(of: id) == key else { continue }
    if member.schedule.isThisAndFuture, isGiven {
      notes.append(.rangeKept(series.name(ofKey: key)))
      continue
    }
    try editing { () throws(EditRefusal) in try series.tree.remove(member.id) }
  }
  if isGiven, let main = series.main {
    let revision = Revision(of: main.id, in: series.tree)
    try series.tree.addExclusion(try series.time(ofKey: key), in: main.id)
    try revision.finish(in: &series.tree, now: now)
  }
  return try series.changeUnlessEmpty(notes)
}

/// Deletes an occurrence and all later ones: the series ends before it.
func deleteFutureOccurrences(
  _ series: Series, at key: Int, now: UTCDateTime
) throws(EditError) -> LinkedChange {
  var series = series
  guard let main = series.main else {
    try series.removeOverrides { $0 >= key }
    return try series.changeUnlessEmpty([])
  }
  guard series.startsBefore(key) else { return LinkedChange(item: nil) }
  try series.endSeries(main, before: key, now: now)
  return try series.changeUnlessEmpty([])
}

extension Series {
  /// Removes overrides by what they stand for.
  mutating func removeOverrides(where matches: (Int) -> Bool) throws(EditError) {
    for member in overrides {
      guard let id = member.schedule.recurrenceID, let key = set.key(of: id), matches(key) else {
        continue
      }
      try editing { () throws(EditRefusal) in try tree.remove(member.id) }
    }
  }

  /// The set has an occurrence before a key.
  func startsBefore(_ key: Int) -> Bool { set.firstKey(in: Int.min...(key - 1)) != nil }

  /// The new text, or none where no occurrence is left.
  func changeUnlessEmpty(_ notes: [EditNote]) throws(EditError) -> LinkedChange {
    let schedules = members.filter { tree[$0.id] != nil }
      .map { (isMain: $0.id == main?.id, schedule: schedule(of: $0.id) ?? $0.schedule) }
    let left = RecurrenceSet(
      main: schedules.first(where: \.isMain)?.schedule,
      overrides: schedules.filter { !$0.isMain }.map(\.schedule), zones: clock.resolver,
      placement: clock.placement)
    var occurrences = left.occurrences(in: .all)
    guard occurrences.next() != nil else {
      return LinkedChange(item: nil, notes: notes + [.nothingLeft])
    }
    return LinkedChange(item: tree.bytes, notes: notes)
  }
}
