import CalDAVStorage
import SQLiteJournal
import SyncExecution
public import SyncModel
import SyncPlanning
import WebDAV

extension Gateway {
  /// Runs one pair. Never throws: what failed is part of the report. Its hooks are not called:
  /// see `runHooks(after:)`.
  public func sync(
    _ target: PairTarget, _ options: RunOptions,
    progress: @escaping @Sendable (PairProgress) -> Void = { _ in }
  ) async -> PairReport {
    let pair = target.pair
    let direction = options.direction == .both ? pair.direction : options.direction
    let target = target.going(direction)
    var empty = PairReport(pair: pair.name, direction: direction, isDryRun: options.isDryRun)
    empty.leavesMerges = direction != .both && pair.direction == .both
    return await measured(empty, progress) { watch, report async throws(RunFailure) in
      progress(.opening(pair: pair.name))
      let mode: RunMode = options.isDryRun ? .look : .write
      let wait = LockWait(options.patience, from: surroundings.now(), watch)
      var opened = try await open(target, mode, wait, watch, &report)
      var run = CollectionRun(
        gateway: self, opened: opened, options: options, direction: direction, watch: watch,
        wait: wait, progress: progress,
        departed: try await NotedItems(.departed, of: opened, self),
        takenAlong: try await NotedItems(.takenAlong, of: opened, self),
        destinations: try await Destinations(of: opened, self))
      var stop = try await run.runPasses(&report)
      report.order(as: opened.collections)
      if stop == nil, opened.shutOut == nil {
        let (store, lock) = (opened.store, opened.lock)
        stop = try await run.finishMoves(&report) { () throws(RunFailure) in
          try await opener.open(target, mode, store: store, lock: lock, stop: { watch.reason })
        }
        opened = run.opened
      }
      await nameItems(in: &report, of: opened)
      await report.noteOutlivedDeletions(opened.store, self)
      try await close(opened)
      // The rest was not looked at.
      if let stop { throw .stopped(stop, place: opened.place) }
    }
  }

  /// Brings a version of the history back onto both sides: of an item, or a value of a collection.
  public func restore(_ id: String, isDryRun: Bool, patience: Duration) async throws(RunFailure)
    -> PairReport
  {
    if let number = editNumber(id) {
      return try await restoreEdit(number, id: id, isDryRun: isDryRun)
    }
    let (pair, logged) = try parseVersion(id)
    let number: Int64
    switch logged {
    case .version(let own): number = own
    case .value(let own):
      return try await restoreValue(
        own, of: pair, id: id, isDryRun: isDryRun, patience: patience)
    }
    let kept = try await version(number, of: pair, id: id)
    var target = PairTarget(pair: pair)
    target.origin = kept.origin
    let parts = await partsLeft(by: kept, of: pair)
    var report = await act(on: target, isDryRun: isDryRun, patience: patience) {
      await $0.sync.restore(kept.text, as: kept.uid, from: kept.place)
    }
    if report.status == .success {
      report.note(fuller: kept.fuller, than: id)
      report.note(partsLeft: parts)
      report.noteMadeByRestore()
      await noteElsewhere(kept.uid, of: pair, in: &report)
    }
    return report
  }

  /// Settles a conflict as a person said. Both sides are looked at anew.
  ///
  /// - Parameter shown: the versions that the person saw; where one is another by now, nothing is
  ///   done. Nil where he was shown none.
  public func resolve(
    _ item: NamedItem, taking choice: ConflictChoice, ifStill shown: [Side: ContentDigest]?,
    isDryRun: Bool, patience: Duration
  ) async -> PairReport {
    let target = PairTarget(pair: item.pair, collections: [item.collection])
    return await act(on: target, isDryRun: isDryRun, patience: patience) { collection in
      var report =
        if let shown {
          await collection.sync.resolve(item.uid, taking: choice, ifStill: shown)
        } else {
          await collection.sync.resolve(item.uid, taking: choice)
        }
      report.nameRefusals(item.reported)
      report.tellOnce()
      return report
    }
  }

  /// Opens the collections of a target and does something with each.
  func act(
    on target: PairTarget, isDryRun: Bool, patience: Duration,
    _ work: @escaping @Sendable (ReadyCollection) async -> CollectionReport
  ) async -> PairReport {
    let pair = target.pair
    let empty = PairReport(pair: pair.name, direction: pair.direction, isDryRun: isDryRun)
    return await measured(empty) { watch, report async throws(RunFailure) in
      let wait = LockWait(patience, from: surroundings.now(), watch)
      let opened = try await open(target, isDryRun ? .look : .write, wait, watch, &report)
      for collection in opened.collections {
        if case .present(let own) = collection.local {
          report.folders[collection.name] = EventFolder(of: opened.local, named: own.href.spelling)
        }
        var options = RunOptions()
        options.isDryRun = isDryRun
        let rules = try await engineOptions(collection.name, of: opened, options, watch)
        let opener = CollectionOpener(
          pair: opened, surroundings: surroundings, options: rules, wait: wait)
        switch await opener.open(collection) {
        case .skipped: continue
        case .reported(let collection, let made):
          report.takeIn(CollectionActions(made: made), of: collection.name)
          report.collections.append(collection)
        case .ready(let collection):
          report.takeIn(collection)
          let result = await work(collection)
          withExtendedLifetime(collection.locks) {
            report.collections.append(opener.translate(result))
          }
          report.note(doubled: result.doubled, in: result.name)
          report.note(lateEdits: await strangeOnes(of: result.lateEdits), in: result.name)
        }
      }
      await nameItems(in: &report, of: opened)
      try await close(opened)
    }
  }

  // MARK: Parts of a run

  /// Times the work, counts its traffic, and ends it where it was told to stop.
  private func measured(
    _ empty: PairReport, _ progress: @escaping @Sendable (PairProgress) -> Void = { _ in },
    _ work: @escaping @Sendable (StopWatch, inout PairReport) async throws(RunFailure) -> Void
  ) async -> PairReport {
    let pair = configuration.pairs.first { $0.name == empty.pair }
    let deadline = pair?.deadline
    let watch = StopWatch(signals: signals, deadline: deadline)
    let before = opener.connections.traffic
    let clock = ContinuousClock()
    let start = clock.now
    let end = deadline.map { watch.extended(surroundings.now().after($0)) }
    let asked = AskedWaits { progress(.waiting(pair: empty.pair, $0)) }
    let result = await Patience.$asked.withValue(asked) {
      await watch.watch(surroundings) {
        await RunBudget.until(end, shouldStop: watch.shouldStop) { () -> PairReport in
          var report = empty
          report.hasFolders = pair?.hasFolders ?? true
          do throws(RunFailure) {
            try await work(watch, &report)
          } catch {
            report.failure = error
          }
          report.noteLostMethods()
          let scheduled = report.collections.reduce(0) { $0 + $1.invitations }
          if scheduled > 0 {
            let deleted = report.collections.reduce(0) { $0 + $1.cancellations }
            report.notices.append(
              RunNotices.invitations(
                scheduled, cancellations: deleted, under: pair?.invitations))
          }
          return report
        }
      }
    }
    var report = result ?? empty
    report.isOfRun = true
    report.stop = watch.reason
    report.askedWait = asked.words
    report.clock = WallClock(for: report.failures, surroundings, environment)
    report.traffic = opener.connections.traffic.since(before)
    report.elapsed = start.duration(to: clock.now)
    return report
  }

  /// Locks the pair if it writes, opens its store and both sides.
  private func open(
    _ target: PairTarget, _ mode: RunMode, _ wait: LockWait, _ watch: StopWatch,
    _ report: inout PairReport
  ) async throws(RunFailure) -> OpenedPair {
    var lock: PairLock?
    if mode == .write {
      lock = try await opener.lock(target.pair, wait)
      report.notices += await finishEdits(of: target.pair)
    }
    let store = try await opener.openStore(of: target.pair.name, mode, telling: &report.notices)
    do throws(RunFailure) {
      let opened = try await opener.open(
        target, mode, store: store, lock: lock, stop: { watch.reason })
      report.shortfalls = opened.shortfalls
      report.titles = collectionTitles(opened.collections)
      report.notices += try await otherHosts(of: opened)
      report.notices += try await unseenPlaces(of: opened)
      report.remarks = opened.listing.remarks
      return opened
    } catch {
      // What could not be closed is only slower to open.
      try? await store.close()
      throw error
    }
  }

  /// What a person should know of servers beside the URLs' own, whether they are asked or not: said
  /// once, since most runs search for nothing and a listing names the same each time.
  private func otherHosts(of opened: OpenedPair) async throws(RunFailure) -> [String] {
    var notices: [String] = []
    for case .account(let connection) in [opened.local, opened.remote] {
      let (others, foreign) = try await journaled(opened.target.pair) { () throws(JournalError) in
        (
          try await opened.store.untoldServers(of: connection),
          try await opened.store.untoldHosts(of: connection)
        )
      }
      notices += others.map(connection.notice(ofOther:))
      notices += foreign.map(connection.notice(ofForeign:))
    }
    return notices
  }

  /// What a person should know of calendars that the accounts do not show, or that no run takes. A
  /// place that is put off is a failure.
  private func unseenPlaces(of opened: OpenedPair) async throws(RunFailure) -> [String] {
    var notices: [String] = []
    for side in Side.allCases {
      guard case .account(let connection) = opened.side(side) else { continue }
      let listing = opened.listing
      let (places, probes) = try await journaled(opened.target.pair) { () throws(JournalError) in
        (
          try await opened.store.untold(
            (listing.unseen[side] ?? []).filter { !$0.isPutOff }, of: connection),
          try await opened.store.untoldProbes(listing.probes[side] ?? [], of: connection)
        )
      }
      notices += places.map(connection.notice(ofUnseen:))
      notices += probes.map(connection.notice(ofProbe:))
    }
    return notices
  }

  private func close(_ opened: OpenedPair) async throws(RunFailure) {
    defer { withExtendedLifetime(opened.lock) {} }
    try await journaled(opened.target.pair) { () throws(JournalError) in
      if opened.mode == .write {
        for case .account(let connection) in [opened.local, opened.remote] {
          try await opened.store.remember(connection)
        }
        if try await !opened.store.collections().isEmpty { opened.lock?.remember(hasSynced: true) }
      }
      try await opened.store.close()
    }
  }
}
