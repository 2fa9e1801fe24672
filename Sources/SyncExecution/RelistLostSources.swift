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

  /// Lists a side from the beginning where a look did not find what a write was to replace, and
  /// the journal has it there: a listing decides, and one of changes may have nothing to tell.
  func relistMissing(
    _ unclear: [OpenIntent], _ seen: [Href: ReadOutcome], on side: Side
  ) async throws(SyncFailure) {
    let isMissing = unclear.contains { open in
      guard case .replace = open.intent.effect, case .missing? = seen[open.intent.href]?.result
      else { return false }
      return true
    }
    if !isMissing { return }
    try await recorded { () throws(JournalError) in try await journal.forgetCursor(side) }
  }
}
