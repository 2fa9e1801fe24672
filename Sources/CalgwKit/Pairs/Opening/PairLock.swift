import Glibc
package import SyncModel

/// How long locks that others hold are waited for, all of a run together.
package struct LockWait: Sendable {
  /// Nil: not at all.
  let deadline: Instant?
  /// A reason to wait no longer.
  let stop: @Sendable () -> StopReason?

  package init(
    until deadline: Instant? = nil, stop: @escaping @Sendable () -> StopReason? = { nil }
  ) {
    self.deadline = deadline
    self.stop = stop
  }

  init(
    _ patience: Duration, from now: Instant, stop: @escaping @Sendable () -> StopReason? = { nil }
  ) {
    self.init(until: now.after(patience), stop: stop)
  }

  init(_ patience: Duration, from now: Instant, _ watch: StopWatch) {
    self.init(patience, from: now) { watch.reason }
  }

  /// Takes a lock by a call that fails with `.tryLater` while another holds it.
  ///
  /// - Parameter atLeast: how long that is tried even where there is no patience.
  package func take<Lock>(
    _ surroundings: Surroundings, atLeast: Duration = .zero,
    by call: () throws(StorageError) -> Lock
  ) async throws(StorageError) -> Lock {
    if atLeast > .zero {
      let end = surroundings.now().after(atLeast)
      return try await LockWait(until: deadline.map { max($0, end) } ?? end, stop: stop)
        .take(surroundings, by: call)
    }
    while true {
      do throws(StorageError) { return try call() } catch {
        guard case .tryLater = error.kind else { throw error }
        if stop() != nil {
          throw StorageError(.stopped, "stopped while another run held the folder")
        }
        guard await pause(surroundings) else { throw error }
      }
    }
  }

  /// Lets some time pass before the next try; false where it is over.
  func pause(_ surroundings: Surroundings) async -> Bool {
    guard let deadline else { return false }
    let left = deadline.milliseconds(since: surroundings.now())
    guard left > 0 else { return false }
    await surroundings.pause(min(left, Self.interval))
    return true
  }

  /// Between two tries for a lock that another process holds, in milliseconds.
  package static let interval: Int64 = 50
}

/// The kernel's lock on a pair: held by one process at a time, freed by its end however it comes.
package final class PairLock: Sendable {
  private let file: LockFile

  private init(_ file: LockFile) { self.file = file }

  /// Takes the lock on `path`.
  static func take(
    _ path: String, pair: String, _ wait: LockWait = LockWait(), surroundings: Surroundings
  ) async throws(RunFailure) -> PairLock {
    let lock: PairLock
    do throws(SystemError) {
      lock = PairLock(try LockFile(path))
    } catch {
      throw RunFailure(
        .cannotCreate, code: "cannot-create", message: "the lock file \(path) cannot be opened",
        place: "pair \(pair)", why: error.text,
        hint: "make the state directory writable for you, or set state_dir")
    }
    while true {
      do throws(SystemError) {
        if try lock.file.take() {
          lock.signIn()
          return lock
        }
      } catch {
        throw RunFailure(
          .io, code: "io", message: "the lock file \(path) cannot be locked",
          place: "pair \(pair)", why: error.text,
          hint: "keep the state on a file system with locks: set state_dir")
      }
      if let reason = wait.stop() { throw .stopped(reason, place: "pair \(pair)") }
      guard await wait.pause(surroundings) else { throw lock.held(pair) }
    }
  }

  private func held(_ pair: String) -> RunFailure {
    let holder = note.holder.map { "it is process \($0)" } ?? ""
    return RunFailure(
      .tryLater, code: "locked", message: "another calgw is working on this pair",
      place: "pair \(pair)", why: holder,
      hint: "wait for it to end, or run again with --wait 5m")
  }

  /// Leaves the number of this process in the file, for the message of others.
  private func signIn() {
    var note = note
    note.holder = getpid()
    write(note)
  }

  /// Notes whether the pair's journal has something in it, so that its loss shows.
  func remember(hasSynced: Bool) {
    var note = note
    guard note.hasSynced != hasSynced else { return }
    note.hasSynced = hasSynced
    write(note)
  }

  /// The pair of the lock file `path` has synced; no lock is needed to know it.
  static func hasSynced(_ path: String) -> Bool {
    guard let file = try? SmallFile(reading: path, limit: LockNote.limit) else { return false }
    return LockNote(file.bytes).hasSynced
  }

  private var note: LockNote {
    var buffer = [UInt8](repeating: 0, count: LockNote.limit)
    let count = pread(file.descriptor, &buffer, buffer.count, 0)
    return LockNote(buffer.prefix(max(0, count)))
  }

  /// Over what is there, which is cut to its length last: what others read in between says the
  /// same. Where there is no room the file stays as it is.
  private func write(_ note: LockNote) {
    let text = note.bytes
    guard pwrite(file.descriptor, text, text.count, 0) == text.count else { return }
    ftruncate(file.descriptor, off_t(text.count))
  }
}
