import SyncExecution
import SyncModel

/// An account has no folders to look into: what is gone from one of its calendars was moved or
/// deleted, and which of the two shows once the run has looked at all of them. Until then the
/// collection is left as it was, and not only those items: a guard against mass deletions that
/// stops the deletions stops the rest of the collection as well.
extension CollectionRun {
  /// Runs over each collection, and once more over those that wait for the others. Gives why it
  /// came to no end; nil where it did, or the server lets nobody in.
  mutating func runPasses(_ report: inout PairReport) async throws(RunFailure) -> StopReason? {
    var left = opened.collections
    while !left.isEmpty {
      if let stop = watch.reason { return stop }
      if let error = opened.shutOut {
        try report.end(error, opened.place, left: left.count)
        return nil
      }
      let collection = left.removeFirst()
      if !looks.hasPostponed(collection.name) { try await carryBack(to: collection) }
      try await sync(collection, &report)
      // By then all have been looked at, so that it comes up twice at most.
      if looks.hasPostponed(collection.name) { left.append(collection) }
    }
    return nil
  }

  /// Which of the items that are gone from a collection another one has; it answers nil as long as
  /// that cannot be known.
  func leaving(
    _ name: String, _ report: PairReport
  ) -> @Sendable (Set<ItemID>) async -> FoundElsewhere? {
    if case .account = opened.local, !looks.areDone(opened.collections) { return { _ in nil } }
    // Of those that wait, too, it is known what is new to them, also where their pass failed since.
    let new = report.arrived.union(report.arriving).union(looks.arriving)
    return opened.leaving(name, new: new, gateway.office().finder)
  }
}

/// What is known of the collections of a run from its first look at each.
struct FirstLooks {
  private var begun: Set<String> = []
  /// Of those that wait for the others.
  private var passes: [String: CollectionPass] = [:]
  /// What was new to those then, whatever becomes of it.
  private(set) var arriving: Set<ItemID> = []

  /// Whether the run has looked at all of these.
  func areDone(_ collections: [MatchedCollection]) -> Bool {
    collections.allSatisfy { begun.contains($0.name) }
  }

  /// Whether a collection waits for the others.
  func hasPostponed(_ name: String) -> Bool { passes[name] != nil }

  /// Notes that the run looks at a collection now. Gives its pass where it has waited.
  mutating func begin(_ name: String) -> CollectionPass? {
    begun.insert(name)
    return passes.removeValue(forKey: name)
  }

  /// Has a collection wait for the others.
  ///
  /// - Parameter look: what was found in it.
  mutating func postpone(_ pass: CollectionPass, after look: CollectionReport) {
    var pass = pass
    pass.look = look
    passes[pass.ready.sync.name] = pass
    arriving.formUnion(look.arriving.compactMap(\.uid))
  }
}

/// A collection that is open, and by what the engine goes in it.
struct CollectionPass {
  var ready: ReadyCollection
  let opener: CollectionOpener
  let rules: SyncOptions
  let questions: CountedQuestions
  /// What a first look at it found, after which it waited.
  var look: CollectionReport?

  /// Runs the engine, and adds what that look had to say and is not said twice.
  func run() async -> CollectionReport {
    var report = await ready.run()
    if let look {
      report.lateEdits = look.lateEdits + report.lateEdits
      report.lacking += look.lacking
      // It wrote nothing: this is the mail of a run that was killed.
      report.invitations += look.invitations
      report.cancellations += look.cancellations
    }
    return report
  }

  /// The same, where it is known by now what other collections have.
  func knowing(
    _ leaving: @escaping @Sendable (Set<ItemID>) async -> FoundElsewhere?
  ) -> CollectionPass {
    var pass = self
    pass.ready.sync = ready.sync.knowing(leaving: leaving)
    return pass
  }
}

extension PairReport {
  /// Tells of the collections in the order that they have in the pair, whichever of them waited.
  mutating func order(as matched: [MatchedCollection]) {
    let places = Dictionary(
      matched.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    collections.sort { places[$0.name] ?? 0 < places[$1.name] ?? 0 }
  }
}
