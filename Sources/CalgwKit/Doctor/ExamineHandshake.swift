import CurlTransport
import SyncModel
import WebDAV

/// Why there is no answer to the first question, and the step that it did not get beyond.
private struct Stumble: Error {
  var failure: RunFailure
  var step: Finding.Step
}

/// What a server shows before anybody signs in: its certificate and its clock.
extension AccountWay {
  /// A certificate that runs out this soon should have been renewed by now.
  private static let soon: Int64 = 14 * 86_400
  /// Clocks that are further apart, in milliseconds, upset `newest`, tokens and certificates.
  private static let largestSkew: Int64 = 120_000
  /// Enough for any answer to OPTIONS; the rest is dropped.
  private static let longestBody = 64 << 10
  /// Hosts of a certificate that are named.
  private static let mostHosts = 5

  /// One that keeps what the server shows; nil where a secret for it cannot be had.
  func handshakeTransport() -> CurlTransport? {
    guard var options else { return nil }
    options.keepsCertificates = true
    // The pin is looked at below, so that a key that was renewed can be named.
    options.pinnedKeys = []
    return try? CurlTransport(options: options)
  }

  mutating func examineHandshake(_ url: WebURL, over transport: CurlTransport) async {
    if url.scheme == .https { examineClientCertificate() }
    let watch = StopWatch(signals: doctor.signals)
    typealias Asked = Result<HTTPResponseHead?, Stumble>
    let asked = await watch.watch(context.surroundings) { [self] () -> Asked in
      do throws(Stumble) {
        return .success(try await ask(url, over: transport))
      } catch {
        return .failure(error)
      }
    }
    switch asked {
    case .success(let head)?:
      tellDetour()
      examine(transport.certificates.compactMap { ShownCertificate(pem: $0) }, url)
      if let head { examineClock(head) }
    case .failure(let error)?:
      if error.step != .connection { tellDetour() }
      await tellUnfound(error.failure, error.step)
      if error.step == .connection, url.scheme == .https { _ = skips(.certificate) }
    case nil: tellCutShort(stepToCome(url))
    }
  }

  /// What the first answer of a server would have told.
  private func stepToCome(_ url: WebURL) -> Finding.Step {
    if detour != nil { return .connection }
    return url.scheme == .https ? .certificate : .signIn
  }

  /// The proxy or the socket is there, and leads to the server.
  private mutating func tellDetour() {
    if let detour { tell(.ok, .connection, "goes \(detour)") }
  }

  private var isSocket: Bool {
    if case .unixSocket = account.proxy { true } else { false }
  }

  /// Asks for nothing in particular, without a password; nil where no answer came after a handshake
  /// that went well.
  private func ask(
    _ url: WebURL, over transport: CurlTransport
  ) async throws(Stumble) -> HTTPResponseHead? {
    let request = HTTPRequest(method: "OPTIONS", url: url.text, mayIdentify: true)
    do throws(TransportError) {
      let head = try await transport.send(
        request, into: BytesSink(limit: Self.longestBody, dropsExcess: true))
      // Of a request that needs no tunnel, the proxy's refusal is an answer.
      if head.status == 407 {
        throw TransportError(.proxyDenied, "the proxy answered 407", mayHaveActed: false)
      }
      // Some servers say to plain text in so many words that they expect TLS.
      if url.scheme == .http, head.status == 400, await speaksTLS(url, over: transport) {
        throw TransportError(.malformed, "it answered 400", mayHaveActed: false)
      }
      return head
    } catch {
      // The handshake was done: why there is no answer, later steps will see.
      let isAfterHandshake = [
        .timeout, .tooSlow, .interrupted, .unanswered, .turnedAway, .multiplexingFailed, .malformed,
        .refusedBody,
      ].contains(error.kind)
      if isAfterHandshake, !transport.certificates.isEmpty, url.scheme == .https { return nil }
      throw await stumble(over: error, url, transport)
    }
  }

  private func stumble(
    over error: TransportError, _ url: WebURL, _ transport: CurlTransport
  ) async -> Stumble {
    let trouble = DAVError(error, method: "OPTIONS", url: url)
    // Nobody knows how far it would have come.
    if trouble.kind == .stopped {
      return Stumble(
        failure: RunFailure(
          .interrupted, code: "interrupted", message: trouble.message, why: trouble.why,
          hint: trouble.hint),
        step: stepToCome(url))
    }
    let isNoAnswer = [.interrupted, .unanswered, .turnedAway, .malformed].contains(error.kind)
    if url.scheme == .http, isNoAnswer, await speaksTLS(url, over: transport) {
      return Stumble(
        failure: RunFailure(
          .unreachable, code: "unreachable", message: "\(url.origin) speaks TLS at that port",
          why: trouble.why,
          hint: "begin the url of the account with https: \(Self.overTLS(url))"),
        step: .connection)
    }
    let status: ExitStatus =
      switch trouble.kind {
      case .denied, .elsewhere: .denied
      case .protocolBroken, .illFormed, .tooLarge: .protocolBroken
      case .stopped: .interrupted
      case .unreachable, .unanswered, .tryLater, .local: .unreachable
      }
    var hint = trouble.hint
    if error.kind == .tls, TLSTrouble(error.message) == .otherHost,
      let shown = transport.certificates.first.flatMap({ ShownCertificate(pem: $0) }),
      !shown.hosts.isEmpty
    {
      let rest = shown.hosts.count > Self.mostHosts ? ", …" : ""
      hint += ": " + shown.hosts.prefix(Self.mostHosts).joined(separator: ", ") + rest
    }
    let isOfTheWay = [.unknownHost, .noConnection, .proxyDenied].contains(error.kind)
    return Stumble(
      failure: RunFailure(
        status, code: "unreachable", message: trouble.message, why: trouble.why, hint: hint),
      step: url.scheme == .http || detour != nil && isOfTheWay ? .connection : .certificate)
  }

  private static func overTLS(_ url: WebURL) -> String { "https://\(url.host):\(url.port)/" }

  /// Whether a handshake gets anywhere at the port of a plain URL; whoever answers is told nothing.
  private func speaksTLS(_ url: WebURL, over transport: CurlTransport) async -> Bool {
    let request = HTTPRequest(method: "OPTIONS", url: Self.overTLS(url))
    do throws(TransportError) {
      _ = try await transport.send(
        request, into: BytesSink(limit: Self.longestBody, dropsExcess: true))
      return true
    } catch {
      if !transport.certificates.isEmpty { return true }
      switch error.kind {
      case .certificateWanted, .unexpectedKey: return true
      case .tls:
        // Its certificate, or its version of TLS, was looked at and found wanting.
        switch TLSTrouble(error.message) {
        case .expired, .notYetValid, .otherHost, .unknownAuthority, .brokenChain, .oldTLS:
          return true
        case .noTLS, .other: return false
        }
      case .unknownHost, .noConnection, .proxyDenied, .timeout, .tooSlow, .interrupted,
        .unanswered, .turnedAway, .multiplexingFailed, .malformed, .refusedBody, .badRequest,
        .cancelled:
        return false
      }
    }
  }

  // MARK: Certificates

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
    let days = secondsLeft(certificate) / 86_400
    return "\(day(of: certificate.expires)) (\(days) day\(days == 1 ? "" : "s"))"
  }

  private func day(of seconds: Int64) -> Substring {
    timestamp(Instant(milliseconds: seconds &* 1000)).prefix(10)
  }

  /// Servers that take no certificate after its end mostly say no more than that they take none.
  private mutating func examineClientCertificate() {
    guard let path = account.clientCertificate,
      let file = try? SmallFile(
        reading: path, limit: AccountConfiguration.longestCertificate),
      let own = ShownCertificate(pem: file.bytes), secondsLeft(own) < Self.soon
    else { return }
    let isOver = secondsLeft(own) < 0
    tell(
      .warning, .certificate,
      "the client certificate \(path) "
        + (isOver ? "ran out on \(day(of: own.expires))" : "is valid until \(end(of: own))"),
      hint: "have another one made for you, and set client_cert and client_key to it")
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
}
