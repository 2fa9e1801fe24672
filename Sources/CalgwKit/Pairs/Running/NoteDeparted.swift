import CalDAVStorage
import SQLiteJournal
import SyncExecution
import SyncModel

/// From a MOVE until a pass over the calendar to which it leads, what both sides shared of an item
/// is in the journal of the collection that it has left, and nowhere else. Which items those are is
/// written down before the first MOVE: however a run ends, the next one forgets none of them before
/// another collection has taken them over.
extension CollectionRun {
  /// - Parameters:
  ///   - places: where each of the items is to be in the other collection.
  ///   - text: of the one that leaves before it arrives.
  mutating func noteDeparting(
    _ places: [(uid: ItemID, href: Href)], carrying text: ItemData? = nil, from name: String,
    to other: String
  ) async throws(RunFailure) {
    try await destinations.add(places, carrying: text, to: other)
    try await departed.set(departed[name].union(places.map { $0.uid }), of: name)
  }

  /// For what the server has refused to move, and what another collection has by now.
  mutating func noteStaying(_ items: Set<ItemID>, in name: String) async throws(RunFailure) {
    try await departed.set(departed[name].subtracting(items), of: name)
    try await destinations.keep(Set(departed.byCollection.values.joined()))
  }

  /// Of some items whose files a collection has, and which have left it on the remote side, those
  /// that are not on their way any more: their files have left the one that they came to, or they
  /// came to none and did not come back, as where a run was killed while it carried them over.
  func comingBack(_ items: Set<ItemID>, to name: String) async -> ComeBack {
    let left = departed[name].intersection(items)
    if left.isEmpty { return ComeBack() }
    let back = await movedOn(left, besides: name)
    var (missing, present, unclear): (Set<ItemID>, Set<ItemID>, Set<ItemID>) = ([], [], [])
    for other in destinations.collections {
      let due = destinations[other].filter { left.contains($0.uid) && !back.contains($0.uid) }
      if due.isEmpty { continue }
      guard let calendar = await calendar(of: other) else {
        if mayBeThere(other) {
          unclear.formUnion(due.map(\.uid))
        } else {
          missing.formUnion(due.map(\.uid))
        }
        continue
      }
      for item in due {
        switch await calendar.has(moved: item) {
        case true?: present.insert(item.uid)
        case false?: missing.insert(item.uid)
        case nil: unclear.insert(item.uid)
        }
      }
    }
    return ComeBack(
      back: back.union(missing.subtracting(present).subtracting(unclear)),
      unclear: unclear.subtracting(present))
  }

  /// A calendar that cannot be asked is there, as far as anybody knows; one that is gone, or of the
  /// pair no more, has nothing that a run would ever meet.
  private func mayBeThere(_ name: String) -> Bool {
    guard let collection = opened.allCollections.first(where: { $0.name == name }) else {
      return false
    }
    if case .present = collection.remote { return true }
    return opened.listing.unanswered[.remote]?[name] != nil
  }

  /// Those of some items that another collection shares, and whose files are not there any more.
  func movedOn(_ items: Set<ItemID>, besides name: String) async -> Set<ItemID> {
    var gone: Set<ItemID> = []
    for other in opened.allCollections where other.name != name {
      gone.formUnion(await self.gone(items, from: other))
    }
    return gone
  }

  /// Nothing is on its way from a collection any more that it shares no more, or that both sides
  /// have there again, and share nowhere else: its file came back to it. What is deleted from now
  /// on was not moved.
  mutating func noteForgotten(in name: String) async throws(RunFailure) {
    let left = departed[name]
    if left.isEmpty || options.isDryRun { return }
    let kept = try await shared(left, in: name)
    let elsewhere = (try? await opened.store.items(left, sharedBesides: name)) ?? left
    let back = try await inStep(kept.subtracting(elsewhere), in: name)
    try await noteStaying(left.subtracting(kept).union(back), in: name)
  }

  /// Those of some items that both sides have, as they agreed on them.
  private func inStep(
    _ items: Set<ItemID>, in name: String
  ) async throws(RunFailure) -> Set<ItemID> {
    if items.isEmpty { return [] }
    let store = opened.store
    return try await gateway.journaled(opened.target.pair) { () throws(JournalError) in
      guard let journal = try await store.journal(of: name) else { return [] }
      let apart = Set(try await journal.differing().agreements.map { $0.uid })
      var found: Set<ItemID> = []
      for uid in items.subtracting(apart).sorted() {
        guard let agreement = try await journal.agreement(of: uid),
          !agreement.local.href.isVacated, !agreement.remote.href.isVacated
        else { continue }
        found.insert(uid)
      }
      return found
    }
  }

  /// What the other collections shared of the items that have left them.
  func former(besides name: String) async throws(RunFailure) -> [ItemID: Agreement] {
    let others = departed.byCollection.filter { $0.key != name }.sorted { $0.key < $1.key }
    if others.isEmpty { return [:] }
    let store = opened.store
    return try await gateway.journaled(opened.target.pair) { () throws(JournalError) in
      var former: [ItemID: Agreement] = [:]
      for (other, items) in others {
        guard let journal = try await store.journal(of: other) else { continue }
        for uid in items.sorted() where former[uid] == nil {
          former[uid] = try await journal.agreement(of: uid)
        }
      }
      return former
    }
  }

  /// Forgets, where they were, the items that another collection has on both sides by now, and
  /// those that a run over all of them has met nowhere. Gives why it came to no end; nil where it
  /// did.
  mutating func forgetDeparted(
    _ report: inout PairReport
  ) async throws(RunFailure) -> StopReason? {
    if options.isDryRun || departed.isEmpty { return nil }
    var due: [String: Set<ItemID>] = [:]
    let hasSeenAll = await hasSeenAll(report)
    for own in report.collections {
      for uid in own.departed {
        let isShared = await opened.store.collection(sharing: uid, besides: own.name) != nil
        if isShared || hasSeenAll && !report.names(uid, besides: own.name) {
          due[own.name, default: []].insert(uid)
        }
      }
    }
    if let stop = try await sync(due, .gone, &report) { return stop }
    for (name, items) in departed.byCollection where due[name] != nil {
      try await noteStaying(items.subtracting(try await shared(items, in: name)), in: name)
    }
    return nil
  }

  private func hasSeenAll(_ report: PairReport) async -> Bool {
    guard let records = try? await opened.store.collections() else { return false }
    let seen = Set(report.collections.filter { $0.failure == nil }.map(\.name))
    return seen.count == report.collections.count
      && seen.isSuperset(of: records.map(\.identity.name))
  }

  private func shared(
    _ items: Set<ItemID>, in name: String
  ) async throws(RunFailure) -> Set<ItemID> {
    let store = opened.store
    return try await gateway.journaled(opened.target.pair) { () throws(JournalError) in
      guard let journal = try await store.journal(of: name) else { return [] }
      var shared: Set<ItemID> = []
      for uid in items.sorted() where try await journal.agreement(of: uid) != nil {
        shared.insert(uid)
      }
      return shared
    }
  }
}

extension PairReport {
  /// This run has moved the item, or something is yet to be done about it in another collection.
  fileprivate func names(_ uid: ItemID, besides name: String) -> Bool {
    arrived.contains(uid)
      || collections.contains { other in
        other.name != name
          && (other.arriving + other.problems.map(\.item) + other.conflicts.map(\.item))
            .contains { $0.uid == uid }
      }
  }
}
