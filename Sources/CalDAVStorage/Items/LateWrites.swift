import SyncModel
import WebDAV

/// What a PUT stored, as the server said; or what it sent, where no answer came.
struct SentItem: Sendable {
  var content: ContentDigest
  /// What it replaced; nil for a new item.
  var replaced: Version?
  /// The server said that it is stored: what is seen then is what it made of it.
  var isAnswered: Bool
  /// The line of its UID, where it is new.
  var uid: [UInt8]?

  init(_ content: ContentDigest, of write: GuardedWrite, isAnswered: Bool) {
    self.content = content
    self.isAnswered = isAnswered
    replaced = write.expected
    if case .create(_, let data) = write { uid = ItemText.lineOfUID(data.bytes) }
  }

  /// A look that shows this shows the time before the write: nothing of it, not even another tag.
  func isStillToCome(_ seen: Version) -> Bool {
    guard let replaced, seen.digest == replaced.digest, seen.digest != content else { return false }
    return seen.tag == nil || seen.tag == replaced.tag
  }

  /// A look that shows this shows another text in the place of one. What a server makes of a write
  /// may be what it had.
  func changed(to seen: Version) -> Bool {
    guard let replaced, seen.digest != replaced.digest else { return false }
    guard let tag = seen.tag, tag.isStrong, !tag.mayBeTime else { return true }
    // The text is made anew at each look.
    return tag != replaced.tag
  }
}

/// Some servers say that a write is done, and do it within the next seconds (Bedework); and those
/// that cannot be heard any more may be at it still, behind a gateway for example.
extension CalDAVStorage {
  /// In milliseconds, one after the other: what is not there by then is not waited for.
  static let latePauses: [Int64] = [500, 1_000, 2_000]

  /// Looks again, some times, at what this storage wrote and does not see yet. Taken for a write
  /// that never happened, it would be sent once more, and tell every attendee again.
  ///
  /// - Parameters:
  ///   - sent: what was sent of the batch and not seen before this look.
  ///   - looks: what the look found.
  /// - Returns: What the last look found; where the run is to end, what is still to come is
  ///   `failed`.
  func awaitWrites(
    _ batch: [Href], sent: [SentItem?], _ looks: [Look?]
  ) async -> [Look?] {
    learnPromptness(batch, sent, looks)
    var late = batch.indices.filter { isLate(looks[$0], sent[$0]) }
    let asked = late
    var looks = looks
    var waited: Int64 = 0
    for pause in Self.latePauses where !late.isEmpty {
      guard isWorthwhile(pause) else { break }
      await Patience.rest(pause, by: surroundings.pause)
      waited += pause
      if Task.isCancelled || Patience.isStopped { break }
      let again = await inParallel(late.map { address(batch[$0]) }) { address -> Look? in
        guard let address else { return nil }
        return await self.get(address)
      }
      for case (let index, let look?) in zip(late, again) {
        guard case .found = look, !isLate(look, sent[index]) else { continue }
        looks[index] = look
        learnDelay(of: batch[index], waited)
      }
      late = late.filter { isLate(looks[$0], sent[$0]) }
    }
    if Patience.isStopped {
      // Nobody waited for them, so nothing says that they will not come.
      for index in late { looks[index] = .failed(Self.stopped) }
    } else {
      // What was never said to be stored may be lost for good: that says nothing of the next.
      let isAny = asked.contains { sent[$0]?.isAnswered ?? false }
      giveUp(late.map { batch[$0] }, ofAll: isAny && late.count == asked.count)
    }
    return looks
  }

  /// What is at the place of a write once that is not what was there before it; nil where it still
  /// is. A server that is known to do writes late (Bedework) is given the time that it needs; where
  /// the run is to end meanwhile, it is `failed`.
  func lookPast(_ write: GuardedWrite, _ first: Look, at address: WebURL) async -> Look? {
    var seen = first
    var pauses = memory.lacks(.promptWrites) ? Self.latePauses[...] : []
    while await isAsBefore(seen, write, address) {
      guard let pause = pauses.popFirst(), isWorthwhile(pause) else { return nil }
      await Patience.rest(pause, by: surroundings.pause)
      if Task.isCancelled || Patience.isStopped { return .failed(Self.stopped) }
      seen = await get(address)
    }
    return seen
  }

  /// The answer was lost: it may be carried out any time.
  func noteUnanswered(_ write: GuardedWrite) {
    guard let data = write.data else {
      withRunMemory { _ = $0.unansweredDeletes.insert(write.href) }
      return
    }
    let item = SentItem(sentDigest(of: data), of: write, isAnswered: false)
    withRunMemory { $0.sent[write.href] = item }
  }

  /// Nobody waits for them twice; and where nothing of a batch came, as on a server that stores
  /// items under names of its own, for none of the next ones.
  private func giveUp(_ late: [Href], ofAll isAll: Bool) {
    if late.isEmpty { return }
    withRunMemory { run in
      for href in late {
        if let uid = run.sent.removeValue(forKey: href)?.uid { run.strayed[uid] = href }
      }
      run.awaitsWrites = run.awaitsWrites && !isAll
    }
  }

  private func isLate(_ look: Look?, _ sent: SentItem?) -> Bool {
    guard let sent else { return false }
    return switch look {
    // An overwrite, too, may take away what was there before its text shows.
    case .absent: true
    case .found(let version, _, _): sent.isStillToCome(version)
    case .problem, .unusable, .large, .failed, nil: false
    }
  }

  /// Whether what was written may show after a pause, in milliseconds, and before the run ends.
  func isWorthwhile(_ pause: Int64) -> Bool {
    withRunMemory { $0.awaitsWrites } && Patience.leaves(pause, at: surroundings.now())
  }

  /// The first ones of many writes may show by the time of the look. So what is known of a server
  /// that is slow is not taken back by them.
  private func learnPromptness(_ batch: [Href], _ sent: [SentItem?], _ looks: [Look?]) {
    if memory.lacks(.promptWrites) { return }
    for index in batch.indices {
      guard let item = sent[index], item.isAnswered, !isLate(looks[index], item),
        case .found = looks[index]
      else { continue }
      memory.learn(.promptWrites, true, "PUT \(batch[index].text)", "it shows at once")
    }
  }

  private func learnDelay(of href: Href, _ waited: Int64) {
    memory.learn(
      .promptWrites, false, "PUT \(href.text)", "it does not show before \(waited) ms are over")
  }
}
