import CalDAVStorage
import CurlTransport
import SyncModel
import WebDAV

/// The server itself: its certificate, its clock, what it says to the sign-in, what it has.
extension AccountWay {
  /// A certificate that runs out this soon should have been renewed by now.
  private static let soon: Int64 = 14 * 86_400
  /// Clocks that are further apart, in milliseconds, upset `newest`, tokens and certificates.
  private static let largestSkew: Int64 = 300_000

  mutating func examineServer() async {
    guard let url = try? WebURL(absolute: account.url) else { return }
    // The secret is not needed for a handshake.
    if broken == nil || broken == .secret {
      let secret = broken
      broken = nil
      await examineHandshake(url)
      broken = secret ?? broken
    } else if url.scheme == .https {
      _ = skips(.certificate)
    }
    if skips(.signIn) {
      _ = skips(.discovery)
      return
    }
    await signIn()
  }

  // MARK: The certificate

  private mutating func examineHandshake(_ url: WebURL) async {
    do throws(RunFailure) {
      var options = try account.transportOptions(context.secrets)
      options.keepsCertificates = true
      // The pin is looked at below, so that a key that was renewed can be named.
      options.pinnedKeys = []
      let transport = try CurlTransport.made(with: options, for: account)
      let head = try await ask(url, over: transport)
      examine(transport.certificates.compactMap { ShownCertificate(pem: $0) }, url)
      if let head { examineClock(head) }
    } catch {
      // Over plain http nothing was said yet of a server that does not answer.
      tell(error, url.scheme == .https ? .certificate : .connection)
    }
  }

  private var isSocket: Bool {
    if case .unixSocket = account.proxy { true } else { false }
  }

  /// Asks for nothing in particular, without a password; nil where no answer came after a handshake
  /// that went well.
  private func ask(
    _ url: WebURL, over transport: CurlTransport
  ) async throws(RunFailure) -> HTTPResponseHead? {
    /// Enough for any answer to OPTIONS; the rest is dropped.
    let longestBody = 64 << 10
    let request = HTTPRequest(method: "OPTIONS", url: url.text, mayIdentify: true)
    do throws(TransportError) {
      return try await transport.send(
        request, into: BytesSink(limit: longestBody, dropsExcess: true))
    } catch {
      // The handshake was done: why there is no answer, later steps will see.
      let isAfterHandshake = [
        .timeout, .interrupted, .unanswered, .turnedAway, .malformed, .refusedBody,
      ].contains(error.kind)
      if isAfterHandshake, !transport.certificates.isEmpty { return nil }
      let trouble = DAVError(error, method: "OPTIONS", url: url)
      let status: ExitStatus =
        switch trouble.kind {
        case .denied: .denied
        case .protocolBroken, .illFormed, .tooLarge: .protocolBroken
        case .stopped: .interrupted
        case .unreachable, .unanswered, .tryLater, .local: .unreachable
        }
      throw RunFailure(
        status, code: "unreachable", message: trouble.message, why: trouble.why,
        hint: Self.advice(on: trouble.why) ?? trouble.hint)
    }
  }

  /// What to do about a certificate, by the words of OpenSSL and libcurl.
  private static func advice(on why: String) -> String? {
    let why = why.lowercased()
    if why.contains("expired") {
      return "the server's operator has to renew it; see that this machine's clock is right, too"
    }
    if why.contains("not yet valid") {
      return "see that this machine's clock is right; else the server's operator has to renew it"
    }
    if why.contains("subject name") || why.contains("hostname mismatch") {
      return "write the host into the url that the certificate is for"
    }
    if why.contains("self-signed") || why.contains("self signed") || why.contains("issuer") {
      return "if it is your own server, set ca_file to the certificate of its authority; else "
        + "somebody may be in between"
    }
    return nil
  }

  private mutating func examine(_ chain: [ShownCertificate], _ url: WebURL) {
    guard url.scheme == .https else {
      guard !url.isLoopback, !isSocket else { return }
      return tell(
        .warning, .certificate, "plain http: whoever is on the way reads passwords and calendars",
        hint: "use https in the url of the account if the server has it")
    }
    guard let own = chain.first else {
      return tell(.ok, .certificate, "valid for \(url.host)")
    }
    if !account.pinnedKeys.isEmpty, !account.pinnedKeys.contains(own.keyDigest) {
      return tell(
        .failed, .certificate, "the key of \(url.origin) is not the one in pin_sha256",
        why: "its digest is \(hexadecimal(own.keyDigest))",
        hint: "if the operator confirms that the key was renewed, put that digest into pin_sha256",
        status: .unreachable)
    }
    let facts =
      "valid for \(url.host) until \(end(of: own)), issued by \(own.issuer)"
      + (account.pinnedKeys.isEmpty ? "" : "; its key is the pinned one")
    if secondsLeft(own) < Self.soon {
      tell(
        .warning, .certificate, facts,
        hint: "it runs out soon: tell the server's operator to renew it")
    } else if let other = chain.dropFirst().first(where: { secondsLeft($0) < Self.soon }) {
      tell(
        .warning, .certificate,
        facts + "; but \(other.subject), which stands for it, is valid until \(end(of: other))",
        hint: "it runs out soon, and nothing is trusted then: tell the server's operator to renew"
          + " the chain")
    } else {
      tell(.ok, .certificate, facts)
    }
  }

  private func secondsLeft(_ certificate: ShownCertificate) -> Int64 {
    certificate.expires - context.surroundings.now().milliseconds / 1000
  }

  /// As `2027-01-04 (42 days)`.
  private func end(of certificate: ShownCertificate) -> String {
    let day = timestamp(Instant(milliseconds: certificate.expires &* 1000)).prefix(10)
    let days = secondsLeft(certificate) / 86_400
    return "\(day) (\(days) day\(days == 1 ? "" : "s"))"
  }

  private mutating func examineClock(_ head: HTTPResponseHead) {
    guard let text = head.values(of: "Date").first, let theirs = HTTPDate.milliseconds(text)
    else { return }
    let skew = context.surroundings.now().milliseconds - theirs
    guard skew.magnitude > UInt64(Self.largestSkew) else { return }
    let minutes = skew.magnitude / 60_000
    tell(
      .warning, .clock,
      "this machine's clock is \(minutes) minutes \(skew > 0 ? "ahead of" : "behind") the server's",
      hint: "set the clock (timedatectl set-ntp true): policy newest, tokens and certificates "
        + "depend on it")
  }

  // MARK: The account

  private mutating func signIn() async {
    guard let connection else { return }
    let watch = StopWatch(signals: doctor.signals)
    typealias Found = Result<AccountDescription, StorageError>
    let found = await watch.watch(context.surroundings) { () -> Found in
      do throws(StorageError) {
        return .success(try await connection.account.discover())
      } catch {
        return .failure(error)
      }
    }
    switch found {
    case .success(let description)?:
      calendars = description.calendars
      let who = account.username.map { "as \($0)" } ?? "without a name"
      tell(.ok, .signIn, "the server lets us in \(who)")
      tellFound(description)
    case .failure(let error)?:
      let failure = RunFailure(error, place: "", stop: watch.reason)
      if failure.status == .denied {
        tell(failure, .signIn)
        _ = skips(.discovery)
      } else {
        tell(failure, .discovery)
      }
    case nil: tell(.stopped(watch.reason ?? .interrupted, place: ""), .signIn)
    }
  }

  private mutating func tellFound(_ description: AccountDescription) {
    let place =
      switch description.location {
      case .calendar(let url): url
      case .homeSets(let urls): urls.joined(separator: ", ")
      }
    let count = description.calendars.count
    let principal = description.principal.map { "; the principal is \($0)" } ?? ""
    if count == 0 {
      tell(
        .warning, .discovery, "there is no calendar at \(place)\(principal)",
        hint: "make one there, or see whether the url and the user name are the right ones")
    } else {
      tell(.ok, .discovery, "\(count) calendar\(count == 1 ? "" : "s") at \(place)\(principal)")
    }
    for host in connection?.account.foreignHosts ?? [] {
      tell(
        .warning, .discovery, "the account has more on \(host), which is not asked",
        hint: "if that server belongs to your provider, add this line to the account: "
          + "trusted_hosts = [\"\(host)\"]")
    }
    for origin in description.otherOrigins {
      tell(
        .warning, .discovery,
        "the account also lives on \(origin), which gets the password, too",
        hint: "see that this host belongs to your provider")
    }
  }
}

extension CurlTransport {
  fileprivate static func made(with options: Options, for account: AccountConfiguration)
    throws(RunFailure) -> CurlTransport
  {
    do { return try CurlTransport(options: options) } catch {
      throw RunFailure(
        .configuration, code: "bad-configuration", message: error.message,
        place: account.place, hint: "see ca_file, client_cert and the other keys of the account")
    }
  }
}
