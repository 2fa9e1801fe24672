import Glibc

/// A serial executor with a thread of its own, so that calls that block stall nobody else.
///
/// The thread ends when nobody holds the executor any more and what was queued is done.
public final class ThreadExecutor: SerialExecutor {
  private let queue = JobQueue()

  /// Starts the thread; `EAGAIN` from the system (no more threads) is thrown.
  public init() throws(FileError) {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(queue)
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<JobQueue>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    guard code == 0 else {
      context.release()
      throw FileError(.startThread, code)
    }
    pthread_detach(thread)
  }

  deinit { queue.close() }

  public func enqueue(_ job: consuming ExecutorJob) {
    // The executor itself waits with the job: it must live until the job has run.
    queue.add(UnownedJob(job), of: self)
  }

  /// A job may run only where this is true; the runtime asks it before it traps.
  public func isIsolatingCurrentContext() -> Bool? { queue.isCurrentThread }
}

/// Jobs in the order they came, and the thread that waits for them.
private final class JobQueue: @unchecked Sendable {
  // Checked by hand: every field but the two primitives is touched under `mutex` alone.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let news = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var jobs: [(job: UnownedJob, executor: ThreadExecutor)] = []
  private var isClosed = false
  private var thread: pthread_t?

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(news, nil)
  }

  deinit {
    pthread_cond_destroy(news)
    pthread_mutex_destroy(mutex)
    news.deallocate()
    mutex.deallocate()
  }

  var isCurrentThread: Bool {
    locked { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  func add(_ job: UnownedJob, of executor: ThreadExecutor) {
    locked { jobs.append((job, executor)) }
    pthread_cond_signal(news)
  }

  func close() {
    locked { isClosed = true }
    pthread_cond_signal(news)
  }

  func run() {
    locked { thread = pthread_self() }
    while let batch = waitForJobs() {
      for (job, executor) in batch {
        job.runSynchronously(on: executor.asUnownedSerialExecutor())
      }
    }
  }

  /// Nil once it is closed, which it cannot be while a job waits.
  private func waitForJobs() -> [(job: UnownedJob, executor: ThreadExecutor)]? {
    locked {
      while jobs.isEmpty {
        if isClosed { return nil }
        pthread_cond_wait(news, mutex)
      }
      defer { jobs.removeAll() }
      return jobs
    }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}
