import SQLiteJournal
import SyncModel

/// Calendars whose address another one has by now: where a new name moves a calendar, its address
/// is free, and a new calendar of the former name gets it.
///
/// Only what is new since the last run can be where it went (`FormerStrangers`).
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
}
