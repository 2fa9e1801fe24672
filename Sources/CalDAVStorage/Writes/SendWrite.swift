import SyncModel
import WebDAV

/// What protects a write from overwriting something else.
enum Guard: Sendable, Hashable {
  /// `If-None-Match: *`
  case unlessThere
  /// `If-Match` with one strong tag; servers differ about lists, weak tags and `*`.
  case ifMatch([UInt8])
  /// The server gives no tag to guard with.
  case none

  var headers: [HTTPHeader] {
    switch self {
    case .unlessThere: [HTTPHeader("If-None-Match", "*")]
    case .ifMatch(let tag): [HTTPHeader("If-Match", tag)]
    case .none: []
    }
  }

  var tag: [UInt8]? {
    if case .ifMatch(let tag) = self { tag } else { nil }
  }
}

/// Why a write is sent once more; each at most once.
struct Repetition: OptionSet, Sendable {
  let rawValue: Int
  /// Its tag turned out wrong, on unchanged content, and was replaced by the right one.
  static let newTag = Repetition(rawValue: 1)
  /// The server ended the connection without an answer, and did nothing.
  static let newConnection = Repetition(rawValue: 2)
  /// The guard by its Schedule-Tag fails on unchanged content, and stays away.
  static let noScheduleTag = Repetition(rawValue: 4)
  /// No guard can hold: the tag is another one at each look, as is the text, which means the same.
  static let noTag = Repetition(rawValue: 8)
}

extension CalDAVStorage {
  /// Bytes of an error body that are read.
  static let longestErrorBody = 64 << 10

  /// Sends a write and judges its answer.
  func send(
    _ write: GuardedWrite, _ address: WebURL, _ condition: Guard, again: Repetition = []
  ) async -> WriteOutcome {
    let answer: DAVAnswer
    let body: [UInt8]
    let refusal: DAVRefusal
    do throws(DAVError) {
      var request = Self.request(write, address, condition, headers(of: write, again))
      request.wantsNewConnection = again.contains(.newConnection)
      // HTTP/2 may be what failed, even where nothing says so.
      request.avoidsHTTP2 = again.contains(.newConnection)
      let (head, sink) = try await client.send(request) {
        BytesSink(limit: Self.longestErrorBody, dropsExcess: true)
      }
      (answer, body) = (head, sink.bytes)
      refusal = DAVRefusal(answer, body: body)
    } catch {
      guard error.mayHaveActed else {
        return outcome(ofUnsent: write, error, again)
      }
      noteUnanswered(write)
      guard error.kind == .unanswered, !again.contains(.newConnection), maySendAgain(write) else {
        return WriteOutcome(href: write.href, result: .unknown(StorageError(error)))
      }
      return await sendAgain(write, address, condition, again, error)
    }
    let status = InnerStatus.of(answer, body: body)
    let isLed = answer.url.identity != address.identity
    let refused = Refused(
      status: status, words: refusal.words, detour: isLed ? answer.place : nil)
    switch status {
    case 200...299:
      if let trouble = Self.doubt(of: write, status, answer, body) {
        return await verify(write, address, trouble)
      }
      return await done(write, address, answer, condition)
    case 500...599 where status != 507:
      let trouble = StorageError(
        StorageError.Kind(ofFailure: status), "\(Self.method(write)) \(address.shown) failed",
        why: refusal.reason,
        hint: "try again later; the server's own log says what went wrong")
      // Behind a gateway the server may be at it still; otherwise what is there tells.
      if (502...504).contains(status) {
        noteUnanswered(write)
        return WriteOutcome(href: write.href, result: .unknown(trouble))
      }
      return await verify(write, address, trouble, failure: refused)
    default:
      var outcome = await judge(
        write, address, because: refused, sent: condition.tag, again: again)
      if refused.passes(at: address) { outcome.isTransient = true }
      if refused.isOfTheMoment { outcome.isOfTheMoment = true }
      if status == 412, outcome.result == .changedMeanwhile { learnGuard(write, condition) }
      return outcome
    }
  }

  /// Why a success proves nothing; nil where it does, or where what is there is read back anyway.
  private static func doubt(
    of write: GuardedWrite, _ status: Int, _ answer: DAVAnswer, _ body: [UInt8]
  ) -> StorageError? {
    let request = "\(method(write)) \(answer.place)"
    // A login page or a captive portal answers everything with 200.
    if answer.isHTML, status == 200 { return StorageError(DAVClient.noDAV(answer, request)) }
    guard case .delete = write, InnerStatus.isSilent(answer, body: body) else { return nil }
    return StorageError(
      .protocolBroken, "what became of \(request) is not known",
      why: "the server answered 207 and did not say what it did",
      hint: "tell the server's operator; the next run looks again")
  }

  private func outcome(
    ofUnsent write: GuardedWrite, _ error: DAVError, _ again: Repetition
  ) -> WriteOutcome {
    // Nobody knows of the first of the two.
    if error.kind == .stopped, again.contains(.newConnection) {
      return WriteOutcome(href: write.href, result: .unknown(StorageError(error)))
    }
    // Some say 401 where they mean 403: what is read goes on.
    if error.kind == .denied, client.isLetInElsewhere {
      let problem = ItemProblem(.refused, error)
      withRunMemory { $0.forbidden = problem }
      return WriteOutcome(href: write.href, result: .refused(problem), isTransient: true)
    }
    // An address may lead nowhere; whom a server refuses at a write is refused at all of them.
    guard [.protocolBroken, .elsewhere].contains(error.kind) else {
      return WriteOutcome(href: write.href, result: .failed(StorageError(error)))
    }
    return WriteOutcome(
      href: write.href, result: .refused(ItemProblem(.refused, error)), isTransient: true)
  }

  /// A guard makes one of two the last; without one, the second is as safe as the first was, since
  /// a look comes before each. Where the server chooses addresses, there would be two items (nobody
  /// may know that yet: `isNowhere`); for a meeting it may have sent mail before it broke off.
  func maySendAgain(_ write: GuardedWrite) -> Bool {
    if case .create = write, memory.ignores(.keepsNames) { return false }
    return !(write.data.map { ItemText.hasOrganizer($0.bytes) } ?? false)
  }

  /// After a connection that ended without an answer, or HTTP/2 that failed: what is there decides.
  /// Where that is what was there before, the write goes out once more, on a connection of its own
  /// and over HTTP/1.1; should the server carry out the first one yet, the guard, if there is one,
  /// fails for one of the two. So one that is known to do writes late (Bedework) is given the time
  /// that it needs.
  private func sendAgain(
    _ write: GuardedWrite, _ address: WebURL, _ condition: Guard, _ again: Repetition,
    _ error: DAVError
  ) async -> WriteOutcome {
    let trouble = StorageError(error)
    if let seen = await lookPast(write, await get(address), at: address) {
      return await outcome(write, seen, trouble)
    }
    guard await isNowhere(write, address) else {
      return WriteOutcome(href: write.href, result: .unknown(trouble))
    }
    if !error.isOfHTTP2 { client.noteUnreadWrite(to: address) }
    return await send(write, address, condition, again: again.union(.newConnection))
  }

  static func method(_ write: GuardedWrite) -> String {
    switch write {
    case .create, .replace: "PUT"
    case .delete: "DELETE"
    }
  }

  /// The digest that a text has once it was sent, and is read again.
  func sentDigest(of data: ItemData) -> ContentDigest {
    digest(ItemText.normalised(ItemText.sent(data.bytes)))
  }

  /// Those besides the guard.
  private func headers(of write: GuardedWrite, _ again: Repetition) -> [HTTPHeader] {
    again.contains(.noScheduleTag) ? [] : scheduleHeaders(write)
  }

  private static func request(
    _ write: GuardedWrite, _ address: WebURL, _ condition: Guard, _ more: [HTTPHeader]
  ) -> DAVRequest {
    var request = DAVRequest(method(write), address, headers: condition.headers + more)
    request.endsAtStop = true
    if let data = write.data {
      request.headers.insert(HTTPHeader("Content-Type", "text/calendar; charset=utf-8"), at: 0)
      request.body = ItemText.sent(data.bytes)
    }
    return request
  }

  /// A success. That the body is stored as it was sent is not proved by the tag of the answer, so
  /// the item is read back.
  private func done(
    _ write: GuardedWrite, _ address: WebURL, _ answer: DAVAnswer, _ condition: Guard
  ) async -> WriteOutcome {
    let unguarded = condition == .none
    switch write {
    case .delete where answer.status == 202: return await accepted(write, address, condition)
    case .delete(let href, _):
      withRunMemory { _ = $0.believedDeletes.insert(href) }
      return WriteOutcome(href: href, result: .removed, isUnguarded: unguarded)
    case .create(_, let data), .replace(_, _, let data):
      let stored = sentDigest(of: data)
      let tags = answer.head.values(of: "ETag")
      let tag = tags.count == 1 ? EntityTag(received: tags[0]) : nil
      let elsewhere = elsewhere(address, answer)
      learn(from: answer, tag, write, storedAt: elsewhere)
      if let elsewhere,
        case .found(let version, _, let modified) = await get(elsewhere)
      {
        return WriteOutcome(
          href: write.href,
          result: .stored(
            href(elsewhere), Version(tag: tag ?? version.tag, digest: stored), modified: modified),
          isUnguarded: unguarded)
      }
      let item = SentItem(stored, of: write, isAnswered: true)
      withRunMemory { $0.sent[write.href] = item }
      let version = Version(tag: tag, digest: stored)
      return WriteOutcome(
        href: write.href, result: .stored(write.href, version, modified: nil),
        isUnguarded: unguarded)
    }
  }

  /// Another address in this calendar that the answer says the item has. `//alice/…`, which
  /// xandikos sends, is another host and none of ours.
  func elsewhere(_ address: WebURL, _ answer: DAVAnswer) -> WebURL? {
    guard answer.status == 201,
      let location = answer.head.values(of: "Location").first?.trimmed, !location.isEmpty,
      let named = try? answer.url.resolve(href: location)
    else { return nil }
    let target = known(named)
    guard url.isParent(of: target), target.pathKey != address.pathKey,
      target.pathKey != answer.url.pathKey
    else { return nil }
    return target
  }

  /// After an answer that proves nothing: what is there decides.
  ///
  /// - Parameter failure: the server said that it failed. If what was there still is, it did, and
  ///   this very item may be what it stumbles over.
  private func verify(
    _ write: GuardedWrite, _ address: WebURL, _ trouble: StorageError, failure: Refused? = nil
  ) async -> WriteOutcome {
    let seen = await get(address)
    if let failure, await isAsBefore(seen, write, address) {
      if failure.status == 500 { withRunMemory { _ = $0.failedWrites.insert(write.href) } }
      return WriteOutcome(
        href: write.href, result: .refused(failure.problem(of: write, at: address)),
        isTransient: true)
    }
    return await outcome(write, seen, trouble)
  }

  /// What became of a write that had no answer, by what is there.
  private func outcome(
    _ write: GuardedWrite, _ seen: Look, _ trouble: StorageError
  ) async -> WriteOutcome {
    switch (seen, write) {
    case (.absent, .delete): await outcomeOfAbsence(write, because: nil)
    case (.found(let version, _, let modified), .create(_, let data)),
      (.found(let version, _, let modified), .replace(_, _, let data)):
      version.digest == sentDigest(of: data)
        ? WriteOutcome(
          href: write.href, result: .stored(write.href, version, modified: modified))
        : WriteOutcome(href: write.href, result: .unknown(trouble))
    case (.found, .delete), (.absent, .create), (.absent, .replace), (.problem, _), (.unusable, _),
      (.large, _), (.failed, _):
      WriteOutcome(href: write.href, result: .unknown(trouble))
    }
  }

  func isAsBefore(_ seen: Look, _ write: GuardedWrite, _ address: WebURL) async -> Bool {
    switch seen {
    case .absent: write.expected == nil
    case .found(let version, let data, _):
      await isAsExpected(version, data, by: write, at: address)
    case .problem, .unusable, .large, .failed: false
    }
  }
}
