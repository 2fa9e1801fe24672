import SyncModel
import Synchronization

/// A storage whose listings go on: each page names all that is there, under a cursor that no other
/// page had.
public final class EndlessListing: Sendable {
  private let base: MemoryStorage
  private let end: Int
  private let given = Mutex(0)

  /// - Parameter end: the page that is the last one after all, so that whoever reads on for ever
  ///   fails and does not hang.
  public init(of base: MemoryStorage, end: Int) { (self.base, self.end) = (base, end) }

  /// Pages so far.
  public var pages: Int { given.withLock { $0 } }

  public var storage: ForwardingStorage {
    var storage = ForwardingStorage(base)
    storage.list = { [self] (_) throws(StorageError) in
      let number = given.withLock { given in
        given += 1
        return given
      }
      var page = try await base.listChanges(since: nil)
      page.next = Cursor(bytes: Array("\(number)".utf8))
      page.isLast = number >= end
      return page
    }
    return storage
  }
}
