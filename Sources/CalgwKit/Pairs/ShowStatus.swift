import SQLiteJournal
import SyncExecution
import SyncModel
import SyncPlanning

/// A collection that was looked at: what is not in step in it, and the means to say more.
struct ViewedCollection: Sendable {
  let name: String
  let sync: CollectionSync
  /// A copy, with what was just seen.
  let journal: any Journal
  let items: [PendingItem]
  /// What a run would do to the collection itself.
  let actions: CollectionActions
  /// Which of its values the sides do not have in common.
  let differing: [DifferingValue]
}

/// A pair that was looked at.
struct PairView: Sendable {
  var collections: [ViewedCollection] = []
  /// Collections that could not be opened, and why.
  var reports: [CollectionReport] = []
  var failures: [RunFailure] = []
}

extension Gateway {
  /// Looks what each side changed since the last sync; `offline` looks at the local side alone.
  /// Nothing is written, and no lock is needed.
  public func status(
    _ target: PairTarget, offline: Bool,
    progress: @escaping @Sendable (PairProgress) -> Void = { _ in }
  ) async -> StatusReport {
    let pair = target.pair.name
    let view = await view(target, offline: offline, progress: progress)
    var report = StatusReport(pair: pair)
    report.failures = view.failures
    for collection in view.collections {
      for item in collection.items {
        var entry = PendingEntry(pair: pair, collection: collection.name, item)
        entry.problem?.suit(target.pair.remote)
        if item.local == .updated || item.remote == .updated || entry.isUnmet,
          case .success(let differences) = await collection.sync.differences(of: item)
        {
          entry.localChanges = differences.local.map(\.words)
          entry.remoteChanges = differences.remote.map(\.words)
          if entry.isUnmet { entry.unlikeness = differences.between.map(\.words) }
        }
        report.items.append(entry)
      }
      if let own = PendingEntry(pair: pair, collection) { report.items.append(own) }
    }
    for collection in view.reports {
      for problem in collection.problems {
        var entry = PendingEntry(pair: pair, collection: collection.name, item: problem.item)
        entry.problem = problem.problem
        report.items.append(entry)
      }
    }
    return report
  }

  /// Looks at the collections of a pair and changes nothing; `policy` in place of the pair's own
  /// says what is a conflict.
  func view(
    _ target: PairTarget, offline: Bool, policy: ConflictPolicy? = nil,
    progress: @escaping @Sendable (PairProgress) -> Void = { _ in }
  ) async -> PairView {
    let watch = StopWatch(signals: signals, deadline: target.pair.deadline)
    let result = await watch.watch(surroundings) { () -> PairView in
      var view = PairView()
      do throws(RunFailure) {
        progress(.opening(pair: target.pair.name))
        let store = try opener.openStore(target.pair, .look) { _ in }
        let opened = try await opener.open(
          target, .look, store: store, lock: nil, offline: offline, stop: { watch.reason })
        for collection in opened.collections {
          if let stop = watch.reason {
            throw .stopped(stop, place: "pair \(target.pair.name)")
          }
          try await look(
            at: collection, of: opened, offline: offline, policy: policy, watch, into: &view)
        }
      } catch {
        view.failures.append(error)
      }
      return view
    }
    return result ?? PairView()
  }

  private func look(
    at collection: MatchedCollection, of opened: OpenedPair, offline: Bool,
    policy: ConflictPolicy?, _ watch: StopWatch, into view: inout PairView
  ) async throws(RunFailure) {
    let pair = opened.target.pair
    var options = RunOptions()
    options.policy = policy
    var rules = engineOptions(pair, options, watch)
    rules.invitations = try await invitationConsent(collection.name, of: opened)
    let opener = CollectionOpener(pair: opened, surroundings: surroundings, options: rules)
    var failed = CollectionReport(name: collection.name)
    switch await opener.open(collection) {
    case .skipped: return
    case .reported(let report): failed = report
    case .ready(let ready):
      switch await ready.sync.inspect(offline ? [.local] : [.local, .remote]) {
      case .success(let items):
        view.collections.append(
          ViewedCollection(
            name: collection.name, sync: ready.sync, journal: ready.journal, items: items,
            actions: ready.actions, differing: ready.differing))
        return
      case .failure(let failure):
        failed.failure = failure
        failed = opener.translateVanished(failed)
      }
    }
    view.reports.append(failed)
    if let failure = failed.failure {
      let place = "pair \(pair.name), collection \(collection.name)"
      view.failures.append(RunFailure(failure, place: place, stop: watch.reason))
    }
  }
}

extension PendingEntry {
  /// The collection itself, beside its items; nil where nothing of it waits.
  fileprivate init?(pair: String, _ collection: ViewedCollection) {
    self.init(
      pair: pair, collection: collection.name,
      item: ReportedItem(uid: nil, file: nil, href: nil, summary: ""))
    if let made = collection.actions.made {
      // What is in it says that it comes.
      guard collection.items.isEmpty else { return nil }
      if made.side == .local { remote = .created } else { local = .created }
      return
    }
    // What the sides never agreed on is no change since the last sync.
    let changed = collection.differing.filter { $0.base != nil }
    if changed.isEmpty { return nil }
    localChanges = changed.compactMap { $0.words(on: .local) }
    remoteChanges = changed.compactMap { $0.words(on: .remote) }
    if !localChanges.isEmpty { local = .updated }
    if !remoteChanges.isEmpty { remote = .updated }
  }
}
