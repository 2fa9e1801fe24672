import SyncModel
import WebDAV

/// What a DELETE took away, as far as the server's answer says so.
struct RemovedItem: Sendable {
  /// The entity tag that it had.
  var tag: EntityTag?
  var time: Instant

  /// What a listing names may be this item from before, and nothing that somebody made since.
  ///
  /// - Parameter patience: so long a server may need, in milliseconds.
  func mayStillShow(_ item: ListedItem, at now: Instant, patience: Int64) -> Bool {
    guard (0...patience).contains(now.milliseconds(since: time)), let tag, let listed = item.tag
    else { return false }
    return tag.names(sameAs: listed)
  }
}

/// Some servers say that an item is deleted, and show it for some seconds more (Bedework).
extension CalDAVStorage {
  func noteRemoval(_ write: GuardedWrite) {
    let item = RemovedItem(tag: write.expected?.tag, time: surroundings.now())
    withRunMemory { run in
      run.removed[write.href] = item
      run.unansweredDeletes.remove(write.href)
    }
  }

  /// What a listing names, without what this storage has just deleted and what goes a moment later:
  /// taken for new, it would come back to where a person deleted it.
  func withoutRemoved(_ items: [ListedItem]) async -> [ListedItem] {
    let removed = withRunMemory { $0.removed }
    if removed.isEmpty { return items }
    let now = surroundings.now()
    let patience = Self.latePauses.reduce(0, +)
    let late = items.filter { item in
      removed[item.href]?.mayStillShow(item, at: now, patience: patience) ?? false
    }
    let gone = await awaitDeletions(late.map(\.href))
    return gone.isEmpty ? items : items.filter { !gone.contains($0.href) }
  }

  /// Those of some items that are gone, or go within the time in which what was written shows.
  ///
  /// - Parameter pauses: between the looks, in milliseconds.
  func awaitDeletions(_ hrefs: [Href], pausing pauses: [Int64] = latePauses) async -> Set<Href> {
    var late = hrefs
    var gone: Set<Href> = []
    for pause in [0] + pauses where !late.isEmpty {
      guard Patience.leaves(pause, at: surroundings.now()) else { break }
      if pause > 0 { await Patience.rest(pause, by: surroundings.pause) }
      if Task.isCancelled || Patience.isStopped { break }
      let looks = await inParallel(late.map { address($0) }) { address -> Look? in
        guard let address else { return nil }
        return await self.get(address)
      }
      for case (let href, .absent?) in zip(late, looks) { gone.insert(href) }
      late = late.filter { !gone.contains($0) }
    }
    return gone
  }

  /// A server that took a deletion (202, RFC 9110 §15.3.3) may do it later, or never: what is there
  /// tells. Where one did not go in time, the next ones are not waited for.
  func accepted(
    _ write: GuardedWrite, _ address: WebURL, _ condition: Guard
  ) async -> WriteOutcome {
    let pauses = withRunMemory(\.awaitsDeletions) ? Self.latePauses : []
    if await awaitDeletions([write.href], pausing: pauses).contains(write.href) {
      var outcome = await outcomeOfAbsence(write, because: nil)
      outcome.isUnguarded = outcome.result == .removed && condition == .none
      return outcome
    }
    withRunMemory { $0.awaitsDeletions = false }
    noteUnanswered(write)
    let trouble = StorageError(
      .unreachable, "the server has taken DELETE \(address.shown), and not done it yet",
      why: "it answers 202 (Accepted)",
      hint: "run the sync again; if it stays, tell the server's operator")
    return WriteOutcome(href: write.href, result: .unknown(trouble))
  }

  /// The second of two deletions of an item found nothing there, whatever a look still shows: so
  /// the first one may have been carried out.
  func mayBeDone(_ write: GuardedWrite, _ refused: Refused?) -> Bool {
    guard case .delete(let href, _) = write, let status = refused?.status,
      [404, 410].contains(status)
    else { return false }
    return withRunMemory { $0.unansweredDeletes.contains(href) }
  }
}
