import SQLiteJournal
import SyncExecution
import SyncModel

/// What the collections of a pair have in common while a run syncs them.
struct CollectionRun {
  let gateway: Gateway
  let opened: OpenedPair
  let options: RunOptions
  let direction: SyncDirection
  let watch: StopWatch
  let progress: @Sendable (PairProgress) -> Void

  private var pair: PairConfiguration { opened.target.pair }

  /// Opens a collection, runs the engine, and adds what came of it to the report. The items given
  /// are sent although the server refused them.
  func sync(
    _ collection: MatchedCollection, offeringAgain items: Set<ItemID> = [],
    _ report: inout PairReport
  ) async throws(RunFailure) {
    let name = collection.name
    var rules = gateway.engineOptions(pair, options, watch)
    rules.direction = direction
    rules.offeredAgain = items
    let held = try await heldInvitations(name)
    rules.heldInvitations = held
    if let confirm = options.confirmInvitations, pair.invitations == nil, !options.isDryRun {
      let place = "\(pair.name)/\(name)"
      rules.confirmInvitations = { await confirm(place, $0) }
    }
    let (progress, pairName) = (progress, pair.name)
    rules.progress = { progress(.collection(pair: pairName, name: name, $0)) }
    let opener = CollectionOpener(
      pair: opened, surroundings: gateway.surroundings, options: rules)
    switch await opener.open(collection) {
    case .skipped: return
    case .reported(let collection): report.add(collection)
    case .ready(let collection):
      report.notices += collection.notices
      let result = opener.translateVanished(await collection.run())
      report.add(result)
      if options.isDryRun { return }
      if pair.onConflict != nil {
        report.untold.removeAll { $0.collection == name }
        report.untold += try await gateway.journaled(pair) { () throws(JournalError) in
          try await ToldConflicts.untold(result, in: opened.store)
        }
      }
      try await gateway.journaled(pair) { () throws(JournalError) in
        try await HeldInvitations.save(result, insteadOf: held, in: opened.store)
      }
    }
  }

  /// Those of an earlier run, as long as the configuration does not say what is to become of them.
  private func heldInvitations(_ collection: String) async throws(RunFailure) -> Set<ItemID> {
    if pair.invitations != nil { return [] }
    return try await gateway.journaled(pair) { () throws(JournalError) in
      try await HeldInvitations.load(collection, from: opened.store)
    }
  }
}

extension PairReport {
  /// Adds the report of a collection, or goes on with it where the collection was run before.
  fileprivate mutating func add(_ collection: CollectionReport) {
    if let index = collections.firstIndex(where: { $0.name == collection.name }) {
      collections[index].go(on: collection)
    } else {
      collections.append(collection)
    }
  }

  /// The items that the collection's server did not take and that have left another calendar since:
  /// where no two items of an account may have one UID, they can be moved in this order alone.
  func moves(to collection: MatchedCollection) -> Set<ItemID> {
    guard !isDryRun, case .present = collection.local, case .present = collection.remote,
      let own = collections.first(where: { $0.name == collection.name })
    else { return [] }
    let others = collections.filter { $0.name != own.name }
    let departed = others.flatMap(\.actions).filter { $0.kind == .delete && $0.side == .remote }
    return Set(own.problems.compactMap(\.item.uid)).intersection(departed.compactMap(\.item.uid))
  }
}

extension CollectionReport {
  /// What a second run over the collection adds to the first.
  fileprivate mutating func go(on next: CollectionReport) {
    var whole = next
    whole.pulled.add(pulled)
    whole.pushed.add(pushed)
    whole.merged += merged
    whole.invitations += invitations
    whole.actions = actions + next.actions
    self = whole
  }
}

extension WriteCounts {
  fileprivate mutating func add(_ earlier: WriteCounts) {
    created += earlier.created
    updated += earlier.updated
    deleted += earlier.deleted
  }
}
