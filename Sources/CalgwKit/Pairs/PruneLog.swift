import Glibc
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

  /// The machine-readable form: one line.
  public var json: JSONValue {
    .object(
      ("pair", .optional(pair)), ("versions", .integer(versions)), ("bytes", .integer(bytes)),
      ("dryRun", .boolean(isDryRun)))
  }
}

extension Gateway {
  /// Drops what is beyond the limits of `history` from every log, as each run that writes does for
  /// its collections, and gives the room back to the disk.
  ///
  /// - Parameter patience: how long to wait for each pair's lock.
  /// - Returns: what went, in the order of the configuration, and what could not be pruned.
  public func pruneLog(isDryRun: Bool, patience: Duration) async
    -> (pruned: [PrunedLog], failures: [RunFailure])
  {
    var pruned: [PrunedLog] = []
    var failures: [RunFailure] = []
    for pair in configuration.pairs where access(opener.databasePath(pair), F_OK) == 0 {
      if let failure = leavingOut("pair \(pair.name)") {
        return (pruned, failures + [failure])
      }
      do throws(RunFailure) {
        pruned.append(try await prune(pair, isDryRun: isDryRun, patience: patience))
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

  private func prune(_ pair: PairConfiguration, isDryRun: Bool, patience: Duration)
    async throws(RunFailure) -> PrunedLog
  {
    var lock: PairLock?
    if !isDryRun {
      lock = try await opener.lock(pair, patience: patience, watch: StopWatch(signals: signals))
    }
    defer { withExtendedLifetime(lock) {} }
    let store = try opener.openStore(pair, isDryRun ? .look : .write) { _ in }
    let gone = try await journaled(pair) { () throws(JournalError) in
      let gone = try await store.prune(
        olderThan: surroundings.now(minus: pair.historyKept), versionsAnItem: pair.historyVersions)
      try await finish(store, gone, isDryRun: isDryRun)
      return gone
    }
    return PrunedLog(
      pair: pair.name, versions: gone.versions, bytes: gone.bytes, isDryRun: isDryRun)
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
      let folder = await office.folder(known: record.folder)
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

/// What is kept where no pair says otherwise.
enum HistoryLimits {
  /// Versions younger than this, however many.
  static let kept = Duration.seconds(90 * 86_400)
  /// The newest of an item, however old.
  static let versions = 50
}

extension Surroundings {
  /// A moment in the past; the earliest there is where it would lie before that.
  func now(minus length: Duration) -> Instant {
    let (past, overflow) = now().milliseconds.subtractingReportingOverflow(length.milliseconds)
    return Instant(milliseconds: overflow ? .min : past)
  }
}
