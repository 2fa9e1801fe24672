import SyncModel

/// A collection that is not there yet, for a run that changes nothing: it holds nothing, and a
/// write to it is a failure.
struct EmptyStorage: Storage {
  let traits: StorageTraits

  /// - Parameter mayNotify: Once it is there, what is stored in it may send mail.
  init(mayNotify: Bool) {
    var traits = StorageTraits()
    traits.mayNotify = mayNotify
    self.traits = traits
  }

  func listChanges(since cursor: Cursor?) async throws(StorageError) -> ChangePage {
    ChangePage(extent: .everything, present: [], next: Cursor(bytes: []))
  }

  func read(_ batch: [Href]) async throws(StorageError) -> [ReadOutcome] {
    batch.map { ReadOutcome(href: $0, result: .missing) }
  }

  func confirmAbsence(of batch: [Href]) async throws(StorageError) -> [Href] { batch }

  func carryOut(_ batch: [GuardedWrite]) async -> [WriteOutcome] {
    let error = StorageError(
      .io, "the collection is not there", hint: "run `calgw sync` to make it")
    return batch.map { WriteOutcome(href: $0.href, result: .failed(error)) }
  }

  func freshHref(for uid: ItemID, attempt: Int) -> Href { Href(uid.bytes + Array(".ics".utf8)) }

  func displaced() async throws(StorageError) -> [DisplacedFile] { [] }

  func discard(_ files: [DisplacedFile]) async throws(StorageError) {}
}
