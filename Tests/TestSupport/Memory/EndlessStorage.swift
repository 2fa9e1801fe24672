public import SyncModel
import Synchronization

/// A storage whose listings go on: each page names all that is there, under a cursor that no other
/// page had.
public final class EndlessStorage: Storage {
  private let base: MemoryStorage
  private let end: Int
  private let given = Mutex(0)

  /// - Parameter end: the page that is the last one after all, so that whoever reads on for ever
  ///   fails and does not hang.
  public init(_ base: MemoryStorage, end: Int) { (self.base, self.end) = (base, end) }

  /// Pages so far.
  public var pages: Int { given.withLock { $0 } }

  public var traits: StorageTraits { base.traits }

  public func listChanges(since cursor: Cursor?) async throws(StorageError) -> ChangePage {
    let number = given.withLock { given in
      given += 1
      return given
    }
    var page = try await base.listChanges(since: nil)
    page.next = Cursor(bytes: Array("\(number)".utf8))
    page.isLast = number >= end
    return page
  }

  public func read(_ batch: [Href]) async throws(StorageError) -> [ReadOutcome] {
    try await base.read(batch)
  }

  public func confirmAbsence(of batch: [Href]) async throws(StorageError) -> [Href] {
    try await base.confirmAbsence(of: batch)
  }

  public func carryOut(_ batch: [GuardedWrite]) async -> [WriteOutcome] {
    await base.carryOut(batch)
  }

  public func freshHref(for uid: ItemID, attempt: Int) -> Href {
    base.freshHref(for: uid, attempt: attempt)
  }

  public func displaced() async throws(StorageError) -> [DisplacedFile] { [] }

  public func discard(_ files: [DisplacedFile]) async throws(StorageError) {}
}
