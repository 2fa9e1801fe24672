import Dispatch
package import GRDB
import SyncModel
import Synchronization

/// The open file of a pair, shared by the store and the journals of its collections.
package final class Connection: Sendable {
  package let queue: DatabaseQueue
  /// Nil in memory.
  let path: String?
  let digest: DigestFunction
  /// Where the calls run, since they block.
  let executor: any SerialExecutor
  private let hasMetDamage = Mutex(false)

  init(
    _ queue: DatabaseQueue, path: String?, digest: @escaping DigestFunction,
    executor: (any SerialExecutor)?
  ) {
    self.queue = queue
    self.path = path
    self.digest = digest
    self.executor = executor ?? QueueExecutor()
  }

  /// Reads one state of the file.
  func read<T>(_ body: (Database) throws -> T) throws(JournalError) -> T {
    try run(.deferred, body)
  }

  /// One transaction: whole or not at all, and durable when it returns.
  func write<T>(_ body: (Database) throws -> T) throws(JournalError) -> T {
    try run(.immediate, body)
  }

  private func run<T>(
    _ kind: Database.TransactionKind, _ body: (Database) throws -> T
  ) throws(JournalError) -> T {
    do {
      return try queue.inDatabase { db in
        var result: T?
        try db.inTransaction(kind) {
          result = try body(db)
          return .commit
        }
        guard let result else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
        return result
      }
    } catch {
      throw failure(error)
    }
  }

  /// Damage is noted for the next opening.
  private func failure(_ error: any Error) -> JournalError {
    if let path, meansDamage(error) || meansContradiction(error) {
      hasMetDamage.withLock { $0 = true }
      DamagedFile.mark(path)
    }
    return journalError(error, at: path ?? "in memory")
  }

  /// Writes the file anew without what is free in it.
  func compact() throws(JournalError) {
    do { try queue.vacuum() } catch { throw failure(error) }
  }

  /// Closes the file cleanly, so that the next opening need not look through it.
  func close() throws(JournalError) {
    do { try queue.close() } catch { throw journalError(error, at: path ?? "in memory") }
    if let path, !hasMetDamage.withLock({ $0 }) { DamagedFile.unmark(path) }
  }
}

/// Runs an actor's jobs one after the other on a dispatch queue.
final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "calgw.journal")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
