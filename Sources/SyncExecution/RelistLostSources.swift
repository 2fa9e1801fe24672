import SyncModel

extension CollectionSync {
  /// Lists a side from the beginning where what an item was written from may be gone from it.
  ///
  /// While nobody can tell whether a new item was written, both sides share nothing, and a listing
  /// of changes tells once that the item it was made from is gone: of nothing that anybody knows.
  /// The agreement that is found later would hold what is there no more until all is compared.
  ///
  /// - Parameter target: The side of the writes that `outcomes` are about.
  func relistLostSources(
    of outcomes: [ClosedIntent], on target: Side
  ) async throws(SyncFailure) {
    let side = target.opposite
    let sources = outcomes.compactMap { closed -> Href? in
      if case .agreed(let agreement) = closed.outcome { agreement[side].href } else { nil }
    }
    if sources.isEmpty { return }
    try await recorded { () throws(JournalError) in
      let known = try await journal.known(side, hrefs: sources)
      if Set(known.map(\.href)) != Set(sources) { try await journal.forgetCursor(side) }
    }
  }
}
