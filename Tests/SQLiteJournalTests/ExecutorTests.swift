import SQLiteJournal
import SyncModel
import Synchronization
import TestSupport
import Testing

/// Runs jobs at once on the thread that brings them, and counts them.
private final class CountingExecutor: SerialExecutor {
  private let jobs = Mutex(0)
  var count: Int { jobs.withLock { $0 } }

  func enqueue(_ job: consuming ExecutorJob) {
    jobs.withLock { $0 += 1 }
    UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
  }
}

@Suite struct ExecutorTests {
  @Test func `the calls of a store and its journals run on the executor that was handed in`()
    async throws
  {
    let executor = CountingExecutor()
    let store = try PairStore.inMemory(digest: sha256, executor: executor)
    let journal = try await store.openCollection(.sample(), at: Instant(seconds: 0)).journal
    let afterOpening = executor.count
    #expect(afterOpening > 0)
    try await journal.agree([JournalSample.agreement("u", "A")])
    #expect(executor.count > afterOpening)
  }
}
