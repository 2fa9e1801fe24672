import CalgwKit
import Synchronization
import Testing

/// From an e-mail address to a server (RFC 6764), with the name servers in our hands.
@Suite struct AccountSearchTests {
  private func resolver(
    _ locations: [ServiceRecord], text: [String] = []
  ) -> ServiceResolver {
    ServiceResolver { name, kind in
      guard name == "_caldavs._tcp.example.org" else { return [] }
      return kind == .location ? locations : [.text(text.map { Array($0.utf8) })]
    }
  }

  private func location(
    _ target: String, priority: UInt16 = 0, weight: UInt16 = 1, port: UInt16 = 443
  ) -> ServiceRecord {
    .location(priority: priority, weight: weight, port: port, target: target)
  }

  private func points(_ resolver: ServiceResolver) async throws -> [StartingPoint] {
    try await #require(AccountAddress("alice@example.org")).service.startingPoints(resolver)
  }

  // MARK: Addresses

  @Test(arguments: [
    ("alice@example.org", ["alice@example.org", "alice"]),
    ("a@b@Example.org", ["a@b@Example.org", "a@b"]),
  ])
  func `an address gives the domain and two user names`(text: String, names: [String]) throws {
    let address = try #require(AccountAddress(text))
    #expect(address.domain == "example.org")
    #expect(address.usernames == names)
  }

  @Test(arguments: [
    "https://alice@example.org/", "example.org", "@example.org", "alice@", "alice@exa mple.org",
    "alice@example..org", "alice@ex\u{E4}..mple.org", "alice@example.org/x", "al ice@example.org",
    "alice@" + String(repeating: "a", count: 64) + ".org", "alice@example.org:8443",
  ])
  func `what is no address is not taken for one`(text: String) {
    #expect(AccountAddress(text) == nil)
  }

  // MARK: Records

  @Test func `servers come by priority, the heavier one first, with the path of the TXT record`()
    async throws
  {
    let found = try await points(
      resolver(
        [
          location("c.example.org", priority: 20), location("a.example.org", weight: 1, port: 8443),
          location("B.example.org", weight: 5),
        ], text: ["other=1", "path=/dav/"]))
    #expect(
      found.map(\.url) == [
        "https://b.example.org/dav/", "https://a.example.org:8443/dav/",
        "https://c.example.org/dav/", "https://example.org/",
      ])
    #expect(found.allSatisfy { !$0.isElsewhere })
  }

  @Test(arguments: [
    ("caldav.other.net", true), ("example.org", false), ("dav.example.org", false),
    ("evilexample.org", true), ("example.org.evil.net", true),
  ])
  func `a server of another domain is told from one of the given domain`(
    target: String, isElsewhere: Bool
  ) async throws {
    #expect(try await points(resolver([location(target)])).first?.isElsewhere == isElsewhere)
  }

  @Test(arguments: [
    "path=dav", "path=//x y", "path=/a#b", "nothing", "path=/\u{7F}", "path=/`ls`", "",
  ])
  func `a path that is none is left out`(text: String) async throws {
    let found = try await points(resolver([location("dav.example.org")], text: [text]))
    #expect(found.first?.url == "https://dav.example.org/")
  }

  @Test func `a domain without records is asked itself`() async throws {
    let silent = ServiceResolver { _, _ in nil }
    for resolver in [resolver([]), silent] {
      #expect(try await points(resolver).map(\.url) == ["https://example.org/"])
    }
  }

  /// RFC 2782
  @Test func `a domain that says that it has no calendars is not asked`() async throws {
    let address = try #require(AccountAddress("alice@example.org"))
    let search = AccountSearch(address, resolver: resolver([location("")]))
    var isAsked = false
    let error = try await #require(throws: RunFailure.self) {
      _ = try await search.run(agrees: { _ in true }) { _, _ throws(RunFailure) in
        isAsked = true
        return Self.none
      }
    }
    #expect(!isAsked)
    #expect(error.message == "example.org says that it has no calendars")
  }

  // MARK: The search

  private static let none = FoundAccount(calendars: [])

  @Test func `a path that leads nowhere is not written down where its server leads to calendars`()
    async throws
  {
    let address = try #require(AccountAddress("alice@example.org"))
    let records = [location("dav.example.org", port: 8443)]
    let search = AccountSearch(address, resolver: resolver(records, text: ["path=/wrong/"]))
    for isGuessed in [true, false] {
      let found = try await search.run(agrees: nil) { url, _ throws(RunFailure) in
        #expect(url == "https://dav.example.org:8443/wrong/")
        return FoundAccount(calendars: [], noticeOfGuess: isGuessed ? "guessed" : nil)
      }
      #expect(found.url == "https://dav.example.org:8443/\(isGuessed ? "" : "wrong/")")
    }
  }

  private func refused(_ status: CalgwKit.ExitStatus) -> RunFailure {
    RunFailure(status, code: "x", message: "\(status)", hint: "")
  }

  @Test func `the local part is tried where the whole address is refused`() async throws {
    let address = try #require(AccountAddress("alice@example.org"))
    let search = AccountSearch(address, resolver: resolver([location("dav.example.org")]))
    let refusal = refused(.denied)
    let found = try await search.run(agrees: nil) { _, user throws(RunFailure) in
      if user != "alice" { throw refusal }
      return Self.none
    }
    #expect(found.username == "alice")
    #expect(found.url == "https://dav.example.org/")
  }

  @Test func `no other name is tried where a server needs consent before it is shown any`()
    async throws
  {
    let address = try #require(AccountAddress("alice@example.org"))
    let search = AccountSearch(address, resolver: resolver([]))
    var needsConsent = refused(.denied)
    needsConsent.otherHosts = ["dav.example.org"]
    let failure = needsConsent
    var asked: [String] = []
    let error = try await #require(throws: RunFailure.self) {
      _ = try await search.run(agrees: nil) { url, user throws(RunFailure) in
        asked.append("\(user) \(url)")
        throw failure
      }
    }
    #expect(error.otherHosts == ["dav.example.org"])
    #expect(asked == ["alice@example.org https://example.org/"])
  }

  @Test func `the next server is asked where one cannot be reached, with each name once`()
    async throws
  {
    let address = try #require(AccountAddress("alice@example.org"))
    let search = AccountSearch(address, resolver: resolver([location("dav.example.org")]))
    var asked: [String] = []
    let failure = refused(.unreachable)
    let error = try await #require(throws: RunFailure.self) {
      _ = try await search.run(agrees: nil) { url, user throws(RunFailure) in
        asked.append("\(user) \(url)")
        throw failure
      }
    }
    #expect(error.status == .unreachable)
    #expect(error.hint.contains("--url"))
    #expect(
      asked == [
        "alice@example.org https://dav.example.org/", "alice@example.org https://example.org/",
      ])
  }

  @Test(arguments: [true, false])
  func `name servers that do not answer are told where the domain has no calendars`(
    answers: Bool
  ) async throws {
    let address = try #require(AccountAddress("alice@example.org"))
    let search = AccountSearch(address, resolver: ServiceResolver { _, _ in answers ? [] : nil })
    let failure = refused(.unreachable)
    let error = try await #require(throws: RunFailure.self) {
      _ = try await search.run(agrees: nil) { _, _ throws(RunFailure) in throw failure }
    }
    #expect(error.status == .unreachable)
    #expect(error.message.hasPrefix("no name server said where example.org") == !answers)
    #expect((answers ? error.message : error.why).hasPrefix(failure.message))
    #expect(error.hint.contains("--url"))
    #expect(error.hint.contains("try again later") == !answers)
  }

  @Test(arguments: [CalgwKit.ExitStatus.unreachable, .protocolBroken])
  func `an address of a known provider is told with the command for its server`(
    status: CalgwKit.ExitStatus
  ) async throws {
    let address = try #require(AccountAddress("bob@iCloud.com"))
    let failure = refused(status)
    let command = "run `calgw init https://caldav.icloud.com --username bob@iCloud.com`"
    let records = [location("caldav.icloud.com")]
    // One that was asked is not named as if it were another place.
    for isNamed in [false, true] {
      let resolver = ServiceResolver { _, kind in isNamed && kind == .location ? records : [] }
      let search = AccountSearch(address, resolver: resolver)
      let error = try await #require(throws: RunFailure.self) {
        _ = try await search.run(agrees: nil) { _, _ throws(RunFailure) in throw failure }
      }
      #expect(error.status == status)
      #expect(error.hint.hasSuffix(command) == !isNamed, "\(error.hint)")
      #expect(error.hint.contains("--username") == !isNamed, "\(error.hint)")
    }
  }

  @Test func `an address whose provider takes no password is refused with the other way`() throws {
    for text in ["carol@gmail.com", "carol@GoogleMail.com"] {
      let address = try #require(AccountAddress(text))
      let error = try #require(throws: RunFailure.self) { try address.checkTakesPassword() }
      #expect(error.status == .denied)
      #expect(error.hint.contains("docs/sign-in.md"), "\(error.hint)")
    }
    try #require(AccountAddress("alice@example.org")).checkTakesPassword()
  }

  /// PITFALLS E3.23
  @Test(arguments: [true, false])
  func `a server of another domain gets nothing without consent`(agrees: Bool) async throws {
    let address = try #require(AccountAddress("alice@example.org"))
    let search = AccountSearch(address, resolver: resolver([location("caldav.other.net")]))
    let found = try await search.run(agrees: { _ in agrees }) { _, _ throws(RunFailure) in Self.none
    }
    #expect(found.url == (agrees ? "https://caldav.other.net/" : "https://example.org/"))
    let error = try await #require(throws: RunFailure.self) {
      _ = try await search.run(agrees: nil) { _, _ throws(RunFailure) in Self.none }
    }
    #expect(error.status == .denied)
    #expect(error.hint.hasSuffix(" --trusted-host caldav.other.net"))
  }

  @Test(arguments: ["caldav.Other.net", "*.other.net", "caldav.other.net:443"])
  func `one that is trusted by name needs no more consent`(host: String) async throws {
    let address = try #require(AccountAddress("alice@example.org"))
    let search = AccountSearch(
      address, trustedHosts: [host], resolver: resolver([location("caldav.other.net")]))
    let found = try await search.run(agrees: nil) { _, _ throws(RunFailure) in Self.none }
    #expect(found.url == "https://caldav.other.net/")
  }

  // MARK: From a URL

  @Test func `from a URL that names the domain alone its records lead on`() async throws {
    let search = try #require(
      AccountSearch(
        besides: "https://Example.org", after: refused(.protocolBroken), username: "alice",
        resolver: resolver([location("example.org"), location("example.org", port: 8443)])))
    var asked: [String] = []
    let found = try await search.run(agrees: nil) { url, user throws(RunFailure) in
      asked.append("\(user) \(url)")
      return Self.none
    }
    #expect(found.url == "https://example.org:8443/")
    #expect(asked == ["alice https://example.org:8443/"], "the URL itself was looked at")
  }

  @Test(arguments: [
    "https://example.org/dav/", "https://example.org/?a=b", "https://127.0.0.1/",
    "https://localhost/", "https://[::1]/", "https://server/", "http://example.org/",
  ])
  func `a URL that says more than a domain, or is of none, is all that there is`(url: String) {
    let failure = refused(.protocolBroken)
    #expect(AccountSearch(besides: url, after: failure, username: "alice") == nil)
  }

  @Test(arguments: [CalgwKit.ExitStatus.denied, .tryLater, .io, .interrupted])
  func `a server that refused, or may answer later, is the one that is meant`(
    status: CalgwKit.ExitStatus
  ) {
    let url = "https://example.org/"
    #expect(AccountSearch(besides: url, after: refused(status), username: "alice") == nil)
    #expect(AccountSearch(besides: url, after: refused(.unreachable), username: nil) == nil)
  }

  @Test(arguments: ["", "dav.example.org", "caldav.other.net"])
  func `where the records lead no further, what the URL led to is told`(target: String)
    async throws
  {
    let first = RunFailure(.protocolBroken, code: "x", message: "no calendars", hint: "look")
    let search = try #require(
      AccountSearch(
        besides: "https://example.org/", after: first, username: "alice",
        resolver: resolver([location(target)])))
    let second = refused(.unreachable)
    let error = try await #require(throws: RunFailure.self) {
      _ = try await search.run(agrees: nil) { _, _ throws(RunFailure) in throw second }
    }
    let isElsewhere = target == "caldav.other.net"
    #expect(error.status == (isElsewhere ? .denied : .protocolBroken))
    #expect((isElsewhere ? error.why : error.message) == "no calendars")
    #expect(error.why.contains("(\(second.message))") == (target == "dav.example.org"))
  }

  @Test func `without an answer of the name servers the failure is as it was`() async throws {
    let first = refused(.unreachable)
    let search = try #require(
      AccountSearch(
        besides: "https://example.org/", after: first, username: "alice",
        resolver: ServiceResolver { _, _ in nil }))
    let error = try await #require(throws: RunFailure.self) {
      _ = try await search.run(agrees: nil) { _, _ throws(RunFailure) in Self.none }
    }
    #expect(error == first)
  }
}
