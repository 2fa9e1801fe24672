import SyncModel
private import Synchronization
import WebDAV

/// What the reads of a batch share.
final class ReadCourse: Sendable {
  private struct State {
    /// In bytes, of the texts that were read.
    var held = 0
    var hasAnswers = false
    var trouble: StorageError?
  }

  /// Several items are under way at once, and none of them is to take more than its share.
  private static let shares = 8

  /// Its only item has to come to something.
  let isAlone: Bool
  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int, isAlone: Bool) {
    self.limit = limit
    self.isAlone = isAlone
  }

  /// Counts what was read.
  func take(_ look: Look) {
    state.withLock { state in
      state.held += look.size
      state.hasAnswers = true
    }
  }

  /// What the next item may take, in bytes. Nil: it is left out.
  var limitOfNext: Int? {
    if isAlone { return .max }
    return state.withLock { $0.held } < limit ? limit / Self.shares : nil
  }

  /// Something of the batch was answered, and is kept.
  var hasAnswers: Bool { state.withLock { $0.hasAnswers } }

  /// What ends the whole batch: the rest is not asked for.
  var trouble: StorageError? {
    get { state.withLock { $0.trouble } }
    set { state.withLock { $0.trouble = $0.trouble ?? newValue } }
  }
}

extension CalDAVStorage {
  /// Counts what was read, and that the calendar gives something.
  func take(_ look: Look, in course: ReadCourse) {
    course.take(look)
    withRunMemory { $0.tolerance.hasGiven = true }
  }

  /// Reads one item of a batch by GET; nil where it is left for later.
  ///
  /// What goes wrong at it is that item's problem, as long as `Tolerance` allows: it may be one
  /// that the server's program dies of, or never ends with, or that the user may not see.
  func look(at address: WebURL, in course: ReadCourse) async -> Look? {
    let tolerance = withRunMemory { $0.tolerance }
    course.trouble = tolerance.end
    if let trouble = course.trouble { return .failed(trouble) }
    guard let limit = course.limitOfNext else { return nil }
    if let why = tolerance.whyNoneIsAsked {
      return course.isAlone ? .problem(notAsked(address, why)) : nil
    }
    if tolerance.isInDoubt, !course.isAlone { return nil }
    do throws(StorageError) { return try await tryLook(at: address, limit, in: course) } catch {
      course.trouble = error
      return .failed(error)
    }
  }

  /// Throws the trouble of the whole calendar.
  private func tryLook(
    at address: WebURL, _ limit: Int, in course: ReadCourse
  ) async throws(StorageError) -> Look? {
    let begin = surroundings.now()
    let found: Look
    do throws(DAVError) { found = try await look(at: address, limit: limit) } catch {
      let waited = surroundings.now().milliseconds - begin.milliseconds
      guard let trouble = try await troubleOfOneItem(error, waited, in: course),
        try await isItsOwn(trouble, of: address, or: StorageError(error), in: course)
      else { return nil }
      return .problem(ItemProblem(.brokenRemote, error))
    }
    switch found {
    case .large: return nil
    case .problem(let problem, let status?) where status >= 500:
      let failure = StorageError(.tryLater(nil), problem.message, hint: "try again later")
      return try await isItsOwn(.noUse, of: address, or: failure, in: course) ? found : nil
    case .found, .unusable:
      take(found, in: course)
      return found
    case .absent, .problem, .failed:
      // An answer all the same, which the batch keeps.
      course.take(found)
      return found
    }
  }

  /// Asks the calendar itself where the item's failure may be more than that, and throws what goes
  /// wrong there. Nil where somebody else asks it just now: the item is left for later.
  private func troubleOfOneItem(
    _ failure: DAVError, _ waited: Int64, in course: ReadCourse
  ) async throws(StorageError) -> Tolerance.Trouble? {
    switch failure.kind {
    case .protocolBroken, .elsewhere: return .noUse
    case .unreachable where failure.isBrokenOff, .unanswered where failure.isBrokenOff:
      try await checkAnswers(after: failure)
      return .brokenOff(waited)
    case .denied, .tryLater:
      let isRefusal = failure.kind == .denied
      // Also where somebody else asks: the server counts each of them.
      if isRefusal { withRunMemory { $0.tolerance.refusals += 1 } }
      guard withRunMemory({ $0.tolerance.beginDoubt() }) || course.isAlone else { return nil }
      try await endingDoubt { () async throws(StorageError) -> Void in
        // The client has asked it already, so the password is not shown once more.
        if client.isRefusedAtCollection { throw StorageError(failure) }
        try await checkAnswers(after: failure)
      }
      return isRefusal ? .refused : .busy
    case .unreachable, .unanswered, .illFormed, .tooLarge, .local, .stopped:
      throw StorageError(failure)
    }
  }

  /// False where the item is to be asked for once more; throws `failure` where the whole calendar
  /// is in trouble.
  private func isItsOwn(
    _ trouble: Tolerance.Trouble, of address: WebURL, or failure: StorageError,
    in course: ReadCourse
  ) async throws(StorageError) -> Bool {
    switch withRunMemory({ $0.tolerance.judge(trouble, at: address.pathKey) }) {
    case .own: return true
    case .later: return course.isAlone
    case .unclear(let troubled):
      let isReadable = try await endingDoubt { () async throws(StorageError) -> Bool in
        try await givesOthers(than: troubled)
      }
      guard isReadable else { throw failure }
      return true
    case .server: throw failure
    }
  }

  /// A look at the calendar, after which items are asked for again.
  private func endingDoubt<Finding: Sendable>(
    _ look: () async throws(StorageError) -> Finding
  ) async throws(StorageError) -> Finding {
    let finding: Finding
    do throws(StorageError) { finding = try await look() } catch {
      withRunMemory { $0.tolerance.endDoubt(error) }
      throw error
    }
    withRunMemory { $0.tolerance.endDoubt() }
    return finding
  }

  /// Whether the calendar gives one of the items that it lists and that are not in trouble. Once
  /// all others were read, those in trouble are the only ones that a run asks for.
  private func givesOthers(than troubled: Set<[UInt8]>) async throws(StorageError) -> Bool {
    guard let listed = try await listedItems(),
      try await givesAny(of: listed.filter { !troubled.contains($0.pathKey) })
    else { return false }
    withRunMemory { $0.tolerance.hasGiven = true }
    return true
  }

  private func notAsked(_ address: WebURL, _ why: String) -> ItemProblem {
    ItemProblem(
      .brokenRemote, "\(address.shown) is not asked for in this run, since \(why)",
      hint: "look at the other items that are named; the next run asks for it again")
  }

  /// Throws what went wrong where the server answers nothing else either, so that nobody waits for
  /// each of many items.
  func checkAnswers(after failure: DAVError) async throws(StorageError) {
    do throws(StorageError) { try await checkCollection() } catch {
      throw error.kind == .unreachable ? StorageError(failure) : error
    }
  }
}
