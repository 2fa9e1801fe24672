import ICalendar
import SyncModel

/// A server's calendar that is kept from sending invitations: calgw's SCHEDULE-AGENT=CLIENT is on
/// the wire alone, added to what is uploaded and taken away from what is read, so that no file and
/// no comparison has it. An agent that a person or another client has named is theirs, and goes
/// both ways as it is (`SilencedItems` tells the two apart).
///
/// An item of which the server is the agent already, as one that was made there, is not written
/// over: to go on without the word lets the server tell everybody of the change, and with it the
/// server tells everybody that the meeting is off. A server that tells nobody anything is asked
/// whether it does, and written to.
package struct QuietStorage: Storage {
  /// Whether the server tells attendees of anything.
  package typealias TellsAttendees = @Sendable () async -> Bool

  private let base: any Storage
  private let digest: DigestFunction
  private let silenced: SilencedItems
  private let tellsAttendees: TellsAttendees

  package init(
    _ base: any Storage, digest: @escaping DigestFunction, silenced: SilencedItems,
    tellsAttendees: @escaping TellsAttendees
  ) {
    self.base = base
    self.digest = digest
    self.silenced = silenced
    self.tellsAttendees = tellsAttendees
  }

  package var traits: StorageTraits {
    var traits = base.traits
    traits.mayNotify = false
    traits.isSilenced = true
    return traits
  }

  package func read(_ batch: [Href]) async throws(StorageError) -> [ReadOutcome] {
    var outcomes = try await base.read(batch)
    for index in outcomes.indices {
      guard case .found(let version, let data, let modified) = outcomes[index].result else {
        continue
      }
      guard let text = try await forms(of: data).first, text != data.bytes else { continue }
      let own = Version(tag: version.tag, digest: digest(text))
      outcomes[index].result = .found(own, ItemData(bytes: text), modified: modified)
    }
    return outcomes
  }

  /// What a text on the wire may be here, the likeliest first.
  private func forms(of data: ItemData) async throws(StorageError) -> [[UInt8]] {
    do throws(JournalError) { return try await silenced.forms(of: data.bytes) } catch {
      throw StorageError(error)
    }
  }

  /// The base knows the bytes on the wire alone, so what a write expects is looked up there first,
  /// and whose agent the server is: one more request a batch of changes.
  package func carryOut(_ batch: [GuardedWrite]) async -> [WriteOutcome] {
    let there: [Href: ReadOutcome.Result]
    var outcomes: [WriteOutcome?]
    var expected: [Version?] = []
    do throws(StorageError) {
      let found = try await look(at: batch)
      there = found
      outcomes = batch.map { objection(to: $0, found[$0.href]) }
      for write in batch {
        let version = try await raw(write, found[write.href])
        expected.append(version)
      }
      let isAnyRefused = outcomes.contains { $0?.result == .refused(.tellsAttendees) }
      if isAnyRefused, await !tellsAttendees() {
        outcomes = outcomes.map { $0?.result == .refused(.tellsAttendees) ? nil : $0 }
      }
      try await note(batch.indices.filter { outcomes[$0] == nil }.map { batch[$0] })
    } catch {
      return batch.map { WriteOutcome(href: $0.href, result: .failed(error)) }
    }
    let going = batch.indices.filter { outcomes[$0] == nil }
    let sent = going.map { onTheWire(batch[$0], expecting: expected[$0]) }
    if !sent.isEmpty {
      for (index, outcome) in zip(going, await base.carryOut(sent)) {
        outcomes[index] = restored(batch[index], outcome)
      }
    }
    let ended = going.filter { endsMeeting(batch[$0], there[batch[$0].href], outcomes[$0]) }
    if !ended.isEmpty, await tellsAttendees() {
      for index in ended where hadGuests(there[batch[index].href]) {
        outcomes[index]?.mayHaveTold = true
      }
    }
    return outcomes.compactMap(\.self)
  }

  /// A meeting of which the server is the agent is gone there: if its organizer is the account's
  /// user, the server says that it is off (RFC 6638 §3.2.1), and no header keeps it from that.
  private func endsMeeting(
    _ write: GuardedWrite, _ there: ReadOutcome.Result?, _ outcome: WriteOutcome?
  ) -> Bool {
    guard case .delete = write, case .found(_, let data, _) = there else { return false }
    switch outcome?.result {
    case .removed, .unknown: return SchedulingAgent.isServer(of: data.bytes)
    case .stored, .changedMeanwhile, .refused, .failed, nil: return false
    }
  }

  private func hadGuests(_ there: ReadOutcome.Result?) -> Bool {
    guard case .found(_, let data, _) = there else { return false }
    return SchedulingAgent.hasGuests(data.bytes)
  }

  /// What is there of what is to be written over or to be deleted, as it is on the wire.
  private func look(
    at batch: [GuardedWrite]
  ) async throws(StorageError) -> [Href: ReadOutcome.Result] {
    let hrefs = batch.compactMap { write -> Href? in
      switch write {
      case .create: nil
      case .replace(let href, _, _), .delete(let href, _): href
      }
    }
    var there: [Href: ReadOutcome.Result] = [:]
    var parts = ReadInParts(hrefs, of: base)
    while let part = try await parts.next() {
      for outcome in part { there[outcome.href] = outcome.result }
    }
    return there
  }

  /// Why a write is not even tried; nil where it is.
  private func objection(to write: GuardedWrite, _ there: ReadOutcome.Result?) -> WriteOutcome? {
    guard case .replace(let href, _, _) = write else { return nil }
    switch there {
    case .found(_, let data, _):
      guard SchedulingAgent.isServer(of: data.bytes) else { return nil }
      return WriteOutcome(href: href, result: .refused(.tellsAttendees))
    case .problem(let problem):
      return WriteOutcome(href: href, result: .refused(problem), isTransient: true)
    case .missing, nil:
      return WriteOutcome(href: href, result: .changedMeanwhile)
    }
  }

  private func onTheWire(_ write: GuardedWrite, expecting raw: Version?) -> GuardedWrite {
    switch write {
    case .create(let href, let data): .create(href, quieted(data))
    case .replace(let href, let expecting, let data):
      .replace(href, expecting: raw ?? expecting, with: quieted(data))
    case .delete(let href, let expecting): .delete(href, expecting: raw ?? expecting)
    }
  }

  /// The version that a write expects, with the digest that it has on the wire; nil if it is not
  /// there.
  private func raw(
    _ write: GuardedWrite, _ there: ReadOutcome.Result?
  ) async throws(StorageError) -> Version? {
    let expecting: Version
    switch write {
    case .create: return nil
    case .replace(_, let version, _), .delete(_, let version): expecting = version
    }
    guard case .found(let now, let data, _) = there else { return nil }
    // What is about to be written is known by now, and may be what a text is compared with first.
    let isThere = try await forms(of: data).contains { digest($0) == expecting.digest }
    return isThere ? Version(tag: expecting.tag, digest: now.digest) : nil
  }

  /// Notes what will have calgw's word: who reads it, in this run or a later one, has to know.
  private func note(_ writes: [GuardedWrite]) async throws(StorageError) {
    let texts = writes.compactMap { $0.data?.bytes }
    let items = texts.filter { SchedulingAgent.quieted($0) != $0 }
      .compactMap(SilencedItems.uid(of:))
    do throws(JournalError) { try await silenced.note(Set(items)) } catch {
      throw StorageError(error)
    }
  }

  private func quieted(_ data: ItemData) -> ItemData {
    ItemData(bytes: SchedulingAgent.quieted(data.bytes))
  }

  /// What was stored, as it will be read.
  private func restored(_ write: GuardedWrite, _ outcome: WriteOutcome) -> WriteOutcome {
    guard case .stored(let href, let version, let modified) = outcome.result,
      let data = write.data
    else { return outcome }
    var outcome = outcome
    let own = Version(tag: version.tag, digest: digest(data.bytes))
    outcome.result = .stored(href, own, modified: modified)
    return outcome
  }

  // MARK: As the base

  package func listChanges(since cursor: Cursor?) async throws(StorageError) -> ChangePage {
    try await base.listChanges(since: cursor)
  }

  package func confirmAbsence(of batch: [Href]) async throws(StorageError) -> [Href] {
    try await base.confirmAbsence(of: batch)
  }

  package func freshHref(for uid: ItemID, attempt: Int) -> Href {
    base.freshHref(for: uid, attempt: attempt)
  }

  package func displaced() async throws(StorageError) -> [DisplacedFile] {
    try await base.displaced()
  }

  package func discard(_ files: [DisplacedFile]) async throws(StorageError) {
    try await base.discard(files)
  }

  package func makeDurable() async throws(StorageError) { try await base.makeDurable() }

  package func noteUntold(_ gone: [Href]) async { await base.noteUntold(gone) }

  package func noteUnread(_ hrefs: [Href]) async { await base.noteUnread(hrefs) }
}

extension StorageError {
  /// The side is well, and not to be used: what is known of it cannot be read or kept.
  fileprivate init(_ error: JournalError) {
    self.init(error.kind == .stopped ? .stopped : .io, error.message, hint: error.hint)
  }
}
