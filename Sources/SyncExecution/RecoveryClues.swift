import SyncModel
import SyncPlanning

extension CollectionSync {
  /// What the journal and the folder know of writes whose outcome nobody knows.
  struct Clues {
    /// The texts that were sent, and those that they were to replace.
    var meant: [ContentDigest: ItemData]
    var mergedIn: [ItemID: SharedByHalf]
    var renamed: [ItemID: [ItemVersion]]
    /// What was to be deleted, under other names.
    var kept: [ItemID: [ItemVersion]]
    /// Where something else was before them, so that they cannot have arrived.
    var taken: Set<Href>
    /// Where another item was when the place was last looked at: to agree on the intent's there
    /// would forget that one before its deletion has gone to the other side.
    var left: Set<Href>
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
    let known = try await recorded { () throws(JournalError) in
      try await journal.known(side, hrefs: intents.map(\.href))
    }.filter { !$0.isGone }
    let created = Set(intents.filter(\.isCreation).map(\.href))
    return Clues(
      meant: meant, mergedIn: try await mergedIn(intents),
      renamed: try await renamed(missing.filter(\.isCreation)) { _ in true },
      // A file that was deleted has left its name to others.
      kept: try await renamed(missing.filter { !$0.isCreation }) { !$0.isGone },
      taken: created.intersection(known.map(\.href)),
      left: try await left(by: intents, known))
  }

  private func left(
    by intents: [Intent], _ known: [KnownResource]
  ) async throws(SyncFailure) -> Set<Href> {
    let digests = Dictionary(
      known.map { ($0.href, $0.digest) }, uniquingKeysWith: { first, _ in first })
    // What was written there, or was to be replaced, is the item itself.
    let strange = intents.filter { intent in
      guard case let digest?? = digests[intent.href] else { return false }
      return !intent.effect.contents.contains(digest)
    }
    if strange.isEmpty { return [] }
    let texts = try await recorded { () throws(JournalError) in
      try await journal.contents(strange.compactMap { digests[$0.href] ?? nil })
    }
    return Set(
      strange.filter { intent in
        guard case let digest?? = digests[intent.href], let text = texts[digest],
          let item = asSent(text, at: intent.href)
        else { return false }
        return item.uid != intent.uid
      }.map(\.href))
  }

  /// What both sides share if a first half of a merge is in place, by item. The version that went
  /// into it is the one that the run which began it had seen, and nobody has looked since.
  private func mergedIn(_ intents: [Intent]) async throws(SyncFailure) -> [ItemID: SharedByHalf] {
    let halves = intents.filter(\.isFirstHalf)
    if halves.isEmpty { return [:] }
    let differing = try await recorded { () throws(JournalError) in try await journal.differing() }
    let items = Dictionary(
      matchItems(differing).items.map { ($0.uid, $0) }, uniquingKeysWith: { first, _ in first })
    var shared: [ItemID: SharedByHalf] = [:]
    for half in halves where half.side == .local && !storage(.local).traits.mayRewrite {
      guard let item = items[half.uid], let own = item.version(on: .local),
        let taken = item.version(on: .remote), own.href == half.href
      else { continue }
      shared[half.uid] = try await self.shared(after: item.agreement, taking: taken, into: own)
    }
    return shared
  }
}

extension DifferingItem {
  fileprivate var agreement: Agreement? {
    if case .agreed(let agreement, _, _) = state { agreement } else { nil }
  }
}
