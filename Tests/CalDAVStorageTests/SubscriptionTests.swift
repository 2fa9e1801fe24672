import CalDAVStorage
import SyncModel
import Synchronization
import TestSupport
import Testing
import WebDAV

/// What a feed's host may answer, and what is asked of it.
@Suite struct SubscriptionTests {
  /// A host of one feed.
  private final class Host: HTTPTransport {
    struct State {
      var status = 200
      var headers: [HTTPHeader] = []
      var body: [UInt8] = []
      /// A request with conditions is told that nothing changed.
      var isUnchanged = false
      var seen: [HTTPRequest] = []
    }

    let state = Mutex(State())

    var traffic: HTTPTraffic { HTTPTraffic() }

    func set(_ body: [UInt8], status: Int = 200, _ headers: [HTTPHeader] = []) {
      state.withLock { ($0.body, $0.status, $0.headers) = (body, status, headers) }
    }

    /// Says that nothing changed to whoever asks, and gives the text to whoever does not.
    func setForConditions(_ body: [UInt8], _ headers: [HTTPHeader]) {
      set(body, headers)
      state.withLock { $0.isUnchanged = true }
    }

    /// The conditions of the last request.
    var conditions: [String] {
      state.withLock { state in
        (state.seen.last?.headers ?? []).filter { $0.name.hasPrefix("If-") }
          .map { "\($0.name): " + String(decoding: $0.value, as: UTF8.self) }
      }
    }

    func send(
      _ request: HTTPRequest, into sink: any BodySink
    ) async throws(TransportError) -> HTTPResponseHead {
      let hasConditions = request.headers.contains { $0.name.hasPrefix("If-") }
      let (status, headers, body) = state.withLock { state in
        state.seen.append(request)
        let isUnchanged = state.isUnchanged && hasConditions
        return (isUnchanged ? 304 : state.status, state.headers, isUnchanged ? [] : state.body)
      }
      guard body.withUnsafeBytes({ sink.receive($0) }) else {
        throw TransportError(.refusedBody, "too much", mayHaveActed: true)
      }
      return HTTPResponseHead(status: status, headers: headers)
    }
  }

  private func subscription(_ host: Host) throws -> Subscription {
    try Subscription(
      url: "https://feeds.example/secret/x.ics", transport: host,
      surroundings: ModelClock().surroundings, digest: sha256)
  }

  private func text(_ fetched: FetchedStream) throws -> (String, StreamState) {
    guard case .text(let data, _, let state) = fetched else {
      throw StorageError(.io, "it gave no text")
    }
    return (String(decoding: data.bytes, as: UTF8.self), state)
  }

  private func state(_ fetched: FetchedStream) throws -> StreamState {
    guard case .unchanged(let state) = fetched else { throw StorageError(.io, "it changed") }
    return state
  }

  private static let tag = HTTPHeader("ETag", "\"1\"")
  private static let date = HTTPHeader("Last-Modified", "Mon, 05 Jan 2026 08:00:00 GMT")
  private static let calendar = event("a").bytes

  @Test(arguments: [("gzip", [0x1F, 0x8B, 0x08, 0x00]), ("zip", [0x50, 0x4B, 0x03, 0x04, 0x14])])
  func `a packed file is called that, and not a broken calendar`(format: String, start: [UInt8])
    async throws
  {
    let host = Host()
    host.set(start + [UInt8](0...255), [HTTPHeader("Content-Type", "text/calendar")])
    let feed = try subscription(host)
    let error = try await #require(throws: StorageError.self) {
      _ = try await feed.fetch(unless: nil)
    }
    #expect(error.kind == .protocolBroken)
    #expect(error.message.hasSuffix("is a packed file (\(format))"), "\(error.message)")
  }

  @Test(arguments: [404, 410])
  func `what was never there is not called gone, and what was is`(status: Int) async throws {
    let host = Host()
    let feed = try subscription(host)
    host.set([], status: status)
    let never = try await #require(throws: StorageError.self) {
      _ = try await feed.fetch(unless: nil)
    }
    #expect(never.kind == .vanished)
    #expect(never.message.hasPrefix("there is no calendar at https://"), "\(never.message)")
    #expect(never.hint.hasPrefix("check the URL"), "\(never.hint)")
    host.set(Self.calendar, [Self.tag])
    let state = try text(try await feed.fetch(unless: nil)).1
    host.set([], status: status)
    let gone = try await #require(throws: StorageError.self) {
      _ = try await feed.fetch(unless: state)
    }
    #expect(gone.kind == .vanished && gone.message.hasSuffix("is gone"), "\(gone.message)")
  }

  @Test func `the conditions are those of the last answer`() async throws {
    let host = Host()
    let feed = try subscription(host)
    host.set(Self.calendar, [Self.tag])
    let first = try text(try await feed.fetch(unless: nil)).1
    #expect(host.conditions == [])
    // The same text, with a date instead of a tag.
    host.set(Self.calendar, [Self.date])
    let second = try state(try await feed.fetch(unless: first))
    #expect(host.conditions == ["If-None-Match: \"1\""])
    host.set([], status: 304)
    let third = try state(try await feed.fetch(unless: second))
    #expect(host.conditions == ["If-Modified-Since: Mon, 05 Jan 2026 08:00:00 GMT"])
    #expect(third == second)
  }

  /// The tag that was read, if any, what the answer without a text names, and whether that is it.
  @Test(
    arguments: [
      ("\"1\"", nil, true), ("\"1\"", "\"1\"", true), ("\"1\"", "W/\"1\"", true),
      ("W/\"1\"", "\"1-gzip\"", true), ("\"1-gzip\"", "\"1\"", true), (nil, nil, true),
      ("\"1\"", "\"2\"", false), ("\"1\"", "W/\"2-gzip\"", false), (nil, "\"2\"", false),
    ] as [(String?, String?, Bool)])
  func `no change under another tag is asked about once more, without conditions`(
    read: String?, named: String?, isIt: Bool
  ) async throws {
    func tags(_ tag: String?) -> [HTTPHeader] { tag.map { [HTTPHeader("ETag", $0)] } ?? [] }
    let host = Host()
    let feed = try subscription(host)
    host.set(Self.calendar, tags(read) + [Self.date])
    let first = try text(try await feed.fetch(unless: nil)).1
    let changed = event("b").bytes
    host.setForConditions(changed, tags(named) + [Self.date])
    let second = try await feed.fetch(unless: first)
    #expect(host.state.withLock { $0.seen.count } == (isIt ? 2 : 3))
    if isIt {
      #expect(try state(second) == first)
    } else {
      let (found, state) = try text(second)
      #expect(Array(found.utf8) == changed)
      // From here on it is the change that is asked about.
      _ = try await feed.fetch(unless: state)
      #expect(host.state.withLock { $0.seen.count } == 4)
      #expect(host.conditions.first == named.map { "If-None-Match: \($0)" })
    }
  }

  /// What is known of the feed: nothing, what has no validators, and what has one while the answer
  /// to that is about something else.
  @Test(arguments: [nil, [], [HTTPHeader("ETag", "\"1\"")]] as [[HTTPHeader]?])
  func `no change that nobody asked about is an error`(known: [HTTPHeader]?) async throws {
    let host = Host()
    let feed = try subscription(host)
    var state: StreamState?
    if let known {
      host.set(Self.calendar, known)
      state = try text(try await feed.fetch(unless: nil)).1
    }
    host.set([], status: 304, [HTTPHeader("ETag", "\"2\"")])
    let error = try await #require(throws: StorageError.self) {
      _ = try await feed.fetch(unless: state)
    }
    #expect(error.kind == .protocolBroken)
    #expect(error.message.hasSuffix("says that nothing changed, although it was not asked"))
    #expect(host.conditions == [])
  }

  @Test func `a feed may come compressed`() async throws {
    let host = Host()
    host.set(Self.calendar)
    _ = try await subscription(host).fetch(unless: nil)
    let request = try #require(host.state.withLock { $0.seen.first })
    #expect(request.acceptsCompression)
    #expect(!request.headers.contains { $0.name == "Accept-Encoding" })
  }

  /// How many calendars it is of, in what coding it comes, and whether it is asked for once more.
  @Test(
    arguments: [
      (1, "gzip", false), (2, "gzip", true), (2, "identity", false), (2, nil, false),
    ] as [(Int, String?, Bool)])
  func `a compressed feed of several calendars is asked for as it is, once`(
    count: Int, coding: String?, isAskedAgain: Bool
  ) async throws {
    let host = Host()
    let headers = coding.map { [HTTPHeader("Content-Encoding", $0)] } ?? []
    let body = Array(repeating: Self.calendar, count: count).flatMap(\.self)
    host.set(body, headers)
    let feed = try subscription(host)
    let (_, state) = try text(try await feed.fetch(unless: nil))
    let seen = host.state.withLock { $0.seen.map(\.acceptsCompression) }
    #expect(seen == (isAskedAgain ? [true, false] : [true]))
    // What is as it was needs no second look.
    _ = try self.state(try await feed.fetch(unless: state))
    #expect(host.state.withLock { $0.seen.count } == seen.count + 1)
    // Of one that had several, one may be what is left.
    host.set(event("b").bytes, headers)
    _ = try text(try await feed.fetch(unless: state))
    #expect(host.state.withLock { $0.seen.count } == seen.count + (isAskedAgain ? 3 : 2))
  }

  @Test(arguments: ["", "\u{FEFF}", "\r\n \t", "\u{FEFF}\n"])
  func `a calendar that its server calls HTML is one, and a web page is none`(lead: String)
    async throws
  {
    let host = Host()
    let html = HTTPHeader("Content-Type", "text/html; charset=UTF-8")
    host.set(Array(lead.utf8) + Self.calendar, [html])
    let found = try text(try await subscription(host).fetch(unless: nil)).0
    #expect(found.hasPrefix("BEGIN:VCALENDAR\r\n"), "\(found)")
    host.set(Array("\(lead)<html>BEGIN:VCALENDAR</html>".utf8), [html])
    let error = try await #require(throws: StorageError.self) {
      _ = try await subscription(host).fetch(unless: nil)
    }
    #expect(error.kind == .protocolBroken && error.message.hasSuffix("is a web page"))
  }

  @Test(arguments: ["text/calendar", "text/calendar; charset=ISO-8859-1"])
  func `a feed in Windows-1252 is read`(type: String) async throws {
    let host = Host()
    let head = Array("BEGIN:VCALENDAR\r\nX-NAME:Caf".utf8)
    let tail = Array("\r\nEND:VCALENDAR\r\n".utf8)
    host.set(head + [0xE9] + tail, [HTTPHeader("Content-Type", type)])
    let found = try text(try await subscription(host).fetch(unless: nil)).0
    #expect(found == "BEGIN:VCALENDAR\r\nX-NAME:Caf\u{E9}\r\nEND:VCALENDAR\r\n")
  }

  @Test func `a feed in another encoding is refused, and why`() async throws {
    let host = Host()
    host.set(
      Self.calendar + [0xB1], [HTTPHeader("Content-Type", "text/calendar; charset=ISO-8859-2")])
    let error = try await #require(throws: StorageError.self) {
      _ = try await subscription(host).fetch(unless: nil)
    }
    #expect(error.kind == .protocolBroken && error.why.contains("iso-8859-2"))
    #expect(!error.hint.contains("later"))
  }

  @Test(arguments: [401, 403])
  func `a feed for some is refused without talk of a user name`(status: Int) async throws {
    let host = Host()
    host.set([], status: status, [HTTPHeader("WWW-Authenticate", "Basic realm=\"x\"")])
    let error = try await #require(throws: StorageError.self) {
      _ = try await subscription(host).fetch(unless: nil)
    }
    #expect(error.kind == .denied && error.hint.contains("private address"))
    #expect(!"\(error)".contains("username") && !"\(error)".contains("secret"))
    #expect(host.state.withLock { $0.seen.count } == 1)
  }

  @Test(arguments: [
    "/get?file=/x.ics", "/get?file=%2Fx.ics&n=1", "https://cdn.example/feeds/x.ics?f=/x.ics",
  ])
  func `a feed may lead to an address with its own path in it`(target: String) async throws {
    let next = target.hasPrefix("/") ? "https://feeds.example\(target)" : target
    let transport = ScriptedTransport(
      try Exchange(
        """
        > GET https://feeds.example/x.ics
        < 302
        < Location: \(target)
        > GET \(next)
        < 200
        < Content-Type: text/calendar
        BEGIN:VCALENDAR
        END:VCALENDAR
        """))
    let feed = try Subscription(
      url: "https://feeds.example/x.ics", transport: transport,
      surroundings: ModelClock().surroundings, digest: sha256)
    #expect(try text(try await feed.fetch(unless: nil)).0.hasPrefix("BEGIN:VCALENDAR"))
    #expect(transport.complaints == [])
  }

  @Test func `a feed that leads to itself is told as one, without talk of CalDAV`() async throws {
    let host = Host()
    host.set([], status: 302, [HTTPHeader("Location", "/secret/x.ics")])
    let error = try await #require(throws: StorageError.self) {
      _ = try await subscription(host).fetch(unless: nil)
    }
    #expect(error.kind == .protocolBroken && error.why == "they lead in a circle")
    #expect(error.hint.contains("another address of the calendar"), "\(error.hint)")
    for word in ["CalDAV", "provider", "secret"] { #expect(!"\(error)".contains(word)) }
  }

  /// Gives no answer.
  private struct Trouble: HTTPTransport {
    let error: TransportError
    var traffic: HTTPTraffic { HTTPTraffic() }
    func send(
      _ request: HTTPRequest, into sink: any BodySink
    ) async throws(TransportError) -> HTTPResponseHead {
      throw error
    }
  }

  @Test(
    arguments: [
      (.tls, "self-signed certificate", "trusts"), (.tls, "odd alert", "trusts"),
      (.tls, "wrong version number", "webcal:"), (.certificateWanted, "none", "private address"),
      (.noConnection, "refused", "webcal:"), (.timeout, "slow", "later"),
      (.proxyDenied, "407", "https_proxy"),
    ] as [(TransportError.Kind, String, String)])
  func `a mend names no key that a subscription does not have`(
    kind: TransportError.Kind, words: String, expected: String
  ) async throws {
    let feed = try Subscription(
      url: "https://feeds.example/secret/x.ics",
      transport: Trouble(error: TransportError(kind, words, mayHaveActed: false)),
      surroundings: ModelClock().surroundings, digest: sha256)
    let error = try await #require(throws: StorageError.self) {
      _ = try await feed.fetch(unless: nil)
    }
    #expect(error.hint.contains(expected), "\(error.hint)")
    #expect(!"\(error)".contains("secret"))
    for key in ["ca_file", "client_", "timeout", "proxy =", "pin_", "allow_", "http://"] {
      #expect(!error.hint.contains(key), "\(error.hint)")
    }
  }

  @Test func `a feed that leads to plain http is not read, and no key would help`() async throws {
    let transport = ScriptedTransport(
      try Exchange(
        """
        > GET http://localhost/x.ics
        < 302
        < Location: http://feeds.example/x.ics
        """))
    let feed = try Subscription(
      url: "http://localhost/x.ics", transport: transport,
      surroundings: ModelClock().surroundings, digest: sha256)
    let error = try await #require(throws: StorageError.self) {
      _ = try await feed.fetch(unless: nil)
    }
    #expect(error.kind == .denied)
    #expect(error.hint.contains("https") && !error.hint.contains("allow_http"))
    #expect(error.hint.contains("open a page in a browser"))
  }
}
