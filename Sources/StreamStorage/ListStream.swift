import ICalendar
public import SyncModel

extension StreamStorage {
  /// Gives every item in one page, or that nothing changed since the cursor.
  public func listChanges(since cursor: Cursor?) async throws(StorageError) -> ChangePage {
    let previous = cursor.flatMap { StreamCursor($0) }
    let fetched = try await source.fetch(unless: previous?.state)
    switch fetched {
    case .unchanged(let state):
      guard cursor != nil else {
        throw StorageError(
          .protocolBroken, "\(source.name) says that it is unchanged, and nothing of it is known",
          hint: "try again later")
      }
      return ChangePage(
        extent: .changesOnly, present: [],
        next: StreamCursor(state: state, names: previous?.names ?? [:]).cursor)
    case .absent:
      guard previous?.state == nil else { throw Self.vanished(source.name) }
      _ = hold(Held(stream: CalendarStream(CalendarStream.empty)))
      return ChangePage(extent: .everything, present: [], next: StreamCursor(state: nil).cursor)
    case .text(let data, let version, let state):
      let held = hold(try await read(data, version, state))
      // What has lost its UID may be any item that is not to be found, and any may have stood where
      // the text is damaged.
      return ChangePage(
        extent: held.stream.isComplete ? .everything : .changesOnly, present: listed(held.stream),
        next: StreamCursor(state: state, names: held.names).cursor)
    }
  }

  private func listed(_ stream: CalendarStream) -> [ListedItem] {
    var items: [ListedItem] = stream.uids.compactMap { uid in
      item(uid, in: stream).map {
        ListedItem(href: Href(uid), tag: $0.0.tag, problem: problem(of: uid, in: stream))
      }
    }
    if let (version, problem) = nameless(in: stream) {
      items.append(ListedItem(href: Self.nameless, tag: version.tag, problem: problem))
    }
    if let (version, problem) = damage(in: stream) {
      items.append(ListedItem(href: Self.damaged, tag: version.tag, problem: problem))
    }
    return items
  }

  /// It names what has no UID, or that something is lost, and nothing that could be asked for.
  public static func standsForNoItem(_ href: Href) -> Bool { href == nameless || href == damaged }

  /// Why a calendar that both sides share items of, and that is not there, is not looked at.
  public static func vanished(_ name: String) -> StorageError {
    StorageError(
      .vanished, "\(name) is gone",
      hint: "put it back, or forget the collection and sync to have it made anew")
  }

  public func read(_ batch: [Href]) async throws(StorageError) -> [ReadOutcome] {
    if batch.isEmpty { return [] }
    // What cannot be written here does not change within a run, as far as the run goes.
    let held: Held
    if let current, source.isReadOnly { held = current } else { held = try await fetch() }
    var outcomes: [ReadOutcome] = []
    var size = 0
    for href in batch {
      let outcome = outcome(of: href, in: held.stream)
      if case .found(_, let data, _) = outcome.result {
        // The one that is too much is asked for again.
        if size > 0, data.bytes.count > traits.bytesAtOnce - size { break }
        size += data.bytes.count
      }
      outcomes.append(outcome)
    }
    return outcomes
  }

  private func outcome(of href: Href, in stream: CalendarStream) -> ReadOutcome {
    let uid = href.key
    if let problem = clash(of: uid, in: stream) {
      return ReadOutcome(href: href, result: .problem(problem), isLasting: true)
    }
    if let (version, data) = item(uid, in: stream) {
      return ReadOutcome(href: href, result: .found(version, data, modified: nil))
    }
    // It may be the one that has no UID, or have stood where the text is damaged.
    let damage = damage(in: stream)?.1
    let nameless = nameless(in: stream)?.1
    guard let problem = href == Self.damaged ? damage ?? nameless : nameless ?? damage else {
      return ReadOutcome(href: href, result: .missing)
    }
    return ReadOutcome(href: href, result: .problem(problem))
  }

  /// Fetches once more, at rest: a text that is whole both times says what it lacks, unless it is
  /// damaged or something in it has no UID. One that somebody is writing says nothing: between any
  /// two of its calendars it is whole. Nor does one that is not there: what is asked about was in
  /// it, also where no listing has seen it since this program made it.
  public func confirmAbsence(of batch: [Href]) async throws(StorageError) -> [Href] {
    if batch.isEmpty { return [] }
    guard let held = try await fetchAtRest() else { return [] }
    guard held.version != nil else { throw Self.vanished(source.name) }
    guard held.stream.isComplete else { return [] }
    let present = Set(held.stream.uids)
    return batch.filter { !present.contains($0.key) }
  }
}
