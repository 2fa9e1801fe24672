import Glibc
public import SyncModel
import Synchronization

/// Runs a whole program on one thread, a step at a time: the seed picks the next ready job, and
/// when none is ready the virtual clock jumps to the next timer.
///
/// Everything that runs below a task started here stays here: task groups, `async let`, actors.
/// The same seed gives the same run.
public final class StepExecutor: TaskExecutor, SerialExecutor, @unchecked Sendable {
  // Touched by the one thread that runs the steps, and by nothing else.
  private var ready: [UnownedJob] = []
  private var timers: [(due: Int64, order: Int, wake: CheckedContinuation<Void, Never>)] = []
  private var random: SeededRandom
  private var timerCount = 0
  private let thread = pthread_self()
  /// Milliseconds since 1970.
  public private(set) var clock: Int64
  public private(set) var steps = 0

  /// Starts its clock at 2026-01-01T00:00:00Z.
  public init(seed: UInt64, clock: Int64 = 1_767_225_600_000) {
    random = SeededRandom(seed: seed)
    self.clock = clock
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    precondition(pthread_equal(pthread_self(), thread) != 0, "a job left the executor's thread")
    ready.append(UnownedJob(job))
  }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// Waits in virtual time.
  public func pause(_ milliseconds: Int64) async {
    await withCheckedContinuation { wake in
      timerCount += 1
      timers.append((clock + max(0, milliseconds), timerCount, wake))
    }
  }

  /// Moves the clock without running anything, as between two runs.
  public func advance(_ milliseconds: Int64) { clock += milliseconds }

  /// What a program may take before it counts as one that never ends.
  public struct Limits: Sendable {
    public var steps: Int
    /// Of the virtual clock.
    public var milliseconds: Int64

    public init(steps: Int, milliseconds: Int64) {
      self.steps = steps
      self.milliseconds = milliseconds
    }
  }

  /// Runs until nothing is ready and no timer is left, or the program has taken all that it may. A
  /// loop that never waits for anything is one step, and nothing ends that.
  private func drain(within limits: Limits?) throws(Endless) {
    let (firstStep, start) = (steps, clock)
    while true {
      let taken = Endless(steps: steps - firstStep, milliseconds: clock - start)
      if let limits, taken.steps >= limits.steps || taken.milliseconds > limits.milliseconds {
        abandon()
        throw taken
      }
      if ready.isEmpty {
        guard
          let next = timers.indices.min(by: {
            (timers[$0].due, timers[$0].order) < (timers[$1].due, timers[$1].order)
          })
        else { return }
        let timer = timers.remove(at: next)
        clock = max(clock, timer.due)
        timer.wake.resume()
      } else {
        let choice = Int(random.next() % UInt64(ready.count))
        ready.swapAt(choice, ready.count - 1)
        let job = ready.removeLast()
        steps += 1
        job.runSynchronously(
          isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
      }
    }
  }

  /// Leaves what is under way where it is: nothing of it goes on.
  private func abandon() {
    // A continuation that is not resumed says so on stderr; what it wakes here is left as well.
    for timer in timers { timer.wake.resume() }
    (timers, ready) = ([], [])
  }

  /// Runs `body` to its end. Throws `Stuck` where nothing is ready and it has not finished, and
  /// `Endless` where it has taken more than it may.
  public func run<Value: Sendable>(
    within limits: Limits? = nil, _ body: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let box = ResultBox<Value>()
    Task(executorPreference: self) {
      do {
        box.set(.success(try await body()))
      } catch {
        box.set(.failure(error))
      }
    }
    try drain(within: limits)
    guard let outcome = box.value else { throw Stuck() }
    return try outcome.get()
  }

  /// Nothing is ready, no timer is left, and the program has not finished.
  public struct Stuck: Error {}

  /// The program took so much, and was still on.
  public struct Endless: Error, CustomStringConvertible {
    public let steps: Int
    public let milliseconds: Int64

    public var description: String { "still on after \(steps) steps and \(milliseconds) ms" }
  }

  /// Time and chance of this world.
  public var surroundings: Surroundings {
    let uuids = Mutex(SeededRandom(seed: random.next()))
    return Surroundings(
      now: { [self] in Instant(milliseconds: clock) },
      newUUID: {
        uuids.withLock { random in
          let digits = Array("0123456789abcdef".utf8)
          var text: [UInt8] = []
          for place in 0..<32 {
            if [8, 12, 16, 20].contains(place) { text.append(UInt8(ascii: "-")) }
            text.append(digits[Int(random.next() >> 60)])
          }
          return String(decoding: text, as: UTF8.self)
        }
      },
      pause: { [self] in await pause($0) })
  }
}

private final class ResultBox<Value: Sendable>: Sendable {
  private let held = Mutex<Result<Value, any Error>?>(nil)
  var value: Result<Value, any Error>? { held.withLock { $0 } }
  func set(_ result: Result<Value, any Error>) { held.withLock { $0 = result } }
}
