/// Sends one HTTP request and streams its answer. Follows no redirect, keeps no cookie, adds no
/// credentials of its own: all of that is decided above it.
public protocol HTTPTransport: Sendable {
  /// Gives the answer's status and headers once its body was handed to `sink` whole.
  func send(_ request: HTTPRequest, into sink: any BodySink) async throws(TransportError)
    -> HTTPResponseHead

  /// What went over the wire so far, for reports.
  var traffic: HTTPTraffic { get }
}

/// Takes the bytes of a body as they arrive, in order, from one thread at a time.
public protocol BodySink: AnyObject, Sendable {
  /// False ends the transfer with `TransportError.Kind.refusedBody`.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool
}

/// A sink that keeps what an answer begins with: an error is told there.
package protocol AnswerSink: BodySink {
  var beginning: [UInt8] { get }
}

/// A header field (RFC 9110 §5); names are compared without case.
public struct HTTPHeader: Sendable, Hashable {
  public var name: String
  /// Bytes as received or to be sent: entity tags are opaque and need not be UTF-8.
  public var value: [UInt8]

  public init(_ name: String, _ value: [UInt8]) {
    self.name = name
    self.value = value
  }

  public init(_ name: String, _ value: String) { self.init(name, Array(value.utf8)) }
}

/// One request, to be sent as it is.
public struct HTTPRequest: Sendable, Hashable {
  public var method: String
  /// Absolute, with everything outside RFC 3986's characters percent-encoded.
  public var url: String
  public var headers: [HTTPHeader]
  public var body: [UInt8]
  /// Set only for an origin that may have them.
  public var credentials: HTTPCredentials?
  /// The origin may know who one is, so a client certificate is shown where it asks for one.
  public var mayIdentify: Bool
  /// It goes out on a connection that carried no request before.
  public var wantsNewConnection = false
  /// It goes out over HTTP/1.1 even where the server offers HTTP/2.
  public var avoidsHTTP2 = false
  /// The server is told that the answer may come compressed. The sink gets it unpacked, here and
  /// where it comes so without that.
  public var acceptsCompression = false

  public init(
    method: String, url: String, headers: [HTTPHeader] = [], body: [UInt8] = [],
    credentials: HTTPCredentials? = nil, mayIdentify: Bool = false
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.credentials = credentials
    self.mayIdentify = mayIdentify
  }
}

/// A name and a secret. Its description never shows the secret.
public struct HTTPCredentials: Sendable, Hashable, CustomStringConvertible {
  /// How the secret is shown to the server.
  public enum Scheme: Sendable, Hashable {
    /// RFC 7617.
    case basic
    /// RFC 7616, MD5 or SHA-256 as the server asks.
    case digest
    /// RFC 6750: the password is the token, and there is no user name.
    case bearer
  }

  public var username: [UInt8]
  public var password: [UInt8]
  public var scheme: Scheme

  public init(username: [UInt8], password: [UInt8], scheme: Scheme) {
    self.username = username
    self.password = password
    self.scheme = scheme
  }

  public var description: String { "credentials (\(scheme))" }
}

/// The status and headers of an answer.
public struct HTTPResponseHead: Sendable, Hashable {
  public var status: Int
  public var headers: [HTTPHeader]
  /// It came over a protocol that carries many exchanges at once on one connection (HTTP/2, RFC
  /// 9113 §5).
  public var isMultiplexed: Bool
  /// It answers a request that went out without its credentials, since the server did not ask for
  /// them: Digest cannot go out unasked (RFC 7616 §3.3).
  public var answersAnybody = false

  public init(status: Int, headers: [HTTPHeader], isMultiplexed: Bool = false) {
    self.status = status
    self.headers = headers
    self.isMultiplexed = isMultiplexed
  }

  /// The values of all headers of a name, compared without case, in order.
  public func values(of name: String) -> [[UInt8]] {
    headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }
}

/// What went over the wire, counted.
public struct HTTPTraffic: Sendable, Hashable {
  public var requests = 0
  public var bytesIn: Int64 = 0
  public var bytesOut: Int64 = 0

  public init() {}
}

/// Why there is no answer. An answer of any status is no error here.
public struct TransportError: Error, Sendable, Hashable {
  /// By what a caller does about it.
  public enum Kind: Sendable, Hashable {
    /// The name does not resolve.
    case unknownHost
    /// No connection: refused, no route, or no answer to the attempt within the time limit.
    case noConnection
    /// The certificate or the handshake was not acceptable.
    case tls
    /// The certificate is valid, but its key is none of those that were pinned.
    case unexpectedKey
    /// The server wants a client certificate, or another one, and did nothing without.
    case certificateWanted
    /// The proxy wants a login, or another one.
    case proxyDenied
    /// Nothing came for too long.
    case timeout
    /// What came was less than the least rate.
    case tooSlow
    /// The connection ended within the exchange, or the answer was cut short.
    case interrupted
    /// A connection that had carried another exchange ended before one line of the answer: mostly
    /// the server had closed it before the request came (RFC 9112 §9.3.1).
    case unanswered
    /// A new connection ended before one line of the answer: the server may take no more of them,
    /// and takes and closes what is too much.
    case turnedAway
    /// HTTP/2 failed with an error of its own (RFC 9113 §5.4). Over HTTP/1.1 the server may answer.
    case multiplexingFailed
    /// What came is not HTTP, or exceeds a limit on headers.
    case malformed
    /// The sink wanted no more.
    case refusedBody
    /// The request itself cannot be sent as it is.
    case badRequest
    case cancelled
  }

  public var kind: Kind
  /// The cause in words; never credentials.
  public var message: String
  /// The server may have acted on the request: true unless nothing of it was sent.
  public var mayHaveActed: Bool

  public init(_ kind: Kind, _ message: String, mayHaveActed: Bool) {
    self.kind = kind
    self.message = message
    self.mayHaveActed = mayHaveActed
  }
}
