import CalDAVStorage
import SyncModel
import TestSupport
import Testing
import WebDAV

/// An account's homes are looked for anew once a day, although those that are known answer.
@Suite struct DailySearchTests {
  private static let home = ModelServer.origin + ModelServer.homePath
  private static let added = "/team/"
  private static let quiet = ["PROPFIND \(ModelServer.homePath)"]
  private static let search = "PROPFIND \(ModelServer.principalPath)"
  private static let minute: Int64 = 60_000
  private static let day: Int64 = 86_400_000
  private static let club: ModelFault = .answer(
    207, headers: [["Content-Type", "application/xml"]],
    body: """
      <D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:response>
      <D:href>\(added)club/</D:href><D:propstat><D:prop>
      <D:resourcetype><D:collection/><C:calendar/></D:resourcetype></D:prop>
      <D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>
      """)

  /// What a run lists and asks, and what it remembers for the next one.
  private struct Seen {
    var names: [String]
    var requests: [String]
    var found: FoundLocation?

    var searches: Bool { requests.contains(DailySearchTests.search) }
  }

  private let model = ModelAccount()

  /// From now on the principal names a second home, with the calendar `club`.
  private func addHome() {
    model.server.change { $0.lostHome = Self.added }
    model.server.interfere { $0.path == Self.added ? Self.club : nil }
  }

  private func run(
    _ found: FoundLocation?, at path: String = "/", trusting hosts: [String] = []
  ) async throws -> Seen {
    model.server.forgetRequests()
    var options = CalDAVAccount.Options()
    options.found = found
    options.trustedHosts = TrustedHosts(hosts)
    let account = try model.account(at: path, options: options)
    let names = try await account.listCollections().map(\.name)
    return Seen(
      names: names, requests: model.server.requests.map(\.line), found: account.found)
  }

  @Test func `a home that comes later is found a day after the last search`() async throws {
    let first = try await run(nil)
    #expect(first.names == ["work"])
    addHome()
    model.clock.advance(milliseconds: Self.day - 1)
    let early = try await run(first.found)
    #expect(early.names == ["work"] && early.requests == Self.quiet)
    model.clock.advance(milliseconds: 1)
    let daily = try await run(early.found)
    #expect(daily.names == ["club", "work"] && daily.searches)
    let later = try await run(daily.found)
    #expect(later.names == ["club", "work"])
    #expect(later.requests == Self.quiet + ["PROPFIND \(Self.added)"])
  }

  @Test func `a search that finds the same is one a day`() async throws {
    let first = try await run(nil)
    model.clock.advance(milliseconds: Self.day)
    let daily = try await run(first.found)
    #expect(daily.names == ["work"] && daily.searches)
    #expect(try await run(daily.found).requests == Self.quiet)
  }

  @Test func `a clock that went back says nothing of the age`() async throws {
    let first = try await run(nil)
    model.clock.advance(milliseconds: -1)
    #expect(try await run(first.found).searches)
    for time in [Int64.min, .max] {
      var odd = first.found
      odd?.foundAt = Instant(milliseconds: time)
      #expect(try await run(odd).searches)
    }
  }

  @Test func `other trusted hosts are a reason for a search, in whatever order`() async throws {
    let first = try await run(nil, trusting: ["b.example"])
    let second = try await run(first.found, trusting: ["a.example", "b.example"])
    #expect(second.searches)
    let third = try await run(second.found, trusting: ["b.example", "a.example"])
    #expect(third.requests == Self.quiet)
    #expect(try await run(third.found).searches)
  }

  /// At the root nothing is found then; at the home itself it is that alone.
  @Test(arguments: ["/", ModelServer.homePath])
  func `a search that comes to nothing changes nothing, and is made again after an hour`(
    path: String
  ) async throws {
    let first = try await run(nil, at: path)
    model.clock.advance(milliseconds: Self.day)
    model.server.interfere { $0.path == ModelServer.principalPath ? .answer(500) : nil }
    let failed = try await run(first.found, at: path)
    #expect(failed.names == ["work"] && failed.searches)
    #expect(failed.found?.location == first.found?.location)
    addHome()
    model.clock.advance(milliseconds: 59 * Self.minute)
    let early = try await run(failed.found, at: path)
    #expect(early.names == ["work"] && early.requests == Self.quiet)
    model.clock.advance(milliseconds: Self.minute)
    #expect(try await run(early.found, at: path).names == ["club", "work"])
  }

  @Test func `a search that leads elsewhere is none as long as what is known answers`()
    async throws
  {
    let first = try await run(nil)
    model.clock.advance(milliseconds: Self.day)
    model.server.change { $0.homeIsPrincipal = true }
    let daily = try await run(first.found)
    #expect(daily.names == ["work"] && daily.searches)
    #expect(daily.found?.location == .homeSets([Self.home]))
    #expect(try await run(daily.found).requests == Self.quiet)
    model.server.interfere { $0.path == ModelServer.homePath ? .answer(404) : nil }
    let moved = try await run(daily.found)
    let principal = ModelServer.origin + ModelServer.principalPath
    #expect(moved.names == ["work"] && moved.found?.location == .homeSets([principal]))
  }

  /// It has failed, so it does not keep the account from what is found.
  @Test func `a home that fails and is named no more is forgotten`() async throws {
    model.server.change { $0.lostHome = "/lost/" }
    let first = try await run(nil)
    #expect(first.found?.failedHomes == [ModelServer.origin + "/lost/"])
    model.clock.advance(milliseconds: Self.day)
    model.server.change { $0.lostHome = nil }
    let daily = try await run(first.found)
    #expect(daily.found?.location == .homeSets([Self.home]))
  }

  @Test func `a home on a server that nobody vouches for any more keeps nothing`() async throws {
    let homes = [Self.home, "https://other.example/alice/"]
    let found = FoundLocation(
      .homeSets(homes), foundAt: model.clock.now, trusting: TrustedHosts(["other.example"]))
    let seen = try await run(found)
    #expect(seen.found?.location == .homeSets([Self.home]))
    #expect(!model.server.requests.contains { $0.url.hasPrefix("https://other.example") })
  }

  @Test func `a place that is one calendar stays that`() async throws {
    let place = AccountLocation.calendar(ModelServer.origin + ModelAccount.work)
    let seen = try await run(FoundLocation(place, foundAt: nil), at: ModelAccount.work)
    #expect(seen.requests == ["PROPFIND \(ModelAccount.work)"])
    #expect(seen.found?.location == place)
  }

  @Test func `a password that the search finds refused is not shown again`() async throws {
    let model = ModelAccount { $0.authentication = .basic }
    var options = CalDAVAccount.Options()
    options.found = FoundLocation(.homeSets([Self.home]), foundAt: nil)
    let account = try CalDAVAccount(
      url: ModelServer.origin + "/",
      credentials: CalDAVAccount.Credentials(
        username: Array("alice".utf8), password: Array("wrong".utf8)),
      transport: model.server, surroundings: model.clock.surroundings, digest: sha256,
      options: options)
    let error = try await #require(throws: StorageError.self) {
      _ = try await account.listCollections()
    }
    #expect(error.kind == .denied)
    #expect(model.server.requests.count { $0.headers["authorization"] != nil } == 1)
  }

  /// Nothing else changes by the search.
  @Test func `a home on a server that nobody vouches for is remembered as long as it is named`()
    async throws
  {
    let other = "https://other.example/alice/"
    let first = try await run(nil)
    #expect(first.found?.homesElsewhere == [])
    model.server.change { $0.lostHome = other }
    model.clock.advance(milliseconds: Self.day)
    let daily = try await run(first.found)
    #expect(daily.names == ["work"] && daily.found?.homesElsewhere == [other])
    #expect(daily.found?.location == .homeSets([Self.home]))
    #expect(try await run(daily.found).found?.homesElsewhere == [other])
    model.server.change { $0.lostHome = nil }
    model.clock.advance(milliseconds: Self.day)
    #expect(try await run(daily.found).found?.homesElsewhere == [])
  }

  // MARK: What is kept

  @Test(
    arguments: [
      ("homes \(home) !", false, []), ("homes \(home)", true, []),
      ("homes \(home) !\n1767600000000 \(home)", false, [home]),
    ] as [(String, Bool, Set<String>)])
  func `what an earlier release kept is read, and the search is due`(
    kept: String, isGuessed: Bool, failed: Set<String>
  ) async throws {
    let found = try #require(FoundLocation(encoded: kept))
    #expect(found.location == .homeSets([Self.home]))
    #expect(found.isGuessed == isGuessed && found.failedHomes == failed)
    #expect(found.foundAt == nil && found.trusting == nil)
    #expect(try await run(found).searches)
  }

  @Test func `all of it is kept, and the first line is that of earlier releases`() {
    let found = FoundLocation(
      .homeSets(["https://a.example/", "https://b.example/"]),
      failedHomes: ["https://b.example/"], foundAt: Instant(milliseconds: 1_767_600_000_000),
      trusting: TrustedHosts(["b.example", "*.a.example"]),
      elsewhere: ["https://c.example/x/", "https://d.example/x/"])
    #expect(
      found.encoded == """
        homes https://a.example/ https://b.example/ !
        1767600000000 https://b.example/
        found 1767600000000
        trusting *.a.example b.example
        elsewhere https://c.example/x/ https://d.example/x/
        """)
    #expect(FoundLocation(encoded: found.encoded) == found)
    let ailing = found.encoded + "\nailing https://b.example/ https://a.example/"
    #expect(FoundLocation(encoded: ailing)?.encoded == ailing)
    let guess = FoundLocation(.calendar("https://a.example/x/"), isGuessed: true, foundAt: nil)
    #expect(FoundLocation(encoded: guess.encoded) == guess)
  }

  @Test(arguments: ["", "\n", "homes", "places https://a.example/ !", "found 1", " !"])
  func `what is no location is none`(kept: String) { #expect(FoundLocation(encoded: kept) == nil) }

  @Test func `a line that says nothing is left out`() throws {
    let found = try #require(
      FoundLocation(encoded: "homes \(Self.home) !\nfound soon\nfound\nx y z\n\nlater \(Self.home)")
    )
    #expect(found.foundAt == nil && found.trusting == nil && found.failedHomes.isEmpty)
  }
}
