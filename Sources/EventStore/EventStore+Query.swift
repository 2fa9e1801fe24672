import EventEditing
import Recurrence
import SyncModel

extension EventStore {
  /// The events that overlap the range of a predicate, occurrence by occurrence, sorted by start,
  /// then by end, then by calendar and UID.
  ///
  /// A moment belongs to a range from its first moment on and before its end. What is staged and
  /// not committed is not seen. Overrides that were moved into the range are given, those moved out
  /// of it are not.
  ///
  /// - Throws: `rangeTooLong` for more than four years; `tooManyEvents`; `unknownCalendar`;
  ///   `storage` where a calendar cannot be read for the first time.
  public func events(matching predicate: EventPredicate) async throws(EventStoreError)
    -> [CalendarEvent]
  {
    let range = try predicate.seconds()
    let chosen = try chosen(predicate.calendars)
    await takeTurn()
    defer { endTurn() }
    try await load(chosen)
    let window = OccurrenceWindow(from: range.from, to: range.to)
    var found: [CalendarEvent] = []
    for id in chosen {
      for item in try shelf(id).events { try append(item, of: id, in: window, to: &found) }
    }
    return found.sorted(by: precedes)
  }

  private func append(
    _ item: StoredItem, of id: String, in window: OccurrenceWindow,
    to found: inout [CalendarEvent]
  ) throws(EventStoreError) {
    guard let set = item.set, let calendar = shelves[id]?.calendar else { return }
    let room = Self.resultLimit - found.count
    let occurrences = Array(set.occurrences(in: window).prefix(room + 1))
    // Most items have no occurrence there, and are not read for it.
    guard !occurrences.isEmpty else { return }
    guard occurrences.count <= room else { throw .tooManyEvents }
    let reader = EventReader(item.text, world: world)
    let key = ItemKey(id, item.uid)
    found += occurrences.compactMap {
      reader.event($0, of: key, in: calendar, stamp: item.stamp)
    }
  }

  /// An event by its identifier; of a series whose occurrence is not named, the first one. Nil
  /// where there is none.
  public func event(withIdentifier id: EventIdentifier) async throws(EventStoreError)
    -> CalendarEvent?
  {
    await takeTurn()
    defer { endTurn() }
    try await load([id.calendar])
    return try stored(id)
  }

  /// The event as it was last seen in its calendar.
  func stored(_ id: EventIdentifier) throws(EventStoreError) -> CalendarEvent? {
    guard let item = try shelf(id.calendar).item(id.uid) else { return nil }
    return event(id, in: item.text, stamp: item.stamp)
  }

  /// The event that a text of its item has.
  func event(_ id: EventIdentifier, in text: [UInt8], stamp: ItemStamp) -> CalendarEvent? {
    guard let calendar = shelves[id.calendar]?.calendar else { return nil }
    let reader = EventReader(text, world: world)
    guard reader.isEvent, let occurrence = reader.occurrence(id.occurrence) else { return nil }
    return reader.event(occurrence, of: ItemKey(id), in: calendar, stamp: stamp)
  }

  /// What is in the calendars and cannot be shown as an event, with the reason, sorted by calendar
  /// and name.
  public func unreadableItems() async throws(EventStoreError) -> [UnreadableItem] {
    await takeTurn()
    defer { endTurn() }
    try await load(calendars.map(\.id))
    return calendars.flatMap { calendar in
      (shelves[calendar.id]?.problems ?? [:]).sorted { $0.key < $1.key }.map {
        UnreadableItem(calendar: calendar.id, href: $0.key, problem: $0.value)
      }
    }
  }

  /// Looks at the calendars again. What others changed is in later queries, and comes from
  /// `changes(lookingEvery:)`.
  ///
  /// - Throws: `storage` where a calendar cannot be read; those before it were looked at.
  public func refresh() async throws(EventStoreError) {
    await takeTurn()
    defer { endTurn() }
    for calendar in calendars { try await look(at: calendar.id) }
  }

  /// The ids of a predicate in the order of the store.
  private func chosen(_ ids: Set<String>?) throws(EventStoreError) -> [String] {
    guard let ids else { return calendars.map(\.id) }
    for id in ids.sorted() { _ = try shelf(id) }
    return calendars.map(\.id).filter(ids.contains)
  }

  /// Reads calendars that were not read yet, or that have to be looked at after an unclear write.
  func load(_ ids: [String]) async throws(EventStoreError) {
    for id in ids where try shelf(id).needsLook { try await look(at: id) }
  }

  /// Looks at one calendar and announces what others changed.
  func look(at id: String) async throws(EventStoreError) {
    var shelf = try shelf(id)
    let isFirst = shelf.cursor == nil
    do throws(StorageError) {
      let changed = try await shelf.look(world)
      shelves[id] = shelf
      if !isFirst { announce(changed, in: id, isOwn: false) }
    } catch {
      throw .storage(calendar: id, error)
    }
  }
}

/// The order of a listing.
private func precedes(_ one: CalendarEvent, _ other: CalendarEvent) -> Bool {
  if one.startInstant != other.startInstant {
    return (one.startInstant?.milliseconds ?? 0) < (other.startInstant?.milliseconds ?? 0)
  }
  if one.endInstant != other.endInstant {
    return (one.endInstant?.milliseconds ?? 0) < (other.endInstant?.milliseconds ?? 0)
  }
  guard let first = one.id, let second = other.id else { return false }
  return ItemKey(first) < ItemKey(second)
}
