import SyncModel
import WebDAV

/// Some servers, and what stands before them, say that an item is deleted and leave it where it is.
/// Forgotten here, it would come back as a new one once all is compared.
extension CalDAVStorage {
  /// The outcomes of a batch once it was seen that what is said to be deleted is gone: by one
  /// multiget, which costs as much as the one before deletions; by a GET each where there is none.
  func checkDeletions(
    _ batch: [GuardedWrite], _ outcomes: [WriteOutcome]
  ) async -> [WriteOutcome] {
    let believed = withRunMemory { run in
      defer { run.believedDeletes = [] }
      return run.believedDeletes
    }
    guard !believed.isEmpty, !Patience.isStopped else { return outcomes }
    let kept = await stillThere(batch.filter { believed.contains($0.href) })
    if kept.isEmpty { return outcomes }
    withRunMemory { run in run.removed = run.removed.filter { !kept.contains($0.key) } }
    return outcomes.map { kept.contains($0.href) ? notDone($0) : $0 }
  }

  /// Those of some items that were to be deleted and are as they were. A server may need some
  /// seconds to show it; where one did not in time, the next ones are not waited for.
  private func stillThere(_ deletions: [GuardedWrite]) async -> Set<Href> {
    let suspects = await shown(deletions)
    if suspects.isEmpty { return [] }
    let pauses = withRunMemory(\.awaitsDeletions) ? Self.latePauses : []
    let gone = await awaitDeletions(suspects.map(\.href), pausing: pauses)
    let late = suspects.filter { !gone.contains($0.href) }
    let kept = await inParallel(late) { await self.isAsItWas($0) ? $0.href : nil }
      .compactMap(\.self)
    guard !kept.isEmpty, !Patience.isStopped else { return [] }
    withRunMemory { $0.awaitsDeletions = false }
    return Set(kept)
  }

  /// By its text: a tag may be that of what somebody has made there since, as where it is a time.
  private func isAsItWas(_ write: GuardedWrite) async -> Bool {
    guard let address = address(write.href),
      case .found(let version, let data, _) = await get(address)
    else { return false }
    return await isAsExpected(version, data, by: write, at: address)
  }

  /// Those that a look shows, and not with a tag of something else. Where the look fails, the
  /// server is believed.
  private func shown(_ deletions: [GuardedWrite]) async -> [GuardedWrite] {
    guard withRunMemory(\.hasMultiget) else { return deletions }
    let listed = await listed(deletions.compactMap { address($0.href) }) ?? []
    let tags = Dictionary(
      listed.filter { $0.problem == nil }.map { ($0.href, $0.tag) },
      uniquingKeysWith: { first, _ in first })
    return deletions.filter { write in
      guard let tag = tags[write.href] else { return false }
      guard let tag, let before = write.expected?.tag else { return true }
      return before.names(sameAs: tag)
    }
  }

  private func notDone(_ outcome: WriteOutcome) -> WriteOutcome {
    let name = address(outcome.href)?.shown ?? outcome.href.text
    let problem = ItemProblem(
      .refused, "the server said that it deleted \(name), and it is still there",
      hint: "see whether the server's own pages delete it, or bring it back here with"
        + " `calgw resolve UID --take remote`; if it stays, tell the server's operator")
    return WriteOutcome(href: outcome.href, result: .refused(problem), isTransient: true)
  }
}
