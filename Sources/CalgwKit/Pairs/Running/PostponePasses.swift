import SyncExecution
import SyncModel

/// An account has no folders to look into: what is gone from one of its calendars was moved or
/// deleted, and which of the two shows once the run has looked at all of them. Until then the
/// collection is left as it was, and not only those items: a guard against mass deletions that
/// stops the deletions stops the rest of the collection as well.
extension CollectionRun {
  /// Which of the items that are gone from a collection another one has; it answers nil as long as
  /// that cannot be known.
  func leaving(
    _ name: String, _ report: PairReport
  ) -> @Sendable (Set<ItemID>) async -> FoundElsewhere? {
    if case .account = opened.local, opened.collections.contains(where: { !seen.contains($0.name) })
    {
      return { _ in nil }
    }
    // Of those that wait, too, it is known what is new to them, also where their pass failed since.
    let new = report.arrived.union(report.arriving).union(arrivingLater)
    return opened.leaving(name, new: new, gateway.office().finder)
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
