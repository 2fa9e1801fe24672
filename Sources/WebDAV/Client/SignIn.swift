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
        token = try await self.token(from: tokens, insteadOf: nil)
      }
      try Self.checkToken(token)
      access.secrets.add(token)
      return HTTPCredentials(username: [], password: token, scheme: .bearer)
    }
    guard let username = access.username, let scheme = scheme(for: attempt.url) else { return nil }
    try Self.checkLogin(username, access.password, scheme)
    return HTTPCredentials(username: username, password: access.password, scheme: scheme)
  }

  /// A token of the account; takes down where none can be had.
  private func token(
    from tokens: any BearerTokens, insteadOf refused: [UInt8]?
  ) async throws(DAVError) -> [UInt8] {
    do throws(DAVError) {
      let token = try await tokens.token(insteadOf: refused)
      learned.withLock { $0.standing.lacksToken = false }
      return token
    } catch {
      learned.withLock { learned in
        learned.standing.lacksToken = true
        if error.kind == .denied { learned.standing.taken = .nowhere(error) }
      }
      throw error
    }
  }

  /// Nil where the server has to ask first: Basic shows the password to whoever listens, which a
  /// server that takes Digest does not need.
  private func scheme(for url: WebURL) -> HTTPCredentials.Scheme? {
    if let known = scheme(at: url.origin) { return known }
    // A person who names one way means it.
    let asksFirst = isOverheard(url) && access.schemes.first == .basic && access.schemes.count > 1
    return asksFirst ? nil : access.schemes.first
  }

  /// What an origin has asked for; nil where it took what it was shown, or was not asked yet.
  package func scheme(at origin: String) -> HTTPCredentials.Scheme? {
    learned.withLock { $0.schemes[origin] }
  }

  func isOverheard(_ url: WebURL) -> Bool {
    url.scheme == .http && !url.isLoopback && !access.staysHere
  }

  /// The origin gets the password as soon as it asks for it.
  func waitsForChallenge(_ url: WebURL, _ sent: HTTPCredentials?) -> Bool {
    sent == nil && access.username != nil && access.tokens == nil && isOverheard(url)
      && trusts(url.origin)
  }

  /// RFC 7617 §2: a colon in a user name would end it, and controls are not allowed.
  private static func checkLogin(
    _ username: [UInt8], _ password: [UInt8], _ scheme: HTTPCredentials.Scheme
  ) throws(DAVError) {
    let isAmbiguous = username.contains(UInt8(ascii: ":"))
    // Of a name with a line end in it the rest, with its colon, is mostly no part.
    let hasControl = (username + password).contains { $0 < 0x20 || $0 == 0x7F }
    guard isAmbiguous || hasControl else { return }
    throw DAVError(
      .denied, "the user name or the password cannot be sent",
      why: hasControl
        ? "it holds a control character" : "a colon ends a user name, in Basic and in Digest",
      hint: "check username and password", mayHaveActed: false)
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
    if isStale(head, sent, at: attempt.url) { return try sendAlone(&attempt) }
    attempt.challenges += 1
    let offered = Challenge.schemes(head)
    if waitsForChallenge(attempt.url, sent) { return try takeUp(offered, attempt.url) }
    // Once: a server that goes on refusing would lock the account.
    if attempt.challenges == 1, let sent {
      if let tokens = access.tokens {
        let next = try await token(from: tokens, insteadOf: sent.password)
        if next != sent.password {
          attempt.nextToken = next
          return
        }
      }
      // Yahoo sends no challenge and takes Basic.
      let isSilent = offered.isEmpty && !isOverheard(attempt.url)
      let possible = access.schemes.filter {
        isSilent ? $0 == .basic : offered.contains($0.challengeName)
      }
      if sent.scheme != .bearer, !possible.contains(sent.scheme), let next = possible.first {
        learned.withLock { $0.schemes[attempt.url.origin] = next }
        return
      }
      if try await isRefusedByChance(attempt) { return }
    }
    if sent == nil, !access.isAnonymous {
      noteStrangers(attempt)
    } else {
      learned.withLock { $0.standing.wasRefused = true }
    }
    if sent != nil, let error = forbidden(attempt) { throw error }
    if sent?.scheme == .digest, let error = unknownDigest(head, attempt.url) { throw error }
    throw denied(attempt.url, offered: offered, sent: sent?.scheme)
  }

  /// After a challenge to a request that showed nothing: the way that shows no password, if there
  /// is one.
  private func takeUp(_ offered: [String], _ url: WebURL) throws(DAVError) {
    let ways: [HTTPCredentials.Scheme] = [.digest, .basic]
    let best = ways.first { access.schemes.contains($0) && offered.contains($0.challengeName) }
    if let best { return learned.withLock { $0.schemes[url.origin] = best } }
    learned.withLock { $0.standing.wasRefused = true }
    guard offered.isEmpty else { throw denied(url, offered: offered, sent: access.schemes.first) }
    throw DAVError(
      .denied, "\(url.origin) does not say which way to sign in it takes",
      why: "\(access.secrets.shown(url)) answered 401 without WWW-Authenticate, and over plain "
        + "http the password is sent only where it is asked for",
      hint: Self.clearAdvice, mayHaveActed: false)
  }

  static let clearAdvice =
    "use https in url if the server has it, or set auth = \"basic\" to send the password unasked"

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
  private static let ways: Set<String> = ["basic", "digest", "bearer"]
  private static let schemeAdvice = "set auth to a way that it offers, or leave it out"

  private func denied(
    _ url: WebURL, offered: [String], sent: HTTPCredentials.Scheme?
  ) -> DAVError {
    let nameable = offered.filter(Challenge.isNameable).joined(separator: ", ")
    let names = ServerWords.safe(Array(nameable.utf8), hiding: access.secrets)
    let place = access.secrets.shown(url)
    let refusal = trusts(url.origin) ? nil : access.refusal(url)
    let why =
      refusal.map(Self.refused(by:))
      ?? "\(place) answered 401" + (names.isEmpty ? "" : " and offers: \(names)")
    func error(_ message: String, hint: String) -> DAVError {
      DAVError(.denied, message, why: why, hint: hint, mayHaveActed: false)
    }
    if access.isAnonymous {
      let (wish, advice) =
        offered == ["bearer"]
        ? ("a token", Self.tokenAdvice)
        : ("a user name and a password", "set username and password")
      guard trusts(url.origin) else {
        return error(
          "\(url.origin) wants \(wish), and a redirect leads there",
          hint: refusal.map { "\(Self.allowing($0)), \(advice), and set url to \(place)" }
            ?? "\(advice); and set url to \(place), if that server is the right one")
      }
      return error("the server wants \(wish)", hint: advice)
    }
    guard let sent else {
      let cause =
        refusal == nil ? "it is not the configured server" : "the configuration refuses it"
      return error(
        "\(url.origin) wants credentials and gets none, since \(cause)",
        hint: refusal.map(Self.allowing)
          ?? "if it belongs to your provider, set url to \(place), or add this line to the "
          + "account: trusted_hosts = [\"\(url.trustedName)\"]")
    }
    if sent == .bearer, let tokens = access.tokens {
      return error("the server refused the token", hint: tokens.advice)
    }
    let hint = PasswordAdvice.hint(of: url)
    if !offered.isEmpty, Self.ways.isDisjoint(with: offered) {
      return error(
        "the server offers no way to sign in that calgw has",
        hint: hint ?? "calgw has Basic, Digest and tokens (Bearer): ask the server's operator for"
          + " one of these, for calendars alone perhaps")
    }
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
