import CalDAVStorage
import ICalendar
import SQLiteJournal
import StreamStorage
import SyncExecution
import SyncModel
import SyncPlanning
import VdirStorage

/// Opens the collections of a pair one by one.
struct CollectionOpener: Sendable {
  enum Opened: Sendable {
    case ready(ReadyCollection)
    /// It cannot be synced, and the report says why; what was made of it before that stays.
    case reported(CollectionReport, made: MadeCollection? = nil)
    /// There is nothing to sync with, and that is as it should be.
    case skipped
  }

  let pair: OpenedPair
  let surroundings: Surroundings
  let options: SyncOptions
  /// For the locks of folders, which another pair may hold.
  var wait = LockWait()

  func open(_ collection: MatchedCollection) async -> Opened {
    if let report = await gone(collection) { return .reported(report) }
    if let problem = doubt(about: collection) {
      return without(.absent([problem]), collection)
    }
    var made: MadeCollection?
    do throws(OpeningError) {
      try await readAhead(for: collection)
      let local = try await counterpart(.local, of: collection, noting: &made)
      guard case .found(let here) = local else { return without(local, collection) }
      let remote = try await counterpart(.remote, of: collection, noting: &made)
      guard case .found(let there) = remote else { return without(remote, collection) }
      let isRemade = try await setAsideRemade(
        collection, record(collection.name, here, there).identity)
      var collection = collection
      // Another machine made it first.
      if made == nil, case .present(let theirs) = there { collection.remote = .present(theirs) }
      var ready = try await open(collection, here, there)
      try await noteOpened(collection.name)
      let (name, store) = (collection.name, pair.store)
      try await recorded { () throws(JournalError) in try await store.noteMet(name) }
      if isRemade { ready.notices.insert(noticeOfRemade(collection.name), at: 0) }
      if let notice = noticeOfItems(collection) { ready.notices.insert(notice, at: 0) }
      return .ready(ready)
    } catch {
      var report = CollectionReport(name: collection.name)
      report.failure =
        switch error {
        case .storage(let side, let error): .storage(side, error)
        case .journal(let error): .journal(error)
        case .run(let failure):
          .storage(.local, StorageError(.io, failure.message, why: failure.why, hint: failure.hint))
        }
      // As where a feed turns out to be gone while the run is on.
      if case .stream = pair.remote { report = translateVanished(report) }
      return .reported(report, made: made)
    }
  }

  /// One that is taken back is new again where it is written once more. But where several have had
  /// the calendar it has given that all the same, and still tells whose it is: that of the last
  /// folder to which a mapping gave it.
  ///
  /// - Parameter isNew: nothing is agreed on with the calendar yet.
  private func keep(_ mapping: CollectionMapping?, of record: CollectionRecord, isNew: Bool)
    async throws(JournalError)
  {
    let (name, store) = (record.identity.name, pair.store)
    if try await store.mapping(of: name) == mapping { return }
    let others = try await store.collections().filter {
      $0.identity.remote == record.identity.remote && $0.identity.name != name
    }
    if mapping == nil, !isNew, !others.isEmpty { return }
    if mapping != nil {
      for other in others { try await store.setMapping(nil, of: other.identity.name) }
    }
    try await store.setMapping(mapping, of: name)
  }

  // MARK: Opening

  private func open(_ collection: MatchedCollection, _ local: Found, _ remote: Found)
    async throws(OpeningError) -> ReadyCollection
  {
    try await open(collection, local, remote, locks: try await locks(local, remote))
  }

  /// Who edits an event holds its folder for some milliseconds: that is no reason to leave it out.
  private static let timeOfAnEdit = Duration.seconds(2)

  private func locks(_ local: Found, _ remote: Found) async throws(OpeningError) -> [VdirLock] {
    guard pair.mode == .write else { return [] }
    var locks: [VdirLock] = []
    for (side, found) in [(Side.local, local), (.remote, remote)] {
      guard case .present(let description) = found else { continue }
      let lock = try await reached(side) { () throws(StorageError) in
        try await wait.take(surroundings, atLeast: Self.timeOfAnEdit) { () throws(StorageError) in
          try pair.side(side).lock(description)
        }
      }
      if let lock { locks.append(lock) }
    }
    return locks
  }

  private func open(
    _ collection: MatchedCollection, _ local: Found, _ remote: Found, locks: [VdirLock]
  ) async throws(OpeningError) -> ReadyCollection {
    let name = collection.name
    let localStorage = try await storage(.local, local)
    var remoteStorage = try await storage(.remote, remote)
    let record = record(name, local, remote)
    let storages = BothSides<any Storage>(localStorage, remoteStorage)
    let births = FolderBirths(storages)
    let remounts = FollowRemounts(store: pair.store, births: births, forget: forgetting(name))
    try await remounts.run(record, storages)
    let (opened, isReplaced) = try await recorded { () throws(JournalError) in
      let isReplaced = try await births.setAsideReplaced(
        name, in: pair.store, at: surroundings.now())
      let found = try await pair.store.openCollection(record, at: surroundings.now())
      try await keepKinds(of: remote, as: name)
      // Last: the mapping that is kept is the one of what the journal belongs to.
      try await keep(collection.mapping, of: record, isNew: found.isNew)
      return (found, isReplaced)
    }
    try await checkFilesAreThere(opened.journal)
    if opened.record.canonicalVersion != canonicalVersion {
      try await recanonicalize(opened.journal)
    }
    var notices: [String] = []
    if opened.wasSetAside || isReplaced || pair.listing.anew.contains(name) {
      notices.append(
        "\(pair.target.pair.name)/\(name) is another place than in the last run: nothing is"
          + " deleted, and deletions made here or there since then come back")
    }
    let before = sides(local, remote)
    let metadata = MetadataSync(
      pair: pair, surroundings: surroundings, direction: options.direction, policy: options.policy,
      settlesOneWay: options.settlesOneWay, readOnly: options.readOnly, name: name)
    let outcome = try await metadata.run(before, isFirst: opened.isNew)
    let after = outcome.sides
    notices += outcome.notices
    let actions = CollectionActions(
      made: made(collection, before), carried: outcome.carried)
    let moved = Side.allCases.filter { after[$0].identity != before[$0].identity }
    if !moved.isEmpty {
      // A new name has moved it to another address.
      var again = try await open(collection, moved, to: after, locks: locks)
      again.notices = notices + again.notices
      again.actions = actions.joined(again.actions)
      return again
    }
    // What the calendar says of its state may be older than it is.
    if after.remote != before.remote { remoteStorage = try await storage(.remote, remote) }
    await (remoteStorage as? StreamStorage)?.recall(opened.journal, .remote, with: localStorage)
    let told = try await invited(localStorage, remoteStorage, of: name, opened.journal)
    let sync = CollectionSync(
      name: name, local: told.local, remote: told.remote, journal: opened.journal,
      surroundings: surroundings, digest: liveDigest, options: try await holdingFormer(name))
    return ReadyCollection(
      sync: sync, journal: opened.journal, locks: locks, notices: notices, actions: actions,
      differing: outcome.differing, unwritten: outcome.unwritten,
      // A second run over some items has nothing new to say of the collection itself.
      stuck: options.isContinued ? [] : outcome.stuck, unrestored: outcome.unrestored)
  }

  private func open(
    _ collection: MatchedCollection, _ moved: [Side],
    to places: BothSides<CollectionDescription>, locks: [VdirLock]
  ) async throws(OpeningError) -> ReadyCollection {
    let (local, remote) = (Found.present(places.local), Found.present(places.remote))
    let record = record(collection.name, local, remote)
    try await recorded { () throws(JournalError) in
      for side in moved {
        try await pair.store.move(side, of: record, to: places[side].href, at: surroundings.now())
      }
    }
    return try await open(collection, local, remote, locks: locks)
  }

  /// What both sides say of the collection, or will say of what is to be made.
  private func sides(_ local: Found, _ remote: Found) -> BothSides<CollectionDescription> {
    func description(_ found: Found, _ side: Side) -> CollectionDescription {
      switch found {
      case .present(let description): return description
      case .empty(let proposal):
        var made = CollectionDescription(
          href: Href(proposal.name), name: proposal.name, displayName: proposal.displayName,
          color: proposal.color.flatMap(normalColor), identity: "")
        // A server is always given a name for people.
        if case .account = pair.side(side), made.displayName == nil {
          made.displayName = proposal.name
        }
        return made
      }
    }
    return BothSides(
      description(local, .local), description(remote, .remote))
  }

  /// What this run made of the collection, or would make; nil where both sides had it.
  private func made(_ collection: MatchedCollection, _ sides: BothSides<CollectionDescription>)
    -> MadeCollection?
  {
    for (side, counterpart) in [(Side.local, collection.local), (.remote, collection.remote)]
    where pair.target.writes(to: side) {
      switch counterpart {
      case .missing: break
      // The pair's directory is itself the collection.
      case .present(let own) where own.href == VdirRoot.itself && pair.side(side).isNew: break
      case .present, .gone, .unknown, .given, .nobody: continue
      }
      return made(sides[side], on: side)
    }
    return nil
  }

  /// A calendar in one file that is gone is no calendar whose items were all deleted.
  private func checkFilesAreThere(_ journal: SQLiteJournal) async throws(OpeningError) {
    for side in Side.allCases {
      guard case .stream(let stream) = pair.side(side), stream.isAbsent else { continue }
      let agreed = try await recorded { () throws(JournalError) in
        try await journal.agreementCount()
      }
      if agreed > 0 { throw .storage(side, StreamStorage.vanished(stream.source.name)) }
    }
  }

  /// Digests by another release's rule are never compared with ours: they are made anew.
  private func recanonicalize(_ journal: SQLiteJournal) async throws(OpeningError) {
    try await recorded { () throws(JournalError) in
      try await journal.recanonicalize(to: canonicalVersion) { text in
        liveDigest(canonicalForm(of: SyntaxTree(bytes: text.bytes)))
      }
    }
  }

  private func storage(_ side: Side, _ found: Found) async throws(OpeningError) -> any Storage {
    guard case .present(let description) = found else {
      return EmptyStorage(mayNotify: pair.side(side).isServer)
    }
    let tries = side == .remote && pair.target.pair.triesWrites
    return try await reached(side) { () throws(StorageError) in
      try await pair.side(side).open(description, tryingWrites: tries)
    }
  }

  private func record(_ name: String, _ local: Found, _ remote: Found) -> CollectionRecord {
    func identity(_ found: Found, _ side: OpenedSide) -> [UInt8] {
      switch found {
      case .present(let description): description.journalIdentity(user: side.user)
      case .empty(let proposal): Array(("new " + proposal.name).utf8)
      }
    }
    func href(_ found: Found) -> [UInt8] {
      switch found {
      case .present(let description): description.href.spelling
      case .empty(let proposal): Array(proposal.name.utf8)
      }
    }
    var remoteName = ""
    if case .present(let description) = remote { remoteName = description.displayName ?? "" }
    return CollectionRecord(
      identity: CollectionIdentity(
        name: name, local: identity(local, pair.local), remote: identity(remote, pair.remote)),
      folder: href(local), remoteHref: href(remote), remoteName: remoteName,
      canonicalVersion: canonicalVersion)
  }
}
