import SQLiteJournal
import SyncModel
import TestSupport
import Testing

private typealias Sample = JournalSample

@Suite struct PairStoreTests {
  private let store: PairStore
  private let now = Instant(seconds: 1000)

  init() throws { store = try PairStore.inMemory(digest: sha256) }

  @Test func `collections are known by name, in the order of its bytes`() async throws {
    for name in ["b", "a", "é", "B"] {
      let opened = try await store.openCollection(.sample(name), at: now)
      #expect(opened.isNew && !opened.wasSetAside)
      #expect(opened.journal.name == name)
    }
    #expect(try await store.collections().map(\.identity.name) == ["B", "a", "b", "é"])
    #expect(try await store.collection(named: "é") == .sample("é"))
    #expect(try await store.collection(named: "e\u{301}") == nil, "bytes, not letters")
    #expect(try await store.journal(of: "c") == nil)
  }

  @Test func `what other collections share is told, and nothing of those out of use`() async throws
  {
    for (name, uid) in [("a", "u"), ("b", "v"), ("c", "w")] {
      let journal = try await store.openCollection(.sample(name), at: now).journal
      try await journal.agree([Sample.agreement(uid, "A")])
    }
    try await store.forget("c", at: now)
    let items: Set = [ItemID("u"), ItemID("v"), ItemID("w"), ItemID("x")]
    #expect(try await store.items(items, sharedBesides: "a") == [ItemID("v")])
    #expect(try await store.items(items, sharedBesides: "d") == [ItemID("u"), ItemID("v")])
    #expect(try await store.items([], sharedBesides: "d").isEmpty)
  }

  @Test func `a collection that is opened again is the same`() async throws {
    try await store.openCollection(.sample(), at: now).journal
      .agree([Sample.agreement("u", "A")])
    var renamed = CollectionRecord.sample()
    renamed.remoteName = "Arbeit"
    let opened = try await store.openCollection(renamed, at: now)
    #expect(!opened.isNew && !opened.wasSetAside)
    #expect(opened.record == .sample())
    #expect(try await opened.journal.agreementCount() == 1)
    try await store.update(renamed)
    #expect(try await store.collection(named: "work") == renamed)
  }

  @Test func `a collection that is known under another identity keeps all but the cursor there`()
    async throws
  {
    let journal = try await store.openCollection(.sample(), at: now).journal
    try await journal.agree([Sample.agreement("u", "A")])
    for side in Side.allCases {
      try await journal.record(page: [], on: side, cursor: Cursor(bytes: [1]))
    }
    let other = CollectionRecord.sample(local: "another mount")
    try await store.identify("work", as: other.identity)
    try await store.identify("none", as: other.identity)
    let opened = try await store.openCollection(other, at: now)
    #expect(!opened.isNew && !opened.wasSetAside)
    #expect(try await opened.journal.agreementCount() == 1)
    #expect(try await opened.journal.cursor(.local) == nil)
    #expect(try await opened.journal.cursor(.remote) == Cursor(bytes: [1]))
  }

  @Test(arguments: [
    CollectionRecord.sample(local: "another directory"),
    CollectionRecord.sample(remote: "https://b/work/"),
  ])
  func `a collection with another identity begins anew, and its history stays`(
    other: CollectionRecord
  ) async throws {
    let old = try await store.openCollection(.sample(), at: now).journal
    try await old.agree([Sample.agreement("u", "A")])
    try await old.record(
      page: [Sample.seen(.remote, "/u", .gone)], on: .remote, cursor: Cursor(bytes: [1]))
    let entry = Sample.entry("u", at: 1, "A")
    _ = try await old.begin(
      [Sample.deletion(of: Sample.item("u", at: "/u", "A"), on: .remote)], history: [entry],
      contents: [Sample.content("A")])

    let opened = try await store.openCollection(other, at: now)
    #expect(opened.isNew && opened.wasSetAside)
    #expect(try await store.itemsSetAside(under: "work") == [ItemID("u"): [Sample.digest("A")]])
    #expect(try await store.itemsSetAside(under: "home") == [:])
    #expect(try await opened.journal.agreementCount() == 0)
    #expect(try await opened.journal.cursor(.remote) == nil)
    #expect(try await opened.journal.openIntents() == [])
    #expect(try await opened.journal.differing().observations == [])
    #expect(try await store.collections() == [other])
    let history = try await store.history(of: ItemID("u"))
    #expect(history.map(\.recorded.entry) == [entry])
    #expect(history.map(\.collection) == ["work"])
    #expect(try await store.contents([Sample.digest("A")]).count == 1)
    try await opened.journal.agree([Sample.agreement("v", "B")])
    #expect(try await store.itemsSetAside(under: "work") == [:], "both share something again")
  }

  /// At once, or in turn with a sync after each.
  @Test(arguments: [
    [[("home", "work"), ("work", "home")]],
    [[("home", "x")], [("work", "home")], [("x", "work")]],
  ])
  func `two directories that exchanged their names keep what is known of each`(
    renames: [[(old: String, new: String)]]
  ) async throws {
    for name in ["home", "work"] {
      let journal = try await store.openCollection(.sample(name), at: now).journal
      try await journal.agree([Sample.agreement(name, "A")])
    }
    try await store.setValue([1], for: "colour home")
    try await store.setValue([2], for: "held work")
    try await store.addValue([3], to: "held work")
    try await store.addValue([4], to: "colour work")
    for together in renames {
      try await store.rename(together.map { ($0.old, .sample($0.new)) }) {
        ["colour \($0)", "held \($0)"]
      }
    }
    for (name, former) in [("work", "home"), ("home", "work")] {
      let opened = try await store.openCollection(.sample(name), at: now)
      #expect(!opened.isNew)
      #expect(try await opened.journal.agreement(of: ItemID(former)) != nil)
    }
    #expect(try await store.values(under: "colour ") == ["colour work": [1], "colour home/1": [4]])
    #expect(try await store.values(under: "held ") == ["held home": [2], "held home/1": [3]])
  }

  /// A collection with an agreement, an observation, an intent on each side, and a cursor.
  private func journalWithAddresses(_ addresses: [String]) async throws -> SQLiteJournal {
    let journal = try await store.openCollection(.sample(), at: now).journal
    let here = Sample.item("u", at: "u.ics", "A")
    let there = Sample.item("u", at: addresses[0], "A")
    try await journal.agree([Agreement(uid: ItemID("u"), local: here, remote: there)])
    try await journal.record(
      page: [Sample.seen(.remote, addresses[1], .unread(nil))], on: .remote,
      cursor: Cursor(bytes: [1]))
    _ = try await journal.begin(
      [
        Sample.deletion(of: there, on: .remote),
        Intent(
          uid: ItemID("u"), side: .local, effect: .create(Href("v.ics"), Sample.digest("A")),
          source: there),
      ], history: [Sample.entry("u", at: 1, "A")], contents: [Sample.content("A")])
    return journal
  }

  @Test func `a calendar that the server moved takes all that is known of it along`() async throws {
    _ = try await journalWithAddresses(["/work/my%20u.ics", "/work/other.ics"])
    let moved = CollectionRecord.sample(remote: "https://a/office/")
    let place = Href(spelling: Array("/of%66ice/".utf8), key: Array("/office/".utf8))
    try await store.move(.remote, of: moved, to: place, at: now)

    let opened = try await store.openCollection(moved, at: now)
    #expect(!opened.isNew && !opened.wasSetAside)
    let journal = opened.journal
    #expect(try await journal.cursor(.remote) == nil)
    let agreement = try #require(try await journal.agreement(of: ItemID("u")))
    #expect(agreement.local.href.text == "u.ics")
    #expect(agreement.remote.href.text == "/of%66ice/my%20u.ics")
    #expect(try await journal.unread(.remote).map(\.key) == [Array("/office/other.ics".utf8)])
    let intents = try await journal.openIntents().map(\.intent)
    #expect(intents.map(\.href.text) == ["/of%66ice/my%20u.ics", "v.ics"])
    #expect(intents.last?.source?.href.text == "/of%66ice/my%20u.ics")
    #expect(try await store.history(of: ItemID("u")).count == 1)
  }

  @Test func `so does one on the local side, between two servers`() async throws {
    let journal = try await store.openCollection(.sample(), at: now).journal
    let (here, there) = (
      Sample.item("u", at: "/here/u", "A"), Sample.item("u", at: "/there/u", "A")
    )
    try await journal.agree([Agreement(uid: ItemID("u"), local: here, remote: there)])
    for side in Side.allCases {
      try await journal.record(page: [], on: side, cursor: Cursor(bytes: [1]))
    }
    let intent = Intent(
      uid: ItemID("u"), side: .remote, effect: .create(Href("/there/v"), Sample.digest("A")),
      source: here)
    _ = try await journal.begin([intent], history: [], contents: [Sample.content("A")])
    var moved = CollectionRecord.sample(local: "https://b/office/")
    moved.folder = Array("/office/".utf8)
    try await store.move(.local, of: moved, to: Href("/office/"), at: now)

    let opened = try await store.openCollection(moved, at: now)
    #expect(!opened.isNew && !opened.wasSetAside)
    #expect(try await store.collections() == [moved])
    #expect(try await opened.journal.cursor(.local) == nil)
    #expect(try await opened.journal.cursor(.remote) == Cursor(bytes: [1]))
    let agreement = try #require(try await opened.journal.agreement(of: ItemID("u")))
    #expect(agreement.local.href.text == "/office/u")
    #expect(agreement.remote.href.text == "/there/u")
    let intents = try await opened.journal.openIntents().map(\.intent)
    #expect(intents.map(\.href.text) == ["/there/v"])
    #expect(intents.map(\.source?.href.text) == ["/office/u"])
  }

  @Test func `so does an item that has left its place, whatever its UID`() async throws {
    let journal = try await store.openCollection(.sample(), at: now).journal
    let uid = ItemID("u/v")
    var there = Sample.item("u/v", at: "/work/u.ics", "A")
    there.href = there.href.vacated(by: uid)
    let here = Sample.item("u/v", at: "u.ics", "A")
    try await journal.agree([Agreement(uid: uid, local: here, remote: there)])
    let moved = CollectionRecord.sample(remote: "https://a/office/")
    try await store.move(.remote, of: moved, to: Href("/office/"), at: now)
    let opened = try await store.openCollection(moved, at: now)
    let place = Href("/office/u.ics").vacated(by: uid)
    #expect(try await opened.journal.agreement(of: uid)?.remote.href == place)
    #expect(try await opened.journal.differing().observations.map(\.href) == [place])
  }

  @Test func `a calendar whose items lie apart begins anew where it was moved to`() async throws {
    _ = try await journalWithAddresses(["/work/u.ics", "/shared/other.ics"])
    let moved = CollectionRecord.sample(remote: "https://a/office/")
    try await store.move(.remote, of: moved, to: Href("/office/"), at: now)
    #expect(try await store.collections() == [])
    #expect(try await store.openCollection(moved, at: now).isNew)
    try await store.move(.remote, of: .sample("another"), to: Href("/office/"), at: now)
    #expect(try await store.collections() == [moved])
  }

  @Test func `the last deletion is found, whichever collection it was in`() async throws {
    for (name, seconds) in [("old", 900), ("new", 950)] as [(String, Int64)] {
      let journal = try await store.openCollection(.sample(name), at: now).journal
      try await journal.keep(
        [Sample.entry("u", at: seconds, "A"), Sample.entry("u", at: 960, "A", after: "B")],
        contents: [Sample.content("A"), Sample.content("B")])
      #expect(try await store.lastDeletion() == Instant(seconds: seconds))
    }
  }

  @Test func `what is forgotten leaves its history until that is pruned`() async throws {
    let old = try await store.openCollection(.sample("old"), at: now).journal
    try await old.agree([Sample.agreement("u", "A")])
    try await old.keep(
      [Sample.entry("u", at: 900, "A")], contents: [Sample.content("A"), Sample.content("B")])
    try await store.forget("old", at: now)
    #expect(try await store.collections() == [])
    #expect(try await store.formerCollections() == [.sample("old")])
    #expect(try await store.openCollection(.sample("old"), at: now).isNew)

    let other = try await store.openCollection(.sample("other"), at: now).journal
    try await other.prune(olderThan: Instant(seconds: 950), versionsAnItem: 1)
    #expect(try await store.history(of: nil).count == 1, "among the newest")
    try await other.prune(olderThan: Instant(seconds: 900), versionsAnItem: 0)
    #expect(try await store.history(of: nil).count == 1, "not older")
    #expect(try await store.contents([Sample.digest("A")]).count == 1)
    try await other.prune(olderThan: Instant(seconds: 1001), versionsAnItem: 0)
    #expect(try await store.history(of: nil) == [])
    #expect(try await store.contents([Sample.digest("A")]) == [:])
    #expect(try await store.formerCollections() == [])
  }

  @Test func `a collection does not see another`() async throws {
    let one = try await store.openCollection(.sample("one"), at: now).journal
    let two = try await store.openCollection(.sample("two"), at: now).journal
    try await one.agree([Sample.agreement("u", "A")])
    try await one.record(
      page: [Sample.seen(.local, "v.ics", .unread(nil))], on: .local, cursor: Cursor(bytes: [1]))
    let ids = try await one.begin(
      [Sample.deletion(of: Sample.item("u", at: "/u", "A"), on: .remote)],
      history: [Sample.entry("u", at: 1, "A")], contents: [])
    let calls = JournalCalls(seed: 1)
    #expect(
      try await calls.picture(of: two) == calls.picture(of: MemoryJournal()), "nothing is there")
    let before = try await calls.picture(of: one)
    try await two.close(ids.map { ClosedIntent(id: $0, outcome: .forgotten) }, contents: [])
    try await two.forget([ItemID("u")])
    try await two.record(read: [.dropped(Href("v.ics"))], on: .local, contents: [])
    try await two.agree([Sample.agreement("u", "B")])
    try await two.prune(olderThan: Instant(seconds: 5000), versionsAnItem: 0)
    #expect(try await calls.picture(of: one) == before)
  }

  @Test func `history is found by item, by number and by limit, over all collections`()
    async throws
  {
    let entries = (1...4).map { Sample.entry($0 % 2 == 0 ? "even" : "odd", at: $0, "A") }
    for (number, entry) in entries.enumerated() {
      let name = number < 2 ? "one" : "two"
      try await store.openCollection(.sample(name), at: now).journal.keep([entry], contents: [])
    }
    let all = try await store.history(of: nil)
    #expect(all.map(\.recorded.entry) == entries.reversed())
    #expect(all.map(\.collection) == ["two", "two", "one", "one"])
    #expect(try await store.history(of: nil, limit: 3) == Array(all.prefix(3)))
    #expect(
      try await store.history(of: ItemID("odd"), limit: 1).map(\.recorded.entry) == [entries[2]])
    for found in all { #expect(try await store.historyEntry(found.recorded.number) == found) }
    #expect(try await store.historyEntry(99) == nil)
  }

  @Test func `a version says where its item was on the other side then`() async throws {
    let journal = try await store.openCollection(.sample(), at: now).journal
    try await journal.agree([Sample.agreement("u", "A")])
    let entries = [Sample.entry("u", at: 1, "A"), Sample.entry("new", at: 2, "A")]
    try await journal.keep(entries, contents: [])
    try await journal.forget([ItemID("u")])
    let kept = try await store.history(of: nil)
    #expect(kept.map(\.counterpart) == [nil, Href("/u")])
    #expect(kept.allSatisfy { $0.localIdentity == CollectionRecord.sample().identity.local })
    #expect(kept.allSatisfy { $0.remoteIdentity == CollectionRecord.sample().identity.remote })
  }

  @Test func `a version says where its item was when a write was tried last`() async throws {
    let journal = try await store.openCollection(.sample(), at: now).journal
    var agreement = Sample.agreement("u", "A")
    var places: [Href?] = []
    for (time, place) in [(1, "/u"), (2, "/moved")] as [(Int64, String)] {
      agreement.remote = Sample.item("u", at: place, "A")
      try await journal.agree([agreement])
      places.insert(Href(place), at: 0)
      for again in [0, 1] as [Int64] {
        let entry = Sample.entry("u", at: time + again, "A")
        _ = try await journal.begin([], history: [entry], contents: [])
        #expect(try await store.history(of: nil).map(\.counterpart) == places)
      }
    }
    try await journal.forget([ItemID("u")])
    _ = try await journal.begin([], history: [Sample.entry("u", at: 4, "A")], contents: [])
    #expect(try await store.history(of: nil).map(\.counterpart) == [nil] + places)
  }

  @Test func `a standing tells what waits without a sync`() async throws {
    let journal = try await store.openCollection(.sample(), at: now).journal
    try await journal.agree([Sample.agreement("u", "A"), Sample.agreement("v", "A")])
    try await journal.record(
      read: [Sample.seen(.local, "u.ics", .gone, wait: .conflict)], on: .local, contents: [])
    let intent = Sample.deletion(of: Sample.item("u", at: "/u", "A"), on: .remote)
    _ = try await journal.begin([intent], history: [], contents: [])
    let standing = try #require(try await store.standings().first)
    #expect(standing.record == .sample())
    #expect(standing.agreementCount == 2)
    #expect(standing.differing.observations.map(\.wait) == [.conflict])
    #expect(standing.differing.agreements == [Sample.agreement("u", "A")])
    #expect(standing.openIntents.map(\.intent) == [intent])
  }

  @Test func `a new canonical rule gives every version a new digest`() async throws {
    let journal = try await store.openCollection(.sample(), at: now).journal
    let seen = Sample.item("s", at: "s.ics", "B")
    let source = Sample.item("c", at: "c.ics", "C")
    try await journal.agree([Sample.agreement("u", "A")])
    try await journal.record(
      read: [Sample.read(.local, seen), Sample.seen(.remote, "/x", .unread(nil))], on: .local,
      contents: ["A", "B"].map(Sample.content))
    let intent = Intent(
      uid: source.uid, side: .remote, effect: .create(Href("/c"), source.version.digest),
      source: source)
    _ = try await journal.begin([intent], history: [], contents: [])

    try await journal.recanonicalize(to: 2) { sha256($0.bytes.reversed()) }
    func renewed(_ word: String) -> ContentDigest {
      sha256(Sample.content(word).data.bytes.reversed())
    }
    let agreement = try #require(try await journal.allAgreements().first)
    #expect(agreement.local.canonical == renewed("A"))
    #expect(agreement.remote.canonical == renewed("A"))
    let states = try await journal.differing().observations.map(\.state)
    var wanted = seen
    wanted.canonical = renewed("B")
    #expect(states == [.unread(nil), .read(wanted)])
    let open = try await journal.openIntents().first?.intent.source
    #expect(open?.canonical == source.version.digest, "the text is not kept")
    #expect(try await store.collection(named: "work")?.canonicalVersion == 2)
    try await journal.recanonicalize(to: 3) { _ in nil }
    #expect(try await journal.allAgreements().first?.local.canonical == Sample.digest("A"))
  }
}
