import ICalendar
import Logging
import SQLiteJournal
import SyncExecution
import SyncModel
import SyncPlanning
import VdirStorage

/// Makes the side of a collection that is not there yet, where that is right.
extension CollectionOpener {
  /// What there is to open.
  enum Found {
    case present(CollectionDescription)
    /// To be made, in a run that makes nothing.
    case empty(CollectionProposal)
  }

  enum Counterpart {
    case found(Found)
    /// There is none, and none is made, for these reasons; without any that is as it should be.
    case absent([ReportedProblem])
  }

  func without(_ counterpart: Counterpart, _ collection: MatchedCollection) -> Opened {
    guard case .absent(let problems) = counterpart, !problems.isEmpty else { return .skipped }
    var report = CollectionReport(name: collection.name)
    report.problems = problems
    return .reported(translate(report))
  }

  /// A feed is read before a folder is made for it: what gives no calendar gets none.
  func readAhead(for collection: MatchedCollection) async throws(OpeningError) {
    guard case .stream(let stream) = pair.remote, pair.mode == .write else { return }
    var isNew = pair.local.isNew
    if case .missing = collection.local, options.direction.writes(to: .local) { isNew = true }
    guard isNew else { return }
    try await reached(.remote) { () throws(StorageError) in try await stream.readAhead() }
  }

  /// What is there on a side, made first if it has to be and may be.
  func counterpart(
    _ side: Side, of collection: MatchedCollection, noting made: inout MadeCollection?
  ) async throws(OpeningError) -> Counterpart {
    let own = side == .local ? collection.local : collection.remote
    switch own {
    case .present(let description): return .found(.present(description))
    case .gone, .unknown, .given, .nobody: return .absent([])
    case .missing(var proposal):
      guard options.direction.writes(to: side), !options.readOnly.contains(side),
        pair.side(side).makesCollections
      else { return .absent(try await whyNotMade(side, collection)) }
      let opposite = side == .local ? collection.remote : collection.local
      if side == .remote, case .present(let source) = opposite {
        let synced = pair.target.pair.components
        let kinds = try await reached(.local) { () throws(StorageError) in
          try await pair.local.kindsIfWorthCounterpart(source, of: synced)
        }
        guard let kinds else { return .absent(try await whyNone(for: source, collection)) }
        proposal.ask(for: kinds, of: synced)
      }
      if let problem = mayBeOneOfSeveral(collection, on: side) { return .absent([problem]) }
      let unseen = mayBeUnseen(
        collection.name, on: side, among: homesElsewhere(on: side), or: waysWithout(collection))
      if let unseen { return .absent([unseen]) }
      if case .present(let source) = opposite, let problem = mayBeKnown(source, on: side.opposite) {
        return .absent([problem])
      }
      let kept = pair.target.pair.metadata
      if !kept.contains(.displayname) { proposal.displayName = nil }
      if !kept.contains(.color) { proposal.color = nil }
      guard pair.mode == .write else { return .found(.empty(proposal)) }
      try await noteMaking(of: collection.name, on: side)
      let (new, isOurs) = try await make(proposal, on: side, for: collection.name)
      guard isOurs else { return .found(.present(new)) }
      // A folder is called as its name is, without a file that says so.
      let asked =
        pair.side(side).isServer && kept.contains(.displayname)
        ? proposal.displayName ?? proposal.name : nil
      try await MetadataSync.noteMade(
        new, on: side, asked: asked, as: collection.name, in: pair.store)
      made = self.made(new, on: side)
      logger.info("made the \(side.rawValue) collection \(new.name)")
      return .found(.present(new))
    }
  }

  func made(_ new: CollectionDescription, on side: Side) -> MadeCollection {
    let isFolder = pair.side(side).isDirectory
    let name = isFolder ? new.name : new.displayName ?? new.name
    return MadeCollection(side: side, name: name, isFolder: isFolder)
  }

  // MARK: Made at the place of a known one

  /// The new calendar may come to be where the known one was, and the run may end before what was
  /// agreed on is set aside. Then it is a calendar that was gone for the next one: what it lacks
  /// deletes nothing.
  private func noteMaking(of name: String, on side: Side) async throws(OpeningError) {
    guard pair.side(side).isServer else { return }
    let store = pair.store
    try await recorded { () throws(JournalError) in
      if try await store.collection(named: name) == nil { return }
      let former = try await GoneCalendars.load(name, from: store)
      try await GoneCalendars.save(former.union([side]), of: name, in: store)
    }
  }

  /// Sets aside what was agreed on with a counterpart that was not there when the run began, and by
  /// now is at the place of the known one; true where it did so. What the new one lacks nobody has
  /// deleted.
  ///
  /// - Parameter identity: the collection's, as it is now.
  func setAsideRemade(
    _ collection: MatchedCollection, _ identity: CollectionIdentity
  ) async throws(OpeningError) -> Bool {
    guard pair.mode == .write, collection.local.isMissing || collection.remote.isMissing else {
      return false
    }
    let store = pair.store
    return try await recorded { () throws(JournalError) in
      let known = try await store.collection(named: identity.name)
      let isRemade = known?.identity == identity
      if isRemade { try await store.forget(identity.name, at: surroundings.now()) }
      try await GoneCalendars.save([], of: identity.name, in: store)
      return isRemade
    }
  }

  func noticeOfRemade(_ name: String) -> String {
    "\(pair.target.pair.name)/\(name) was gone and is there anew: nothing is deleted, and deletions"
      + " made here or there since the last run come back"
  }

  // MARK: Why none is made

  /// On a side that makes none, or where none may be made. What is in a folder beside a side that
  /// is read-only is kept, and named as an item of it is.
  private func whyNotMade(
    _ side: Side, _ collection: MatchedCollection
  ) async throws(OpeningError) -> [ReportedProblem] {
    guard side == .remote else { return [] }
    if options.readOnly.contains(.remote), options.direction.writes(to: .remote),
      case .present(let source) = collection.local
    {
      let isUsed = try await reached(.local) { () throws(StorageError) in
        try await pair.local.isInUse(source)
      }
      if isUsed {
        let kind = pair.local.isDirectory ? "folder" : "calendar"
        return [
          ReportedProblem(
            item: ReportedItem(uid: nil, file: nil, href: nil, summary: ""),
            problem: ItemProblem(
              .readOnly,
              "the \(kind) has no counterpart on the remote side, which is read-only",
              hint: "move what is in it to another calendar, or"
                + " \(leavingOut(collection)) to leave it out"
                + ItemProblem.orMakeWritable(.remote)))
        ]
      }
    }
    return makesRemotes ? [] : namedInVain(collection)
  }

  /// What a person should know of a folder that gets no counterpart, since no whole item that the
  /// pair syncs is in it: which of its files are broken, and that the name of the counterpart means
  /// nothing.
  private func whyNone(for source: CollectionDescription, _ collection: MatchedCollection)
    async throws(OpeningError) -> [ReportedProblem]
  {
    let broken = try await brokenFiles(in: source, of: collection)
    return broken.isEmpty ? namedInVain(collection) : broken
  }

  /// The files of a folder as the engine sees them, with nothing on the other side.
  private func brokenFiles(in source: CollectionDescription, of collection: MatchedCollection)
    async throws(OpeningError) -> [ReportedProblem]
  {
    let folder = try await reached(.local) { () throws(StorageError) in
      try await pair.local.open(source)
    }
    let journal = try await recorded { () throws(JournalError) in
      let identity = CollectionIdentity(name: collection.name, local: [], remote: [])
      let record = CollectionRecord(
        identity: identity, folder: source.href.spelling, remoteHref: [], remoteName: "",
        canonicalVersion: canonicalVersion)
      let store = try PairStore.inMemory(digest: liveDigest)
      return try await store.openCollection(record, at: surroundings.now()).journal
    }
    let sync = CollectionSync(
      name: collection.name, local: folder, remote: EmptyStorage(mayNotify: false),
      journal: journal, surroundings: surroundings, digest: liveDigest, options: options)
    switch await sync.inspect([.local, .remote]) {
    case .success(let items):
      return items.compactMap { item in
        item.problem.map { ReportedProblem(item: item.item, problem: $0) }
      }
    case .failure(.storage(let side, let error)): throw .storage(side, error)
    case .failure(.journal(let error)): throw .journal(error)
    case .failure(.stopped): return []
    }
  }
}

extension MatchedCollection.Counterpart {
  fileprivate var isMissing: Bool {
    if case .missing = self { true } else { false }
  }
}
