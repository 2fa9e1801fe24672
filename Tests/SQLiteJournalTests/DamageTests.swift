import GRDB
import SQLiteJournal
import SyncModel
import TestSupport
import Testing

@Suite struct DamageTests {
  /// A journal with enough in it to be damaged in the middle.
  private func makeJournal(at path: String) async throws {
    let store = try PairStore.open(path: path, digest: sha256).store
    let journal = try await store.openCollection(.sample(), at: Instant(seconds: 0)).journal
    try await journal.agree((0..<300).map { JournalSample.agreement("item-\($0)", "A\($0)") })
    try await store.close()
  }

  /// A connection that keeps its transaction.
  private func otherProgram(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  private func change(_ path: String, _ sql: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.inDatabase { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// The first half stays whole, so that the file opens.
  private func garble(_ path: String) throws -> [UInt8] {
    var garbled = try #require(bytes(of: path))
    try #require(garbled.count > 40_000)
    for index in (garbled.count / 2)..<garbled.count { garbled[index] = 0xA5 }
    write(garbled, to: path)
    return garbled
  }

  @Test func `a damaged file that was not closed cleanly is set aside`() async throws {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      try await makeJournal(at: path)
      let garbled = try garble(path)
      DamagedFile.mark(path)
      let (store, notices) = try PairStore.open(path: path, digest: sha256)
      let moved = path + ".damaged-1"
      guard case .damaged(_, let place)? = notices.first else {
        Issue.record("no notice: \(notices)")
        return
      }
      #expect(place == moved)
      #expect(bytes(of: moved) == garbled)
      #expect(try await store.collections() == [])
      try await store.close()
      #expect(try names(in: directory) == ["home.sqlite", "home.sqlite.damaged-1"])
      #expect(try PairStore.open(path: path, digest: sha256).notices == [])
    }
  }

  /// A page that was lost on its way to the disk: an index does not list what the table holds.
  @Test func `damage that a quick look does not see is set aside, too`() async throws {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      try await makeJournal(at: path)
      // What SQLite itself keeps to: the index is emptied behind its back.
      try change(
        path,
        """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET sql = sql || ' WHERE uid IS NULL'
          WHERE name = 'agreed_versions_by_uid';
        PRAGMA writable_schema = RESET;
        REINDEX agreed_versions_by_uid;
        PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET sql = replace(sql, ' WHERE uid IS NULL', '')
          WHERE name = 'agreed_versions_by_uid';
        """)
      #expect(try PairStore.open(path: path, digest: sha256).notices == [])
      DamagedFile.mark(path)
      let (store, notices) = try PairStore.open(path: path, digest: sha256)
      guard case .damaged? = notices.first else {
        Issue.record("no notice: \(notices)")
        return
      }
      try await store.close()
    }
  }

  /// Rows that contradict each other are nothing that SQLite could see.
  @Test func `damage that is met again in a file that was found whole sets it aside`()
    async throws
  {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      try await makeJournal(at: path)
      DamagedFile.mark(path)
      let whole = try PairStore.open(path: path, digest: sha256)
      #expect(whole.notices == [])
      DamagedFile.mark(path)
      let (store, notices) = try PairStore.open(path: path, digest: sha256)
      #expect(notices.count == 1)
      #expect(try await store.collections() == [])
      try await store.close()
      #expect(try names(in: directory).contains("home.sqlite.damaged-1"))
    }
  }

  @Test func `a file that does its work after it was found whole is in doubt no more`()
    async throws
  {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      try await makeJournal(at: path)
      for _ in 0..<3 {
        DamagedFile.mark(path)
        let (store, notices) = try PairStore.open(path: path, digest: sha256)
        #expect(notices == [])
        try await store.close()
        #expect(try names(in: directory) == ["home.sqlite"])
      }
    }
  }

  @Test func `damage that a run meets is an error, and the next run begins anew`() async throws {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      try await makeJournal(at: path)
      let garbled = try garble(path)
      let (store, notices) = try PairStore.open(path: path, digest: sha256)
      #expect(notices == [])
      let journal = try #require(try await store.journal(of: "work"))
      let error = await #expect(throws: JournalError.self) { try await journal.known(.local) }
      #expect(error?.kind == .unusable)
      #expect(mode(of: DamagedFile.marker(of: path)) == 0o600)
      try await store.close()

      let next = try PairStore.open(path: path, digest: sha256)
      #expect(next.notices.count == 1)
      try await next.store.close()
      #expect(try names(in: directory) == ["home.sqlite", "home.sqlite.damaged-1"])
      #expect(bytes(of: path + ".damaged-1") == garbled)
    }
  }

  @Test func `bytes that are no database are set aside`() async throws {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      for number in 1...2 {
        write(Array("a letter to the editor\n".utf8), to: path)
        let (store, notices) = try PairStore.open(path: path, digest: sha256)
        try #require(notices.count == 1)
        guard case .damaged(_, movedTo: "\(path).damaged-\(number)") = notices[0] else {
          Issue.record("\(notices)")
          return
        }
        try await store.close()
      }
    }
  }

  @Test func `a log without its file is set aside`() async throws {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      write(Array("a log".utf8), to: path + "-wal")
      let (store, notices) = try PairStore.open(path: path, digest: sha256)
      #expect(
        notices == [
          .damaged(
            reason: "its log is there and the file itself is not", movedTo: path + ".damaged-1"),
          .created,
        ])
      #expect(bytes(of: path + ".damaged-1-wal") == Array("a log".utf8))
      try await store.close()
    }
  }

  @Test func `an empty file is a journal that was never begun`() async throws {
    try await withStateDirectory { directory in
      write([], to: directory + "/home.sqlite")
      let (store, notices) = try PairStore.open(path: directory + "/home.sqlite", digest: sha256)
      #expect(notices == [])
      #expect(try await store.collections() == [])
      try await store.close()
    }
  }

  @Test(arguments: [
    ("PRAGMA user_version = 999", "newer calgw"),
    ("PRAGMA application_id = 252006674", "another program"),
    ("CREATE TABLE stranger (a)", "never makes"),
    ("CREATE VIEW collections_view AS SELECT 1", "never makes"),
    (
      "CREATE TRIGGER spy AFTER INSERT ON history BEGIN DELETE FROM contents; END", "never makes"
    ),
  ])
  func `what is no journal of ours is refused and not touched`(
    sql: String, words: String
  ) async throws {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      try await makeJournal(at: path)
      try change(path, sql)
      let before = bytes(of: path)
      for isCopy in [false, true] {
        let error = #expect(throws: JournalError.self) {
          if isCopy {
            try PairStore.openCopy(path: path, digest: sha256)
          } else {
            try PairStore.open(path: path, digest: sha256)
          }
        }
        #expect(error?.kind == .unusable)
        #expect(error?.message.contains(words) == true)
        #expect(error?.hint.isEmpty == false)
      }
      #expect(bytes(of: path) == before)
      #expect(try names(in: directory) == ["home.sqlite"])
    }
  }

  @Test func `a row that calgw never wrote is damage`() async throws {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      let store = try PairStore.open(path: path, digest: sha256).store
      let journal = try await store.openCollection(.sample(), at: Instant(seconds: 0)).journal
      try await journal.keep([JournalSample.entry("u", at: 1, "A")], contents: [])
      try await journal.agree([JournalSample.agreement("u", "A")])
      try store.connection.queue.inDatabase {
        try $0.execute(sql: "UPDATE history SET action = 'eaten'")
        try $0.execute(sql: "DELETE FROM agreed_versions WHERE side = 'local'")
      }
      let history = await #expect(throws: JournalError.self) {
        try await journal.history(of: nil)
      }
      #expect(history?.kind == .unusable)
      let agreement = await #expect(throws: JournalError.self) {
        try await journal.agreement(of: ItemID("u"))
      }
      #expect(agreement?.kind == .unusable)
      try await store.close()
    }
  }

  @Test func `a text that lost its digest counts as not kept until it is stored again`()
    async throws
  {
    let store = try PairStore.inMemory(digest: sha256)
    let journal = try await store.openCollection(.sample(), at: Instant(seconds: 0)).journal
    let content = JournalSample.content("A")
    try await journal.keep([], contents: [content])
    try store.connection.queue.inDatabase {
      try $0.execute(sql: "UPDATE contents SET bytes = x'00'")
    }
    #expect(try await journal.contents([content.digest]) == [:])
    #expect(try await store.contents([content.digest]) == [:])
    try await journal.keep([], contents: [content])
    #expect(try await journal.contents([content.digest]) == [content.digest: content.data])
  }

  @Test func `another program that writes makes the journal busy, and no longer`() async throws {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      try await makeJournal(at: path)
      let store = try PairStore.open(path: path, digest: sha256, whenBusy: { _ in false }).store
      let journal = try #require(try await store.journal(of: "work"))
      let other = try otherProgram(path)
      try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
      let error = await #expect(throws: JournalError.self) {
        try await journal.forget([ItemID("item-1")])
      }
      #expect(error?.kind == .busy)
      #expect(error?.message.contains(path) == true)
      #expect(error?.hint.contains("another calgw") == true)
      #expect(try await journal.agreementCount() == 300, "reading goes on")
      try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
      try other.close()
      try await journal.forget([ItemID("item-1")])
      #expect(try await journal.agreementCount() == 299)
      try await store.close()
    }
  }

  @Test func `a journal that another program holds alone cannot be opened`() async throws {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      try await makeJournal(at: path)
      let other = try otherProgram(path)
      try other.inDatabase {
        try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
        try $0.execute(sql: "BEGIN EXCLUSIVE")
      }
      let error = #expect(throws: JournalError.self) {
        try PairStore.open(path: path, digest: sha256, whenBusy: { _ in false })
      }
      #expect(error?.kind == .busy)
      try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
      try other.close()
      #expect(try names(in: directory) == ["home.sqlite"])
    }
  }

  @Test(arguments: [false, true])
  func `a journal that another calgw has alone while it closes is waited for`(isCopy: Bool)
    async throws
  {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      try await makeJournal(at: path)
      let other = try otherProgram(path)
      try other.inDatabase {
        try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
        try $0.execute(sql: "BEGIN EXCLUSIVE")
      }
      let letGo: BusyWait.Callback = { tries in
        guard tries == 0 else { return false }
        try? other.inDatabase { try $0.execute(sql: "ROLLBACK") }
        try? other.close()
        return true
      }
      let store = try
        (isCopy
        ? PairStore.openCopy(path: path, digest: sha256, whenBusy: letGo)
        : PairStore.open(path: path, digest: sha256, whenBusy: letGo)).store
      let journal = try #require(try await store.journal(of: "work"))
      #expect(try await journal.agreementCount() == 300)
      try await store.close()
    }
  }

  @Test func `a lock is waited for two seconds and no longer`() {
    #expect(BusyWait.live(0))
    #expect(BusyWait.live(BusyWait.tries - 1))
    #expect(!BusyWait.live(BusyWait.tries))
    #expect(Int(BusyWait.pause) * BusyWait.tries == 2_000_000)
  }
}
