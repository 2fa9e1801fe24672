public import SyncModel

/// A storage that does what another one does, but for what a test changes of it.
public struct ForwardingStorage: Storage {
  private let base: any Storage

  /// Each of these is what the other storage does, until a test sets it.
  public var changeTraits: @Sendable (inout StorageTraits) -> Void = { _ in }
  public var list: @Sendable (Cursor?) async throws(StorageError) -> ChangePage
  public var look: @Sendable ([Href]) async throws(StorageError) -> [ReadOutcome]
  public var secondLook: @Sendable ([Href]) async throws(StorageError) -> [Href]
  public var write: @Sendable ([GuardedWrite]) async -> [WriteOutcome]

  public init(_ base: any Storage) {
    self.base = base
    list = { (cursor) throws(StorageError) in try await base.listChanges(since: cursor) }
    look = { (batch) throws(StorageError) in try await base.read(batch) }
    secondLook = { (batch) throws(StorageError) in try await base.confirmAbsence(of: batch) }
    write = { await base.carryOut($0) }
  }

  public var traits: StorageTraits {
    var traits = base.traits
    changeTraits(&traits)
    return traits
  }

  public func listChanges(since cursor: Cursor?) async throws(StorageError) -> ChangePage {
    try await list(cursor)
  }

  public func read(_ batch: [Href]) async throws(StorageError) -> [ReadOutcome] {
    try await look(batch)
  }

  public func confirmAbsence(of batch: [Href]) async throws(StorageError) -> [Href] {
    try await secondLook(batch)
  }

  public func carryOut(_ batch: [GuardedWrite]) async -> [WriteOutcome] { await write(batch) }

  public func freshHref(for uid: ItemID, attempt: Int) -> Href {
    base.freshHref(for: uid, attempt: attempt)
  }

  public func displaced() async throws(StorageError) -> [DisplacedFile] {
    try await base.displaced()
  }

  public func discard(_ files: [DisplacedFile]) async throws(StorageError) {
    try await base.discard(files)
  }

  public func makeDurable() async throws(StorageError) { try await base.makeDurable() }

  public func noteUntold(_ gone: [Href]) async { await base.noteUntold(gone) }

  public func noteUnread(_ hrefs: [Href]) async { await base.noteUnread(hrefs) }
}
