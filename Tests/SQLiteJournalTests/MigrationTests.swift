import GRDB
import SQLiteJournal
import SyncModel
import TestSupport
import Testing

@Suite struct MigrationTests {
  private let next = Migrations(
    steps: Schema.steps + [
      { try $0.execute(sql: "ALTER TABLE pair_values ADD COLUMN learned_at INTEGER") },
      { try $0.execute(sql: "UPDATE pair_values SET learned_at = 1") },
    ])

  private func makeOldFile(_ path: String) async throws {
    let store = try PairStore.open(path: path, digest: sha256).store
    try await store.setValue([1, 2], for: "home-set")
    try await store.close()
  }

  @Test func `an older file is upgraded, and kept as it was`() async throws {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      try await makeOldFile(path)
      var opening = DatabaseOpening(path: path, migrations: next)
      let queue = try opening.open()
      let present = Migrations.present.newest
      let backup = path + ".v\(present)-backup"
      #expect(opening.notices == [.upgraded(from: present, backup: backup)])
      #expect(try queue.inDatabase { try Migrations.version(of: $0) } == present + 2)
      let learned = try queue.inDatabase {
        try Int.fetchOne($0, sql: "SELECT learned_at FROM pair_values")
      }
      #expect(learned == 1)
      try queue.close()

      #expect(mode(of: backup) == 0o600)
      let kept = try PairStore.open(path: backup, digest: sha256)
      #expect(kept.notices == [])
      #expect(try await kept.store.value("home-set") == [1, 2])
      try await kept.store.close()

      // The release that made the file meets the newer one.
      #expect(throws: JournalError.self) { try PairStore.open(path: path, digest: sha256) }
    }
  }

  @Test func `an upgrade that fails changes nothing`() async throws {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      try await makeOldFile(path)
      let failing = Migrations(
        steps: next.steps + [{ _ in throw DatabaseError(resultCode: .SQLITE_FULL) }])
      for _ in 1...2 {
        var opening = DatabaseOpening(path: path, migrations: failing)
        let error = #expect(throws: JournalError.self) { try opening.open() }
        #expect(error?.kind == .cannotWrite)
      }
      let store = try PairStore.open(path: path, digest: sha256)
      #expect(store.notices == [])
      #expect(try await store.store.value("home-set") == [1, 2])
      try await store.store.close()
    }
  }

  /// A journal of an earlier schema that knows a collection, `work`, and what was seen of an item
  /// in it.
  private func makeJournal(
    _ path: String, schema: Int, observing sql: String, _ arguments: StatementArguments = []
  ) throws {
    var opening = DatabaseOpening(
      path: path, migrations: Migrations(steps: Array(Schema.steps.prefix(schema))))
    let queue = try opening.open()
    try queue.inDatabase { db in
      try db.execute(
        sql: """
          INSERT INTO collections (name, local_identity, remote_identity, folder, remote_href,
            remote_name, canonical_version) VALUES ('work', x'01', x'02', x'2F', x'2F', '', 1)
          """)
      try db.execute(sql: sql, arguments: arguments)
    }
    try queue.close()
  }

  /// One that knows an item which the server refused with a message.
  private func makeThirdSchema(_ path: String, refusing message: String) throws {
    try makeJournal(
      path, schema: 3,
      observing: """
        INSERT INTO observations (collection, side, href_key, href, state, wait,
          refused_digest, refused_code, refused_message, refused_hint, retry_at)
        VALUES (1, 'local', x'61', x'61', 'unread', 'refused', zeroblob(32), 'refused', ?,
          'look', 5)
        """, [message])
  }

  /// Each the message of a refusal in a journal of the third schema, and its cause since.
  @Test(
    arguments: [
      ("the server has another item of this UID, at /c/b.ics", .uidIsTaken),
      (ItemProblem.tellsAttendees.message, .tellsAttendees),
      ("the remote side stored it, and kept the former time", .keptFormer),
      ("it waits until '/c/a.ics' on the remote side can be read: it may be it", .mayBeUnread),
      ("the server gives items UIDs of its own: what was sent as 'a' is 'b' there", .twin),
      ("the server refuses PUT /c/a.ics", nil),
    ] as [(String, ItemProblem.Cause?)])
  func `what was known by the words of its message gets its cause`(
    message: String, cause: ItemProblem.Cause?
  ) async throws {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      try makeThirdSchema(path, refusing: message)
      let store = try PairStore.open(path: path, digest: sha256).store
      let journal = try #require(try await store.journal(of: "work"))
      let problem = ItemProblem(.refused, message, hint: "look", cause: cause)
      #expect(
        try await journal.differing().observations.map(\.wait) == [
          .refused(
            ContentDigest(bytes: [UInt8](repeating: 0, count: 32)), problem,
            retry: Instant(milliseconds: 5))
        ])
      try await store.close()
    }
  }

  @Test func `of what was no item in a journal of the fifth schema no UIDs are known`() async throws
  {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      try makeJournal(
        path, schema: 5,
        observing: """
          INSERT INTO observations (collection, side, href_key, href, state, problem_code,
            problem_message, problem_hint)
          VALUES (1, 'remote', x'61', x'61', 'obstructed', 'incomplete', 'cut off', 'mend it')
          """)
      let store = try PairStore.open(path: path, digest: sha256).store
      let journal = try #require(try await store.journal(of: "work"))
      let problem = ItemProblem(.incomplete, "cut off", hint: "mend it")
      #expect(
        try await journal.differing().observations == [
          Observation(
            side: .remote, href: Href("a"), state: .obstructed(nil, problem),
            since: Instant(milliseconds: 0))
        ])
      try await store.close()
    }
  }

  @Test func `what a journal of the sixth schema saw has one time, and keeps it`() async throws {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      try makeJournal(
        path, schema: 6,
        observing: """
          INSERT INTO observations (collection, side, href_key, href, state)
          VALUES (1, 'local', x'61', x'61', 'gone'), (1, 'local', x'62', x'62', 'unread')
          """)
      let store = try PairStore.open(path: path, digest: sha256).store
      let journal = try #require(try await store.journal(of: "work"))
      let now = Instant(milliseconds: 5)
      try await journal.record(
        read: ["b", "c"].map {
          .observed(Observation(side: .local, href: Href($0), state: .unread(nil), since: now))
        }, on: .local, contents: [])
      let seen = try await journal.differing().observations
      #expect(seen.map(\.since) == [Instant(milliseconds: 0), Instant(milliseconds: 0), now])
      let zero = Instant(milliseconds: 0)
      #expect(seen.map(\.missed) == [zero...zero, nil, nil])
      try await store.close()
    }
  }

  @Test func `a dry run upgrades its copy of an older file, and leaves that as it is`() async throws
  {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      try makeThirdSchema(path, refusing: "the server refuses PUT /c/a.ics")
      let before = try #require(bytes(of: path))
      let copy = try PairStore.openCopy(path: path, digest: sha256)
      #expect(copy.notices == [], "there is no backup to tell of")
      let journal = try #require(try await copy.store.journal(of: "work"))
      #expect(try await journal.differing().observations.count == 1)
      try await copy.store.close()
      #expect(bytes(of: path) == before)
      #expect(try names(in: directory) == ["home.sqlite"])
    }
  }

  @Test func `the schema has the tables and indexes that are checked for, and no others`()
    throws
  {
    let queue = try DatabaseOpening.inMemory()
    let (tables, indexes) = try queue.inDatabase { db in
      (
        try String.fetchAll(
          db,
          sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'"),
        try String.fetchAll(
          db,
          sql: "SELECT name FROM sqlite_schema WHERE type = 'index' AND name NOT GLOB 'sqlite_*'")
      )
    }
    #expect(Set(tables) == Schema.tables)
    #expect(Set(indexes) == Schema.indexes)
  }

  @Test(arguments: [
    ("WAL", "wal"), ("synchronous", "2"), ("foreign_keys", "1"), ("trusted_schema", "0"),
    ("temp_store", "2"),
  ])
  func `a connection is set up to be safe`(pragma: String, value: String) async throws {
    try await withStateDirectory { directory in
      var opening = DatabaseOpening(path: directory + "/home.sqlite")
      let queue = try opening.open()
      let name = pragma == "WAL" ? "journal_mode" : pragma
      let got = try queue.inDatabase { try String.fetchOne($0, sql: "PRAGMA \(name)") }
      #expect(got == value)
      try queue.close()
    }
  }

  @Test(arguments: [
    (ResultCode.SQLITE_BUSY, JournalError.Kind.busy), (.SQLITE_LOCKED, .busy),
    (.SQLITE_BUSY_SNAPSHOT, .busy), (.SQLITE_FULL, .cannotWrite),
    (.SQLITE_IOERR_FSYNC, .cannotWrite), (.SQLITE_READONLY_DBMOVED, .cannotWrite),
    (.SQLITE_CANTOPEN, .cannotWrite), (.SQLITE_CORRUPT_VTAB, .unusable),
    (.SQLITE_NOTADB, .unusable), (.SQLITE_CONSTRAINT_UNIQUE, .unusable),
    (.SQLITE_MISUSE, .unusable), (.SQLITE_TOOBIG, .unusable), (.SQLITE_INTERRUPT, .stopped),
  ])
  func `what SQLite says becomes what a caller can act on`(
    code: ResultCode, kind: JournalError.Kind
  ) {
    let error = journalError(DatabaseError(resultCode: code, message: "words"), at: "/s/p.sqlite")
    #expect(error.kind == kind)
    #expect(error.message.contains("/s/p.sqlite"))
    #expect(error.kind == .stopped || !error.hint.isEmpty)
  }

  @Test(arguments: [
    (ResultCode.SQLITE_IOERR_SHMSIZE, true), (.SQLITE_CANTOPEN, true), (.SQLITE_READONLY, false),
  ])
  func `where the disk is full, that is said`(code: ResultCode, isTold: Bool) {
    let failure = DatabaseError(resultCode: code, message: "disk I/O error")
    let error = journalError(failure, at: "/s/p.sqlite") { _ in true }
    #expect(error.kind == .cannotWrite)
    #expect(error.message.contains("the disk is full") == isTold)
    #expect(error.hint.hasPrefix("free some space") == isTold)
    let other = journalError(failure, at: "/s/p.sqlite") { _ in false }
    #expect(other.message.contains("disk I/O error"))
  }

  @Test(
    arguments: [
      ("0:52", "nfs4"), ("8:1", "ext4"), ("0:99", nil), ("0:60", "fuse.sshfs"),
    ] as [(String, String?)])
  func `the kind of a file system is read from the mount table`(device: String, kind: String?) {
    let table = """
      25 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
      90 25 0:52 / /net rw,relatime shared:50 master:2 - nfs4 server:/x rw,vers=4.2
      91 25 0:60 / /home/ann/s rw - fuse.sshfs ann@s: rw
      92 25
      """
    #expect(fileSystem(of: device, in: table) == kind)
  }
}
