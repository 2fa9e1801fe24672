import SyncModel
import WebDAV

extension CalDAVStorage {
  /// Decides what a refused write means: the item changed meanwhile, or the server does not want
  /// it. Where the answer alone does not tell, what is there does.
  ///
  /// - Parameters:
  ///   - refused: nil where a look just before showed another tag, and nothing was sent.
  ///   - sent: the tag that guarded the write.
  ///   - later: what came to show once it was waited for; nil: it was not.
  func judge(
    _ write: GuardedWrite, _ address: WebURL, because refused: Refused?, sent: [UInt8]?,
    again: Repetition = [], showing later: Look? = nil
  ) async -> WriteOutcome {
    if let refused {
      learn(from: refused, of: write)
      if !refused.wantsLook, !isCreateAtOddsWithItself(write, refused) {
        return refusal(write, address, refused)
      }
    }
    let seen = if let later { later } else { await get(address) }
    switch seen {
    case .failed(let error):
      return failed(error, write, address, refused, again)
    case .problem, .unusable, .large:
      return WriteOutcome(href: write.href, result: .changedMeanwhile)
    case .absent:
      // Refused as there already, and not shown: the first of the two was carried out after all.
      if case .create = write, again.contains(.newConnection), refused?.mayMeanItself ?? false {
        return unclear(write, address, refused)
      }
      if let outcome = await outcomeByHolder(write, address, refused) { return outcome }
      let outcome = await outcomeOfAbsence(write, because: refused)
      guard case .failed(let error) = outcome.result else { return outcome }
      return failed(error, write, address, refused, again)
    case .found(let version, let data, _):
      if await isAsExpected(version, data, by: write, at: address) {
        guard let refused else {
          return await sendAsRead(write, address, version, listedAs: sent, again)
        }
        if let (condition, reason) = nextGuard(version, write, refused, sent: sent, again) {
          return await send(write, address, condition, again: again.union(reason))
        }
        if mayBeDone(write, refused) {
          if await awaitDeletions([write.href]).contains(write.href) {
            return WriteOutcome(href: write.href, result: .removed)
          }
          if Patience.isStopped { return unclear(write, address, refused) }
        }
        if later == nil, let edit = await lookForLateEdit(write, address, refused, seen) {
          return await judge(
            write, address, because: refused, sent: sent, again: again, showing: edit)
        }
        return refusal(write, address, refused)
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

  /// What a look showed under another tag is what was expected, so it goes out after all, by the
  /// tag that it has now: reports of some servers give other tags than a GET, or new ones each
  /// time.
  private func sendAsRead(
    _ write: GuardedWrite, _ address: WebURL, _ version: Version, listedAs sent: [UInt8]?,
    _ again: Repetition
  ) async -> WriteOutcome {
    guard let tag = version.tag?.headerValue ?? sent else {
      return await send(write, address, .none, again: again)
    }
    return await send(
      write, address, .ifMatch(tag), again: tag == sent ? again : again.union(.newTag))
  }

  /// What comes to show where a guard failed on what was expected: a server that is known to show
  /// writes late may have another client's edit already. Nil where nothing does in time; the tags
  /// of such a server may be no guards at all, so the next ones are not waited for.
  private func lookForLateEdit(
    _ write: GuardedWrite, _ address: WebURL, _ refused: Refused?, _ seen: Look
  ) async -> Look? {
    guard refused?.status == 412, memory.lacks(.promptWrites), withRunMemory(\.awaitsEdits) else {
      return nil
    }
    let later = await lookPast(write, seen, at: address)
    if later == nil { withRunMemory { $0.awaitsEdits = false } }
    return later
  }

  /// With what a write goes out once more of which the guard failed on what it expected, and why;
  /// nil: it does not.
  private func nextGuard(
    _ version: Version, _ write: GuardedWrite, _ refused: Refused?, sent: [UInt8]?,
    _ again: Repetition
  ) -> (Guard, Repetition)? {
    if let condition = anotherGuard(version.tag, sent: sent, again) { return (condition, .newTag) }
    if hasNoSteadyTag(version, write, refused, sent: sent, again) { return (Guard.none, .noTag) }
    if refused?.status == 412, hasScheduleGuard(write), !again.contains(.noScheduleTag) {
      return (sent.map(Guard.ifMatch) ?? Guard.none, .noScheduleTag)
    }
    return nil
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

  /// Two tags in turn did not hold, on a text that was made anew at each look and means the same:
  /// the look that showed it is all that can guard the write.
  private func hasNoSteadyTag(
    _ version: Version, _ write: GuardedWrite, _ refused: Refused?, sent: [UInt8]?,
    _ again: Repetition
  ) -> Bool {
    refused?.status == 412 && again.contains(.newTag) && !again.contains(.noTag)
      && version.digest != write.expected?.digest && version.tag?.headerValue != sent
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
      .unreachable, "what became of \(Self.method(write)) \(address.shown) is not clear",
      why: "the connection broke, and when it was sent again the server refused it (\(status))",
      hint: "run the sync again")
    return WriteOutcome(href: write.href, result: .unknown(trouble))
  }

  /// The look failed that was to tell what a refusal means. Of two sendings the first may have been
  /// carried out; and where a guard failed or the UID is taken, a proxy may have delivered the
  /// write twice, and the second have met what the first one did.
  private func failed(
    _ error: StorageError, _ write: GuardedWrite, _ address: WebURL, _ refused: Refused?,
    _ again: Repetition
  ) -> WriteOutcome {
    if again.contains(.newConnection) { return unclear(write, address, refused) }
    if refused?.mayMeanItself ?? false {
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
    if case .delete(let href, _) = write {
      if let isListed = await isListed(href) {
        return WriteOutcome(href: href, result: isListed ? .changedMeanwhile : .removed)
      }
      // Without that report a second look has to do: one answer may be wrong.
      if let address = address(href), case .found = await get(address) {
        return WriteOutcome(href: href, result: .changedMeanwhile)
      }
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
    guard let address = address(href), let listed = await listed([address]) else { return nil }
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
