import SyncModel
package import WebDAV

/// Why an authorization server gave no token.
enum TokenFailure: Error {
  /// It said so, in the words of OAuth.
  case refused(TokenRefusal)
  /// There was no such answer.
  case failed(DAVError)
}

/// The requests that calgw makes of an authorization server in its own name.
package struct TokenEndpoint: Sendable {
  /// Bytes of an answer that are looked at: a token and a few words.
  private static let longestAnswer = 64 << 10

  let oauth: OAuthConfiguration
  let secret: Secret?
  let transport: any HTTPTransport
  /// Whose sign-in it is.
  var account = ""
  /// What is sent and given here, to be taken out of the server's words.
  var secrets = KnownSecrets()
  /// In milliseconds since 1970, to understand dates in Retry-After.
  var now: @Sendable () -> Int64 = { Surroundings.live.now().milliseconds }

  package init(
    oauth: OAuthConfiguration, secret: Secret?, transport: any HTTPTransport,
    secrets: KnownSecrets = KnownSecrets(),
    now: @escaping @Sendable () -> Int64 = { Surroundings.live.now().milliseconds }
  ) {
    self.oauth = oauth
    self.secret = secret
    self.transport = transport
    self.secrets = secrets
    self.now = now
  }

  /// What the server answered.
  struct Reply {
    var status: Int
    var body: [UInt8]
    /// There was more of it.
    var isCut: Bool
    /// How long it asks to wait, in milliseconds; nil where it does not say.
    var wait: Int64?
  }

  /// Fields of a form that are secret.
  private static let secretFields: Set<String> = [
    "client_secret", "code", "code_verifier", "device_code", "refresh_token",
  ]

  /// Asks for a token with a grant (RFC 6749 §4.1.3, §6; RFC 8628 §3.4).
  func token(_ grant: [(String, String)]) async throws(TokenFailure) -> TokenAnswer {
    let reply = try await ask(oauth.tokenURL, grant)
    guard reply.status == 200 || reply.status == 201 else {
      throw failure(reply, of: oauth.tokenURL)
    }
    guard let answer = TokenAnswer(body: reply.body) else {
      // Some refuse with a status of success, where RFC 6749 §5.2 has 400.
      if let refusal = TokenRefusal(body: reply.body, hiding: secrets) {
        throw failure(refusal, after: reply.wait)
      }
      let why = reply.isCut ? "it is too long" : "no token of the kind Bearer is in it"
      throw .failed(Self.broken(why, oauth.tokenURL))
    }
    hide([answer.accessToken, answer.refreshToken])
    return answer
  }

  /// Sends a form in the client's name.
  ///
  /// The client's secret goes into the body first, which the large providers want, and by Basic to
  /// a server that refuses that (RFC 6749 §2.3.1, RFC 8628 §3.1).
  func ask(
    _ url: String, _ form: [(String, String)]
  ) async throws(TokenFailure) -> Reply {
    var fields = form + [("client_id", oauth.clientID)]
    guard let secret else { return try await post(url, fields, credentials: nil) }
    fields.append(("client_secret", String(decoding: secret.bytes, as: UTF8.self)))
    let reply = try await post(url, fields, credentials: nil)
    guard reply.status == 401 || refusal(reply).code == "invalid_client" else { return reply }
    let login = HTTPCredentials(
      username: formEncoded(oauth.clientID), password: formEncoded(secret.bytes), scheme: .basic)
    return try await post(url, form, credentials: login)
  }

  private func post(
    _ url: String, _ fields: [(String, String)], credentials: HTTPCredentials?
  ) async throws(TokenFailure) -> Reply {
    hide(fields.map { Self.secretFields.contains($0.0) ? $0.1 : nil })
    if let credentials { secrets.add(credentials.password, of: credentials.username) }
    var request = HTTPRequest(
      method: "POST", url: url,
      headers: [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")],
      body: encodeForm(fields))
    request.credentials = credentials
    return try await send(request)
  }

  /// Reads a document.
  func get(_ url: String) async throws(TokenFailure) -> Reply {
    try await send(HTTPRequest(method: "GET", url: url))
  }

  private func send(_ request: HTTPRequest) async throws(TokenFailure) -> Reply {
    var request = request
    request.headers.append(HTTPHeader("Accept", "application/json"))
    // A page of any length may say that there is no such document, or that it is to come later.
    let sink = BytesSink(limit: Self.longestAnswer, dropsExcess: true)
    do throws(TransportError) {
      let head = try await transport.send(request, into: sink)
      return Reply(
        status: head.status, body: sink.bytes, isCut: sink.isCut,
        wait: RetryAfter.milliseconds(head, now: now()))
    } catch {
      guard let place = try? WebURL(absolute: request.url) else {
        throw .failed(Self.broken("its URL cannot be used", request.url))
      }
      throw .failed(
        unreached(DAVError(error, method: request.method, url: place.replacingPath("/"))))
    }
  }

  /// Which of the account's servers it is: the one of its calendars may be well.
  private func unreached(_ error: DAVError) -> DAVError {
    var error = error
    error.why = "account \(account) signs in there (token_url in oauth2): \(error.why)"
    error.hint = error.hint.replacing("check the URL", with: "check token_url")
    return error
  }

  /// Takes down what the server may send back.
  func hide(_ tokens: [String?]) {
    for case let token? in tokens { secrets.add(Array(token.utf8)) }
  }

  private func refusal(_ reply: Reply) -> TokenRefusal {
    TokenRefusal(status: reply.status, body: reply.body, hiding: secrets)
  }

  /// An answer that is none of success.
  func failure(_ reply: Reply, of url: String) -> TokenFailure {
    let refusal = self.refusal(reply)
    switch reply.status {
    case 429, 503: return .failed(Self.busy(refusal, reply.wait))
    case 500...599: return .failed(Self.down(refusal))
    case 400...499: return failure(refusal, after: reply.wait)
    default: return .failed(Self.broken("it answered \(reply.status)", url))
    }
  }

  /// Some have the words for a trouble that passes (RFC 6749 §4.1.2.1) in a refusal, too.
  private func failure(_ refusal: TokenRefusal, after wait: Int64?) -> TokenFailure {
    switch refusal.code {
    case "temporarily_unavailable": .failed(Self.busy(refusal, wait))
    case "server_error": .failed(Self.down(refusal))
    default: .refused(refusal)
    }
  }

  private static func busy(_ refusal: TokenRefusal, _ wait: Int64?) -> DAVError {
    DAVError(
      .tryLater(wait), "the authorization server asks to wait", why: refusal.reason,
      hint: Patience.hint(wait))
  }

  private static func down(_ refusal: TokenRefusal) -> DAVError {
    DAVError(
      .unreachable, "the authorization server failed", why: refusal.reason, hint: "try again later")
  }

  static func broken(_ why: String, _ url: String) -> DAVError {
    DAVError(
      .protocolBroken, "the answer of the authorization server is not OAuth", why: why,
      hint: "check the URLs in oauth2, as \(visibleText(withoutQuery(url), limit: 200))")
  }
}

/// `application/x-www-form-urlencoded` (RFC 6749 appendix B).
func encodeForm(_ fields: [(String, String)]) -> [UInt8] {
  let pairs = fields.map { formEncoded($0.0) + [UInt8(ascii: "=")] + formEncoded($0.1) }
  return Array(pairs.joined(separator: [UInt8(ascii: "&")]))
}

func formEncoded(_ text: String) -> [UInt8] { formEncoded(Array(text.utf8)) }

func formEncoded(_ bytes: [UInt8]) -> [UInt8] {
  let digits = Array("0123456789ABCDEF".utf8)
  return bytes.flatMap { byte -> [UInt8] in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      [byte]
    default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
}

/// The fields of a query; nil where a name comes twice or an escape is none.
package func decodeForm(_ text: some Sequence<UInt8>) -> [String: String]? {
  var fields: [String: String] = [:]
  for pair in Array(text).split(separator: UInt8(ascii: "&")) {
    let parts = pair.split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first.flatMap(formDecoded),
      let value = parts.count > 1 ? formDecoded(parts[1]) : "",
      fields.updateValue(value, forKey: name) == nil
    else { return nil }
  }
  return fields
}

private func formDecoded(_ text: ArraySlice<UInt8>) -> String? {
  var bytes: [UInt8] = []
  var rest = text
  while let byte = rest.popFirst() {
    guard byte == UInt8(ascii: "%") else {
      bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
      continue
    }
    let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 2, let value = UInt8(exactly: digits[0] << 4 | digits[1]) else {
      return nil
    }
    bytes.append(value)
    rest = rest.dropFirst(2)
  }
  return String(validating: bytes, as: UTF8.self)
}
