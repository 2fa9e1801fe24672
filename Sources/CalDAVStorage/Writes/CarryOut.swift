public import SyncModel
private import Synchronization
import WebDAV

extension CalDAVStorage {
  /// Carries out writes, several in flight. When one meets trouble of the whole account, or the run
  /// is to end, those that were not sent yet are not sent.
  public func carryOut(_ batch: [GuardedWrite]) async -> [WriteOutcome] {
    if traits.isReadOnly { return batch.map(refusedAsReadOnly) }
    let (look, course) = (await lookBefore(batch), Course())
    var outcomes = await inParallel(batch) { write in await self.carryOut(write, look, course) }
    await sendAgainAlone(batch, &outcomes, course)
    return course.trouble == nil ? await checkDeletions(batch, outcomes) : outcomes
  }

  /// One write of a batch, and what follows from it for the others and for the run.
  func carryOut(
    _ write: GuardedWrite, _ look: LookBefore, _ course: Course
  ) async -> WriteOutcome {
    if Patience.isStopped { course.trouble = Self.stopped }
    if let trouble = course.trouble {
      return WriteOutcome(href: write.href, result: .failed(trouble))
    }
    if var problem = withRunMemory(\.forbidden) {
      problem.message = "it was not sent, since another change was refused: \(problem.message)"
      var unsent = WriteOutcome(href: write.href, result: .refused(problem))
      unsent.isOfTheMoment = true
      return unsent
    }
    var outcome = await carryOut(write, look)
    switch outcome.result {
    case .failed(let error): course.trouble = error
    case .stored(let href, _, _):
      outcome.lostMethod = write.data.map { ItemText.hasMethod($0.bytes) } ?? false
      // Whether another text in the place of one changed anything there, the look at it tells.
      if write.expected == nil { noteWriteUnderTag() }
      withRunMemory { run in
        run.written.insert(href)
        run.removed[href] = nil
      }
    case .removed:
      noteWriteUnderTag()
      noteRemoval(write)
    case .changedMeanwhile, .refused, .unknown: break
    }
    return outcome
  }

  /// What was not begun when the run was to end.
  static var stopped: StorageError { StorageError(.stopped, "stopped before all was done") }

  /// What the writes of a batch share.
  final class Course: Sendable {
    private let stopped = Mutex<StorageError?>(nil)

    var trouble: StorageError? {
      get { stopped.withLock { $0 } }
      set { stopped.withLock { $0 = $0 ?? newValue } }
    }
  }

  private func refusedAsReadOnly(_ write: GuardedWrite) -> WriteOutcome {
    let problem = ItemProblem(
      .readOnly, "the calendar \(url.shown) is read-only",
      hint: "ask its owner for the right to write, or set direction = \"pull\"")
    return WriteOutcome(href: write.href, result: .refused(problem))
  }

  private func carryOut(_ write: GuardedWrite, _ look: LookBefore) async -> WriteOutcome {
    guard let address = address(write.href) else {
      let problem = ItemProblem(
        .brokenRemote, "\(write.href.text) is not in the calendar \(url.shown)",
        hint: "tell the server's operator; the item stays as it is")
      return WriteOutcome(href: write.href, result: .refused(problem))
    }
    switch write {
    case .create(_, let data):
      if let problem = unsendable(data) {
        return WriteOutcome(href: write.href, result: .refused(problem))
      }
      return await send(write, address, .unlessThere)
    case .replace(_, let expected, let data):
      if let problem = unsendable(data) {
        return WriteOutcome(href: write.href, result: .refused(problem))
      }
      return await sendLooked(write, address, expected, look)
    case .delete(_, let expected): return await sendLooked(write, address, expected, look)
    }
  }

  /// Where a look just before showed another version, that is judged, and nothing is sent.
  private func sendLooked(
    _ write: GuardedWrite, _ address: WebURL, _ expected: Version, _ look: LookBefore
  ) async -> WriteOutcome {
    if let tag = expected.tag, look.contradicts(write) {
      return await judge(write, address, because: nil, sent: tag.headerValue)
    }
    return await sendGuarded(write, address, expected, look)
  }

  /// By the strong tag of what is expected. Without one, or where the server ignores it or gives it
  /// to other texts as well, or may ignore it and the last look is old, what is there is read
  /// first, and only if it is that, it is written over: by the tag just seen, else unguarded.
  private func sendGuarded(
    _ write: GuardedWrite, _ address: WebURL, _ expected: Version, _ look: LookBefore
  ) async -> WriteOutcome {
    let isIgnored = ignoresGuard(of: write)
    let own = isIgnored || memory.ignores(.ownTags) ? nil : expected.tag?.headerValue
    if let own, !(isUntried(write) && isOld(look.time)) {
      return await send(write, address, .ifMatch(own))
    }
    switch await get(address) {
    case .found(let version, let data, _):
      learnTags(from: version, expecting: expected, write)
      guard await isAsExpected(version, data, by: write, at: address) else {
        return outcome(write, found: version)
      }
      let tag: [UInt8]?
      switch await strongTag(of: version, write.href, at: address) {
      case .guarding(let value): tag = value
      case .none: tag = nil
      case .another:
        guard case .found(let now, let text, _) = await get(address) else {
          return WriteOutcome(href: write.href, result: .changedMeanwhile)
        }
        if now.digest != version.digest {
          guard await isAsExpected(now, text, by: write, at: address) else {
            return WriteOutcome(href: write.href, result: .changedMeanwhile)
          }
        }
        tag = nil
      }
      // Where this was read since nobody knows of the guard, that of before is one still.
      guard let tag = tag ?? own else { return await send(write, address, .none) }
      var outcome = await send(write, address, .ifMatch(tag))
      outcome.tagBefore = version.tag
      switch outcome.result {
      case .stored, .removed: outcome.isUnguarded = isIgnored
      case .changedMeanwhile, .refused, .unknown, .failed: break
      }
      return outcome
    case .absent: return await outcomeOfAbsence(write, because: nil)
    case .problem, .unusable, .large:
      return WriteOutcome(href: write.href, result: .changedMeanwhile)
    case .failed(let error): return WriteOutcome(href: write.href, result: .failed(error))
    }
  }

  /// What may guard a write over a version that was just read: its tag, or where something on the
  /// way makes the tags of texts weak, as nginx does that compresses, the one that listings give.
  private func strongTag(
    of version: Version, _ href: Href, at address: WebURL
  ) async -> StrongTag {
    guard let tag = version.tag else { return .none }
    if let value = tag.headerValue { return .guarding(value) }
    guard withRunMemory(\.mayListStrongTags), let listed = await listed([address]) else {
      return .none
    }
    guard let other = listed.first(where: { $0.href == href })?.tag, let value = other.headerValue
    else {
      withRunMemory { $0.mayListStrongTags = false }
      return .none
    }
    return other.names(sameAs: tag) ? .guarding(value) : .another
  }

  private enum StrongTag {
    case guarding([UInt8])
    /// The listing has one of another version: somebody may have edited it since it was read.
    case another
    case none
  }
}
