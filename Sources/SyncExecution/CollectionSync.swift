public import SyncModel
public import SyncPlanning

/// Keeps one collection of a pair the same on both sides.
///
/// The one engine for every direction and every kind of storage: a dry run and a status are the
/// same steps over a throw-away copy of the journal, without the last one.
public struct CollectionSync: Sendable {
  /// For reports.
  public let name: String
  let local: any Storage
  let remote: any Storage
  let journal: any Journal
  let surroundings: Surroundings
  let digest: DigestFunction
  let options: SyncOptions
  /// When the run began.
  private var began: Instant

  /// Of what both sides are called by, and by which journal and settings they are kept the same.
  public init(
    name: String, local: any Storage, remote: any Storage, journal: any Journal,
    surroundings: Surroundings, digest: @escaping DigestFunction, options: SyncOptions
  ) {
    self.name = name
    self.local = local
    self.remote = remote
    self.journal = journal
    self.surroundings = surroundings
    self.digest = digest
    self.options = options
    began = surroundings.now()
  }

  /// Runs once and reports what was done; never throws, since a failure is part of the report.
  public func run() async -> CollectionReport { await run(lookingAt: [.local, .remote]) }

  /// The same; a side that is not among `sides` is taken to be as the journal has it.
  ///
  /// - Parameter mail: What the report is to tell besides of the run's own.
  func run(
    lookingAt sides: Set<Side> = [.local, .remote], telling mail: SentMail = SentMail()
  ) async -> CollectionReport {
    var sync = self
    sync.began = surroundings.now()
    var run = SyncRun(sync, lookingAt: sides, telling: mail)
    do throws(SyncFailure) {
      try await run.run()
    } catch {
      run.report.failure = error
    }
    run.countHalves()
    return run.report
  }

  /// What this run saw of a place.
  func sighting(
    of href: Href, on side: Side, _ state: Observation.State, wait: Observation.Wait? = nil
  ) -> ObservedChange {
    .observed(Observation(side: side, href: href, state: state, wait: wait, since: began))
  }

  /// The same collection with other options.
  func with(_ options: SyncOptions) -> CollectionSync {
    CollectionSync(
      name: name, local: local, remote: remote, journal: journal, surroundings: surroundings,
      digest: digest, options: options)
  }

  /// The run that follows on what a person had written to the local side.
  ///
  /// - Parameters:
  ///   - made: what was written there; in a dry run the journal alone has it.
  ///   - mail: what the report is to tell besides of the run's own.
  func run(
    after made: CollectionReport, telling mail: SentMail = SentMail()
  ) async -> CollectionReport {
    var report = await options.isDryRun ? foresee() : run(telling: mail)
    report.actions = made.actions + report.actions
    report.pulled.created += made.actions.count { $0.kind == .create }
    report.pulled.updated += made.actions.count { $0.kind == .update }
    return report
  }

  func storage(_ side: Side) -> any Storage { side == .local ? local : remote }

  /// As far as the sides have shown theirs by now.
  var clocks: Clocks {
    let ahead = Side.allCases.map { ($0, storage($0).traits.clockAhead) }.filter { $0.1 != 0 }
    return Clocks(
      now: surroundings.now(), ahead: Dictionary(ahead, uniquingKeysWith: { first, _ in first }))
  }

  /// Sides that nothing is written to: those that the person or the storage says so of.
  var readOnly: Set<Side> {
    options.readOnly.union(Side.allCases.filter { storage($0).traits.isReadOnly })
  }

  var rules: ReconcileRules {
    var rules = ReconcileRules(now: surroundings.now())
    rules.clocks = clocks
    rules.policy = options.policy
    rules.direction = options.direction
    rules.settlesOneWay = options.settlesOneWay
    rules.components = options.components
    rules.readOnly = readOnly
    rules.preferred = options.preferred
    rules.keptBoth = options.keptBoth
    rules.only = options.only
    rules.offeredAgain = options.offeredAgain
    rules.takenAlong = options.takenAlong
    for side in Side.allCases {
      if storage(side).traits.isSilenced { rules.silenced.insert(side) }
      if options.sparesMail, storage(side).traits.actsOnMeetings { rules.notifying.insert(side) }
      if let kinds = storage(side).traits.components { rules.accepted[side] = kinds }
    }
    return rules
  }

  func checkStop() throws(SyncFailure) {
    if options.shouldStop() { throw .stopped }
  }
}

/// What a run may do.
public struct SyncOptions: Sendable {
  public var direction = SyncDirection.both
  /// The pair's own, where this run's is a part of it: what a person may say to a conflict later
  /// goes by it.
  public var pairDirection: SyncDirection?
  /// The direction is the pair's own, and this run no push or pull that leaves to a sync what both
  /// sides changed.
  public var settlesOneWay = false
  public var policy = ConflictPolicy.merge
  /// The pair's own, where a run may have another one: `resolve` goes by it.
  public var pairPolicy: ConflictPolicy?
  public var deletionLimit = DeletionLimit.standard
  /// What that limit kept earlier runs from deleting.
  public var deletions = HeldDeletions()
  /// Sides that the person declared read-only; what a storage says of itself comes on top.
  public var readOnly: Set<Side> = []
  /// The component kinds to sync; nil: all.
  public var components: Set<String>?
  /// The span of time of which items come to the local side; nil: all.
  public var window: SyncWindow?
  /// Which of the items that are new to this collection and outside that span the local side has in
  /// another one, or had there until the remote side had them there no more, as where somebody
  /// moved them on it: they come all the same; nil: none.
  public var wasHere: (@Sendable (_ new: Set<ItemID>) async -> Set<ItemID>)?
  /// The only items to deal with; nil: all.
  public var only: Set<ItemID>?
  /// It goes on with a run, for those items, and means no others that belong to them.
  public var isContinued = false
  /// Items of which a person has said which side holds, whatever the policy.
  public var preferred: [ItemID: Side] = [:]
  /// Those of them of which the other side's version was made a second item.
  public var keptBoth: Set<ItemID> = []
  /// What each side had of items when a person was asked about them, by canonical digest; a side
  /// without the item is not in it. Where that is no longer so, the item is left alone.
  public var shown: [ItemID: [Side: ContentDigest]] = [:]
  /// Items that a side refused lately and may take now, since what was in their way is gone.
  public var offeredAgain: Set<ItemID> = []
  /// Items that a deletion in another collection may have taken from the remote side, as where a
  /// server has one event for equal UIDs in two calendars: they are looked at first, and come back.
  public var takenAlong: Set<ItemID> = []
  /// A merge that no person asked for is not sent where attendees may get mail because of it.
  public var sparesMail = true
  /// What the zones of times are, to tell two spellings of one time from two times.
  public var zones = ItemZones.ownDefinitions
  /// Asked of each deletion before it is carried out on a side; nil: none is asked about.
  public var confirmDeletion: (@Sendable (_ item: ReportedItem, _ side: Side) async -> Bool)?
  /// Which of the items that are gone from the local side another collection has: their deletions
  /// wait; nil: none. Where it answers nil, that is not known yet: the run does nothing.
  public var leaving: (@Sendable (_ gone: Set<ItemID>) async -> FoundElsewhere?)?
  /// Which of the items that are new to the remote side another collection has there, as where
  /// somebody moved them from it: they are not sent by this run; nil: none.
  public var arriving: (@Sendable (_ new: Set<ItemID>) async -> Set<ItemID>)?
  /// What another collection shared of items that the remote side has moved to this one since: that
  /// is the base of what both sides show of them now.
  public var former: [ItemID: Agreement] = [:]
  /// Where the remote side shows items that it has moved to this collection: they are read whether
  /// a listing names them or not.
  public var movedTo: [Href] = []
  /// Whether what is new on the remote side comes to the local side; false: it waits.
  public var pullsNew = true
  /// Items that the remote side has moved to another collection, or may have: once both sides are
  /// without one, what they shared of it is kept until that collection has taken it over.
  public var departed: Set<ItemID> = []
  /// Which of the items that the remote side has no more, and the local one has, it has moved to
  /// another collection, and are not on their way any more: that one shares them and has lost their
  /// files, or the remote side has them nowhere. They are new here, and nobody has deleted them.
  /// It is asked once both sides were looked at: a file that is moved back has left the other
  /// collection before it shows here. Nil: none are.
  public var comingBack: (@Sendable (_ here: Set<ItemID>) async -> ComeBack)?
  /// Whether another collection had an item of this UID and has let it go since a moment. Asked of
  /// what the remote side refused as the second one of its UID (RFC 4791 §5.3.2.1); nil: none has.
  public var isFree: (@Sendable (_ uid: ItemID, _ since: Instant) async -> Bool)?
  /// When an item was last deleted in any collection of the pair, on whichever side. Asked of what
  /// a side had no room for; nil: nobody knows.
  public var lastDeletion: (@Sendable () async -> Instant?)?
  /// Sides on which the collection was gone in an earlier run, and is there again: what it lacks
  /// nobody has deleted.
  public var remade: Set<Side> = []
  /// What is deleted on a server is elsewhere by now: nobody is to get a mail about it, as far as
  /// the server lets that be said (RFC 6638 §8.1).
  public var deletesQuietly = false
  /// Whether servers may invite people to what no person made here.
  public var invitations = InvitationConsent()
  /// Plans and reports, and changes neither side. The journal given is to be a throw-away copy.
  public var isDryRun = false
  /// History older than this, in milliseconds, and beyond the newest `versions` of an item goes.
  public var keepHistory: (milliseconds: Int64, versions: Int) = (90 * 86_400_000, 50)
  /// Told how far the run is, from whatever thread it is on.
  public var progress: @Sendable (SyncProgress) -> Void = { _ in }
  /// Asked between batches: true ends the run once what is in flight is recorded.
  public var shouldStop: @Sendable () -> Bool = { false }

  public init() {}
}

/// How far a run is, for a display; no part of the result.
public enum SyncProgress: Sendable, Hashable {
  case listing(Side)
  case reading(Side, done: Int, of: Int)
  case writing(Side, done: Int, of: Int)
}

/// Calls a storage and says which side failed.
func on<Value: Sendable>(
  _ side: Side, _ call: () async throws(StorageError) -> Value
) async throws(SyncFailure) -> Value {
  do throws(StorageError) { return try await call() } catch { throw SyncFailure(error, on: side) }
}

extension SyncFailure {
  init(_ error: StorageError, on side: Side) {
    self = error.kind == .stopped ? .stopped : .storage(side, error)
  }
}

/// Calls the journal.
func recorded<Value: Sendable>(
  _ call: () async throws(JournalError) -> Value
) async throws(SyncFailure) -> Value {
  do throws(JournalError) {
    return try await call()
  } catch {
    if error.kind == .stopped { throw .stopped }
    throw .journal(error)
  }
}

extension Array {
  /// The elements in order in groups of at most `size`.
  func batches(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: Swift.max(1, size)).map {
      self[$0..<Swift.min(count, $0 + Swift.max(1, size))]
    }
  }
}
