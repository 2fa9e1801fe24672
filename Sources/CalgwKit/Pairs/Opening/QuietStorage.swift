import ICalendar
import SyncModel

/// A server's calendar that is kept from sending invitations: SCHEDULE-AGENT=CLIENT is on the wire
/// alone, added to what is uploaded and taken away from what is read, so that no file and no
/// comparison ever has it.
struct QuietStorage: Storage {
  private let base: any Storage
  private let digest: DigestFunction

  init(_ base: any Storage, digest: @escaping DigestFunction) {
    self.base = base
    self.digest = digest
  }

  var traits: StorageTraits {
    var traits = base.traits
    traits.mayNotify = false
    return traits
  }

  func read(_ batch: [Href]) async throws(StorageError) -> [ReadOutcome] {
    try await base.read(batch).map { outcome in
      guard case .found(let version, let data, let modified) = outcome.result else {
        return outcome
      }
      let text = SchedulingAgent.unquieted(data.bytes)
      guard text != data.bytes else { return outcome }
      let own = Version(tag: version.tag, digest: digest(text))
      return ReadOutcome(
        href: outcome.href, result: .found(own, ItemData(bytes: text), modified: modified))
    }
  }

  func carryOut(_ batch: [GuardedWrite]) async -> [WriteOutcome] {
    let guards = await rawDigests(of: batch)
    let sent = batch.map { write in
      switch write {
      case .create(let href, let data): GuardedWrite.create(href, quieted(data))
      case .replace(let href, let expecting, let data):
        GuardedWrite.replace(href, expecting: raw(expecting, guards[href]), with: quieted(data))
      case .delete(let href, let expecting):
        GuardedWrite.delete(href, expecting: raw(expecting, guards[href]))
      }
    }
    return zip(batch, await base.carryOut(sent)).map(restored)
  }

  /// The base knows the bytes on the wire alone, so what is expected is looked up there first: one
  /// more request a batch of changes.
  private func rawDigests(of batch: [GuardedWrite]) async -> [Href: [ContentDigest: ContentDigest]]
  {
    let hrefs = batch.compactMap { write -> Href? in
      switch write {
      case .create: nil
      case .replace(let href, _, _), .delete(let href, _): href
      }
    }
    var digests: [Href: [ContentDigest: ContentDigest]] = [:]
    var parts = ReadInParts(hrefs, of: base)
    // What cannot be read now is refused by its guard.
    while let part = try? await parts.next() {
      for outcome in part {
        guard case .found(let version, let data, _) = outcome.result else { continue }
        digests[outcome.href] = [
          digest(SchedulingAgent.unquieted(data.bytes)): version.digest
        ]
      }
    }
    return digests
  }

  private func raw(_ version: Version, _ known: [ContentDigest: ContentDigest]?) -> Version {
    Version(tag: version.tag, digest: known?[version.digest] ?? version.digest)
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
    let own = Version(tag: version.tag, digest: digest(SchedulingAgent.unquieted(data.bytes)))
    outcome.result = .stored(href, own, modified: modified)
    return outcome
  }

  // MARK: As the base

  func listChanges(since cursor: Cursor?) async throws(StorageError) -> ChangePage {
    try await base.listChanges(since: cursor)
  }

  func confirmAbsence(of batch: [Href]) async throws(StorageError) -> [Href] {
    try await base.confirmAbsence(of: batch)
  }

  func freshHref(for uid: ItemID, attempt: Int) -> Href {
    base.freshHref(for: uid, attempt: attempt)
  }

  func displaced() async throws(StorageError) -> [DisplacedFile] { try await base.displaced() }

  func discard(_ files: [DisplacedFile]) async throws(StorageError) {
    try await base.discard(files)
  }

  func makeDurable() async throws(StorageError) { try await base.makeDurable() }
}
