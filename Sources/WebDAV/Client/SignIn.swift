private import Synchronization

extension DAVClient {
  /// What is shown to the server of an attempt; nil where it gets nothing.
  func credentials(for attempt: Attempt) async throws(DAVError) -> HTTPCredentials? {
    guard !access.isAnonymous, trusts(attempt.url.origin) else { return nil }
    if let tokens = access.tokens {
      let token: [UInt8]
      if let next = attempt.nextToken {
        token = next
      } else {
        token = try await tokens.token(insteadOf: nil)
      }
      try Self.checkToken(token)
      return HTTPCredentials(username: [], password: token, scheme: .bearer)
    }
    guard let username = access.username, let scheme = scheme(for: attempt.url) else { return nil }
    try Self.checkLogin(username, access.password, scheme)
    return HTTPCredentials(username: username, password: access.password, scheme: scheme)
  }

  private func scheme(for url: WebURL) -> HTTPCredentials.Scheme? {
    learned.withLock { $0.schemes[url.origin] } ?? access.schemes.first
  }

  /// RFC 7617 §2: a colon in a user name would end it, and controls are not allowed.
  private static func checkLogin(
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

  /// RFC 6750 §2.1 has letters, digits and `-._~+/=`; other visible characters are passed on.
  private static func checkToken(_ token: [UInt8]) throws(DAVError) {
    guard !token.isEmpty, token.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw DAVError(
        .denied, "the token cannot be sent",
        why: "it is empty, or holds a blank, a control character or a letter outside ASCII",
        hint: "check token; it is one line without blanks", mayHaveActed: false)
    }
  }

  // MARK: Status 401

  /// Sees what to show instead of what a server refused; throws where there is nothing else.
  func authenticate(
    _ head: HTTPResponseHead, _ sent: HTTPCredentials?, _ attempt: inout Attempt
  ) async throws(DAVError) {
    attempt.challenges += 1
    let offered = Challenge.schemes(head)
    // Once: a server that goes on refusing would lock the account.
    if attempt.challenges == 1, let sent {
      if let next = try await access.tokens?.token(insteadOf: sent.password),
        next != sent.password
      {
        attempt.nextToken = next
        return
      }
      // Yahoo sends no challenge and takes Basic.
      let possible = access.schemes.filter {
        offered.isEmpty ? $0 == .basic : offered.contains($0.challengeName)
      }
      if sent.scheme != .bearer, !possible.contains(sent.scheme), let next = possible.first {
        learned.withLock { $0.schemes[attempt.url.origin] = next }
        return
      }
    }
    if sent == nil, !access.isAnonymous {
      noteStrangers(attempt)
    } else {
      learned.withLock { $0.wasRefused = true }
    }
    throw denied(attempt.url, offered: offered, sent: sent?.scheme)
  }

  /// Takes down where redirects led that gets no credentials. Each would need a person's word: a
  /// server that nobody vouches for leads to no other that gets any.
  private func noteStrangers(_ attempt: Attempt) {
    guard !attempt.strangers.isEmpty else { return }
    learned.withLock { learned in
      for address in attempt.strangers.dropLast() + [attempt.url]
      where !learned.strangers.contains(where: { $0.origin == address.origin }) {
        learned.strangers.append(address)
      }
    }
  }

  private static let tokenAdvice = "set auth = \"bearer\" and token, or auth = \"oauth2\""
  private static let schemeAdvice = "set auth to a way that it offers, or leave it out"

  private func denied(
    _ url: WebURL, offered: [String], sent: HTTPCredentials.Scheme?
  ) -> DAVError {
    let names = ServerWords.safe(Array(offered.joined(separator: ", ").utf8))
    let why = "\(url.text) answered 401" + (names.isEmpty ? "" : " and offers: \(names)")
    func error(_ message: String, hint: String) -> DAVError {
      DAVError(.denied, message, why: why, hint: hint, mayHaveActed: false)
    }
    if access.isAnonymous {
      return offered == ["bearer"]
        ? error(
          "the server wants a token", hint: Self.tokenAdvice)
        : error(
          "the server wants a user name and a password", hint: "set username and password")
    }
    guard let sent else {
      return error(
        "\(url.origin) wants credentials and gets none, since it is not the configured server",
        hint: "if it belongs to your provider, set url to \(url.text), or add this line to the "
          + "account: trusted_hosts = [\"\(url.trustedName)\"]")
    }
    if sent == .bearer {
      return error(
        "the server refused the token",
        hint: "check token; it may have run out, or lack the permission for calendars")
    }
    let hint = PasswordAdvice.hint(of: url)
    if !offered.isEmpty, !offered.contains(sent.challengeName) {
      return error(
        "the server does not let anybody in by \(sent.challengeName)",
        hint: hint ?? (offered.contains("bearer") ? Self.tokenAdvice : Self.schemeAdvice))
    }
    return error(
      "the server refused the user name or the password", hint: hint ?? PasswordAdvice.general)
  }
}

extension HTTPCredentials.Scheme {
  /// The scheme's name in a challenge, in lower case.
  fileprivate var challengeName: String {
    switch self {
    case .basic: "basic"
    case .digest: "digest"
    case .bearer: "bearer"
    }
  }
}
