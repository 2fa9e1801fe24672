import SyncModel
private import Synchronization
import WebDAV

/// What the reads of a batch share.
final class ReadCourse: Sendable {
  private struct State {
    /// In bytes, of the texts that were read.
    var held = 0
    var hasGiven = false
    /// Items at which the connection ended, or that took too long.
    var broken = 0
    var trouble: StorageError?
  }

  /// So many items of a batch may break off before one is given; then it is not about the items.
  private static let mostBroken = 3
  /// Several items are under way at once, and none of them is to take more than its share.
  private static let shares = 8

  private let limit: Int
  private let isAlone: Bool
  private let state = Mutex(State())

  init(limit: Int, isAlone: Bool) {
    self.limit = limit
    self.isAlone = isAlone
  }

  /// Counts what was read, and that the server gives something.
  func take(_ look: Look) {
    state.withLock { state in
      state.held += look.size
      state.hasGiven = true
    }
  }

  /// What the next item may take, in bytes. Nil: it is left out.
  var limitOfNext: Int? {
    if isAlone { return .max }
    return state.withLock { $0.held } < limit ? limit / Self.shares : nil
  }

  /// One more has broken off. Says whether that may be the item's own trouble.
  func mayBeItsOwn() -> Bool {
    state.withLock { state in
      state.broken += 1
      return state.hasGiven || state.broken <= Self.mostBroken
    }
  }

  /// Something of the batch was read.
  var hasGiven: Bool { state.withLock { $0.hasGiven } }

  /// What ends the whole batch: the rest is not asked for.
  var trouble: StorageError? {
    get { state.withLock { $0.trouble } }
    set { state.withLock { $0.trouble = $0.trouble ?? newValue } }
  }
}

extension CalDAVStorage {
  /// Reads one item of a batch by GET; nil where it is left for later.
  ///
  /// An item at which the connection ends or nothing comes in time is that item's problem, as long
  /// as the server answers otherwise: it may be one that its program dies of, or never ends with.
  /// So is one whose address leads nowhere, or may not be seen (`problemOfOneItem`).
  func look(at address: WebURL, in course: ReadCourse) async -> Look? {
    if let trouble = course.trouble { return .failed(trouble) }
    guard let limit = course.limitOfNext else { return nil }
    let failure: DAVError
    do throws(DAVError) {
      let found = try await look(at: address, limit: limit)
      if case .large = found { return nil }
      course.take(found)
      return found
    } catch {
      failure = error
    }
    let mayBeItsOwn = course.mayBeItsOwn()
    if mayBeItsOwn, let problem = problemOfOneItem(failure, .brokenRemote) {
      return .problem(problem)
    }
    do throws(StorageError) {
      guard failure.isBrokenOff, mayBeItsOwn else { throw StorageError(failure) }
      try await checkAnswers(after: failure)
    } catch {
      course.trouble = error
      return .failed(error)
    }
    return .problem(
      ItemProblem(
        .brokenRemote, failure.message,
        hint: "look at the item on the server; the others are not affected"))
  }

  /// Throws what went wrong where the server answers nothing else either, so that nobody waits for
  /// each of many items.
  func checkAnswers(after failure: DAVError) async throws(StorageError) {
    do throws(StorageError) { try await checkCollection() } catch {
      throw error.kind == .unreachable ? StorageError(failure) : error
    }
  }
}
