import EventEditing
import ICalendar
import SyncModel

extension EventStore {
  /// Writes a new event, or what was changed in one since it was read.
  ///
  /// Properties that were not changed stay as they are in the calendar. A change of `rule` needs
  /// the span `futureEvents`, since a rule belongs to a series.
  /// - Parameters:
  ///   - event: A new one, or one that this store gave.
  ///   - span: Does not matter for an event that does not recur, and for a new one.
  ///   - commit: False stages the change for a later `commit()`; true writes it now, with all that
  ///     is staged.
  /// - Returns: The event as it then is. A split gives it another UID, a new start of a series
  ///   another occurrence; go on with this one.
  /// - Throws: `changedMeanwhile` where others changed the item since the event was read, or
  ///   removed it: unlike with EventKit it is not made anew; `refused` where the edit cannot be;
  ///   `notWritten`, and then this change is not staged either; `notFound`, `readOnly`,
  ///   `unknownCalendar`, `badReminder`, `storage`.
  @discardableResult
  public func save(
    _ event: CalendarEvent, span: EventSpan = .thisEvent, commit: Bool = true
  ) async throws(EventStoreError) -> CalendarEvent {
    await takeTurn()
    defer { endTurn() }
    try await load([event.calendar.id])
    let before = staged
    let saved = try event.id == nil ? stageNew(event) : stageChange(of: event, span: span)
    guard commit else { return saved }
    try await self.commit(for: event, orBackTo: before)
    guard let id = saved.id else { return saved }
    return try stored(id) ?? saved
  }

  /// Removes an event: an occurrence, that and all later ones, or an event that does not recur.
  ///
  /// With `futureEvents` at the first occurrence the whole series goes.
  /// - Parameters:
  ///   - event: As this store gave it; changes of its properties do not matter.
  ///   - span: Does not matter for an event that does not recur.
  ///   - commit: False stages the change for a later `commit()`; true writes it now, with all that
  ///     is staged.
  /// - Throws: As `save(_:span:commit:)`.
  public func remove(
    _ event: CalendarEvent, span: EventSpan = .thisEvent, commit: Bool = true
  ) async throws(EventStoreError) {
    await takeTurn()
    defer { endTurn() }
    try await load([event.calendar.id])
    let before = staged
    let (key, id) = try known(event)
    let (text, _) = try working(event, key, id)
    let context = try context()
    let change: LinkedChange
    do throws(EditError) {
      change = try deleteEvent(
        CalendarObject(SyntaxTree(bytes: text)), span: span.span, occurrence: id.occurrence,
        context: context)
    } catch {
      throw .refused(error)
    }
    stage(change, of: key)
    if commit { try await self.commit(for: event, orBackTo: before) }
  }

  /// Commits for one event, and says so plainly where it is its item alone that others changed.
  private func commit(
    for event: CalendarEvent, orBackTo before: StagedChanges
  ) async throws(EventStoreError) {
    do throws(EventStoreError) {
      try await commitAll(orBackTo: before)
    } catch {
      guard case .notWritten(let failures) = error, let id = event.id,
        failures.allSatisfy({ $0.item == id.series || $0.reason == .heldBack }),
        failures.contains(where: { $0.reason == .changedMeanwhile })
      else { throw error }
      throw .changedMeanwhile(id)
    }
  }

  /// Forgets all changes that are staged.
  public func reset() async {
    await takeTurn()
    defer { endTurn() }
    staged = StagedChanges()
  }

  /// The items that the next commit writes, sorted by calendar and UID.
  public var stagedItems: [EventIdentifier] { staged.entries.keys.sorted().map(\.identifier) }

  // MARK: Staging

  private func stageNew(_ event: CalendarEvent) throws(EventStoreError) -> CalendarEvent {
    try checkWritable(event.calendar.id)
    let made = try newItem(event)
    var tree = SyntaxTree(bytes: made.text)
    if !event.reminders.isEmpty, let id = mainComponent(of: tree) {
      try tree.setReminders(event.reminders, in: id)
    }
    let key = ItemKey(event.calendar.id, made.uid)
    let draft = Draft(revision: staged.newRevision(), text: tree.bytes)
    staged[key] = StagedChanges.Entry(drafts: [draft])
    return found(event, key, draft, occurrence: nil)
  }

  private func newItem(_ event: CalendarEvent) throws(EventStoreError) -> NewItem {
    var new = NewEvent(summary: event.title, start: .exactly(event.start))
    // What ends as it starts is a moment, and has no DTEND (RFC 5545 §3.6.1).
    if event.end != event.start { new.end = .exactly(event.end) }
    new.recurrence = event.rule.flatMap { $0.isEmpty ? nil : Array($0.utf8) }
    new.location = event.location
    new.description = event.description
    let context = try context()
    do throws(EditError) { return try new.item(context: context) } catch {
      throw .refused(error)
    }
  }

  private func stageChange(
    of event: CalendarEvent, span: EventSpan
  ) throws(EventStoreError) -> CalendarEvent {
    let (key, id) = try known(event)
    let (text, read) = try working(event, key, id)
    var difference = try difference(event, key, id, since: read)
    guard !difference.isEmpty else { return event }
    let context = try context()
    difference.revise(at: context.now)
    var change: LinkedChange
    do throws(EditError) {
      change = try editEvent(
        CalendarObject(SyntaxTree(bytes: text)), difference.edit, span: span.span,
        occurrence: id.occurrence, context: context)
    } catch {
      throw .refused(error)
    }
    if difference.changesReminders {
      let isOne = span == .thisEvent && id.occurrence != nil
      try change.setReminders(
        event.reminders, of: isOne ? id.occurrence : nil, at: event.start, world: world)
    }
    guard let draft = stage(change, of: key) else { return event }
    let place = change.created.map { ItemKey(key.calendar, $0.uid) } ?? key
    let isSame = span == .thisEvent || difference.edit.start == nil && change.created == nil
    return found(event, place, draft, occurrence: isSame ? id.occurrence : nil)
  }

  /// Stages the texts of an edit; gives the draft that has the event in it, or nil where nothing
  /// is left or nothing changed.
  @discardableResult
  private func stage(_ change: LinkedChange, of key: ItemKey) -> Draft? {
    let item = shelves[key.calendar]?.item(key.uid)
    var entry = staged[key] ?? StagedChanges.Entry(drafts: [])
    // The same content may have another tag by now.
    (entry.base, entry.href) = (item?.version, item?.href)
    var draft: Draft?
    if let text = change.item {
      if text == (entry.text ?? item?.text), change.created == nil { return nil }
      let new = Draft(revision: staged.newRevision(), text: text)
      entry.drafts.append(new)
      draft = new
    } else {
      entry.isDeleted = true
    }
    // What was never written needs no deletion.
    staged[key] = entry.isDeleted && entry.base == nil ? nil : entry
    if let created = change.created {
      let new = Draft(revision: staged.newRevision(), text: created.text)
      staged[ItemKey(key.calendar, created.uid)] = StagedChanges.Entry(
        drafts: [new], splitOff: key)
      draft = new
    }
    return draft
  }
}
