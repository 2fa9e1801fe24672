public import SyncExecution
import SyncModel
public import SyncPlanning

/// What one run did with one pair.
public struct PairReport: Sendable {
  public var pair: String
  public var direction: SyncDirection
  public var isDryRun: Bool
  /// It went one way of a pair that goes both: what both sides changed waits for a sync.
  public var leavesMerges = false
  /// Sorted by name.
  public var collections: [CollectionReport] = []
  /// What people call collections whose names are ids, by those.
  var titles: [String: String] = [:]
  /// What was done to collections themselves, by their names; in a dry run what would be.
  public var collectionActions: [String: CollectionActions] = [:]
  /// Names, colours and the like that wait for a person, by the names of their collections.
  public var valueConflicts: [String: [ValueConflict]] = [:]
  /// Names, colours and the like that a side could not be given, by the names of their collections.
  public var unwrittenValues: [String: [UnwrittenValue]] = [:]
  /// In a dry run, what the run would ask a person, by the names of collections: it counts on a
  /// yes.
  public var questions: [String: AwaitedAnswers] = [:]
  /// How mends name what was left for a person to do, by the names of collections.
  var mendNames: [String: [ReportedItem: MendNames]] = [:]
  /// The local side has folders, where commands on single items find them by the collection's name.
  var hasFolders = true
  /// Of a command on one item: the folders of its collections, by their names. JSON names files by
  /// their whole paths then.
  var folders: [String: EventFolder] = [:]
  /// Why the pair could not be dealt with at all; nil where it could.
  public var failure: RunFailure?
  /// Why something was left out that the run was for; the rest is dealt with.
  var shortfalls: [RunFailure] = []
  /// What a person should know although nothing failed.
  public var notices: [String] = []
  /// What a person may know besides, and is told in each run: nothing was done about it.
  public var remarks: [String] = []
  /// Conflicts that `on_conflict` is to be told of.
  var untold: [UntoldConflict] = []
  /// It is of a run over both sides, after which hooks are run.
  var isOfRun = false
  /// A command of the configuration was ended, or left out, since calgw was told to stop.
  public var cutHook: RunFailure?
  /// Why the run was told to stop; nil where it was not.
  public var stop: StopReason?
  /// What a server asked to wait for in the run, in words.
  package var askedWait: String?
  /// At the end of the run, where a server asked for more time than there was.
  var clock: WallClock?
  public var traffic = PairTraffic()
  public var elapsed = Duration.zero

  public init(pair: String, direction: SyncDirection, isDryRun: Bool) {
    self.pair = pair
    self.direction = direction
    self.isDryRun = isDryRun
  }

  /// Why each collection that was not finished was not, by name. That the run had to stop is said
  /// once, of the pair.
  public var failures: [RunFailure] {
    let ofCollections = collections.compactMap { collection in
      collection.failure.map {
        RunFailure(
          $0, place: "pair \(pair), collection \(titled(collection.name, titles))", stop: stop)
      }
    }
    let all =
      [failure, cutHook].compactMap { $0 } + shortfalls
      + ofCollections.filter { stop == nil || $0.message != failure?.message }
    return all.map { $0.explained(by: askedWait, at: clock) }
  }

  /// The failure that gives the status; nil where there is none.
  public var gravestFailure: RunFailure? {
    let failures = failures
    let status = ExitStatus.combined(failures.map(\.status))
    return failures.first { $0.status == status }
  }

  /// How the mend of an item of a collection names it.
  public func names(of item: ReportedItem, in collection: String) -> MendNames {
    mendNames[collection]?[item] ?? MendNames(item.uid)
  }

  /// `PAIR/COLLECTION`, for people.
  public func place(of collection: String) -> String {
    "\(visibleText(pair))/\(visibleText(titled(collection, titles)))"
  }

  /// The pair's exit status.
  public var status: ExitStatus {
    let needsAttention =
      collections.contains(where: \.needsAttention) || !valueConflicts.isEmpty
      || !unwrittenValues.isEmpty
    return .combined(failures.map(\.status) + [needsAttention ? .attention : .success])
  }
}

extension PairReport {
  /// Takes in what a later run over some of its items did, as after a person settled a conflict.
  /// What that run had to say was shown with it; what made it fail is the report's, too.
  public mutating func include(_ later: PairReport) {
    if failures.isEmpty { clock = later.clock }
    for new in later.collections {
      guard let index = collections.firstIndex(where: { $0.name == new.name }) else { continue }
      collections[index].pulled.add(new.pulled)
      collections[index].pushed.add(new.pushed)
      collections[index].merged += new.merged
      collections[index].invitations += new.invitations
      collections[index].cancellations += new.cancellations
      collections[index].actions += new.actions
      let mended = new.mended
      collections[index].problems.removeAll { $0.item.uid.map { mended.contains($0) } ?? false }
      collections[index].failure = collections[index].failure ?? new.failure
      unwrittenValues[new.name] = later.unwrittenValues[new.name]
    }
    failure = failure ?? later.failure
    stop = stop ?? later.stop
    askedWait = later.askedWait ?? askedWait
    collectionActions.merge(later.collectionActions) { $0.joined($1) }
    traffic = traffic.adding(later.traffic)
    elapsed += later.elapsed
  }
}

extension CollectionReport {
  /// Items that a run wrote or recorded, and did not name: what stood in the way of one before, as
  /// the other part of its series in a conflict, does so no more.
  fileprivate var mended: Set<ItemID> {
    Set(actions.compactMap(\.item.uid)).subtracting(problems.compactMap(\.item.uid))
  }
}

extension WriteCounts {
  fileprivate mutating func add(_ other: WriteCounts) {
    created += other.created
    updated += other.updated
    deleted += other.deleted
  }
}

/// What went over the network.
public struct PairTraffic: Sendable, Hashable {
  public var requests = 0
  public var bytesIn: Int64 = 0
  public var bytesOut: Int64 = 0

  public init() {}
}
