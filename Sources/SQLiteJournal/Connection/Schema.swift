package import GRDB

/// The tables of a pair's journal (docs/journal.md says what each is for).
package enum Schema {
  /// "calg", in the file's header: what tells a journal from another program's database.
  static let applicationID: Int64 = 0x6361_6C67

  /// Everything that a journal's file may contain; anything else is not ours.
  package static let tables: Set<String> = [
    "collections", "pair_values", "contents", "agreed_versions", "observations", "cursors",
    "intents", "intent_sources", "history", "value_history",
  ]
  package static let indexes: Set<String> = [
    "collections_in_use", "agreed_versions_by_uid", "history_by_item", "history_by_uid",
    "value_history_by_key",
  ]

  /// The steps from an empty file to the present schema; step n leads to version n, and what was
  /// released is never changed.
  package static let steps: [@Sendable (Database) throws -> Void] = [
    { db in
      try db.execute(sql: pairTables)
      try db.execute(sql: stateTables)
      try db.execute(sql: intentTables)
      try db.execute(sql: historyTable)
    },
    { db in try db.execute(sql: SchemaOfWindows.steps) },
    // Where the item was on the other side then: a file that is gone can still be named.
    { db in try db.execute(sql: "ALTER TABLE history ADD COLUMN counterpart_key BLOB") },
    { db in try db.execute(sql: SchemaOfValues.steps) },
    { db in try db.execute(sql: SchemaOfCauses.steps) },
    // What is no item may name items all the same, and a new one of theirs is not sent beside it.
    { db in
      try db.execute(
        sql: """
          ALTER TABLE observations ADD COLUMN problem_uids BLOB
            CHECK (state = 'obstructed' OR problem_uids IS NULL)
          """)
    },
    // What came and what went in one run may be one item. Of what was seen before nobody knows, so
    // all of it has one time.
    { db in
      try db.execute(
        sql: """
          ALTER TABLE observations ADD COLUMN since INTEGER;
          UPDATE observations SET since = 0;
          """)
    },
    { db in
      try db.execute(
        sql: """
          ALTER TABLE observations ADD COLUMN missed_from INTEGER;
          ALTER TABLE observations ADD COLUMN missed_to INTEGER;
          UPDATE observations SET missed_from = since, missed_to = since WHERE state = 'gone';
          """)
    },
  ]

  private static let pairTables = """
    CREATE TABLE collections (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      local_identity BLOB NOT NULL,
      remote_identity BLOB NOT NULL,
      folder BLOB NOT NULL,
      remote_href BLOB NOT NULL,
      remote_name TEXT NOT NULL,
      canonical_version INTEGER NOT NULL,
      retired_at INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX collections_in_use ON collections (name) WHERE retired_at IS NULL;
    CREATE TABLE pair_values (
      key TEXT PRIMARY KEY NOT NULL,
      value BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE contents (
      digest BLOB PRIMARY KEY NOT NULL CHECK (length(digest) = 32),
      bytes BLOB NOT NULL
    ) STRICT;
    """

  private static let stateTables = """
    CREATE TABLE agreed_versions (
      collection INTEGER NOT NULL REFERENCES collections (id),
      side TEXT NOT NULL CHECK (side IN ('local', 'remote')),
      href_key BLOB NOT NULL,
      href BLOB NOT NULL,
      uid BLOB NOT NULL,
      tag BLOB,
      tag_is_strong INTEGER CHECK (tag_is_strong IN (0, 1)),
      digest BLOB NOT NULL CHECK (length(digest) = 32),
      canonical BLOB NOT NULL CHECK (length(canonical) = 32),
      summary TEXT NOT NULL,
      last_modified INTEGER,
      modified INTEGER,
      components TEXT NOT NULL,
      PRIMARY KEY (collection, side, href_key),
      CHECK ((tag IS NULL) = (tag_is_strong IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX agreed_versions_by_uid ON agreed_versions (collection, uid, side);
    CREATE TABLE observations (
      collection INTEGER NOT NULL REFERENCES collections (id),
      side TEXT NOT NULL CHECK (side IN ('local', 'remote')),
      href_key BLOB NOT NULL,
      href BLOB NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('unread', 'read', 'obstructed', 'gone')),
      uid BLOB,
      tag BLOB,
      tag_is_strong INTEGER CHECK (tag_is_strong IN (0, 1)),
      digest BLOB CHECK (length(digest) = 32),
      canonical BLOB CHECK (length(canonical) = 32),
      summary TEXT,
      last_modified INTEGER,
      modified INTEGER,
      components TEXT,
      problem_code TEXT,
      problem_message TEXT,
      problem_hint TEXT,
      wait TEXT CHECK (wait IN ('refused', 'conflict')),
      refused_digest BLOB CHECK (length(refused_digest) = 32),
      refused_code TEXT,
      refused_message TEXT,
      refused_hint TEXT,
      retry_at INTEGER,
      PRIMARY KEY (collection, side, href_key),
      CHECK ((tag IS NULL) = (tag_is_strong IS NULL)),
      CHECK (state <> 'gone' OR tag IS NULL),
      CHECK ((state = 'read') = (uid IS NOT NULL AND digest IS NOT NULL
        AND canonical IS NOT NULL AND summary IS NOT NULL AND components IS NOT NULL)),
      CHECK ((state = 'obstructed') = (problem_code IS NOT NULL
        AND problem_message IS NOT NULL AND problem_hint IS NOT NULL)),
      CHECK ((wait IS 'refused') = (refused_digest IS NOT NULL AND refused_code IS NOT NULL
        AND refused_message IS NOT NULL AND refused_hint IS NOT NULL AND retry_at IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE cursors (
      collection INTEGER NOT NULL REFERENCES collections (id),
      side TEXT NOT NULL CHECK (side IN ('local', 'remote')),
      bytes BLOB NOT NULL,
      PRIMARY KEY (collection, side)
    ) STRICT, WITHOUT ROWID;
    """

  private static let intentTables = """
    CREATE TABLE intents (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      collection INTEGER NOT NULL REFERENCES collections (id),
      uid BLOB NOT NULL,
      side TEXT NOT NULL CHECK (side IN ('local', 'remote')),
      effect TEXT NOT NULL CHECK (effect IN ('create', 'replace', 'delete')),
      href_key BLOB NOT NULL,
      href BLOB NOT NULL,
      expected_tag BLOB,
      expected_tag_is_strong INTEGER CHECK (expected_tag_is_strong IN (0, 1)),
      expected_digest BLOB CHECK (length(expected_digest) = 32),
      new_digest BLOB CHECK (length(new_digest) = 32),
      CHECK ((expected_tag IS NULL) = (expected_tag_is_strong IS NULL)),
      CHECK ((effect = 'create') = (expected_digest IS NULL)),
      CHECK ((effect = 'delete') = (new_digest IS NULL))
    ) STRICT;
    CREATE TABLE intent_sources (
      intent INTEGER PRIMARY KEY REFERENCES intents (id) ON DELETE CASCADE,
      href_key BLOB NOT NULL,
      href BLOB NOT NULL,
      uid BLOB NOT NULL,
      tag BLOB,
      tag_is_strong INTEGER CHECK (tag_is_strong IN (0, 1)),
      digest BLOB NOT NULL CHECK (length(digest) = 32),
      canonical BLOB NOT NULL CHECK (length(canonical) = 32),
      summary TEXT NOT NULL,
      last_modified INTEGER,
      modified INTEGER,
      components TEXT NOT NULL,
      CHECK ((tag IS NULL) = (tag_is_strong IS NULL))
    ) STRICT;
    """

  private static let historyTable = """
    CREATE TABLE history (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      collection INTEGER NOT NULL REFERENCES collections (id),
      time INTEGER NOT NULL,
      uid BLOB NOT NULL,
      side TEXT NOT NULL CHECK (side IN ('local', 'remote')),
      action TEXT NOT NULL,
      reason TEXT NOT NULL,
      href_key BLOB NOT NULL,
      href BLOB NOT NULL,
      before BLOB CHECK (length(before) = 32),
      after BLOB CHECK (length(after) = 32)
    ) STRICT;
    CREATE INDEX history_by_item ON history (collection, uid, number);
    CREATE INDEX history_by_uid ON history (uid, number);
    """
}
