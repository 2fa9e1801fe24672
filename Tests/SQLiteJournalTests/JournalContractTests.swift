import SQLiteJournal
import SyncModel
import TestSupport
import Testing

/// The journals that must be alike.
enum JournalKind: String, CaseIterable {
  case memory
  case sqliteInMemory
  case sqliteOnDisk
}

@Suite struct JournalContractTests {
  @Test(arguments: JournalKind.allCases, JournalRule.all)
  func `every journal keeps every rule`(kind: JournalKind, rule: JournalRule) async throws {
    try await withJournal(kind) { journal in
      #expect(await rule.violations(by: journal) == [])
    }
  }

  @Test(arguments: [JournalKind.sqliteInMemory, .sqliteOnDisk], [1, 2, 3] as [UInt64])
  func `after any calls SQLite tells the same as memory`(
    kind: JournalKind, seed: UInt64
  ) async throws {
    var calls = JournalCalls(seed: seed)
    let memory = MemoryJournal()
    try await withJournal(kind) { journal in
      for number in 1...(kind == .sqliteInMemory ? 700 : 60) {
        let open = try await memory.openIntents().map(\.id)
        let call = calls.next(open: open)
        let ids = try await call.perform(on: journal)
        let wanted = try await call.perform(on: memory)
        try #require(ids == wanted, "call \(number): \(call)")
        // Every item in turn; all the rest every time.
        let uid = calls.uids[number % calls.uids.count]
        let isSame =
          try await calls.picture(of: journal, [uid]) == calls.picture(of: memory, [uid])
        try #require(isSame, "call \(number): \(call)")
      }
    }
  }

  @Test(arguments: JournalKind.allCases, Fuse.Moment.allCases)
  func `a stopped call happened whole or not at all, and none after it`(
    kind: JournalKind, moment: Fuse.Moment
  ) async throws {
    try await withJournal(kind) { base in
      let reference = MemoryJournal()
      let fuse = Fuse()
      let journal = FusedJournal(base, fuse: fuse)
      var calls = JournalCalls(seed: 7)
      for number in 1...80 {
        let call = calls.next(open: try await base.openIntents().map(\.id))
        let isLast = number % 10 == 0
        if isLast { fuse.stop(at: fuse.effects + 1, moment) }
        if isLast {
          await #expect(throws: Fuse.stopped) { try await call.perform(on: journal) }
          await #expect(throws: Fuse.stopped) { try await call.perform(on: journal) }
          await #expect(throws: Fuse.stopped) { try await journal.differing() }
          fuse.replace()
        } else {
          try await call.perform(on: journal)
        }
        if !isLast || moment == .after { try await call.perform(on: reference) }
        let isSame = try await calls.picture(of: journal) == calls.picture(of: reference)
        try #require(isSame, "call \(number)")
      }
    }
  }

  @Test func `a fault fails one call alone and changes nothing`() async throws {
    let journal = MemoryJournal()
    let busy = JournalError(.busy, "held")
    journal.fuse.fail(at: 2, with: busy)
    try await journal.agree([JournalSample.agreement("u", "A")])
    let before = journal.state
    await #expect(throws: busy) { try await journal.forget([ItemID("u")]) }
    #expect(journal.state == before)
    try await journal.forget([ItemID("u")])
    #expect(journal.state.agreements.isEmpty)
    #expect(journal.fuse.effects == 3)
  }

  @Test func `the fuse of a journal in memory stops it before or after a call`() async throws {
    for moment in Fuse.Moment.allCases {
      let journal = MemoryJournal()
      journal.fuse.stop(at: 1, moment)
      await #expect(throws: Fuse.stopped) {
        try await journal.agree([JournalSample.agreement("u", "A")])
      }
      await #expect(throws: Fuse.stopped) { try await journal.agreementCount() }
      #expect(journal.state.agreements.count == (moment == .after ? 1 : 0))
    }
  }
}

extension JournalCalls {
  func picture(
    of journal: any Journal, _ some: [ItemID]? = nil
  ) async throws -> JournalPicture {
    try await JournalPicture(of: journal, uids: some ?? uids, digests: digests)
  }
}

/// Runs a test with a fresh journal and takes away what it left.
func withJournal(
  _ kind: JournalKind, _ body: (any Journal) async throws -> Void
) async throws {
  switch kind {
  case .memory:
    try await body(MemoryJournal())
  case .sqliteInMemory:
    let store = try PairStore.inMemory(digest: sha256)
    try await body(try await store.openCollection(.sample(), at: Instant(seconds: 0)).journal)
  case .sqliteOnDisk:
    try await withStateDirectory { directory in
      let store = try PairStore.open(path: directory + "/home.sqlite", digest: sha256).store
      try await body(try await store.openCollection(.sample(), at: Instant(seconds: 0)).journal)
      try await store.close()
    }
  }
}

extension CollectionRecord {
  static func sample(
    _ name: String = "work", local: String = "dev 1 inode 2", remote: String = "https://a/work/"
  ) -> CollectionRecord {
    CollectionRecord(
      identity: CollectionIdentity(
        name: name, local: Array(local.utf8), remote: Array(remote.utf8)),
      folder: Array(name.utf8), remoteHref: Array("/\(name)/".utf8), remoteName: "Work",
      canonicalVersion: 1)
  }
}
