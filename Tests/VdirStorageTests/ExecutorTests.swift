import Glibc
import SyncModel
import Synchronization
import TestSupport
import Testing
import VdirStorage

struct ExecutorTests {
  /// Runs each job on a thread of its own, which it remembers.
  private final class NewThreads: TaskExecutor {
    private let threads = Mutex<Set<pthread_t>>([])

    var isOneOfThem: Bool { threads.withLock { $0.contains(pthread_self()) } }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      let box = Unmanaged.passRetained(
        Work {
          self.threads.withLock { _ = $0.insert(pthread_self()) }
          job.runSynchronously(on: self.asUnownedTaskExecutor())
        })
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        { context in
          if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
          return nil
        }, box.toOpaque())
      pthread_detach(thread)
    }
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  @Test func `the file calls run on the injected executor's thread, one at a time`() async throws {
    let files = ModelFileSystem()
    files.makeFolders("/vdir")
    let seen = Mutex<Set<pthread_t>>([])
    let inside = Mutex(0)
    let vdir = try VdirStorage.open(
      path: Array("/vdir".utf8),
      access: VdirAccess(
        files: files, digest: sha256, surroundings: files.surroundings,
        executor: ThreadExecutor()))
    let overlaps = CallCounter()
    files.onCall { _, _ in
      if inside.withLock({
        $0 += 1; return $0
      }) > 1 {
        overlaps.next()
      }
      seen.withLock { _ = $0.insert(pthread_self()) }
      inside.withLock { $0 -= 1 }
    }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          _ = await vdir.carryOut([
            .create(Href("\(number).ics"), ItemData(bytes: Scene.new))
          ])
        }
      }
    }
    #expect(seen.withLock { $0.count } == 1)
    #expect(overlaps.count == 0)
    #expect(try await vdir.listChanges(since: nil).present.count == 20)
  }

  @Test func `an executor may be let go of while it works, and its thread ends`() async throws {
    for _ in 0..<50 {
      let files = ModelFileSystem()
      files.makeFolders("/vdir")
      let vdir = try VdirStorage.open(
        path: Array("/vdir".utf8),
        access: VdirAccess(
          files: files, digest: sha256, surroundings: files.surroundings,
          executor: ThreadExecutor()))
      Task { _ = try? await vdir.listChanges(since: nil) }
    }
  }

  @Test func `without an injected one, the task's preferred executor is used`() async throws {
    let executor = NewThreads()
    let fixture = try ModelVdirFixture()
    let vdir = fixture.vdir
    let own = CallCounter()
    let foreign = CallCounter()
    fixture.files.onCall { _, _ in
      if executor.isOneOfThem { own.next() } else { foreign.next() }
    }
    let outcomes = await Task(executorPreference: executor) {
      await vdir.carryOut([.create(Href("a.ics"), ItemData(bytes: Scene.new))])
    }.value
    #expect(outcomes.count == 1)
    #expect(own.count > 0)
    #expect(foreign.count == 0)
  }
}
