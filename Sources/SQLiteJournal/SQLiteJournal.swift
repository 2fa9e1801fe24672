public import SyncModel

/// The journal of one collection, in the SQLite file of its pair (docs/journal.md).
///
/// Calls block on the disk, so the actor runs on the executor that the store was opened with.
public actor SQLiteJournal: Journal {
  /// The collection's name in its pair.
  public nonisolated let name: String
  private let id: Int64
  private nonisolated let connection: Connection

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    connection.executor.asUnownedSerialExecutor()
  }

  init(name: String, id: Int64, connection: Connection) {
    self.name = name
    self.id = id
    self.connection = connection
  }

  private func look<T>(_ body: (Ledger) throws -> T) throws(JournalError) -> T {
    try connection.read { try body(Ledger(db: $0, collection: id)) }
  }

  private func change<T>(_ body: (Ledger) throws -> T) throws(JournalError) -> T {
    try connection.write { try body(Ledger(db: $0, collection: id)) }
  }

  // MARK: What is known

  public func agreementCount() throws(JournalError) -> Int {
    try look { try $0.agreementCount() }
  }

  public func cursor(_ side: Side) throws(JournalError) -> Cursor? {
    try look { try $0.cursor(side) }
  }

  public func known(_ side: Side) throws(JournalError) -> [KnownResource] {
    try look { try $0.known(side) }
  }

  public func known(_ side: Side, hrefs: [Href]) throws(JournalError) -> [KnownResource] {
    try look { try $0.known(side, hrefs: hrefs) }
  }

  public func unread(_ side: Side) throws(JournalError) -> [Href] {
    try look { try $0.unread(side) }
  }

  public func differing() throws(JournalError) -> Differing {
    try look {
      Differing(observations: try $0.allObservations(), agreements: try $0.touchedAgreements())
    }
  }

  public func agreement(of uid: ItemID) throws(JournalError) -> Agreement? {
    try look { try $0.agreement(of: uid) }
  }

  public func openIntents() throws(JournalError) -> [OpenIntent] {
    try look { try $0.openIntents() }
  }

  /// A text whose bytes no longer have its digest counts as not kept.
  public func contents(
    _ digests: [ContentDigest]
  ) throws(JournalError) -> [ContentDigest: ItemData] {
    try look { try $0.db.contents(digests, checkedBy: connection.digest) }
  }

  public func sizes(of digests: [ContentDigest]) throws(JournalError) -> [ContentDigest: Int] {
    try look { try $0.db.sizes(of: digests) }
  }

  public func history(of uid: ItemID?) throws(JournalError) -> [RecordedHistoryEntry] {
    try look { try HistoryTable(db: $0.db).entries(of: uid, in: id) }
  }

  // MARK: What was seen

  public func record(
    page: [ObservedChange], on side: Side, cursor: Cursor
  ) throws(JournalError) {
    try change {
      try $0.record(page, on: side)
      try $0.setCursor(cursor, side)
    }
  }

  public func forgetCursor(_ side: Side) throws(JournalError) {
    try change { try $0.forgetCursor(side) }
  }

  public func record(
    read: [ObservedChange], on side: Side, contents: [StoredContent]
  ) throws(JournalError) {
    try change {
      try $0.store(contents)
      try $0.record(read, on: side)
    }
  }

  public func agree(_ agreements: [Agreement]) throws(JournalError) {
    try change { ledger in
      for agreement in agreements {
        try ledger.put(agreement)
        try ledger.settleAttempts(agreement.uid)
      }
    }
  }

  public func forget(_ uids: [ItemID]) throws(JournalError) {
    try change { ledger in
      for uid in uids {
        try ledger.remove(uid)
        try ledger.settleAttempts(uid)
      }
    }
  }

  public func setWaits(
    _ waits: [WaitChange], history: [HistoryEntry], contents: [StoredContent]
  ) throws(JournalError) {
    try change { ledger in
      try ledger.store(contents)
      for change in waits { try ledger.setWait(change.wait, change.side, change.href) }
      try ledger.append(history)
    }
  }

  // MARK: What is done

  public func begin(
    _ intents: [Intent], history: [HistoryEntry], contents: [StoredContent]
  ) throws(JournalError) -> [Intent.ID] {
    try change {
      try $0.store(contents)
      try $0.appendAttempts(history)
      return try $0.open(intents)
    }
  }

  public func close(
    _ outcomes: [ClosedIntent], contents: [StoredContent]
  ) throws(JournalError) {
    try change { ledger in
      try ledger.store(contents)
      try outcomes.forEach(ledger.close)
    }
  }

  public func keep(
    _ history: [HistoryEntry], contents: [StoredContent]
  ) throws(JournalError) {
    try change {
      try $0.store(contents)
      try $0.append(history)
    }
  }

  /// Drops history that is both older than the limit and beyond the newest versions of its item,
  /// here and in the pair's retired collections, and texts that nothing in the pair refers to.
  public func prune(olderThan: Instant, versionsAnItem: Int) throws(JournalError) {
    try change {
      try HistoryTable(db: $0.db).prune(
        id, olderThan: olderThan, versionsAnItem: versionsAnItem)
    }
  }

  // MARK: Beside the port

  /// Every agreement, sorted by UID.
  public func allAgreements() throws(JournalError) -> [Agreement] {
    try look { try $0.allAgreements() }
  }

  /// Computes every canonical digest anew, after the rule of what counts as the same content
  /// changed; a digest by an older rule must never be compared with one by a newer.
  ///
  /// - Parameters:
  ///   - version: the version of the rule, recorded in the same transaction.
  ///   - rule: gives the digest of a text; nil where it can make none, and for texts that are not
  ///     kept: then the byte digest stands in, which equals no canonical digest but its own.
  public func recanonicalize(
    to version: Int, by rule: (ItemData) -> ContentDigest?
  ) throws(JournalError) {
    try change { try $0.recanonicalize(to: version, by: rule, checkedBy: connection.digest) }
  }
}
