import CalgwKit
import SQLiteJournal
import SyncModel
import Testing

/// A disk that has another device number than in the last run. No test can mount one, so the
/// journal is given the number of a mount before.
@Suite struct RemountTests {
  private let world: GatewayWorld

  init() throws { world = try GatewayWorld() }

  /// Four events in step, and a journal of another mount, whose cursors have its number, too.
  private func remounted(_ change: (PairStore) async throws -> Void = { _ in }) async throws {
    for uid in ["a", "b", "c", "d"] { try world.write("here/work/\(uid).ics", uid) }
    #expect(try await world.sync().status == .success)
    let store = try PairStore.open(
      path: world.folder.path + "/state/copy.sqlite", digest: liveDigest
    )
    .store
    var identity = try #require(try await store.collection(named: "work")).identity
    for side in Side.allCases {
      let now = try #require(FolderIdentity(identity[side]))
      let (path, number) = (String(decoding: now.path, as: UTF8.self), now.number)
      let words = "\(path) \(number.device + 1) \(number.inode)\n"
      identity[side] = Array(words.utf8)
      #expect(FolderIdentity(identity[side])?.isElsewhere(than: now) == true)
    }
    try await store.identify("work", as: identity)
    let journal = try #require(try await store.journal(of: "work"))
    for side in Side.allCases {
      let mark = try #require(FolderIdentity(identity[side]))
      let cursor = "vdir1 \(mark.number.device) \(mark.number.inode) 1767225600000"
      try await journal.record(page: [], on: side, cursor: Cursor(bytes: Array(cursor.utf8)))
    }
    try await change(store)
    try await store.close()
  }

  private func expectKnown() async throws {
    try world.remove("here/work/a.ics")
    try world.write("there/work/b.ics", "b", "Edited there")
    let status = try await world.status()
    #expect(status.items.count == 2, "a look says what the run will do")
    let report = try await world.sync()
    #expect(report.status == .success)
    #expect(report.notices == [])
    #expect(world.folder.names(in: "there/work") == ["b.ics", "c.ics", "d.ics"])
    #expect(world.folder.names(in: "here/work") == ["b.ics", "c.ics", "d.ics"])
    #expect(try world.text("here/work/b.ics").contains("Edited there"))
    let next = try #require(try await world.sync().collections.first)
    #expect(next.pushed.total + next.pulled.total == 0)
  }

  @Test func `a folder of the same birth is the known one`() async throws {
    try await remounted()
    try await expectKnown()
  }

  @Test func `where nobody keeps births, a folder that holds most of the items is`() async throws {
    try await remounted { store in
      try await store.setValue(nil, for: FolderBirths.storeKey("work"))
    }
    try await expectKnown()
  }

  @Test func `one that holds few of them is another one, and nothing is deleted`() async throws {
    try await remounted { store in
      try await store.setValue(nil, for: FolderBirths.storeKey("work"))
    }
    for uid in ["a", "b", "c"] { try world.remove("here/work/\(uid).ics") }
    let report = try await world.sync()
    #expect(report.notices.contains { $0.contains("another place than in the last run") })
    #expect(world.folder.names(in: "here/work") == ["a.ics", "b.ics", "c.ics", "d.ics"])
  }

  /// The mount point of a disk that is not mounted, which the person may have meant.
  @Test(arguments: [true, false])
  func `an empty folder on another disk stops the run`(isForgotten: Bool) async throws {
    try await remounted { store in
      try await store.setValue(nil, for: FolderBirths.storeKey("work"))
    }
    for uid in ["a", "b", "c", "d"] { try world.remove("here/work/\(uid).ics") }
    let report = try #require(try await world.sync().collections.first)
    guard case .storage(.local, let error) = report.failure else {
      Issue.record("\(report)")
      return
    }
    #expect(error.kind == .vanished)
    #expect(
      error.message.hasSuffix("is empty, and on another disk than the 4 items of the last run"))
    #expect(error.hint.contains("`calgw forget copy/work`"))
    #expect(world.folder.names(in: "here/work") == [])
    #expect(world.folder.names(in: "there/work").count == 4)
    guard isForgotten else { return }
    let gateway = try world.gateway()
    let target = try #require(try gateway.targets(["copy/work"]).first)
    #expect(try await gateway.forget(target, patience: .zero) == ["work"])
    #expect(try await world.sync().status == .success)
    #expect(world.folder.names(in: "here/work").count == 4)
  }

  @Test func `one that was made at another time is another one`() async throws {
    try await remounted { store in
      let births = "local 1767225600000000000\nremote 1767225600000000000"
      try await store.setValue(Array(births.utf8), for: FolderBirths.storeKey("work"))
    }
    try world.remove("here/work/a.ics")
    let report = try await world.sync()
    #expect(report.notices.contains { $0.contains("another place than in the last run") })
    #expect(world.folder.names(in: "here/work") == ["a.ics", "b.ics", "c.ics", "d.ics"])
  }

  /// In its place, and the journal says that both folders were made at another time.
  private func madeAtAnotherTime() async throws {
    for uid in ["a", "b", "c", "d"] { try world.write("here/work/\(uid).ics", uid) }
    #expect(try await world.sync().status == .success)
    let store = try PairStore.open(
      path: world.folder.path + "/state/copy.sqlite", digest: liveDigest
    )
    .store
    let births = "local 1767225600000000000\nremote 1767225600000000000"
    try await store.setValue(Array(births.utf8), for: FolderBirths.storeKey("work"))
    try await store.close()
  }

  /// As on file systems that lay one over another, which make a folder at the first write to it.
  @Test func `a folder in its place with its files is the known one, whenever it was made`()
    async throws
  {
    try await madeAtAnotherTime()
    try await expectKnown()
  }

  /// As a backup that was brought back into a folder that got the number of the former one.
  @Test func `one that has the number of the known one and other files is another one`()
    async throws
  {
    try await madeAtAnotherTime()
    for uid in ["a", "b", "c", "d"] { try world.remove("here/work/\(uid).ics") }
    for uid in ["b", "c", "d"] { try world.write("here/work/\(uid).ics", uid) }
    let report = try await world.sync()
    #expect(report.notices.contains { $0.contains("another place than in the last run") })
    #expect(world.folder.names(in: "here/work") == ["a.ics", "b.ics", "c.ics", "d.ics"])
    #expect(world.folder.names(in: "there/work") == ["a.ics", "b.ics", "c.ics", "d.ics"])
  }

  @Test(
    arguments: [
      ("/a b 5 7\nann", "/a b 6 7\nann", true),
      ("/a 5 7\nann", "/a 5 7\nann", false),
      ("/a 5 7\nann", "/a 6 8\nann", true),
      ("/a 5 7\nann", "/b 6 7\nann", false),
      ("/a 5 7\nann", "/a 6 7\nbob", false),
    ])
  func `a folder of one path and user may be on another device`(
    before: String, now: String, isElsewhere: Bool
  ) throws {
    let first = try #require(FolderIdentity(Array(before.utf8)))
    let second = try #require(FolderIdentity(Array(now.utf8)))
    #expect(second.isElsewhere(than: first) == isElsewhere)
  }

  @Test(
    arguments: [
      "https://dav.example.org/a/\nann", "new /a\n", "/a 5\n", "/a 5 x\n", "/a -1 7\n", "",
    ])
  func `what is no folder has no device`(identity: String) {
    #expect(FolderIdentity(Array(identity.utf8)) == nil)
  }
}
