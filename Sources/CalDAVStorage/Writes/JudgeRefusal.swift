import SyncModel
import WebDAV

/// A write that the server answered with an error.
struct Refused: Sendable {
  let status: Int
  let words: ServerWords

  /// Something else may be there than was expected, so it is worth a look; the other refusals are
  /// about what was sent.
  var wantsLook: Bool {
    [404, 405, 409, 410, 412].contains(status) && !isUIDConflict && problemCode == nil
  }

  /// RFC 4791 §5.3.2.1, RFC 6638 §3.2.4.1, and the same in any other namespace.
  var isUIDConflict: Bool {
    words.preconditions.contains { $0 == "no-uid-conflict" || $0 == Self.schedulingConflict }
  }

  /// Such an answer says nothing of the item, and passes: what was sent took too long to arrive, or
  /// came too early (RFC 9110 §15.5.9, RFC 8470 §5.2), there is a lock (RFC 4918 §11.3), a network
  /// wants somebody to sign in first (303), a disk or an account is full, or somebody has invited
  /// too many people today (Google, in plain words).
  func passes(at address: WebURL) -> Bool {
    [303, 408, 423, 425].contains(status) || answer(at: address).isOutOfRoom
      || words.text.lowercased().contains("usage limits exceeded")
  }

  private func answer(at address: WebURL) -> DAVRefusal {
    DAVRefusal(status: status, url: address, words: words)
  }

  /// Something has the address, or the UID, of a new item.
  var saysItIsThere: Bool { status == 412 || isUIDConflict }

  private static let schedulingConflict = "unique-scheduling-object-resource"

  /// What the named precondition or the status alone means; nil where it may mean several things.
  var problemCode: ItemProblem.Code? {
    for name in words.preconditions {
      switch name {
      case "need-privileges": return .readOnly
      case "max-resource-size": return .tooLarge
      case "supported-calendar-component", "supported-calendar-data": return .unsupported
      case "valid-calendar-data", "valid-calendar-object-resource", "min-date-time",
        "max-date-time", "max-instances", "max-attendees-per-instance", "quota-not-exceeded",
        "sufficient-disk-space":
        return .refused
      default: continue
      }
    }
    switch status {
    case 413: return .tooLarge
    case 415: return .unsupported
    case 404, 405, 409, 410, 412: return nil
    default: return .refused
    }
  }

  func problem(of write: GuardedWrite, at address: WebURL) -> ItemProblem {
    let refusal = answer(at: address)
    if isUIDConflict {
      let place = words.place.isEmpty ? "" : ", at \(words.place)"
      return ItemProblem(
        .refused, "the server has another item of this UID\(place)",
        hint: "remove one of the two, or give one a new UID; \(refusal.reason)")
    }
    let code = problemCode ?? .refused
    let hint =
      switch code {
      case .readOnly: "ask the calendar's owner for the right to write"
      case .tooLarge: "remove large attachments from the item"
      case .unsupported: "keep items of this kind in a calendar that takes them"
      default: refusal.isOutOfRoom ? "make room on the server" : hint(write)
      }
    return ItemProblem(
      code, "the server refuses \(CalDAVStorage.method(write)) \(address.text)",
      hint: "\(hint); \(refusal.reason)")
  }

  private func hint(_ write: GuardedWrite) -> String {
    switch status {
    case 408, 425: return "it was not ready for it; run the sync again later"
    case 412 where problemCode == nil:
      guard case .create = write else {
        return "it does not take the entity tag that it gives; tell its operator"
      }
      return "it says that something has this address, and nothing is there: run the sync again;"
        + " if it stays, correct the item, or leave it here"
    case 303:
      return "it leads elsewhere, as a network where somebody has to sign in does: open a page in a"
        + " browser, then run the sync again"
    case 423: return "another program has locked it; run the sync again later"
    case 400 where isInTrash:
      return
        "it lies in the calendar's trash bin there: bring it back from there, or empty the bin,"
        + " in the server's own pages"
    case _ where [400, 403, 404, 422].contains(status) && mayMissEnd(of: write):
      return "it has no end (DTEND); some servers (iCloud) want one: give it one"
    default:
      guard case .delete = write else { return "correct the item, or leave it here" }
      return "ask for the right to delete it, or bring it back here with `calgw resolve UID --take"
        + " remote`"
    }
  }

  /// What was deleted may not be stored again before the bin is emptied (Nextcloud).
  private var isInTrash: Bool {
    words.text.lowercased().contains("deleted calendar object with uid already exists")
  }

  /// Nothing that the server says is about anything else.
  private func mayMissEnd(of write: GuardedWrite) -> Bool {
    guard let data = write.data, ItemText.lacksEnd(data.bytes) else { return false }
    return words.preconditions.allSatisfy { $0.hasPrefix("valid-calendar-") }
  }
}

extension CalDAVStorage {
  /// Decides what a refused write means: the item changed meanwhile, or the server does not want
  /// it. Where the answer alone does not tell, what is there does.
  ///
  /// - Parameters:
  ///   - refused: nil where a look just before showed another tag, and nothing was sent.
  ///   - sent: the tag that guarded the write.
  func judge(
    _ write: GuardedWrite, _ address: WebURL, because refused: Refused?, sent: [UInt8]?,
    again: Repetition = []
  ) async -> WriteOutcome {
    if let refused, refused.isUIDConflict {
      let request = "\(Self.method(write)) \(write.href.text)"
      memory.learn(.uniqueUIDs, true, request, "\(refused.status) no-uid-conflict")
    }
    if let refused, refused.problemCode == .tooLarge, let size = write.data?.bytes.count {
      memory.learn(
        .sizeLimit, true, "\(Self.method(write)) \(write.href.text)",
        "\(refused.status) to \(size) bytes")
    }
    if let refused, !refused.wantsLook, !isCreateAtOddsWithItself(write, refused) {
      return refusal(write, address, refused)
    }
    switch await get(address) {
    case .failed(let error):
      return failed(error, write, address, refused, again)
    case .problem, .unusable, .large:
      return WriteOutcome(href: write.href, result: .changedMeanwhile)
    case .absent:
      // Refused as there already, and not shown: the first of the two was carried out after all.
      if case .create = write, again.contains(.newConnection), refused?.saysItIsThere == true {
        return unclear(write, address, refused)
      }
      let outcome = await outcomeOfAbsence(write, because: refused)
      guard case .failed(let error) = outcome.result else { return outcome }
      return failed(error, write, address, refused, again)
    case .found(let version, _, _):
      if let expected = write.expected, version.digest == expected.digest {
        if let condition = anotherGuard(version.tag, sent: sent, again) {
          return await send(write, address, condition, again: again.union(.newTag))
        }
        if refused?.status == 412, hasScheduleGuard(write), !again.contains(.noScheduleTag) {
          let condition = sent.map(Guard.ifMatch) ?? .none
          return await send(write, address, condition, again: again.union(.noScheduleTag))
        }
        if mayBeDone(write, refused) {
          if await awaitDeletions([write.href]).contains(write.href) {
            return WriteOutcome(href: write.href, result: .removed)
          }
          if Patience.isStopped { return unclear(write, address, refused) }
        }
        if let refused { return refusal(write, address, refused) }
      }
      if let refused, refused.isUIDConflict, !isOurs(write, version) {
        return refusal(write, address, refused)
      }
      // What the server made of the first of the two is no edit of another.
      if again.contains(.newConnection), !isOurs(write, version) {
        return unclear(write, address, refused)
      }
      return outcome(write, found: version)
    }
  }

  /// What may guard a write of which the guard failed on unchanged content: some tags change
  /// without the content, were wrong when they were given, or have become weak; and some servers
  /// compare what stands in the header with a tag without quotes, as they give it. Nil where
  /// nothing else may hold.
  private func anotherGuard(
    _ tag: EntityTag?, sent: [UInt8]?, _ again: Repetition
  ) -> Guard? {
    guard let sent, let tag, !again.contains(.newTag) else { return nil }
    guard let quoted = tag.headerValue else {
      // The very tag has become weak: the look that gave it has just shown what is there, as where
      // tags always are. Another weak one may be of a later version than a cache gives.
      return tag.bytes.starts(with: "W/".utf8) && tag.bytes.dropFirst(2).elementsEqual(sent)
        ? Guard.none : nil
    }
    if quoted != sent { return .ifMatch(quoted) }
    return tag.bytes != sent ? .ifMatch(tag.bytes) : nil
  }

  /// Some servers give a Schedule-Tag and refuse it whatever is there, and some change it without
  /// the content. The entity tag says as much.
  private func hasScheduleGuard(_ write: GuardedWrite) -> Bool {
    if case .replace = write { !scheduleHeaders(write).isEmpty } else { false }
  }

  /// Of two sendings nobody can tell what became of them; recovery looks closer.
  private func unclear(
    _ write: GuardedWrite, _ address: WebURL, _ refused: Refused?
  ) -> WriteOutcome {
    let status = refused.map { "status \($0.status)" } ?? "another entity tag"
    let trouble = StorageError(
      .unreachable, "what became of \(Self.method(write)) \(address.text) is not clear",
      why: "the connection broke, and when it was sent again the server refused it (\(status))",
      hint: "run the sync again")
    return WriteOutcome(href: write.href, result: .unknown(trouble))
  }

  /// The look failed that was to tell what a refusal means. Of two sendings the first may have been
  /// carried out; and where a new item is said to be there already, it may be itself, which a proxy
  /// delivered twice.
  private func failed(
    _ error: StorageError, _ write: GuardedWrite, _ address: WebURL, _ refused: Refused?,
    _ again: Repetition
  ) -> WriteOutcome {
    if again.contains(.newConnection) { return unclear(write, address, refused) }
    if case .create = write, refused?.saysItIsThere == true {
      return WriteOutcome(href: write.href, result: .unknown(error))
    }
    return WriteOutcome(href: write.href, result: .failed(error))
  }

  /// A create whose UID is taken: perhaps by itself, if an earlier answer was lost.
  private func isCreateAtOddsWithItself(_ write: GuardedWrite, _ refused: Refused) -> Bool {
    if case .create = write { refused.isUIDConflict } else { false }
  }

  private func isOurs(_ write: GuardedWrite, _ version: Version) -> Bool {
    write.data.map { sentDigest(of: $0) } == version.digest
  }

  /// Something is there that is not what was expected: ours already, or another's.
  func outcome(_ write: GuardedWrite, found version: Version) -> WriteOutcome {
    isOurs(write, version)
      ? WriteOutcome(href: write.href, result: .stored(write.href, version, modified: nil))
      : WriteOutcome(href: write.href, result: .changedMeanwhile)
  }

  /// Nothing is there: a delete is done, a replace came too late, a create was refused. Or the
  /// calendar itself is gone.
  ///
  /// A delete is asked about in another way first: one 404 too many, as of a server behind others,
  /// would bring the item back once all is compared anew.
  func outcomeOfAbsence(_ write: GuardedWrite, because refused: Refused?) async -> WriteOutcome {
    if case .delete(let href, _) = write, let isListed = await isListed(href) {
      return WriteOutcome(href: href, result: isListed ? .changedMeanwhile : .removed)
    }
    do throws(StorageError) { try await checkCollection() } catch {
      return WriteOutcome(href: write.href, result: .failed(error))
    }
    switch write {
    case .delete: return WriteOutcome(href: write.href, result: .removed)
    case .replace: return WriteOutcome(href: write.href, result: .changedMeanwhile)
    case .create(let href, _):
      guard let refused, let address = address(href) else {
        return WriteOutcome(href: write.href, result: .changedMeanwhile)
      }
      return refusal(write, address, refused)
    }
  }

  /// Whether the calendar says of an item that it is there; nil where it does not say.
  private func isListed(_ href: Href) async -> Bool? {
    guard let target = address(href)?.target, let listed = await listed([target]) else {
      return nil
    }
    return listed.contains { $0.href == href }
  }

  private func refusal(
    _ write: GuardedWrite, _ address: WebURL, _ refused: Refused
  ) -> WriteOutcome {
    var outcome = WriteOutcome(
      href: write.href, result: .refused(refused.problem(of: write, at: address)))
    // A guard that fails says nothing of the item.
    outcome.isTransient =
      refused.status == 412 && refused.problemCode == nil && !refused.isUIDConflict
    return outcome
  }
}

extension GuardedWrite {
  /// What it expects to find; nil for a create.
  var expected: Version? {
    switch self {
    case .create: nil
    case .replace(_, let expected, _), .delete(_, let expected): expected
    }
  }
}
