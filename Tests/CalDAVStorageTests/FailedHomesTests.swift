import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// One of an account's home sets answers nothing of use, for good. That is found out once, and no
/// run after it looks for the account again.
@Suite struct FailedHomesTests {
  private static let lost = "/lost/"
  private static let unchanged = ["PROPFIND /calendars/alice/", "PROPFIND \(lost)"]
  /// A home without calendars.
  private static let empty = ModelFault.answer(
    207, headers: [["Content-Type", "application/xml"]],
    body: "<multistatus xmlns=\"DAV:\"><response><href>/lost/</href><status>HTTP/1.1 200 OK"
      + "</status></response></multistatus>")
  private let model = ModelAccount { $0.lostHome = Self.lost }

  /// What a run remembers for the next one.
  private func options(after account: CalDAVAccount) -> CalDAVAccount.Options {
    var options = CalDAVAccount.Options()
    options.found = account.found.flatMap { FoundLocation(encoded: $0.encoded) }
    return options
  }

  /// One run: the calendars it lists, those places it cannot look into, and its requests.
  private func run(
    _ options: CalDAVAccount.Options
  ) async throws -> (CalDAVAccount, CalendarListing, [String]) {
    model.server.forgetRequests()
    let account = try model.account(options: options)
    let listing = try await account.listCalendars()
    return (account, listing, model.server.requests.map(\.line))
  }

  @Test(arguments: [404, 410, 403])
  func `a home that fails as it did is no reason for a search`(status: Int) async throws {
    model.server.interfere { $0.path == Self.lost ? .answer(status) : nil }
    let (first, _, _) = try await run(CalDAVAccount.Options())
    let (second, listing, requests) = try await run(options(after: first))
    #expect(listing.calendars.map(\.name) == ["work"])
    #expect(listing.unseen.map(\.isForbidden) == (status == 403 ? [true] : []))
    #expect(requests == Self.unchanged)
    #expect(second.found?.failedHomes == [ModelServer.origin + Self.lost])
    #expect(second.found == first.found)
  }

  /// In the first run, which searches for the account, and in the next.
  @Test(arguments: [429, 503], [nil, "30", "86400"])
  func `a home that is to be asked later keeps none of the others waiting for long`(
    status: Int, seconds: String?
  ) async throws {
    let headers = seconds.map { [["Retry-After", $0]] } ?? []
    model.server.interfere { $0.path == Self.lost ? .answer(status, headers: headers) : nil }
    var options = CalDAVAccount.Options()
    for _ in 0..<2 {
      let start = model.clock.now.milliseconds
      let (account, listing, _) = try await run(options)
      #expect(listing.calendars.map(\.name) == ["work"])
      #expect(listing.unseen.map(\.address) == [ModelServer.origin + Self.lost])
      #expect(listing.unseen.map(\.isPutOff) == [true])
      #expect(model.clock.now.milliseconds - start <= 65_000)
      #expect(account.found?.failedHomes == [])
      options = self.options(after: account)
    }
  }

  // MARK: On one server

  /// What a run remembers of homes that are all on the model server.
  private func options(knowing paths: [String]) -> CalDAVAccount.Options {
    var options = CalDAVAccount.Options()
    options.found = FoundLocation(
      .homeSets(paths.map { ModelServer.origin + $0 }), foundAt: model.clock.now)
    return options
  }

  @Test(arguments: [ModelFault.silent, .noConnection])
  func `of several homes on a server that says nothing one is asked`(fault: ModelFault) async throws
  {
    model.server.interfere { _ in fault }
    let account = try model.account(options: options(knowing: ["/a/", "/b/", "/c/", "/d/"]))
    await #expect(throws: StorageError.self) { _ = try await account.listCalendars() }
    #expect(Set(model.server.requests.map(\.line)) == ["PROPFIND /a/"])
  }

  @Test(arguments: [(503, 10), (429, 10), (502, 4), (504, 4)])
  func `where all homes of a server fail each is asked, and one is waited for`(
    status: Int, mostRequests: Int
  ) async throws {
    model.server.interfere { _ in .answer(status) }
    let start = model.clock.now.milliseconds
    let account = try model.account(options: options(knowing: ["/a/", "/b/", "/c/", "/d/"]))
    let error = try await #require(throws: StorageError.self) {
      _ = try await account.listCalendars()
    }
    let kind: StorageError.Kind = [502, 504].contains(status) ? .unreachable : .tryLater(nil)
    #expect(error.kind == kind)
    #expect(Set(model.server.requests.map(\.path)).count == 4)
    #expect(model.server.requests.count <= mostRequests)
    #expect(model.clock.now.milliseconds - start <= 50_000)
  }

  /// As one mailbox whose backend is gone, behind a proxy.
  @Test(
    arguments: [
      (502, nil, 0), (504, nil, 0), (503, nil, 6_000), (429, nil, 6_000), (503, "30", 110_000),
    ] as [(Int, String?, Int64)])
  func `a home that fails for good and comes first hides none of the others of its server`(
    status: Int, seconds: String?, longest: Int64
  ) async throws {
    let headers = seconds.map { [["Retry-After", $0]] } ?? []
    model.server.interfere { $0.path == Self.lost ? .answer(status, headers: headers) : nil }
    var options = options(knowing: [Self.lost, ModelServer.homePath])
    for _ in 0..<2 {
      let start = model.clock.now.milliseconds
      let (account, listing, requests) = try await run(options)
      #expect(listing.calendars.map(\.name) == ["work"])
      #expect(listing.unseen.map(\.address) == [ModelServer.origin + Self.lost])
      #expect(requests.count <= 5, "\(requests)")
      #expect(model.clock.now.milliseconds - start <= longest)
      options = self.options(after: account)
    }
  }

  /// Nothing of the server is asked for before its time; from the second run on others of its homes
  /// have answered by then, so the time is that of the home alone.
  @Test func `one that asks for a long wait is asked last the next time, and is not asked again`()
    async throws
  {
    let headers = [["Retry-After", "86400"]]
    model.server.interfere { $0.path == Self.lost ? .answer(503, headers: headers) : nil }
    let first = try model.account(options: options(knowing: [Self.lost, ModelServer.homePath]))
    let error = try await #require(throws: StorageError.self) {
      _ = try await first.listCalendars()
    }
    #expect(error.kind == .tryLater(86_400_000))
    #expect(model.server.requests.map(\.path) == [Self.lost])

    let (account, listing, requests) = try await run(options(after: first))
    #expect(listing.calendars.map(\.name) == ["work"] && listing.unseen.map(\.isPutOff) == [true])
    #expect(requests == Self.unchanged)
    let again = try await account.listCalendars()
    #expect(again.calendars == listing.calendars && again.unseen.count == 1)
    #expect(model.server.requests.count == Self.unchanged.count + 1)
  }

  @Test func `one that is silent is asked last the next time`() async throws {
    model.server.interfere { $0.path == Self.lost ? .silent : nil }
    let first = try model.account(options: options(knowing: [Self.lost, ModelServer.homePath]))
    await #expect(throws: StorageError.self) { _ = try await first.listCalendars() }
    let (second, listing, _) = try await run(options(after: first))
    #expect(listing.calendars.map(\.name) == ["work"] && listing.unseen.count == 1)
    #expect(second.found?.encoded.contains("ailing") == true)
    model.server.interfere { $0.path == Self.lost ? Self.empty : nil }
    let (third, _, _) = try await run(options(after: second))
    #expect(third.found?.encoded.contains("ailing") == false)
  }

  /// Nothing was known before the first run.
  @Test func `so is one that was silent in the first run of all`() async throws {
    let principal = ModelFault.answer(
      207, headers: [["Content-Type", "application/xml"]],
      body: principalText(homes: [Self.lost, ModelServer.homePath]))
    let answers: [String: ModelFault] = ["/": principal, Self.lost: .silent]
    model.server.interfere { answers[$0.path] }
    let first = try model.account()
    await #expect(throws: StorageError.self) { _ = try await first.listCalendars() }
    let (_, listing, _) = try await run(options(after: first))
    #expect(listing.calendars.map(\.name) == ["work"] && listing.unseen.count == 1)
  }

  /// Whichever of them are tried in vain, the next run begins with another one.
  @Test func `of many that ask for a long wait one that answers is found some time`() async throws {
    let broken = ["/a/", "/b/", "/c/"]
    let headers = [["Retry-After", "86400"]]
    model.server.interfere { broken.contains($0.path) ? .answer(503, headers: headers) : nil }
    var options = options(knowing: broken + [ModelServer.homePath])
    for _ in broken {
      let account = try model.account(options: options)
      await #expect(throws: StorageError.self) { _ = try await account.listCalendars() }
      options = self.options(after: account)
    }
    let (_, listing, _) = try await run(options)
    #expect(listing.calendars.map(\.name) == ["work"] && listing.unseen.count == 3)
  }

  // MARK: On several servers

  /// Each of its homes is named, and those of another server are listed; in the first run, which
  /// searches for the account, and in the next.
  @Test func `homes on another server than that are asked`() async throws {
    let ailing = "http://127.0.0.1:8081/"
    let homes = [ailing + "a/", ailing + "b/", ModelServer.origin + ModelServer.homePath]
    let principal = principalText(homes: homes)
    model.server.interfere {
      if $0.url.hasPrefix(ailing) { return .answer(503) }
      return $0.path == "/"
        ? .answer(207, headers: [["Content-Type", "application/xml"]], body: principal) : nil
    }
    var options = CalDAVAccount.Options()
    options.trustedHosts = TrustedHosts(["127.0.0.1:8081"])
    for _ in 0..<2 {
      let start = model.clock.now.milliseconds
      let (account, listing, _) = try await run(options)
      #expect(listing.calendars.map(\.name) == ["work"])
      #expect(listing.unseen.map(\.address) == Array(homes.prefix(2)))
      #expect(listing.unseen.map(\.isPutOff) == [true, true])
      let asked = model.server.requests.map(\.url).filter { $0.hasPrefix(ailing) }
      #expect(Set(asked) == Set(homes.prefix(2)))
      #expect(model.clock.now.milliseconds - start <= 65_000)
      options.found = account.found.flatMap { FoundLocation(encoded: $0.encoded) }
    }
  }

  @Test func `where all are, the account is`() async throws {
    let (first, _, _) = try await run(CalDAVAccount.Options())
    model.server.interfere { _ in .answer(503, headers: [["Retry-After", "86400"]]) }
    let account = try model.account(options: options(after: first))
    let error = try await #require(throws: StorageError.self) {
      _ = try await account.listCalendars()
    }
    #expect(error.kind == .tryLater(86_400_000))
  }

  @Test func `a day later the account is searched for again`() async throws {
    let (first, _, _) = try await run(CalDAVAccount.Options())
    model.clock.advance(milliseconds: 86_400_000)
    let (second, _, requests) = try await run(options(after: first))
    #expect(requests.count > Self.unchanged.count)
    let (_, _, later) = try await run(options(after: second))
    #expect(later == Self.unchanged)
  }

  @Test func `another home that fails is one`() async throws {
    let (first, _, _) = try await run(CalDAVAccount.Options())
    model.server.interfere { $0.path == ModelServer.homePath ? .answer(404) : nil }
    model.server.forgetRequests()
    let account = try model.account(options: options(after: first))
    await #expect(throws: StorageError.self) { _ = try await account.listCalendars() }
    #expect(model.server.requests.map(\.line).contains("PROPFIND \(ModelServer.principalPath)"))
  }

  @Test func `a home that answers again is forgotten, and missed when it goes`() async throws {
    let (first, _, _) = try await run(CalDAVAccount.Options())
    model.server.interfere { $0.path == Self.lost ? Self.empty : nil }
    let (second, _, requests) = try await run(options(after: first))
    #expect(requests == Self.unchanged)
    #expect(second.found?.failedHomes == [])
    model.server.interfere(nil)
    let (_, _, later) = try await run(options(after: second))
    #expect(later.count > Self.unchanged.count)
  }
}
