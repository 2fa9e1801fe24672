import WebDAV

/// A request that was checked and is ready to be handed to libcurl.
struct OutgoingRequest: Sendable {
  let url: RequestURL
  let method: String
  /// Header lines as libcurl takes them: NUL-terminated, without a line end.
  let headerLines: [[UInt8]]
  let body: [UInt8]
  /// Set when the answer to a challenge is to be computed.
  let digest: DigestLogin?
  /// A client certificate may be shown.
  let mayIdentify: Bool
  /// No connection that is open already will do.
  let wantsNewConnection: Bool
  /// HTTP/1.1 is spoken whatever else the server offers.
  let avoidsHTTP2: Bool
  /// The server is told that the answer may come compressed.
  let acceptsCompression: Bool

  struct DigestLogin: Sendable, Hashable {
    let username: [UInt8]
    let password: [UInt8]
  }

  /// Headers that follow from the request itself or from the connection.
  private static let ownHeaders: Set<String> = [
    "connection", "content-length", "expect", "host", "keep-alive", "proxy-authorization",
    "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// Methods that change nothing (RFC 9110 section 9.2.1, RFC 4918, RFC 3253).
  private static let safeMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "PROPFIND", "REPORT"]

  /// Methods that are sent without a `Content-Length` when there is no body.
  private static let bodilessMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "DELETE"]

  var isSafe: Bool { Self.safeMethods.contains(method) }
  var isHead: Bool { method == "HEAD" }
  var sendsLength: Bool { !body.isEmpty || !Self.bodilessMethods.contains(method) }

  init(checking request: HTTPRequest) throws(TransportError) {
    do { url = try RequestURL(request.url) } catch { throw .unfit("the URL", error.reason) }
    method = request.method
    guard !method.isEmpty, method.utf8.allSatisfy(ASCII.isTokenByte) else {
      throw .unfit("the method", "it is not a token")
    }
    body = request.body
    guard body.isEmpty || (method != "GET" && method != "HEAD") else {
      throw .unfit("the request", "\(method) carries no body")
    }
    var lines: [[UInt8]] = []
    for header in request.headers { lines.append(try Self.line(header)) }
    let names = Set(request.headers.map { $0.name.lowercased() })
    if let credentials = request.credentials {
      guard !names.contains("authorization") else {
        throw .unfit("the request", "it has both credentials and an Authorization header")
      }
      try Self.check(credentials)
    }
    digest =
      switch request.credentials?.scheme {
      case .digest:
        request.credentials.map { DigestLogin(username: $0.username, password: $0.password) }
      case .basic, .bearer, nil: nil
      }
    if let value = request.credentials?.headerValue {
      lines.append(try Self.line(HTTPHeader("Authorization", value)))
    }
    mayIdentify = request.mayIdentify
    wantsNewConnection = request.wantsNewConnection
    avoidsHTTP2 = request.avoidsHTTP2
    acceptsCompression = request.acceptsCompression
    // Without the header a server may choose any coding (RFC 9110 section 12.5.3). Where one is
    // wanted, libcurl says which.
    if !names.contains("accept-encoding"), !acceptsCompression {
      lines.append(Self.text("Accept-Encoding: identity"))
    }
    // A name without a value takes back what libcurl would add by itself.
    if !names.contains("content-type") { lines.append(Self.text("Content-Type:")) }
    lines.append(Self.text("Expect:"))
    headerLines = lines
  }

  private static func text(_ line: String) -> [UInt8] { Array(line.utf8) + [0] }

  private static func line(_ header: HTTPHeader) throws(TransportError) -> [UInt8] {
    guard !header.name.isEmpty, header.name.utf8.allSatisfy(ASCII.isTokenByte) else {
      throw .unfit("a header's name", "it is not a token")
    }
    guard !ownHeaders.contains(header.name.lowercased()) else {
      throw .unfit("the header \(header.name)", "it follows from the request and cannot be set")
    }
    guard header.value.allSatisfy({ !ASCII.isControl($0) || $0 == 0x09 }) else {
      throw .unfit("the header \(header.name)", "its value holds a control character")
    }
    let name = Array(header.name.utf8)
    // libcurl sends an empty value for a semicolon; a colon alone would remove the header.
    if ASCII.trimmed(header.value).isEmpty { return name + [UInt8(ascii: ";"), 0] }
    return name + [UInt8(ascii: ":"), 0x20] + header.value + [0]
  }

  /// RFC 7617 section 2: a name with a colon cannot be told from its password.
  private static func check(_ credentials: HTTPCredentials) throws(TransportError) {
    guard !credentials.username.contains(UInt8(ascii: ":")) else {
      throw .unfit("the user name", "it holds a colon")
    }
    guard !credentials.username.contains(where: ASCII.isControl) else {
      throw .unfit("the user name", "it holds a control character")
    }
    guard !credentials.password.contains(where: ASCII.isControl) else {
      throw .unfit("the password", "it holds a control character")
    }
    guard credentials.scheme != .bearer || !credentials.password.contains(0x20) else {
      throw .unfit("the token", "it holds a blank")
    }
  }
}

extension TransportError {
  fileprivate static func unfit(_ what: String, _ why: String) -> TransportError {
    TransportError(.badRequest, "\(what) cannot be sent: \(why)", mayHaveActed: false)
  }
}
