public import ICalendar

/// Changes one occurrence of an item, that and the later ones, or all.
///
/// - Parameters:
///   - object: The components of one UID.
///   - span: Changes nothing for an item that does not recur.
///   - occurrence: The original start of the occurrence that is meant. Needed for
///     `.thisEvent` and `.futureEvents` where something recurs; where it is given, it must exist.
/// - Returns: The item's new text, and for a split the new series beside it.
public func editEvent(
  _ object: CalendarObject, _ edit: EventEdit, span: Span, occurrence: GivenTime? = nil,
  context: EditContext
) throws(EditError) -> LinkedChange {
  throw .noItem
}

/// Deletes one occurrence of an item, that and the later ones, or all.
///
/// - Parameters: Those of `editEvent(_:_:span:occurrence:context:)`.
/// - Returns: The item's new text, or none where nothing is left of it.
public func deleteEvent(
  _ object: CalendarObject, span: Span, occurrence: GivenTime? = nil, context: EditContext
) throws(EditError) -> LinkedChange {
  throw .noItem
}

/// Whether an item recurs, so that an edit needs a span: it has a rule, an RDATE or an override.
public func isSeries(_ object: CalendarObject) -> Bool {
  object.components.contains { item in
    item.isOverride
      || ["RRULE", "RDATE"].contains { item.component.line(named: $0) != nil }
  }
}
