import SyncModel
import WebDAV

extension CalDAVStorage {
  /// What the success of a PUT shows.
  ///
  /// - Parameter elsewhere: the address that the server chose instead of ours.
  func learn(
    from answer: DAVAnswer, _ tag: EntityTag?, _ write: GuardedWrite, storedAt elsewhere: WebURL?
  ) {
    let request = "PUT \(write.href.text)"
    func given() -> String { tag.map { "with ETag \(memory.shown($0.bytes))" } ?? "without ETag" }
    memory.learn(.tagAfterPut, tag?.isStrong == true, request, "\(answer.status) \(given())")
    if let size = write.data?.bytes.count { memory.learn(stored: size, request, answer.status) }
    // That an answer names no other place shows nothing: not every server says it.
    guard case .create = write, let elsewhere else { return }
    memory.learn(
      .keepsNames, false, request, "\(answer.status) with Location \(href(elsewhere).text)")
  }

  /// What a refusal shows, whatever becomes of the write.
  func learn(from refused: Refused, of write: GuardedWrite) {
    let request = "\(Self.method(write)) \(write.href.text)"
    if refused.isUIDConflict {
      memory.learn(.uniqueUIDs, true, request, "\(refused.status) no-uid-conflict")
    }
    if refused.problemCode == .tooLarge, let size = write.data?.bytes.count {
      memory.learn(
        .sizeLimit, true, request, "\(refused.status) to \(size) bytes", size: size)
    }
  }

  /// What is about to be written over shows whether the server gives tags at all: one that names
  /// no version in a listing, after a write and by GET gives none. Where a report has ever shown
  /// one, this answer alone is without.
  func learnTags(from seen: Version, expecting expected: Version, _ write: GuardedWrite) {
    if seen.tag != nil || expected.tag != nil {
      noteTagged("GET \(write.href.text)")
    } else if memory.finding(.strongTags) == nil {
      memory.learn(.entityTags, false, "GET \(write.href.text)", "200 without ETag")
    }
  }

  /// A server that gave no tags gives them by now.
  func noteTagged(_ request: @autoclosure () -> String) {
    guard memory.ignores(.entityTags) else { return }
    memory.learn(.entityTags, true, request(), "with an entity tag")
  }

  /// A guard that did not hold was kept to.
  func learnGuard(_ write: GuardedWrite, _ condition: Guard) {
    let request = "\(Self.method(write)) \(write.href.text)"
    switch (condition, write) {
    case (.unlessThere, _):
      memory.learn(.ifNoneMatch, true, "\(request) with If-None-Match", "412")
    case (.ifMatch, .delete):
      memory.learn(.ifMatchOnDelete, true, "\(request) with If-Match", "412")
    case (.ifMatch, _): memory.learn(.ifMatch, true, "\(request) with If-Match", "412")
    case (.none, _): return
    }
  }

  /// The server is known not to keep to the guard of such a write.
  func ignoresGuard(of write: GuardedWrite) -> Bool {
    switch write {
    case .create: false
    case .replace: memory.ignores(.ifMatch)
    case .delete: memory.ignores(.ifMatchOnDelete)
    }
  }

  /// What RFC 6638 has besides the guard of a write.
  func scheduleHeaders(_ write: GuardedWrite) -> [HTTPHeader] {
    guard case .delete = write else { return scheduleGuard(write) }
    return withRunMemory { $0.sendsReplies } ? [] : [HTTPHeader("Schedule-Reply", "F")]
  }

  /// A meeting that others changed meanwhile is not written over, whatever the entity tag says
  /// (RFC 6638 §3.2.10). It stands beside `If-Match`, since some servers give the tag and know
  /// nothing of its guard; a 412 is judged as that of an entity tag.
  private func scheduleGuard(_ write: GuardedWrite) -> [HTTPHeader] {
    guard case .replace(_, let expected, let data) = write, ItemText.hasOrganizer(data.bytes),
      let tag = memory.scheduleTag(of: expected.digest)
    else { return [] }
    return [HTTPHeader("If-Schedule-Tag-Match", tag)]
  }
}
