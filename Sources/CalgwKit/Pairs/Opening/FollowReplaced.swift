import SQLiteJournal
import SyncModel

/// Calendars whose address another one has by now: where a new name moves a calendar, its address
/// is free, and a new calendar of the former name gets it.
///
/// Only what is new since the last run can be where it went: a copy that was there before, and that
/// the pair leaves out, stays what it is when a person empties the calendar.
extension FollowMoves {
  /// Known calendars that hold none of what was agreed on, while others are new. A single item
  /// tells nothing: somebody may have moved it.
  func replaced(
    _ records: [CollectionRecord], by news: [CollectionDescription],
    among calendars: [CollectionDescription]
  ) async throws(OpeningError) -> [CollectionRecord] {
    if news.isEmpty { return [] }
    var replaced: [CollectionRecord] = []
    for record in records where !records.hasSuccessor(of: record, on: side) {
      guard let place = calendars.first(where: { $0.identity == record.place(on: side) }),
        let journal = try await recorded({ () throws(JournalError) in
          try await store.journal(of: record.identity.name)
        })
      else { continue }
      let agreed = try await recorded { () throws(JournalError) in
        Set(try await journal.known(side).filter(\.isAgreed).map(\.href))
      }
      guard agreed.count > 1 else { continue }
      let isGone = try await shows(place) { storage async throws(OpeningError) in
        try await lacksAll(agreed, storage, journal)
      }
      if isGone { replaced.append(record) }
    }
    return replaced
  }

  /// Asks for what changed since the last run, which costs nothing where nothing did.
  private func lacksAll(
    _ agreed: Set<Href>, _ storage: any Storage, _ journal: SQLiteJournal
  ) async throws(OpeningError) -> Bool {
    var cursor = try await recorded { () throws(JournalError) in try await journal.cursor(side) }
    var gone: Set<Href> = []
    while true {
      let start = cursor
      let page = try await reached(side) { () throws(StorageError) in
        try await storage.listChanges(since: start)
      }
      if page.present.contains(where: { agreed.contains($0.href) }) { return false }
      gone.formUnion(page.gone)
      if page.isLast { return page.extent == .everything || gone.isSuperset(of: agreed) }
      cursor = page.next
    }
  }

  /// The calendars beside the known ones that were not there in the last run. None in the first run
  /// that asks: nobody knows what was there before.
  func newcomers(
    among strangers: [CollectionDescription]
  ) async throws(OpeningError) -> [CollectionDescription] {
    guard seesAll else { return [] }
    let before = try await recorded { () throws(JournalError) in
      try await store.value(strangersKey)
    }
    guard let before else { return [] }
    let seen = Set(before.split(separator: UInt8(ascii: "\n")).map { Array($0) })
    return strangers.filter { !seen.contains(Array($0.identity.utf8)) }
  }

  /// Keeps what is there beside the known calendars for the next run's `newcomers`.
  func remember(_ strangers: [CollectionDescription]) async throws(OpeningError) {
    guard seesAll else { return }
    let now = Array(strangers.map(\.identity).sorted().joined(separator: "\n").utf8)
    try await recorded { () throws(JournalError) in
      if try await store.value(strangersKey) != now {
        try await store.setValue(now, for: strangersKey)
      }
    }
  }

  private var strangersKey: String { "strangers \(side.rawValue)" }
}
