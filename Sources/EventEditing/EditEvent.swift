public import ICalendar
import Recurrence

/// Changes one occurrence of an item, that and the later ones, or all.
///
/// - Parameters:
///   - object: The components of one UID.
///   - edit: What is to change; an empty one changes nothing.
///   - span: Does not matter for an item that does not recur.
///   - occurrence: The original start of the occurrence that is meant. Needed for `.thisEvent` and
///     `.futureEvents` where something recurs; where it is given, it must exist.
///   - context: The time, the user's zone, and a UID for a new series.
/// - Returns: The item's new text, and for a split the new series beside it.
public func editEvent(
  _ object: CalendarObject, _ edit: EventEdit, span: Span, occurrence: GivenTime? = nil,
  context: EditContext
) throws(EditError) -> LinkedChange {
  let series = try Series(object, context: context)
  let key = try series.key(of: occurrence, for: span)
  guard !edit.isEmpty else { return LinkedChange(item: object.tree.bytes) }
  var change: LinkedChange
  switch (series.recurs ? span : .allEvents, key) {
  case (.thisEvent, let key?):
    change = try editThisOccurrence(series, edit, at: key, now: context.now)
  case (.futureEvents, let key?):
    change = try editFutureOccurrences(series, edit, at: key, context: context)
  case (.thisEvent, nil), (.futureEvents, nil): throw .occurrenceNeeded
  case (.allEvents, _):
    var editor = SeriesEditor(series, edit, now: context.now)
    try editor.run()
    change = LinkedChange(item: try editor.text(), notes: editor.notes)
    if let key, let first = series.firstKey, key != first, edit.givesDay {
      change.notes.append(.startOfAll(series.name(ofKey: first), not: series.name(ofKey: key)))
    }
  }
  if edit.start != nil { change.notes += alarmsLeftBehind(by: change, of: object) }
  if edit.changesTimes || change.created != nil {
    change.notes += series.missingZones.map { .missingZone($0.text) }
  }
  return change
}

/// Deletes one occurrence of an item, that and the later ones, or all.
///
/// - Parameters:
///   - object: The components of one UID.
///   - span: Does not matter for an item that does not recur.
///   - occurrence: As for `editEvent(_:_:span:occurrence:context:)`.
///   - context: The time, and the user's zone.
/// - Returns: The item's new text, or none where nothing is left of it.
public func deleteEvent(
  _ object: CalendarObject, span: Span, occurrence: GivenTime? = nil, context: EditContext
) throws(EditError) -> LinkedChange {
  let series = try Series(object, context: context)
  let key = try series.key(of: occurrence, for: span)
  switch (series.recurs ? span : .allEvents, key) {
  case (.thisEvent, let key?):
    return try deleteThisOccurrence(series, at: key, now: context.now)
  case (.futureEvents, let key?):
    return try deleteFutureOccurrences(series, at: key, now: context.now)
  case (.thisEvent, nil), (.futureEvents, nil): throw .occurrenceNeeded
  case (.allEvents, _): return LinkedChange(item: nil)
  }
}

/// Whether an item recurs, so that an edit needs a span: it has a rule, an RDATE or an override.
public func isSeries(_ object: CalendarObject) -> Bool {
  object.components.contains { item in
    item.isOverride || ["RRULE", "RDATE"].contains { item.component.line(named: $0) != nil }
  }
}

extension EventEdit {
  /// A start is given with its day, and not the time of day alone.
  fileprivate var givesDay: Bool { start != nil && !startsOnItsDay }
}

extension Series {
  /// The occurrence that the main component is; nil where there is none.
  fileprivate var firstKey: Int? { main?.schedule.effectiveStart.flatMap(set.key(of:)) }

  /// The occurrence that an edit is made on. Where a line about time cannot be read, no occurrence
  /// can be told from another.
  fileprivate func key(of occurrence: GivenTime?, for span: Span) throws(EditError) -> Int? {
    if recurs, span != .allEvents { try checkReadable() }
    return try occurrence.map { name throws(EditError) in try key(of: name) }
  }
}
