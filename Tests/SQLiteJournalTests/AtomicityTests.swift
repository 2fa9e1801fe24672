import GRDB
import SQLiteJournal
import SyncModel
import TestSupport
import Testing

/// Cuts a call off at its n-th write to a row, by triggers that live in memory only.
private struct RowCutter {
  let connection: Connection

  init(_ connection: Connection) throws {
    self.connection = connection
    try connection.queue.inDatabase { db in
      try db.execute(sql: "CREATE TEMP TABLE rows_left (count INTEGER NOT NULL)")
      for table in Schema.tables.sorted() {
        for verb in ["INSERT", "UPDATE", "DELETE"] {
          try db.execute(
            sql: """
              CREATE TEMP TRIGGER cut_\(table)_\(verb) BEFORE \(verb) ON main.\(table) BEGIN
                UPDATE rows_left SET count = count - 1;
                SELECT RAISE(ABORT, 'cut') FROM rows_left WHERE count < 0;
              END
              """)
        }
      }
    }
  }

  func allow(_ rows: Int) throws {
    try connection.queue.inDatabase { db in
      try db.execute(sql: "DELETE FROM rows_left")
      try db.execute(sql: "INSERT INTO rows_left VALUES (\(rows))")
    }
  }
}

@Suite struct AtomicityTests {
  @Test(arguments: [11, 12] as [UInt64])
  func `a call that fails at any of its rows changes nothing`(seed: UInt64) async throws {
    let store = try PairStore.inMemory(digest: sha256)
    let journal = try await store.openCollection(.sample(), at: Instant(seconds: 0)).journal
    let cutter = try RowCutter(store.connection)
    var calls = JournalCalls(seed: seed)
    var cuts = 0
    for number in 1...60 {
      let call = calls.next(open: try await journal.openIntents().map(\.id))
      let before = try await calls.picture(of: journal)
      for rows in 0...200 {
        try cutter.allow(rows)
        do {
          try await call.perform(on: journal)
          break
        } catch {
          cuts += 1
          try #require(error.kind == .unusable, "call \(number): \(error)")
          let isSame = try await calls.picture(of: journal) == before
          try #require(isSame, "call \(number), cut after \(rows) rows: \(call)")
        }
      }
    }
    #expect(cuts > 100, "the cutter cuts")
  }

  @Test func `a full disk stops one call, and the next goes on`() async throws {
    try await withStateDirectory { directory in
      let store = try PairStore.open(path: directory + "/home.sqlite", digest: sha256).store
      let journal = try await store.openCollection(.sample(), at: Instant(seconds: 0)).journal
      try await journal.agree([JournalSample.agreement("u", "A")])
      try store.connection.queue.inDatabase {
        let pages = try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0
        try $0.execute(sql: "PRAGMA max_page_count = \(pages)")
      }
      let large = ItemData(bytes: [UInt8](repeating: 7, count: 100_000))
      let content = StoredContent(digest: sha256(large.bytes), data: large)
      let error = await #expect(throws: JournalError.self) {
        try await journal.record(
          read: [JournalSample.seen(.local, "u.ics", .gone)], on: .local, contents: [content])
      }
      #expect(error?.kind == .cannotWrite)
      #expect(error?.message.contains("no space is left") == true)
      #expect(try await journal.differing().observations == [])
      try store.connection.queue.inDatabase {
        try $0.execute(sql: "PRAGMA max_page_count = 100000")
      }
      try await journal.record(
        read: [JournalSample.seen(.local, "u.ics", .gone)], on: .local, contents: [content])
      #expect(try await journal.contents([content.digest]) == [content.digest: large])
    }
  }
}
