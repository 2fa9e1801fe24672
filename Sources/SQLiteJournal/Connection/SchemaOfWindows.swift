/// Version 2 of the schema: an observation may wait because it is out of the window. SQLite cannot
/// change a check, so the table is made anew.
enum SchemaOfWindows {
  static let steps = """
    CREATE TABLE observations_with_windows (
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
      wait TEXT CHECK (wait IN ('refused', 'conflict', 'window')),
      refused_digest BLOB CHECK (length(refused_digest) = 32),
      refused_code TEXT,
      refused_message TEXT,
      refused_hint TEXT,
      retry_at INTEGER,
      window_after INTEGER,
      window_until INTEGER,
      PRIMARY KEY (collection, side, href_key),
      CHECK ((tag IS NULL) = (tag_is_strong IS NULL)),
      CHECK (state <> 'gone' OR tag IS NULL),
      CHECK ((state = 'read') = (uid IS NOT NULL AND digest IS NOT NULL
        AND canonical IS NOT NULL AND summary IS NOT NULL AND components IS NOT NULL)),
      CHECK ((state = 'obstructed') = (problem_code IS NOT NULL
        AND problem_message IS NOT NULL AND problem_hint IS NOT NULL)),
      CHECK ((wait IS 'refused') = (refused_digest IS NOT NULL AND refused_code IS NOT NULL
        AND refused_message IS NOT NULL AND refused_hint IS NOT NULL AND retry_at IS NOT NULL)),
      CHECK ((wait IS 'window') = (window_after IS NOT NULL)),
      CHECK (wait IS 'window' OR window_until IS NULL)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO observations_with_windows (
      collection, side, href_key, href, state, uid, tag, tag_is_strong, digest,
      canonical, summary, last_modified, modified, components, problem_code,
      problem_message, problem_hint, wait, refused_digest, refused_code,
      refused_message, refused_hint, retry_at)
    SELECT
      collection, side, href_key, href, state, uid, tag, tag_is_strong, digest,
      canonical, summary, last_modified, modified, components, problem_code,
      problem_message, problem_hint, wait, refused_digest, refused_code,
      refused_message, refused_hint, retry_at
    FROM observations;
    DROP TABLE observations;
    ALTER TABLE observations_with_windows RENAME TO observations;
    """
}
