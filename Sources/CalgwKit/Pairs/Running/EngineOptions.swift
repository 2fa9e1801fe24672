import SQLiteJournal
import SyncExecution
import SyncModel
import SyncPlanning

extension Gateway {
  /// What the engine is told of a collection: by the configuration of its pair, for this run, and
  /// by what earlier runs held back.
  func engineOptions(
    _ collection: String, of opened: OpenedPair, _ options: RunOptions, _ watch: StopWatch
  ) async throws(RunFailure) -> SyncOptions {
    let pair = opened.target.pair
    var rules = SyncOptions()
    rules.direction = pair.direction
    rules.pairDirection = pair.direction
    rules.settlesOneWay = options.direction == .both
    rules.policy = options.policy ?? pair.policy
    rules.pairPolicy = pair.policy
    rules.deletionLimit = DeletionLimit(
      percent: Double(pair.maxDeletePercent), isLifted: options.allowsMassDelete)
    rules.deletions = try await heldDeletions(collection, of: opened)
    rules.invitations = try await invitationConsent(
      collection, of: opened, asking: options.confirmInvitations)
    rules.readOnly = pair.isReadOnly ? [.remote] : []
    rules.components = pair.components
    rules.zones = ItemZones(.system)
    rules.window = pair.window?.span(at: surroundings.now())
    rules.wasHere = { [store = opened.store] uids in
      await store.items(uids, onceHereBesides: collection)
    }
    if pair.confirmsDeletions, !options.allowsMassDelete {
      rules.confirmDeletion = { _, _ in false }
    }
    rules.isFree = { [store = opened.store] uid, time in
      await store.hasLetGo(of: uid, since: time, besides: collection)
    }
    rules.lastDeletion = { [store = opened.store] in try? await store.lastDeletion() }
    rules.remade = try await journaled(pair) { [store = opened.store] () throws(JournalError) in
      try await GoneCalendars.load(collection, from: store)
    }
    rules.isDryRun = options.isDryRun
    rules.keepHistory = (pair.historyKept.milliseconds, pair.historyVersions)
    rules.shouldStop = watch.shouldStop
    return rules
  }
}

extension PairConfiguration.Window {
  fileprivate func span(at now: Instant) -> SyncWindow {
    SyncWindow(
      from: past.map { now.after(.zero - $0) } ?? Instant(milliseconds: .min),
      to: future.map { now.after($0) } ?? Instant(milliseconds: .max), zones: .system)
  }
}
