/// Version 4 of the schema: names, colours and the like of collections have a history.
enum SchemaOfValues {
  static let steps = """
    CREATE TABLE value_history (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      collection INTEGER NOT NULL REFERENCES collections (id),
      time INTEGER NOT NULL,
      side TEXT NOT NULL CHECK (side IN ('local', 'remote')),
      key TEXT NOT NULL,
      before TEXT,
      after TEXT
    ) STRICT;
    CREATE INDEX value_history_by_key ON value_history (collection, key, number);
    """
}
