import CalDAVStorage
import SyncModel
import TestSupport
import Testing
import WebDAV

/// An account of the model server, with one calendar, as most tests need it.
struct ModelAccount: Sendable {
  static let work = "/calendars/alice/work/"

  let clock = ModelClock()
  let server: ModelServer

  init(_ switches: ModelSwitches = ModelSwitches()) {
    server = ModelServer(switches, surroundings: clock.surroundings)
    server.makeCalendar("work", displayName: "Work", color: "#FF8800FF", components: ["VEVENT"])
  }

  init(_ change: (inout ModelSwitches) -> Void) {
    var switches = ModelSwitches()
    change(&switches)
    self.init(switches)
  }

  func account(
    at path: String = "/", options: CalDAVAccount.Options = CalDAVAccount.Options(),
    user: String? = "alice", surroundings: Surroundings? = nil
  ) throws -> CalDAVAccount {
    let credentials = user.map {
      CalDAVAccount.Credentials(username: Array($0.utf8), password: Array("secret".utf8))
    }
    return try CalDAVAccount(
      url: ModelServer.origin + path, credentials: credentials, transport: server,
      surroundings: surroundings ?? clock.surroundings, digest: sha256, options: options)
  }

  /// The account of a run that waits for something, where that has been looked for before.
  ///
  /// - Parameter later: what comes to be on the server while it waits for the first time.
  func account(
    later: @escaping @Sendable (ModelServer) -> Void
  ) throws -> CalDAVAccount {
    let (clock, server) = (clock, server)
    let start = clock.now
    var surroundings = clock.surroundings
    surroundings.pause = { pause in
      let isFirst = clock.now == start
      clock.advance(milliseconds: pause)
      if isFirst { later(server) }
    }
    return try account(options: remembered, surroundings: surroundings)
  }

  /// The calendar `work`, opened as a run does it: after a listing of the calendars.
  func storage() async throws -> CalDAVStorage { try await open().1 }

  /// The same with its account.
  ///
  /// - Parameter learned: what earlier runs have learned of the server.
  func open(
    _ learned: CalDAVAccount.Learned? = nil
  ) async throws -> (CalDAVAccount, CalDAVStorage) {
    var options = remembered
    options.learned = learned
    let account = try account(options: options)
    return (account, try await account.openWork())
  }

  /// Where the calendars are is known from an earlier run.
  var remembered: CalDAVAccount.Options {
    var options = CalDAVAccount.Options()
    options.found = FoundLocation(
      .homeSets([ModelServer.origin + ModelServer.homePath]), foundAt: clock.now)
    return options
  }

  func put(_ name: String, _ data: ItemData) {
    server.put(Array(name.utf8), data.bytes, in: Self.work)
  }

  func remove(_ name: String) { server.remove(Array(name.utf8), in: Self.work) }

  func content(_ name: String) -> [UInt8]? { server.data(Array(name.utf8), in: Self.work) }

  static func href(_ name: String) -> Href { Href(work + name) }

  /// A storage over a server that holds the item `a.ics`, and that item's version.
  static func withOneItem(
    _ change: (inout ModelSwitches) -> Void = { _ in }
  ) async throws -> (ModelAccount, CalDAVStorage, Version) {
    let model = ModelAccount(change)
    model.put("a.ics", event("a"))
    let storage = try await model.storage()
    guard case .found(let version, _, _) = try await storage.read([href("a.ics")])[0].result
    else { throw StorageError(.io, "the item cannot be read") }
    model.server.forgetRequests()
    return (model, storage, version)
  }
}

extension CalDAVAccount {
  /// The calendar `work`, opened after a listing of the calendars.
  func openWork() async throws -> CalDAVStorage {
    let listed = try await listCollections()
    let work = try #require(listed.first { $0.name == "work" })
    return try await openCalendar(work)
  }
}

extension WriteOutcome {
  /// What a refused write is refused for.
  var refusal: ItemProblem.Code? {
    if case .refused(let problem) = result { problem.code } else { nil }
  }
}

/// An item, in wire form.
func event(_ uid: String, _ summary: String = "Dentist") -> ItemData {
  StorageContract.event(uid, summary)
}

extension GuardedWrite {
  var isDelete: Bool { if case .delete = self { true } else { false } }

  /// The method that carries it.
  var method: String { isDelete ? "DELETE" : "PUT" }
}

/// All pages of a listing, at most so many.
func listAll(
  _ storage: CalDAVStorage, since cursor: Cursor? = nil, most: Int = 100
) async throws -> (pages: [ChangePage], cursor: Cursor) {
  var pages: [ChangePage] = []
  var cursor = cursor
  for _ in 0..<most {
    let page = try await storage.listChanges(since: cursor)
    pages.append(page)
    cursor = page.next
    if page.isLast { return (pages, page.next) }
  }
  throw StorageError(.protocolBroken, "a listing does not end")
}
