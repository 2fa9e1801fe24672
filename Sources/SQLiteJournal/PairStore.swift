import GRDB
public import SyncModel

/// The memory of a pair: one SQLite file with its collections, their journals, and what was learned
/// of its server.
///
/// Who opens it holds the pair's lock. Close it in the end: an unclosed file is whole, but the next
/// opening reads all of it to be sure.
public actor PairStore {
  package nonisolated let connection: Connection

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    connection.executor.asUnownedSerialExecutor()
  }

  private init(_ connection: Connection) { self.connection = connection }

  // MARK: Opening

  /// Opens the file, or creates it with its directory, readable for its owner alone. Blocks, up to
  /// two seconds longer where another program has the file for itself.
  ///
  /// - Parameters:
  ///   - path: of the file; its directory is made if needed.
  ///   - digest: checks texts when they are read.
  ///   - executor: where calls run, since they block; nil: a dispatch queue of its own.
  public static func open(
    path: String, digest: @escaping DigestFunction, executor: (any SerialExecutor)? = nil
  ) throws(JournalError) -> (store: PairStore, notices: [StoreNotice]) {
    try open(path: path, digest: digest, executor: executor, whenBusy: BusyWait.live)
  }

  package static func open(
    path: String, digest: @escaping DigestFunction, executor: (any SerialExecutor)? = nil,
    whenBusy: @escaping BusyWait.Callback
  ) throws(JournalError) -> (store: PairStore, notices: [StoreNotice]) {
    var opening = DatabaseOpening(path: path, whenBusy: whenBusy)
    let queue = try opening.open()
    let connection = Connection(queue, path: path, digest: digest, executor: executor)
    return (PairStore(connection), opening.notices)
  }

  /// Opens a copy in memory, for a dry run: nothing that is done to it reaches the file. Blocks.
  public static func openCopy(
    path: String, digest: @escaping DigestFunction, executor: (any SerialExecutor)? = nil
  ) throws(JournalError) -> (store: PairStore, notices: [StoreNotice]) {
    try openCopy(path: path, digest: digest, executor: executor, whenBusy: BusyWait.live)
  }

  package static func openCopy(
    path: String, digest: @escaping DigestFunction, executor: (any SerialExecutor)? = nil,
    whenBusy: @escaping BusyWait.Callback
  ) throws(JournalError) -> (store: PairStore, notices: [StoreNotice]) {
    var opening = DatabaseOpening(path: path, whenBusy: whenBusy)
    let queue = try opening.openCopy()
    let connection = Connection(queue, path: nil, digest: digest, executor: executor)
    return (PairStore(connection), opening.notices)
  }

  /// An empty one in memory.
  public static func inMemory(
    digest: @escaping DigestFunction, executor: (any SerialExecutor)? = nil
  ) throws(JournalError) -> PairStore {
    do {
      let queue = try DatabaseOpening.inMemory()
      return PairStore(Connection(queue, path: nil, digest: digest, executor: executor))
    } catch {
      throw journalError(error, at: "in memory")
    }
  }

  /// Closes the file; no call works afterwards.
  public func close() throws(JournalError) { try connection.close() }

  // MARK: Collections

  /// The collections in use, sorted by the bytes of their names.
  public func collections() throws(JournalError) -> [CollectionRecord] {
    try connection.read { try CollectionTable(db: $0).all().map(\.record) }
  }

  /// The collection in use with this name, compared by its bytes; nil where there is none.
  public func collection(named name: String) throws(JournalError) -> CollectionRecord? {
    try connection.read { try CollectionTable(db: $0).find(name)?.record }
  }

  /// Opens a collection, creating it if need be. Where its directory, server or user is another
  /// than before, what is known is set aside: its history stays, nothing else is used any more.
  ///
  /// - Parameters:
  ///   - record: what it is now; folder, href and name are only stored for a new one (`update`
  ///     changes them).
  ///   - now: when it was set aside, for `prune`.
  public func openCollection(
    _ record: CollectionRecord, at now: Instant
  ) throws(JournalError) -> OpenedCollection {
    let known = try connection.read { try CollectionTable(db: $0).find(record.identity.name) }
    if let known, known.record.identity == record.identity {
      return OpenedCollection(
        journal: journal(known.record.identity.name, known.id), record: known.record,
        isNew: false, wasSetAside: false)
    }
    let id = try connection.write { db in
      let table = CollectionTable(db: db)
      try table.retire(record.identity.name, at: now)
      return try table.insert(record)
    }
    return OpenedCollection(
      journal: journal(record.identity.name, id), record: record, isNew: true,
      wasSetAside: known != nil)
  }

  /// The journal of a collection as it is, whatever its identity is now; nil where none has the
  /// name.
  public func journal(of name: String) throws(JournalError) -> SQLiteJournal? {
    try connection.read { try CollectionTable(db: $0).find(name) }.map { journal(name, $0.id) }
  }

  /// The items that a collection shared with another place before it came to lead where it leads,
  /// with their texts' digests, as long as it shares nothing there, and what was set aside is not
  /// pruned.
  public func itemsSetAside(
    under name: String
  ) throws(JournalError) -> [ItemID: Set<ContentDigest>] {
    try connection.read { try CollectionTable(db: $0).itemsSetAside(under: name) }
  }

  private func journal(_ name: String, _ id: Int64) -> SQLiteJournal {
    SQLiteJournal(name: name, id: id, connection: connection)
  }

  /// Stores folder, href and names of a collection in use; its identity and the version of its
  /// canonical rule stay. Does nothing where none has the name.
  public func update(_ record: CollectionRecord) throws(JournalError) {
    try connection.write { try CollectionTable(db: $0).update(record) }
  }

  /// Gives collections in use other names, folders and identities of their directories, while all
  /// that is known of them stays: the directories were renamed, or have exchanged their names. All
  /// at once: a process that ends amid this has renamed none.
  ///
  /// - Parameters:
  ///   - renames: by the former name; one that none has is left out. No new name is another one's.
  ///   - valueKeys: the keys of the values that are kept under the name of a collection, and go
  ///     along.
  public func rename(
    _ renames: [(old: String, new: CollectionRecord)],
    valueKeys: @Sendable (_ name: String) -> [String]
  ) throws(JournalError) {
    try connection.write { db in
      let (table, store) = (CollectionTable(db: db), ValueTable(db: db))
      var moved: [(key: String, value: [UInt8])] = []
      for (old, new) in renames {
        for (key, newKey) in zip(valueKeys(old), valueKeys(new.identity.name)) {
          moved += try store.all(of: key).map { (key: newKey + $0.suffix, value: $0.value) }
        }
        var passing = new
        // A name that no directory can have: the right one may be another's still.
        passing.identity.name = "/" + old
        try table.rename(old, to: passing)
      }
      for (old, new) in renames { try table.rename("/" + old, to: new) }
      // What one leaves may be what another one comes to.
      for name in renames.flatMap({ [$0.old, $0.new.identity.name] }) {
        for key in valueKeys(name) { try store.removeAll(of: key) }
      }
      for (key, value) in moved { try store.set(value, for: key) }
    }
  }

  /// Gives one side of a collection in use another address, while all that is known of it stays:
  /// some servers move a calendar that gets a new name. What has no place at the new address makes
  /// it a collection that nothing is known of.
  ///
  /// - Parameters:
  ///   - record: what the collection is now; the other side stays as it is.
  ///   - address: of the moved collection, with the slash at its end.
  public func move(
    _ side: Side, of record: CollectionRecord, to address: Href, at now: Instant
  ) throws(JournalError) {
    try connection.write { db in
      let table = CollectionTable(db: db)
      guard let known = try table.find(record.identity.name) else { return }
      if try Ledger(db: db, collection: known.id).move(side, to: address) {
        try table.move(side, of: known.id, to: record)
      } else {
        try table.retire(record.identity.name, at: now)
      }
    }
  }

  /// Gives a collection in use another identity under the same name, while all that is known of it
  /// stays, but for how far the sides with another one were listed. Does nothing where none has the
  /// name.
  public func identify(_ name: String, as identity: CollectionIdentity) throws(JournalError) {
    try connection.write { db in
      let table = CollectionTable(db: db)
      guard let known = try table.find(name) else { return }
      try table.identify(known.id, as: identity)
      for side in Side.allCases where identity[side] != known.record.identity[side] {
        try Ledger(db: db, collection: known.id).forgetCursor(side)
      }
    }
  }

  /// Forgets a collection; its history stays until it is pruned.
  public func forget(_ name: String, at now: Instant) throws(JournalError) {
    try connection.write { try CollectionTable(db: $0).retire(name, at: now) }
  }

  /// How every collection stands, in the order of `collections()`.
  public func standings() throws(JournalError) -> [CollectionStanding] {
    try connection.read { db in
      try CollectionTable(db: db).all().map { known in
        let ledger = Ledger(db: db, collection: known.id)
        return CollectionStanding(
          record: known.record, agreementCount: try ledger.agreementCount(),
          differing: Differing(
            observations: try ledger.allObservations(),
            agreements: try ledger.touchedAgreements()),
          openIntents: try ledger.openIntents())
      }
    }
  }

  // MARK: What was learned

  /// What was stored under a key; nil where nothing is.
  public func value(_ key: String) throws(JournalError) -> [UInt8]? {
    try connection.read { try ValueTable(db: $0).value(key) }
  }

  /// Stores a value in the place of the key's former one; nil removes it.
  public func setValue(_ value: [UInt8]?, for key: String) throws(JournalError) {
    try connection.write { try ValueTable(db: $0).set(value, for: key) }
  }

  // MARK: History

  /// Newest first, of all collections, those that were set aside or forgotten included.
  ///
  /// - Parameters:
  ///   - uid: nil: of all items.
  ///   - limit: nil: all of it.
  public func history(
    of uid: ItemID?, limit: Int? = nil
  ) throws(JournalError) -> [PairHistoryEntry] {
    try connection.read { try HistoryTable(db: $0).entries(of: uid, limit: limit) }
  }

  /// The entry with this number, of any collection; nil where there is none, or none any more.
  public func historyEntry(_ number: Int64) throws(JournalError) -> PairHistoryEntry? {
    try connection.read { try HistoryTable(db: $0).entry(number) }
  }

  /// Drops history that is both older than the limit and beyond the newest versions of its item,
  /// with the texts that nothing refers to any more, and says what went.
  ///
  /// - Parameter name: of the one collection to look at, beside those out of use; nil: all.
  public func prune(
    _ name: String? = nil, olderThan: Instant, versionsAnItem: Int
  ) throws(JournalError) -> PrunedHistory {
    try connection.write { db in
      let table = HistoryTable(db: db)
      var id: Int64?
      if let name {
        id = try CollectionTable(db: db).find(name)?.id
        if id == nil { return PrunedHistory() }
      }
      let before = try table.size()
      try table.prune(id, olderThan: olderThan, versionsAnItem: versionsAnItem)
      let after = try table.size()
      return PrunedHistory(
        versions: before.versions - after.versions, bytes: before.bytes - after.bytes)
    }
  }

  /// Gives the room of what was dropped back to the disk; needs as much room for a moment.
  public func compact() throws(JournalError) { try connection.compact() }

  /// The texts for digests, as far as they are kept and whole.
  public func contents(
    _ digests: [ContentDigest]
  ) throws(JournalError) -> [ContentDigest: ItemData] {
    try connection.read { try $0.contents(digests, checkedBy: connection.digest) }
  }
}

/// What was dropped of a history.
public struct PrunedHistory: Sendable, Hashable {
  /// Versions of items and values that `log` shows no more.
  public var versions: Int64
  /// The length of the texts that went with them; that of an item is stored once.
  public var bytes: Int64

  public init(versions: Int64 = 0, bytes: Int64 = 0) {
    self.versions = versions
    self.bytes = bytes
  }
}
