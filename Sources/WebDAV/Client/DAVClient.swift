private import Synchronization

/// A request of WebDAV, before credentials and redirects.
package struct DAVRequest: Sendable {
  package var method: String
  package var url: WebURL
  package var headers: [HTTPHeader]
  package var body: [UInt8]

  package init(
    _ method: String, _ url: WebURL, headers: [HTTPHeader] = [], body: [UInt8] = []
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }

  /// It changes nothing on the server, so it may be sent again and may follow a server elsewhere.
  var isRead: Bool { ["PROPFIND", "REPORT", "GET", "HEAD", "OPTIONS"].contains(method) }
}

/// The head of the final answer, and the address that gave it.
package struct DAVAnswer: Sendable {
  package let status: Int
  package let head: HTTPResponseHead
  package let url: WebURL

  /// A page for people instead of data.
  package var isHTML: Bool {
    head.values(of: "Content-Type").contains { value in
      let type = String(decoding: value.trimmed, as: UTF8.self).lowercased()
      return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml")
    }
  }
}

/// Who calgw is to a server, and what is allowed on the way there.
package struct DAVAccess: Sendable {
  package var username: [UInt8]?
  package var password: [UInt8] = []
  package var schemes: [HTTPCredentials.Scheme] = [.basic, .digest]
  /// Plain http also to other machines.
  package var allowsHTTP = false
  /// Sent as User-Agent; nil leaves it to the transport.
  package var userAgent: String?
  /// In milliseconds since 1970, to understand dates in Retry-After.
  package var now: @Sendable () -> Int64

  package init(now: @escaping @Sendable () -> Int64) { self.now = now }
}

/// Sends WebDAV requests over a transport: it follows redirects, finds the authentication scheme,
/// and turns what is no answer into errors.
///
/// Credentials go to trusted origins alone: that of the configured URL, and those that `trust` was
/// told of. A write never leaves its origin.
package final class DAVClient: Sendable {
  /// Redirects followed for one request: discovery needs three.
  static let mostRedirects = 5

  private struct Learned {
    var trusted: Set<String>
    /// The scheme that an origin asked for.
    var schemes: [String: HTTPCredentials.Scheme] = [:]
  }

  private let transport: any HTTPTransport
  private let access: DAVAccess
  private let learned: Mutex<Learned>

  package init(transport: any HTTPTransport, access: DAVAccess, trusting origin: String) {
    self.transport = transport
    self.access = access
    learned = Mutex(Learned(trusted: [origin]))
  }

  /// Lets an origin have the credentials from now on.
  package func trust(_ origin: String) {
    learned.withLock { _ = $0.trusted.insert(origin) }
  }

  package func trusts(_ origin: String) -> Bool {
    learned.withLock { $0.trusted.contains(origin) }
  }

  /// Sends a request and gives the final answer, with the sink that took its body. Any status but
  /// 401, 429, 503 and the redirects is an answer.
  package func send<Sink: BodySink>(
    _ request: DAVRequest, into makeSink: () -> Sink
  ) async throws(DAVError) -> (DAVAnswer, Sink) {
    var attempt = Attempt(request: request)
    while true {
      try check(attempt)
      let sink = makeSink()
      let (http, scheme) = try build(attempt)
      let head: HTTPResponseHead
      do throws(TransportError) {
        head = try await transport.send(http, into: sink)
      } catch {
        if request.isRead, error.kind == .interrupted, !attempt.wasInterrupted {
          attempt.wasInterrupted = true
          continue
        }
        throw DAVError(error, method: request.method, url: attempt.url)
      }
      switch head.status {
      case 301, 302, 307, 308:
        try follow(head, &attempt)
      case 401:
        try authenticate(head, scheme, &attempt)
      case 429, 503:
        throw DAVError(
          .tryLater(RetryAfter.milliseconds(head, now: access.now())),
          "the server asks to wait (status \(head.status) of \(attempt.url.text))",
          hint: "try again later", mayHaveActed: false)
      default:
        return (DAVAnswer(status: head.status, head: head, url: attempt.url), sink)
      }
    }
  }

  /// Where a request stands.
  struct Attempt {
    let request: DAVRequest
    var url: WebURL
    var redirects = 0
    var challenges = 0
    var wasInterrupted = false

    init(request: DAVRequest) {
      self.request = request
      url = request.url
    }
  }

  private func check(_ attempt: Attempt) throws(DAVError) {
    let url = attempt.url
    guard url.scheme == .https || url.isLoopback || access.allowsHTTP else {
      throw DAVError(
        .denied, "\(url.origin) is not asked, since plain http can be overheard",
        why: "the URL begins with http:", hint: "use https, or set allow_http = true",
        mayHaveActed: false)
    }
  }

  private func build(
    _ attempt: Attempt
  ) throws(DAVError) -> (HTTPRequest, HTTPCredentials.Scheme?) {
    let request = attempt.request
    // Compressed answers have other entity tags with some servers.
    var headers = request.headers + [HTTPHeader("Accept-Encoding", "identity")]
    if let agent = access.userAgent { headers.append(HTTPHeader("User-Agent", agent)) }
    let scheme = scheme(for: attempt.url)
    var credentials: HTTPCredentials?
    if let scheme, let username = access.username {
      try Self.checkCredentials(username, access.password, scheme)
      credentials = HTTPCredentials(username: username, password: access.password, scheme: scheme)
    }
    let http = HTTPRequest(
      method: request.method, url: attempt.url.text, headers: headers, body: request.body,
      credentials: credentials)
    return (http, scheme)
  }

  /// The scheme for a URL; nil where there are no credentials for it.
  private func scheme(for url: WebURL) -> HTTPCredentials.Scheme? {
    guard access.username != nil else { return nil }
    return learned.withLock { learned in
      guard learned.trusted.contains(url.origin) else { return nil }
      return learned.schemes[url.origin] ?? access.schemes.first
    }
  }

  /// RFC 7617 §2: a colon in a user name would end it, and controls are not allowed.
  private static func checkCredentials(
    _ username: [UInt8], _ password: [UInt8], _ scheme: HTTPCredentials.Scheme
  ) throws(DAVError) {
    let isAmbiguous = scheme == .basic && username.contains(UInt8(ascii: ":"))
    guard !isAmbiguous, !(username + password).contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw DAVError(
        .denied, "the user name or the password cannot be sent",
        why: isAmbiguous
          ? "Basic authentication has no user names with a colon" : "it holds a control character",
        hint: "check username and password", mayHaveActed: false)
    }
  }

  private func authenticate(
    _ head: HTTPResponseHead, _ sent: HTTPCredentials.Scheme?, _ attempt: inout Attempt
  ) throws(DAVError) {
    attempt.challenges += 1
    let offered = Challenge.schemes(head)
    let possible = access.schemes.filter {
      // Yahoo sends no challenge and takes Basic.
      offered.isEmpty ? $0 == .basic : offered.contains($0 == .basic ? "basic" : "digest")
    }
    if attempt.challenges == 1, let sent, !possible.contains(sent), let next = possible.first {
      learned.withLock { $0.schemes[attempt.url.origin] = next }
      return
    }
    throw denied(attempt.url, offered: offered, hadCredentials: sent != nil)
  }

  private func denied(_ url: WebURL, offered: [String], hadCredentials: Bool) -> DAVError {
    let why = "\(url.text) answered 401"
    if access.username == nil {
      return DAVError(
        .denied, "the server wants a user name and a password", why: why,
        hint: "set username and password", mayHaveActed: false)
    }
    if !hadCredentials {
      return DAVError(
        .denied,
        "\(url.origin) wants credentials and gets none, since it is not the configured server",
        why: why, hint: "if this is the right server, set the account's url to \(url.text)",
        mayHaveActed: false)
    }
    let names = ServerWords.safe(Array(offered.joined(separator: ", ").utf8))
    return DAVError(
      .denied, "the server refused the user name or the password",
      why: offered.isEmpty ? why : "\(why) and offers: \(names)",
      hint: "check username and password; some servers want a password made for the app",
      mayHaveActed: false)
  }
}
