import CalDAVStorage
import SyncModel
import TestSupport
import Testing
import WebDAV

/// What a robust client must do, learned from real servers, each with the exchanges that show it.
@Suite struct FifteenRulesTests {
  /// The rules by number. Exchanges of discovery are played by `DiscoveryTests`, the others here.
  private static let rules: [(number: Int, rule: String, discovery: [String])] = [
    (
      1, "discovery: redirects, well-known, root; several homes, other hosts",
      [
        "davical-root-405", "cyrus-well-known-without-slash", "icloud-other-host",
        "several-home-sets", "radicale-home-is-principal", "well-known-elsewhere",
        "well-known-to-http",
      ]
    ), (2, "listing: calendars alone", ["sogo-siblings", "xandikos-well-known"]),
    (3, "hrefs: compared decoded, sent back as they came", []),
    (4, "ETag: weak, bare or none after PUT", []),
    (5, "lost updates: a look before DELETE, and names that nobody else has", []),
    (6, "409 and 412 have a reason, and nothing loops", []),
    (7, "sync-collection: tokens go unknown in many ways", []),
    (8, "limit: none is asked for, 507 is a page", []),
    (9, "multiget: a missing item is told in many ways", []),
    (10, "broken data: one by one, and the others go on", []),
    (11, "rewriting: what is read back counts", []),
    (12, "queries: none for listing, Depth always", []),
    (13, "properties: the value that is read back is the truth", []),
    (
      14, "HTTP: schemes, silence, waiting",
      ["sabre-digest", "yahoo-silent-401", "rate-limit"]
    ), (15, "scheduling: no tag, and a Schedule-Tag", []),
  ]

  private static let exchanges = Fixture.names(in: "http/rules", ending: ".exchange")

  @Test func `every rule has an exchange`() {
    let discovery = Fixture.names(in: "http", ending: ".exchange")
    #expect(Self.rules.map(\.number) == Array(1...15))
    for (number, rule, names) in Self.rules {
      let prefix = number < 10 ? "0\(number)-" : "\(number)-"
      let own = Self.exchanges.filter { $0.hasPrefix(prefix) }
      #expect(!own.isEmpty || !names.isEmpty, "\(rule)")
      #expect(Set(names).isSubset(of: discovery), "\(rule)")
    }
  }

  @Test(arguments: exchanges)
  func `a calendar keeps the rule that an exchange shows`(name: String) async throws {
    let exchange = try Exchange(try Fixture.text("http/rules/\(name).exchange"))
    var stage = try RuleStage(exchange)
    for line in exchange.facts("do") {
      await stage.act(line.split(separator: " ").map(String.init))
    }
    #expect(stage.given == exchange.facts("gives"))
    #expect(stage.transport.complaints == [])
    for line in exchange.facts("learns") {
      let words = line.split(separator: " ").map(String.init)
      let capability = try #require(ServerProfile.Capability(rawValue: words[0]))
      #expect(stage.account.learned.profile[capability]?.holds == (words[1] == "yes"))
    }
    let waited = exchange.facts("waits").compactMap(Int64.init).reduce(0, +) * 1000
    #expect((waited...(waited + waited / 4)).contains(stage.waited))
  }

  @Test func `an exchange complains of what a body lacks, and of what it must not have`()
    async throws
  {
    let exchange = try Exchange(
      "> PUT http://a.example/\n>> one\n>> two\n!>> three\n!>> four\n< 204")
    let transport = ScriptedTransport(exchange)
    let request = HTTPRequest(
      method: "PUT", url: "http://a.example/", body: Array("one, three".utf8))
    _ = try await transport.send(request, into: BytesSink(limit: 9))
    let place = "PUT http://a.example/"
    #expect(
      transport.complaints == ["\(place): its body lacks two", "\(place): its body has three"])
  }
}

/// A calendar over an exchange, and what came of what it was told to do.
struct RuleStage {
  let account: CalDAVAccount
  let transport: ScriptedTransport
  private(set) var given: [String] = []
  private let clock = ModelClock()
  private let start: Int64
  private let storage: CalDAVStorage
  private var versions: [Href: Version] = [:]
  private var next: Cursor?

  init(_ exchange: Exchange) throws {
    transport = ScriptedTransport(exchange)
    start = clock.now.milliseconds
    let url = try WebURL(absolute: try #require(exchange.facts("calendar").first))
    var options = CalDAVAccount.Options()
    options.found = FoundLocation(
      .homeSets([url.replacingPath("/alice/").text]), foundAt: clock.now)
    options.maxConnections = 1
    // Some exchanges are those of another machine without TLS, where a password waits to be asked
    // for.
    options.allowsHTTP = true
    account = try CalDAVAccount(
      url: url.text,
      credentials: CalDAVAccount.Credentials(
        username: Array("alice".utf8), password: Array("secret".utf8)),
      transport: transport, surroundings: clock.surroundings, digest: sha256, options: options)
    var properties = DAVProperties()
    let reports = exchange.facts("reports").first ?? ""
    properties.reports = Set(reports.split(separator: " ").map(String.init))
    let state = exchange.facts("state").first?.split(separator: " ") ?? []
    properties.syncToken = state.first.map { Array($0.utf8) }
    properties.calendarTag = state.last.map { Array($0.utf8) }
    storage = CalDAVStorage(
      RemoteCalendar(url: url, properties: properties, home: url.origin, at: clock.now),
      account: account)
  }

  var waited: Int64 { clock.now.milliseconds - start }

  mutating func act(_ words: [String]) async {
    do throws(StorageError) {
      switch words[0] {
      case "list": given.append(try await list(Array(words.dropFirst())))
      case "read": given.append(try await read(words.dropFirst().map(href)))
      case "confirm":
        let absent = try await storage.confirmAbsence(of: words.dropFirst().map(href))
        given.append("absent:" + Self.names(absent))
      case "new":
        let fresh = storage.freshHref(for: ItemID(words[1]), attempt: 0)
        given.append(await write(["create", fresh.text]) + " at \(fresh.text)")
      case "color", "make": given.append(try await change(words))
      default: given.append(await write(words))
      }
    } catch {
      given.append("error \(error.kind)")
    }
  }

  private func href(_ name: String) -> Href {
    let path = name.hasPrefix("/") ? name : String(decoding: storage.url.path, as: UTF8.self) + name
    guard let url = try? storage.url.resolve(href: Array(path.utf8)) else { return Href(path) }
    return Href(spelling: Array(path.utf8), key: url.pathKey)
  }

  private mutating func list(_ words: [String]) async throws(StorageError) -> String {
    if words.count == 3 {
      let state = CalendarState(token: Array(words[1].utf8), tag: Array(words[2].utf8))
      next = SyncCursor(state: state, identity: nil, comparedAt: clock.now).cursor
    }
    let page = try await storage.listChanges(since: next)
    next = page.next
    return (page.extent == .everything ? "everything:" : "changes:")
      + Self.names(page.present.map(\.href))
      + (page.gone.isEmpty ? "" : " gone:" + Self.names(page.gone))
      + (page.isLast ? "" : "; more")
  }

  private static func names(_ hrefs: [Href]) -> String {
    hrefs.sorted().map { " " + $0.text }.joined()
  }

  private mutating func read(_ hrefs: [Href]) async throws(StorageError) -> String {
    var words: [String] = []
    for outcome in try await storage.read(hrefs) {
      switch outcome.result {
      case .found(let version, _, _):
        versions[outcome.href] = version
        words.append("found")
      case .missing: words.append("missing")
      case .problem: words.append("problem")
      }
    }
    return words.joined(separator: " ")
  }

  private func change(_ words: [String]) async throws(StorageError) -> String {
    guard words[0] == "color" else {
      return "made "
        + (try await account.createCollection(CollectionProposal(name: words[1]))).name
    }
    let calendar = CollectionDescription(
      href: href(""), name: "work", identity: storage.url.identity)
    let outcome = try await account.setMetadata([.color: words[1]], of: calendar)
    return outcome.collection.color ?? "none"
  }

  /// The text that the exchanges have for `a.ics`.
  private static func text(_ name: String) -> [UInt8] {
    let people = "ORGANIZER:mailto:alice@example.org\r\nATTENDEE:mailto:bob@example.org\r\n"
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:a\r\nSUMMARY:Dentist\r\n"
      + (name == "m.ics" ? people : "") + "END:VEVENT\r\nEND:VCALENDAR\r\n\r\n"
    return Array(text.utf8)
  }

  private func write(_ words: [String]) async -> String {
    let href = href(words[1])
    let data = ItemData(bytes: Self.text(words[1]) + Array("\r\n".utf8))
    let tag = words.count > 2 && words[2] != "-" ? EntityTag(received: Array(words[2].utf8)) : nil
    let expected =
      words.count > 2
      ? Version(tag: tag, digest: sha256(Self.text(words[1]))) : versions[href]
    let write: GuardedWrite
    switch (words[0], expected) {
    case ("create", _): write = .create(href, data)
    case ("replace", let expected?): write = .replace(href, expecting: expected, with: data)
    case ("delete", let expected?): write = .delete(href, expecting: expected)
    default: return "what is \(words)?"
    }
    switch await storage.carryOut([write])[0].result {
    case .stored(_, let version, _):
      guard let tag = version.tag else { return "stored without tag" }
      return tag.isStrong ? "stored with tag" : "stored with weak tag"
    case .removed: return "removed"
    case .changedMeanwhile: return "changed meanwhile"
    case .refused: return "refused"
    case .unknown: return "unknown"
    case .failed(let error): return "failed \(error.kind)"
    }
  }
}
