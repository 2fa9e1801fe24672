import SQLiteJournal
import SyncModel

/// What `log --prune` took out of one log.
public struct PrunedLog: Sendable, Hashable {
  /// The pair whose log it is; nil: the log of the event commands.
  public var pair: String?
  public var versions: Int64
  /// The length of the texts that went with the versions.
  public var bytes: Int64
  /// Nothing went: it would have.
  public var isDryRun: Bool
  /// The pair is in the configuration no more.
  public var isFormer = false

  /// The machine-readable form: one line.
  public var json: JSONValue {
    let members: [JSONValue.Member] = [
      .init(name: "pair", value: .optional(pair)),
      .init(name: "versions", value: .integer(versions)),
      .init(name: "bytes", value: .integer(bytes)),
      .init(name: "dryRun", value: .boolean(isDryRun)),
    ]
    let former = JSONValue.Member(name: "configured", value: .boolean(false))
    return .object(members + (isFormer ? [former] : []))
  }
}

extension Gateway {
  /// Drops what is beyond the limits of `history` from every log, as each run that writes does for
  /// its collections, and gives the room back to the disk. For a pair that is in the configuration
  /// no more the limits of its last run hold.
  ///
  /// - Parameter patience: how long to wait for each pair's lock.
  /// - Returns: what went, in the order of the configuration, then of the former pairs and of the
  ///   edits, and what could not be pruned.
  public func pruneLog(isDryRun: Bool, patience: Duration) async
    -> (pruned: [PrunedLog], failures: [RunFailure])
  {
    var pruned: [PrunedLog] = []
    var failures: [RunFailure] = []
    for name in loggedPairs {
      if let failure = leavingOut("pair \(name)") { return (pruned, failures + [failure]) }
      do throws(RunFailure) {
        pruned.append(try await prune(name, isDryRun: isDryRun, patience: patience))
      } catch {
        failures.append(error)
      }
    }
    guard hasEditHistory else { return (pruned, failures) }
    do throws(RunFailure) {
      if let failure = leavingOut("the history of edits") { throw failure }
      pruned.append(try await pruneEdits(isDryRun: isDryRun))
    } catch {
      failures.append(error)
    }
    return (pruned, failures)
  }

  private func prune(_ name: String, isDryRun: Bool, patience: Duration)
    async throws(RunFailure) -> PrunedLog
  {
    let own = configuration.pairs.first { $0.name == name }.map { HistoryLimits(of: $0) }
    var lock: PairLock?
    if !isDryRun {
      let watch = StopWatch(signals: signals)
      lock = try await opener.lock(of: name, LockWait(patience, from: surroundings.now(), watch))
    }
    defer { withExtendedLifetime(lock) {} }
    let store = try opener.openStore(of: name, isDryRun ? .look : .write) { _ in }
    let gone = try await journaled(name) { () throws(JournalError) in
      let limits = if let own { own } else { try await HistoryLimits.load(from: store) }
      // Whoever took the pair out of this configuration may keep more of it than we would.
      guard let limits else { return PrunedHistory() }
      let gone = try await store.prune(
        olderThan: surroundings.now(minus: limits.age), versionsAnItem: limits.versionsAnItem)
      try await finish(store, gone, isDryRun: isDryRun)
      return gone
    }
    return PrunedLog(
      pair: name, versions: gone.versions, bytes: gone.bytes, isDryRun: isDryRun,
      isFormer: own == nil)
  }

  private func pruneEdits(isDryRun: Bool) async throws(RunFailure) -> PrunedLog {
    let office = office()
    let memory = isDryRun ? nil : try await EditMemory.open(configuration, surroundings)
    let store = if let memory { memory.store } else { try openEditCopy() }
    let records = try await office.remembered { () throws(JournalError) in
      try await store.collections()
    }
    var limits: [(name: String, pair: PairConfiguration?)] = []
    for record in records {
      var folder = await folder(known: record.folder, office)
      if folder.pair == nil, let now = await formerPath(record.folder, office).now {
        folder = await self.folder(known: now, office)
      }
      let pair = configuration.pairs.first { $0.name == folder.pair }
      limits.append((record.identity.name, pair))
    }
    let gone = try await office.remembered { () throws(JournalError) in
      var gone = PrunedHistory()
      for limit in limits {
        let part = try await store.prune(
          limit.name,
          olderThan: surroundings.now(minus: limit.pair?.historyKept ?? HistoryLimits.kept),
          versionsAnItem: limit.pair?.historyVersions ?? HistoryLimits.versions)
        gone.versions += part.versions
        gone.bytes += part.bytes
      }
      try await finish(store, gone, isDryRun: isDryRun)
      return gone
    }
    withExtendedLifetime(memory) {}
    return PrunedLog(pair: nil, versions: gone.versions, bytes: gone.bytes, isDryRun: isDryRun)
  }

  private func finish(_ store: PairStore, _ gone: PrunedHistory, isDryRun: Bool)
    async throws(JournalError)
  {
    // What is free in a file is used again: a disk that has no room to write it anew loses nothing.
    if gone.bytes > 0, !isDryRun { try? await store.compact() }
    try await store.close()
  }
}
