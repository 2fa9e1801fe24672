import EventEditing
import ICalendar
import Recurrence
import SyncModel

extension EventStore {
  /// What an edit needs from the world.
  func context() throws(EventStoreError) -> EditContext {
    guard let now = UTCDateTime(secondsSince1970: floorSeconds(surroundings.now().milliseconds))
    else { throw .badClock }
    return EditContext(
      now: now, newUID: Array(surroundings.newUUID().utf8), catalog: world.catalog,
      zone: world.home)
  }

  func checkWritable(_ calendar: String) throws(EventStoreError) {
    if try shelf(calendar).storage.traits.isReadOnly { throw .readOnly(calendar: calendar) }
  }

  /// The item of an event that was saved once, in a calendar that may be written.
  func known(_ event: CalendarEvent) throws(EventStoreError) -> (ItemKey, EventIdentifier) {
    guard let id = event.id else { throw .notFound(nil) }
    try checkWritable(id.calendar)
    return (ItemKey(id), id)
  }

  /// The text that a change of an event is made on, and the one that the event was read from: that
  /// of the item as it is, one that this store replaced since, or one that is staged.
  func working(
    _ event: CalendarEvent, _ key: ItemKey, _ id: EventIdentifier
  ) throws(EventStoreError) -> (text: [UInt8], read: [UInt8]) {
    let shelf = try shelf(key.calendar)
    let (item, entry) = (shelf.item(key.uid), staged[key])
    if let entry, entry.isDeleted { throw .notFound(id) }
    // What is staged was made of a text that is no longer there.
    if let entry, entry.base?.digest != item?.version.digest { throw .changedMeanwhile(id) }
    guard let text = entry?.text ?? item?.text, let revision = event.revision else {
      throw event.revision == nil ? .notFound(id) : .changedMeanwhile(id)
    }
    let read =
      entry?.drafts.first { $0.revision == revision }?.text
      ?? shelf.text(key.uid, revision: revision)
    guard let read else { throw .changedMeanwhile(id) }
    return (text, read)
  }

  /// What was changed in an event since it was read from a text.
  func difference(
    _ event: CalendarEvent, _ key: ItemKey, _ id: EventIdentifier, since text: [UInt8]
  ) throws(EventStoreError) -> EventDifference {
    let reader = EventReader(text, world: world)
    let stamp = ItemStamp(revision: event.revision ?? "")
    guard let occurrence = reader.occurrence(id.occurrence),
      let calendar = shelves[key.calendar]?.calendar,
      let old = reader.event(occurrence, of: key, in: calendar, stamp: stamp)
    else { throw .notFound(id) }
    return EventDifference(from: old, to: event, reader: reader, occurrence: occurrence)
  }

  /// An event as a draft has it: by its name, or else by its start. As it was given where it is not
  /// to be found.
  func found(
    _ event: CalendarEvent, _ key: ItemKey, _ draft: Draft, occurrence: GivenTime?
  ) -> CalendarEvent {
    let reader = EventReader(draft.text, world: world)
    let there = occurrence.flatMap { reader.occurrence($0) } ?? reader.occurrence(at: event.start)
    let stamp = ItemStamp(revision: draft.revision)
    guard let there, let calendar = shelves[key.calendar]?.calendar,
      let found = reader.event(there, of: key, in: calendar, stamp: stamp)
    else { return event }
    return found
  }
}

extension EventReader {
  /// The occurrence that starts then; the first one where none does.
  fileprivate func occurrence(at start: DateTime) -> Occurrence? {
    starting(at: start) ?? occurrence(nil)
  }

  private func starting(at start: DateTime) -> Occurrence? {
    let instant = instant(of: start)
    let window = OccurrenceWindow(from: instant, to: instant + 1)
    return set.occurrences(in: window).prefix(Self.searched).first { $0.start.instant == instant }
  }

  /// The override that starts then.
  fileprivate func override(at start: DateTime) -> Component.ID? {
    guard case .override(let index)? = starting(at: start)?.source,
      overrides.indices.contains(index)
    else { return nil }
    return overrides[index].component.id
  }
}

/// The component that stands for an event, or for a series.
func mainComponent(of tree: SyntaxTree) -> Component.ID? {
  CalendarObject(tree).components.first { !$0.isOverride }?.component.id
}

extension LinkedChange {
  /// Gives the component that an edit was made on other alarms: the override of an occurrence; or
  /// the main component, of the later part where there is one, and with it the override that starts
  /// then, on which the edit of a series was made.
  mutating func setReminders(
    _ reminders: [Reminder], of occurrence: GivenTime?, at start: DateTime, world: EventWorld
  ) throws(EventStoreError) {
    guard let text = created?.text ?? item else { return }
    let reader = EventReader(text, world: world)
    var tree = reader.object.tree
    var components = [reader.component(of: occurrence) ?? mainComponent(of: tree)]
    if occurrence == nil { components.append(reader.override(at: start)) }
    let found = components.compactMap { $0 }
    guard !found.isEmpty else { throw .refused(.noItem) }
    for component in found { try tree.setReminders(reminders, in: component) }
    if created != nil { created?.text = tree.bytes } else { item = tree.bytes }
  }
}
