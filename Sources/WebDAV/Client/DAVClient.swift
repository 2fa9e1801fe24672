import Synchronization

/// A request of WebDAV, before credentials and redirects.
package struct DAVRequest: Sendable {
  package var method: String
  package var url: WebURL
  package var headers: [HTTPHeader]
  package var body: [UInt8]
  /// It goes out on a connection that carried no request before.
  package var wantsNewConnection = false
  /// It goes out over HTTP/1.1.
  package var avoidsHTTP2 = false
  /// A redirect may lead it to a server that nobody vouches for, without credentials. What such a
  /// one says of an account's calendar is worth nothing.
  package var mayMeetStrangers = false
  /// It tells whether another one was refused for good.
  var isLook = false
  /// Once the run is to end it is not sent any more.
  package var endsAtStop = false
  /// How long it is put off where a server asks to wait.
  package var waiting = Waiting.untilEnd
  /// The answer may come compressed. Entity tags are others then with some servers, so what guards
  /// writes by them does without.
  package var acceptsCompression = false

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

  var makesCollection: Bool { ["MKCALENDAR", "MKCOL"].contains(method) }
}

/// The head of the final answer, and the address that gave it.
package struct DAVAnswer: Sendable {
  package let status: Int
  package let head: HTTPResponseHead
  package let url: WebURL
  /// What it may have sent back.
  let secrets: KnownSecrets

  /// Its address in a message.
  package var place: String { secrets.shown(url) }

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
  /// Shown instead of a user name and a password.
  package var tokens: (any BearerTokens)?
  /// There may be a user name or a token at all; else 401 is an answer like any other.
  package var signsIn = true
  /// What servers may send back, to be taken out of their words.
  package var secrets = KnownSecrets()
  /// Plain http also to other machines.
  package var allowsHTTP = false
  /// Whatever the URL, nothing leaves this machine unencrypted: it goes through a Unix socket.
  package var staysHere = false
  /// Sent as User-Agent; nil leaves it to the transport.
  package var userAgent: String?
  /// In milliseconds since 1970, to understand dates in Retry-After.
  package var now: @Sendable () -> Int64
  /// Requests at once over HTTP/1; over HTTP/2 there may be more, but where this is 1.
  package var maxConnections = 4
  /// How many at once there are at first, by what earlier runs met.
  package var beginning = Pace.Beginning.full
  /// HTTP/2 failed in an earlier run: HTTP/1.1 is spoken.
  package var avoidsHTTP2 = false
  package var patience = Patience()
  /// A person has vouched for an address's server: a redirect there takes the credentials along.
  package var vouchesFor: @Sendable (WebURL) -> Bool = { _ in false }
  /// What a person wrote that refuses the server of an address, as `!HOST`; nil where nothing does.
  package var refusal: @Sendable (WebURL) -> String? = { _ in nil }

  package init(now: @escaping @Sendable () -> Int64) { self.now = now }

  /// There is nothing to show to a server.
  var isAnonymous: Bool { username == nil && tokens == nil }
}

/// Sends WebDAV requests over a transport: it follows redirects, finds the authentication scheme,
/// and turns what is no answer into errors.
///
/// Credentials go to trusted origins alone: that of the configured URL, and those that `trust` was
/// told of. A write never leaves its origin.
package final class DAVClient: Sendable {
  /// Redirects followed for one request: discovery needs three.
  static let mostRedirects = 5

  struct Learned {
    var trusted: Set<String>
    /// The scheme that an origin asked for.
    var schemes: [String: HTTPCredentials.Scheme] = [:]
    /// Origins that gave an answer, of any status: there the scheme and the port are right.
    var answering: Set<String> = []
    /// Origins that took what they were shown, each with the first address where one did.
    var welcoming: [String: WebURL] = [:]
    /// What became of the credentials there and elsewhere.
    var standing = Standing()
    /// Looks under way that find that out, and requests that wait for what they find.
    var looks = 0
    var waitingForLooks: [CheckedContinuation<Void, Never>] = []
    /// Origins at which nothing was found that asks who we are.
    var askingNobody: Set<String> = []
    /// Requests in a row that the proxy refused: one alone may be about its address.
    var proxyDenials = 0
    /// Where redirects led that wanted credentials, one address a server, in the order of the way.
    var strangers: [WebURL] = []
    /// Where the last redirect led that left https, and was not followed.
    var downgrade: WebURL?
    /// Writes that an origin left unread on a connection which it had ended.
    var unread: [String: Int] = [:]
    /// Origins that take and close new connections while they have others of ours.
    var turningAway: Set<String> = []
    /// How far the clocks of origins are ahead of ours, in milliseconds.
    var clocks: [String: ServerClock] = [:]
    /// Origins that speak HTTP/2: there all streams of a connection end at once, and it costs most.
    var multiplexed: Set<String> = []
    var multiplexing = Multiplexing.unknown
    /// Where collections have moved, by their old addresses.
    var moved: [String: WebURL] = [:]
  }

  private let transport: any HTTPTransport
  let access: DAVAccess
  let learned: Mutex<Learned>
  package let pace: Pace

  package init(transport: any HTTPTransport, access: DAVAccess, trusting origin: String) {
    self.transport = transport
    self.access = access
    pace = Pace(most: access.maxConnections, beginning: access.beginning)
    learned = Mutex(Learned(trusted: [origin]))
    if let username = access.username { access.secrets.add(access.password, of: username) }
  }

  /// Lets an origin have the credentials from now on.
  package func trust(_ origin: String) {
    learned.withLock { _ = $0.trusted.insert(origin) }
  }

  /// Where a redirect led may be the account's: it has nothing to lose there, or the server is one
  /// that gets its credentials.
  package func accepts(_ origin: String) -> Bool { isAnonymous || trusts(origin) }

  /// There is nothing to show to a server.
  package var isAnonymous: Bool { access.isAnonymous }

  /// A server has refused what it was shown, or wanted something else, or there is no token.
  package var wasRefused: Bool {
    let standing = learned.withLock(\.standing)
    return standing.wasRefused || standing.lacksToken
  }

  /// No token can be had. A person may have been asked for one, so nothing more is to be tried.
  package var lacksToken: Bool { learned.withLock(\.standing.lacksToken) }

  /// Where redirects led that wanted credentials and got none, since nobody has vouched for these
  /// servers. Each is the address that was asked there, in the order of the way.
  package var strangers: [WebURL] {
    learned.withLock { learned in
      learned.strangers.filter { !learned.trusted.contains($0.origin) }
    }
  }

  /// Where the last redirect led from https to http. It was not followed: a server that does not
  /// know that a proxy speaks https for it names its own pages so.
  package var downgrade: WebURL? { learned.withLock { $0.downgrade } }

  package func trusts(_ origin: String) -> Bool {
    learned.withLock { $0.trusted.contains(origin) }
  }

  /// Requests at once, at this time: fewer than `maxConnections` while the server has too much to
  /// do, more where it speaks HTTP/2.
  package var requestsAtOnce: Int { pace.width }

  /// What the servers may send back, to be taken out of their words.
  package var secrets: KnownSecrets { access.secrets }

  /// The most requests that were on their way at once.
  package var mostAtOnce: Int { pace.peak }

  /// Whether HTTP/2 works with the servers.
  package var multiplexing: Multiplexing { learned.withLock(\.multiplexing) }

  /// Whether the server asked to wait.
  package var throttling: Throttling { pace.throttling }

  /// Sends a request and gives the final answer, with the sink that took its body. Any status but
  /// 401, the redirects and those that ask to wait is an answer.
  package func send<Sink: AnswerSink>(
    _ request: DAVRequest, into makeSink: () -> Sink
  ) async throws(DAVError) -> (DAVAnswer, Sink) {
    var attempt = beginning(of: request)
    while true {
      try check(attempt)
      try await awaitTurn(&attempt)
      let sink = makeSink()
      let http = try await build(attempt)
      let head: HTTPResponseHead
      let hadCompany: Bool
      let departure = await pace.enter()
      // A pause, or the end of the run, may have been asked for meanwhile.
      if pace.rest(of: attempt.url.origin, at: access.now()) != nil || request.isTooLate {
        _ = pace.leave(departure)
        continue
      }
      do throws(TransportError) {
        head = try await transport.send(http, into: sink)
        hadCompany = pace.leave(departure)
        if head.status != 407 { notePassage(to: attempt.url.origin) }
      } catch {
        let hadCompany = pace.leave(departure)
        if goesAgain(after: error, departure, hadCompany: hadCompany, &attempt) { continue }
        let hasAnswered = learned.withLock { $0.answering.contains(attempt.url.origin) }
        let trouble = DAVError(
          error, method: request.method, url: attempt.url, hasAnswered: hasAnswered,
          hadCompany: hadCompany, hiding: access.secrets)
        if error.kind == .proxyDenied { noteProxyDenial(trouble, to: attempt.url.origin) }
        throw trouble.redirected(from: request.url, to: attempt.url)
      }
      switch head.status {
      case 301, 302, 307, 308:
        try follow(head, &attempt)
      // RFC 6764 §5 has it for the well-known address, where it means no more than the others do.
      case 303 where request.isRead:
        try follow(head, &attempt)
      case 401 where access.signsIn:
        try await authenticate(head, http.credentials, &attempt)
      case 407:
        let denial = DAVError(proxyDenying: attempt.url, why: "it answered 407")
        noteProxyDenial(denial, to: attempt.url.origin)
        throw denial
      case _ where Self.asksToWait(head) || DAVRefusal.isQuota(sink.beginning, head.status):
        try putOff(head, departure, &attempt)
      case 423 where hadCompany && request.maySendAgain && putOff(crowded: &attempt, departure):
        continue
      default:
        if goesBack(after: head, &attempt) { continue }
        let answer = DAVAnswer(
          status: head.status, head: head, url: attempt.url, secrets: access.secrets)
        if try await isAsked(after: answer, &attempt) { continue }
        try checkIdentity(answer, http.credentials, attempt)
        pace.wentWell(isMultiplexed: head.isMultiplexed)
        note(head, http, at: attempt.url)
        notePlace(after: head, of: attempt)
        return (answer, sink)
      }
    }
  }

  private func check(_ attempt: Attempt) throws(DAVError) {
    if let error = learned.withLock(\.standing.shutOut) { throw error }
    let url = attempt.url
    guard url.scheme == .https || url.isLoopback || access.allowsHTTP else {
      // Who would allow that for the account would allow it for a host that is not the account's.
      let isElsewhere = url.host != attempt.request.url.host
      throw DAVError(
        .denied, "\(url.origin) is not asked, since plain http can be overheard",
        why: "the URL begins with http:",
        hint: isElsewhere
          ? DAVError.signInFirst + "; if the calendars have moved there, set the account's url to"
            + " that server's address with https:"
          : "use https, or set allow_http = true",
        mayHaveActed: false)
    }
  }

  private func build(_ attempt: Attempt) async throws(DAVError) -> HTTPRequest {
    let request = attempt.request
    var headers = request.headers
    if !request.acceptsCompression { headers.append(HTTPHeader("Accept-Encoding", "identity")) }
    if let agent = access.userAgent { headers.append(HTTPHeader("User-Agent", agent)) }
    var http = HTTPRequest(
      method: request.method, url: attempt.url.text, headers: headers, body: request.body,
      credentials: try await credentials(for: attempt), mayIdentify: trusts(attempt.url.origin))
    http.wantsNewConnection = wantsNewConnection(attempt)
    http.avoidsHTTP2 = access.avoidsHTTP2 || request.avoidsHTTP2
    http.acceptsCompression = request.acceptsCompression
    return http
  }
}
