import CalDAVStorage
import SyncModel
import TestSupport
import Testing
import WebDAV

@Suite struct DiscoveryTests {
  private func account(
    _ exchange: Exchange, _ transport: ScriptedTransport
  ) throws -> CalDAVAccount {
    var options = CalDAVAccount.Options()
    options.trustedHosts = TrustedHosts(exchange.facts("trusted"))
    return try CalDAVAccount(
      url: try #require(exchange.facts("url").first),
      credentials: CalDAVAccount.Credentials(
        username: Array("alice".utf8), password: Array("open sesame".utf8)),
      transport: transport, surroundings: ModelClock().surroundings, digest: sha256,
      options: options)
  }

  @Test(arguments: Fixture.names(in: "http", ending: ".exchange"))
  func `an account is found as its server shows it`(name: String) async throws {
    let exchange = try Exchange(try Fixture.text("http/\(name).exchange"))
    let transport = ScriptedTransport(exchange)
    let account = try account(exchange, transport)
    if let expected = exchange.facts("error").first {
      let words = expected.split(separator: " ", maxSplits: 1).map(String.init)
      let error = try await #require(throws: StorageError.self) {
        _ = try await account.discover()
      }
      #expect("\(error.kind)".hasPrefix(words[0]))
      let text = "\(error.message) \(error.why) \(error.hint)"
      #expect(text.contains(words[1]))
      #expect(!text.contains("sesame"))
    } else {
      let found = try await account.discover()
      #expect(
        found.calendars.map(\.name).joined(separator: ", ") == exchange.facts("calendars").first)
      let addresses = exchange.facts("address")
      if !addresses.isEmpty { #expect(found.calendars.map(\.href.text) == addresses) }
      #expect(found.principal == exchange.facts("principal").first)
      #expect(found.location.encoded == exchange.facts("location").first)
      #expect(found.otherOrigins == exchange.facts("origin"))
      #expect(found.unseen.map(\.words) == exchange.facts("unseen"))
      for mend in exchange.facts("mend") {
        #expect(found.unseen.contains { $0.trouble.hint.contains(mend) }, "\(found.unseen)")
      }
      #expect(AccountLocation(encoded: found.location.encoded) == found.location)
    }
    #expect(account.foreignHosts == exchange.facts("foreign"))
    #expect(transport.complaints == [])
  }

  /// Who wrote a server out knows of it.
  @Test(
    arguments: [
      ("icloud-other-host", ["https://p42-caldav.icloud.com"]), ("calendar-on-trusted-host", []),
      ("sabre-digest", []),
    ] as [(String, [String])])
  func `a server beside the configured one that gets the password unasked is shown`(
    name: String, servers: [String]
  ) async throws {
    let exchange = try Exchange(try Fixture.text("http/\(name).exchange"))
    let account = try account(exchange, ScriptedTransport(exchange))
    #expect(account.otherServers == [])
    _ = try await account.discover()
    #expect(account.otherServers == servers)
  }

  @Test func `so is one that an earlier run remembered, but where nobody signs in`() throws {
    let model = ModelAccount()
    var options = CalDAVAccount.Options()
    options.found = FoundLocation(
      .homeSets(["https://dav.example.org/a/", "https://cal.example.org/b/"]),
      foundAt: model.clock.now)
    for (user, servers) in [("alice", ["https://cal.example.org"]), (nil, [])]
      as [(String?, [String])]
    {
      let account = try CalDAVAccount(
        url: "https://dav.example.org/",
        credentials: user.map {
          CalDAVAccount.Credentials(username: Array($0.utf8), password: Array("secret".utf8))
        }, transport: model.server, surroundings: model.clock.surroundings, digest: sha256,
        options: options)
      #expect(account.otherServers == servers)
    }
  }

  @Test func `a remembered home set needs one request`() async throws {
    let model = ModelAccount()
    let account = try model.account(options: model.remembered)
    let listed = try await account.listCollections()
    #expect(model.server.requests.map(\.line) == ["PROPFIND /calendars/alice/"])
    let work = try #require(listed.first)
    #expect(listed.count == 1)
    #expect(work.href == ModelAccount.href(""))
    #expect(work.displayName == "Work")
    #expect(work.color == "#ff8800")
    #expect(work.components == ["VEVENT"])
    #expect(!work.isReadOnly)
    #expect(work.identity == "http://127.0.0.1:8080/calendars/alice/work/")
    #expect(work.advertisedState != nil)
  }

  @Test func `a remembered home set that is gone is searched for anew`() async throws {
    let model = ModelAccount()
    var options = CalDAVAccount.Options()
    options.found = FoundLocation(
      .homeSets([ModelServer.origin + "/moved/"]), foundAt: model.clock.now)
    let listed = try await model.account(options: options).listCollections()
    #expect(listed.map(\.name) == ["work"])
  }

  @Test func `one of several remembered home sets that is gone is searched for anew`() async throws
  {
    let model = ModelAccount()
    var options = CalDAVAccount.Options()
    let home = ModelServer.origin + ModelServer.homePath
    options.found = FoundLocation(
      .homeSets([home, ModelServer.origin + "/moved/"]), foundAt: model.clock.now)
    let account = try model.account(options: options)
    #expect(try await account.listCollections().map(\.name) == ["work"])
    #expect(account.location == .homeSets([home]))
  }

  @Test func `a calendar that may only be read is read-only, whatever is put there`() async throws {
    let model = ModelAccount { $0.advertisesReadOnly = true }
    let storage = try await model.storage()
    #expect(storage.traits.isReadOnly)
    model.server.forgetRequests()
    let outcomes = await storage.carryOut([.create(ModelAccount.href("a.ics"), event("a"))])
    guard case .refused(let problem) = outcomes[0].result else {
      Issue.record("it gave \(outcomes[0].result)")
      return
    }
    #expect(problem.code == .readOnly)
    #expect(model.server.requests.isEmpty)
  }

  /// Some servers say so of calendars that take everything.
  @Test func `it is written to where a person wants that`() async throws {
    let model = ModelAccount { $0.advertisesReadOnly = true }
    let account = try model.account(options: model.remembered)
    let work = try #require(try await account.listCollections().first)
    #expect(work.isReadOnly)
    let storage = try await account.openCalendar(work, tryingWrites: true)
    #expect(!storage.traits.isReadOnly)
    let outcomes = await storage.carryOut([.create(ModelAccount.href("a.ics"), event("a"))])
    guard case .stored = outcomes[0].result else {
      Issue.record("it gave \(outcomes[0].result)")
      return
    }
    #expect(model.content("a.ics") == event("a").bytes)
  }

  @Test func `plain http to another machine needs consent`() async throws {
    let model = ModelAccount()
    let account = try CalDAVAccount(
      url: "http://dav.example.org/", credentials: nil, transport: model.server,
      surroundings: model.clock.surroundings, digest: sha256)
    let error = try await #require(throws: StorageError.self) { _ = try await account.discover() }
    #expect(error.kind == .denied)
    #expect(error.hint.contains("allow_http"))
    #expect(model.server.requests.isEmpty)
  }

  @Test(arguments: [
    "ftp://dav.example.org/", "dav.example.org", "https://alice:pw@dav.example.org/", "https:///x",
    "https://dav.ex%61mple.org/", "https://dav.example.org:99999/", "",
  ])
  func `a URL that cannot be used is refused at once`(url: String) {
    let model = ModelAccount()
    #expect(throws: StorageError.self) {
      _ = try CalDAVAccount(
        url: url, credentials: nil, transport: model.server,
        surroundings: model.clock.surroundings, digest: sha256)
    }
  }

  @Test(arguments: [
    ("#FF8800FF", "#ff8800"), ("#ff8800", "#ff8800"), ("#F80", "#ff8800"), ("FF8800", "#ff8800"),
  ])
  func `a colour is given in one form`(given: String, expected: String) async throws {
    let model = ModelAccount()
    model.server.makeCalendar("other", color: given)
    let listed = try await model.account(options: model.remembered).listCollections()
    #expect(listed.first { $0.name == "other" }?.color == expected)
  }

  @Test func `a colour may be a name of CSS, and any other word is none`() async throws {
    let model = ModelAccount()
    model.server.makeCalendar("other", color: "blue")
    model.server.makeCalendar("odd", color: "the sea")
    let listed = try await model.account(options: model.remembered).listCollections()
    #expect(listed.first { $0.name == "other" }?.color == "#0000ff")
    #expect(listed.first { $0.name == "odd" }?.color == nil)
  }

  /// As Radicale answers where nobody has given one.
  @Test func `a calendar's own path is no name of it`() async throws {
    let model = ModelAccount()
    model.server.makeCalendar("plain", displayName: "alice/plain")
    model.server.makeCalendar("club", displayName: "Team/club")
    let listed = try await model.account(options: model.remembered).listCollections()
    let names = Dictionary(uniqueKeysWithValues: listed.map { ($0.name, $0.displayName) })
    #expect(names == ["work": "Work", "plain": nil, "club": "Team/club"])
  }
}
