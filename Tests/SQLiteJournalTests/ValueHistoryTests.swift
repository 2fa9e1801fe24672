import GRDB
import SQLiteJournal
import SyncModel
import TestSupport
import Testing

/// The history of names, colours and the like of collections.
@Suite struct ValueHistoryTests {
  private let store: PairStore
  private let now = Instant(seconds: 1000)

  init() throws { store = try PairStore.inMemory(digest: sha256) }

  private func change(
    _ before: String?, _ after: String?, on side: Side = .remote,
    of key: MetadataKey = .displayname,
    at seconds: Int64 = 1
  ) -> ValueChange {
    ValueChange(
      time: Instant(seconds: seconds), side: side, key: key, before: before, after: after)
  }

  @Test func `changes are kept, newest first, and found by number`() async throws {
    _ = try await store.openCollection(.sample(), at: now)
    let changes = [
      change("Work", "B\u{FC}ro\nund\0mehr"), change(nil, "#112233", of: .color),
      change("3", "", on: .local, of: .order),
    ]
    let numbers = try await store.keep(changes, of: "work")
    let kept = try await store.valueHistory()
    #expect(kept.map(\.change) == changes.reversed())
    #expect(kept.map(\.number) == numbers.reversed())
    #expect(kept.map(\.change.after) == [nil, "#112233", "B\u{FC}ro\nund\0mehr"])
    #expect(kept.allSatisfy { $0.identity == CollectionRecord.sample().identity })
    for entry in kept { #expect(try await store.valueEntry(entry.number) == entry) }
    #expect(try await store.valueEntry(99) == nil)
    #expect(try await store.keep(changes, of: "none").isEmpty)
    #expect(try await store.valueHistory().count == 3)
  }

  @Test func `what is tried again keeps its number, and what a side did not take goes`()
    async throws
  {
    _ = try await store.openCollection(.sample(), at: now)
    let first = try await store.keep([change("A", "B")], of: "work")
    let again = try await store.keep([change("A", "C", at: 2)], of: "work")
    #expect(again == first)
    #expect(try await store.valueHistory().map(\.change) == [change("A", "C", at: 2)])
    let others = [
      change(nil, "B"), change("A", "B", on: .local), change("A", "B"),
      change("A", "B", of: .order),
    ]
    let numbers = try await store.keep(others, of: "work")
    #expect(Set(numbers + first).count == 5, "none of them is that one")
    try await store.dropValueChanges(numbers)
    #expect(try await store.valueHistory().map(\.number) == first)
    let next = try await store.keep([change("C", "D")], of: "work")
    #expect(!numbers.contains(next[0]), "a number is never used again")
  }

  @Test func `they follow a collection that is renamed, and stay when it is forgotten`()
    async throws
  {
    _ = try await store.openCollection(.sample("home"), at: now)
    let numbers = try await store.keep([change("A", "B")], of: "home")
    try await store.rename([("home", .sample("office"))]) { _ in [] }
    #expect(try await store.valueEntry(numbers[0])?.identity.name == "office")
    try await store.forget("office", at: now)
    #expect(try await store.valueEntry(numbers[0])?.identity.name == "office")
  }

  @Test func `what is both old and beyond the newest of its value is pruned`() async throws {
    _ = try await store.openCollection(.sample(), at: now)
    let changes = ["A", "BB", "CCC"].enumerated().map { index, text in
      change(text, text + text, at: Int64(index))
    }
    _ = try await store.keep(changes + [change("red", nil, of: .color, at: 0)], of: "work")
    let kept = try await store.prune(olderThan: Instant(seconds: 0), versionsAnItem: 1)
    #expect(kept == PrunedHistory(), "none is older")
    let few = try await store.prune(olderThan: now, versionsAnItem: 3)
    #expect(few == PrunedHistory(), "all are among the newest")
    let gone = try await store.prune(olderThan: now, versionsAnItem: 1)
    #expect(gone == PrunedHistory(versions: 2, bytes: 9))
    #expect(try await store.valueHistory().map(\.change.before) == ["red", "CCC"])
  }

  @Test func `a run prunes those of its collection, and of those out of use`() async throws {
    for name in ["work", "home", "old"] {
      _ = try await store.openCollection(.sample(name), at: now)
      _ = try await store.keep([change("A", "B")], of: name)
    }
    try await store.forget("old", at: now)
    try await store.journal(of: "work")?.prune(
      olderThan: Instant(seconds: 2000), versionsAnItem: 0)
    #expect(try await store.valueHistory().map(\.identity.name) == ["home"])
  }

  @Test func `a journal of an earlier calgw gets the history, and is refused by that from then on`()
    async throws
  {
    try await withStateDirectory { directory in
      let path = directory + "/home.sqlite"
      let former = Migrations(steps: Array(Schema.steps.prefix(3)))
      var opening = DatabaseOpening(path: path, migrations: former)
      try opening.open().close()
      let (store, notices) = try PairStore.open(path: path, digest: sha256)
      #expect(notices == [.upgraded(from: 3, backup: path + ".v3-backup")])
      _ = try await store.openCollection(.sample(), at: now)
      #expect(try await store.keep([change("A", "B")], of: "work").count == 1)
      try await store.close()

      var refused = DatabaseOpening(path: path, migrations: former)
      let error = #expect(throws: JournalError.self) { try refused.open() }
      #expect(error?.kind == .unusable)
      #expect(error?.message.contains("newer calgw") == true)
      let (again, none) = try PairStore.open(path: path, digest: sha256)
      #expect(none.isEmpty)
      #expect(try await again.valueHistory().count == 1)
      try await again.close()
    }
  }
}
