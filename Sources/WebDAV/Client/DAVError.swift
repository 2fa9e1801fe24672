/// Why there is no usable answer from a server.
package struct DAVError: Error, Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case unreachable
    /// A connection ended before one line of the answer, or HTTP/2 failed.
    case unanswered
    /// The server asked to wait; in milliseconds where it said how long.
    case tryLater(Int64?)
    /// What came is not what the protocol asks for.
    case protocolBroken
    /// A multistatus that is no well-formed XML: one broken item suffices for that.
    case illFormed
    /// A body beyond the limit.
    case tooLarge
    case denied
    /// A redirect leads to a server that nobody has vouched for.
    case elsewhere
    /// Something on this machine failed, as a full disk.
    case local
    case stopped
  }

  package var kind: Kind
  /// What failed and where, without a full stop.
  package var message: String
  package var why: String
  package var hint: String
  /// The server may have acted on the request.
  package var mayHaveActed: Bool
  /// Where an answer came from that cannot be used; redirects led there.
  package var place: WebURL?
  /// The server redirected the request again and again.
  package var isEndless = false
  /// HTTP/2 failed with an error of its own: over HTTP/1.1 there may be an answer.
  package var isOfHTTP2 = false
  /// The server was waited for, and asks to wait again.
  package var isAskedAgain = false
  /// Whoever answered is not known to be the server.
  package var isUntrusted = false

  package init(
    _ kind: Kind, _ message: String, why: String = "", hint: String = "", mayHaveActed: Bool = true
  ) {
    self.kind = kind
    self.message = message
    self.why = why
    self.hint = hint
    self.mayHaveActed = mayHaveActed
  }

  /// What helps where a network answers in place of the server.
  package static let signInFirst =
    "a network where somebody has to sign in leads elsewhere like this: open a page in a browser,"
    + " then run it again"

  /// What helps where an account's URL leads nowhere.
  package static let findAddress = "your provider's help names the one for CalDAV"

  /// The same, with what led there where it was no URL of the account's.
  func redirected(from start: WebURL, to place: WebURL) -> DAVError {
    guard start.origin != place.origin else { return self }
    var error = self
    let way = "a redirect from \(start.origin) leads there"
    error.why = why.isEmpty ? way : "\(why); \(way)"
    return error
  }

  /// The same, of an answer that came from `place`.
  func answered(from place: WebURL) -> DAVError {
    var error = self
    error.place = place
    return error
  }

  /// The request was under way when its connection ended, or when it had taken too long: the server
  /// was there, and may well answer another request.
  package var isBrokenOff: Bool {
    (kind == .unreachable || kind == .unanswered) && mayHaveActed
  }

  /// What a transport could not do, in the words of a request.
  ///
  /// - Parameters:
  ///   - hasAnswered: the same server gave answers before.
  ///   - hadCompany: other requests to it were under way.
  ///   - secrets: what is not shown of the URL.
  package init(
    _ error: TransportError, method: String, url: WebURL, hasAnswered: Bool = false,
    hadCompany: Bool = false, hiding secrets: KnownSecrets = KnownSecrets()
  ) {
    let place = "\(method) \(secrets.shown(url))"
    switch error.kind {
    case .unknownHost:
      self.init(
        .unreachable, "the host \(url.host) is not known", why: error.message,
        hint: "check the URL and the network connection")
    case .noConnection:
      self.init(
        .unreachable, "no connection to \(url.origin)", why: error.message,
        hint: "check the URL, the proxy if there is one, and the network connection, or try again "
          + "later")
    case .tls:
      self.init(
        .unreachable, "no trusted connection to \(url.origin)", why: error.message,
        hint: TLSTrouble(error.message).hint)
    case .unexpectedKey:
      self.init(
        .unreachable, "the key of \(url.origin) is not the expected one", why: error.message,
        hint: "`calgw doctor` shows the digest of the key that the server has now: if its operator "
          + "confirms that the key was renewed, put that into pin_sha256")
    case .certificateWanted:
      self.init(
        .denied, "\(url.origin) wants a client certificate, or another one", why: error.message,
        hint: "set client_cert and client_key to the certificate that was made for you; one that "
          + "ran out or was revoked has to be made anew")
    case .proxyDenied: self.init(proxyDenying: url, why: error.message)
    case .timeout, .tooSlow:
      let limit = error.kind == .tooSlow ? "lower min_rate" : "raise timeout"
      self.init(
        .unreachable, "the server did not answer \(place) in time", why: error.message,
        hint: "try again later, or \(limit)"
          + (hadCompany ? "; if it serves one connection at a time, set max_connections = 1" : ""))
    case .interrupted, .unanswered, .turnedAway, .multiplexingFailed:
      self.init(
        error.kind == .interrupted ? .unreachable : .unanswered,
        "the connection broke during \(place)", why: error.message,
        hint: error.kind == .turnedAway && url.scheme == .http && !hasAnswered
          ? "try again later; if that port is one of https, begin the URL with https:"
          : "try again later")
    case .malformed:
      self.init(
        .protocolBroken, "the answer to \(place) cannot be read", why: error.message,
        hint: "check the URL; if it is right, tell the server's operator")
    case .refusedBody:
      self.init(
        .tooLarge, "the answer to \(place) is too large", why: error.message,
        hint: "check the URL; a calendar this large must be split")
    case .badRequest:
      self.init(
        .protocolBroken, "\(place) cannot be sent", why: error.message, hint: "check the URL")
    case .cancelled:
      self.init(.stopped, "stopped during \(place)", why: error.message)
    }
    mayHaveActed = error.mayHaveActed
    (isOfHTTP2, isUntrusted) = (error.kind == .multiplexingFailed, error.isUntrusted)
  }

  /// Status 407, from the proxy and not from the server.
  init(proxyDenying url: WebURL, why: String) {
    self.init(
      .denied, "the proxy on the way to \(url.origin) wants a user name and a password, or others",
      why: why,
      hint: "give the proxy's URL with them as a secret, as proxy = { command = [\"…\"] }",
      mayHaveActed: false)
  }
}

extension TransportError {
  /// TLS does not show who it is that answers.
  fileprivate var isUntrusted: Bool { kind == .tls || kind == .unexpectedKey }
}
