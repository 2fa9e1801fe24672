import CalgwKit
import SQLiteJournal
import SyncModel
import TestSupport
import Testing

@Suite struct FolderBirthsTests {
  private let store: PairStore
  private let now = Instant(seconds: 1000)

  init() throws { store = try PairStore.inMemory(digest: sha256) }

  private func open() async throws -> OpenedCollection {
    try await store.openCollection(
      CollectionRecord(
        identity: CollectionIdentity(name: "work", local: [1], remote: [2]), folder: [1],
        remoteHref: [2], remoteName: "", canonicalVersion: 1), at: now)
  }

  private func isReplaced(_ times: [Side: Int64]) async throws -> Bool {
    try await FolderBirths(times: times).setAsideReplaced("work", in: store, at: now)
  }

  @Test(
    arguments: [
      ([.local: 1], [.local: 2], true),
      ([.local: 1, .remote: 5], [.local: 1, .remote: 6], true),
      ([.local: 1], [.local: 1], false),
      // An earlier release kept none, and some file systems have none.
      ([:], [.local: 1], false),
      ([.local: 1], [:], false),
    ] as [([Side: Int64], [Side: Int64], Bool)])
  func `a folder that was made at another time is another one, whatever its number`(
    before: [Side: Int64], after: [Side: Int64], isAnother: Bool
  ) async throws {
    #expect(try await !isReplaced(before))
    #expect(try await open().isNew)
    #expect(try await isReplaced(after) == isAnother)
    #expect(try await open().isNew == isAnother)
    #expect(try await !isReplaced(after), "it is the known one from then on")
    #expect(try await !open().isNew)
  }
}
