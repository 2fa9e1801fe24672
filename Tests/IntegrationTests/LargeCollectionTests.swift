import CalDAVStorage
import Foundation
import SQLiteJournal
import SyncExecution
import SyncModel
import TestSupport
import Testing
import VdirStorage

/// 10,000 items through the engine with a real folder, a real journal and the model server, and
/// what that asks of the server.
@Suite(.serialized) struct LargeCollectionTests {
  static let count = 10_000

  @Test func `10,000 items come down to an empty folder, and then there is nothing to do`()
    async throws
  {
    let place = try await Place()
    for number in 0..<Self.count {
      place.server.put(
        Array("item-\(number).ics".utf8), makeEvent(number: number, seed: 1), in: Place.work)
    }
    let report = try await place.sync()
    #expect(report.failure == nil)
    #expect(report.pulled.created == Self.count)
    #expect(report.problems.isEmpty)
    // The calendars, the first listing in both ways, and the bodies in batches of 50.
    #expect(place.server.requests.count <= 3 + Self.count / 50)
    try await place.expectQuiet()
  }

  @Test func `10,000 items go up to an empty calendar, and then there is nothing to do`()
    async throws
  {
    let place = try await Place()
    for number in 0..<Self.count {
      let file = place.folder.appending(path: "item-\(number).ics")
      try Data(makeEvent(number: number, seed: 2)).save(to: file)
    }
    let report = try await place.sync()
    #expect(report.failure == nil)
    #expect(report.pushed.created == Self.count)
    #expect(report.problems.isEmpty)
    #expect(place.server.names(in: Place.work).count == Self.count)
    #expect(place.server.count("PUT") == Self.count)
    // Beside the writes: the calendars, the first listing in both ways, one more, and what was
    // stored, read back by 50.
    #expect(place.server.requests.count <= Self.count + 4 + Self.count / 50)
    try await place.expectQuiet()
  }
}

/// An empty folder, an empty calendar of the model server and a new journal.
private struct Place {
  static let work = "/calendars/alice/work/"

  let root: URL
  let server: ModelServer
  let clock = ModelClock()
  let journal: SQLiteJournal
  private let store: PairStore

  init() async throws {
    root = FileManager.default.temporaryDirectory.appending(path: "calgw-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: root.appending(path: "work"), withIntermediateDirectories: true)
    server = ModelServer(ModelSwitches(), surroundings: clock.surroundings)
    server.makeCalendar("work", displayName: "Work", color: nil, components: nil)
    let path = root.appending(path: "journal/pair.sqlite").path()
    store = try PairStore.open(path: path, digest: sha256).store
    let identity = CollectionIdentity(
      name: "work", local: Array("folder".utf8), remote: Array("calendar".utf8))
    let record = CollectionRecord(
      identity: identity, folder: Array("work".utf8), remoteHref: Array(Self.work.utf8),
      remoteName: "work", canonicalVersion: 1)
    journal = try await store.openCollection(record, at: Instant(milliseconds: 0)).journal
  }

  var folder: URL { root.appending(path: "work") }

  func sync() async throws -> CollectionReport {
    var options = CalDAVAccount.Options()
    options.found = FoundLocation(
      .homeSets([ModelServer.origin + ModelServer.homePath]), foundAt: clock.now)
    let account = try CalDAVAccount(
      url: ModelServer.origin + "/",
      credentials: CalDAVAccount.Credentials(
        username: Array("alice".utf8), password: Array("secret".utf8)),
      transport: server, surroundings: clock.surroundings, digest: sha256, options: options)
    let listed = try await account.listCollections()
    let remote = try await account.open(try #require(listed.first { $0.name == "work" }))
    let local = try VdirStorage.open(
      path: Array(folder.path().utf8),
      access: VdirAccess(digest: sha256, surroundings: .ofTests))
    let engine = CollectionSync(
      name: "work", local: local, remote: remote, journal: journal, surroundings: .ofTests,
      digest: sha256, options: SyncOptions())
    return await engine.run()
  }

  /// A second run asks once, and neither writes nor downloads a body.
  func expectQuiet() async throws {
    server.forgetRequests()
    let report = try await sync()
    #expect(report.failure == nil)
    #expect(report.pulled.total + report.pushed.total == 0)
    #expect(report.unchanged == LargeCollectionTests.count)
    #expect(server.requests.map(\.method) == ["PROPFIND"])
    try FileManager.default.removeItem(at: root)
  }
}
