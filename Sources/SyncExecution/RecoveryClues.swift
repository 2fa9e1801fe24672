import SyncModel
import SyncPlanning

extension CollectionSync {
  /// What the journal and the folder know of writes whose outcome nobody knows.
  struct Clues {
    /// The texts that were sent, and those that they were to replace.
    var meant: [ContentDigest: ItemData]
    var mergedIn: [ItemID: Agreement]
    var renamed: [ItemID: [ItemVersion]]
    /// What was to be deleted, under other names.
    var kept: [ItemID: [ItemVersion]]
    /// Where something else was before them, so that they cannot have arrived.
    var taken: Set<Href>
  }

  func clues(
    _ intents: [Intent], _ seen: [Href: ReadOutcome], on side: Side
  ) async throws(SyncFailure) -> Clues {
    let meant = try await recorded { () throws(JournalError) in
      try await journal.contents(intents.flatMap(\.effect.contents))
    }
    let missing = intents.filter { intent in
      if case .replace = intent.effect { return false }
      guard case .missing = seen[intent.href]?.result else { return false }
      return intent.side == .local
    }
    let created = intents.filter(\.isCreation).map(\.href)
    let known = try await recorded { () throws(JournalError) in
      created.isEmpty ? [] : try await journal.known(side, hrefs: created)
    }
    return Clues(
      meant: meant, mergedIn: try await mergedIn(intents),
      renamed: try await renamed(missing.filter(\.isCreation)) { _ in true },
      // A file that was deleted has left its name to others.
      kept: try await renamed(missing.filter { !$0.isCreation }) { !$0.isGone },
      taken: Set(known.filter { !$0.isGone }.map(\.href)))
  }

  /// What both sides share if a first half of a merge is in place, by item. The version that went
  /// into it is the one that the run which began it had seen, and nobody has looked since.
  private func mergedIn(_ intents: [Intent]) async throws(SyncFailure) -> [ItemID: Agreement] {
    let halves = intents.filter(\.isFirstHalf)
    if halves.isEmpty { return [:] }
    let differing = try await recorded { () throws(JournalError) in try await journal.differing() }
    let items = Dictionary(
      matchItems(differing).items.map { ($0.uid, $0) }, uniquingKeysWith: { first, _ in first })
    var agreements: [ItemID: Agreement] = [:]
    for half in halves where half.side == .local && !storage(.local).traits.mayRewrite {
      guard let item = items[half.uid], let own = item.version(on: .local),
        let taken = item.version(on: .remote), own.href == half.href
      else { continue }
      agreements[half.uid] = agreement(after: item.agreement, taking: taken, into: own)
    }
    return agreements
  }
}

extension DifferingItem {
  fileprivate var agreement: Agreement? {
    if case .agreed(let agreement, _, _) = state { agreement } else { nil }
  }
}
