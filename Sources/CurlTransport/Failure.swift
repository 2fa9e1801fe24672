import CCurl
import Glibc
import WebDAV

/// Puts what libcurl says into words and into the kinds that the layers above act on.
enum Failure {
  /// True once a byte of the request itself, not of a handshake or a tunnel, went out.
  static func mayHaveActed(_ transfer: Transfer, _ handle: EasyHandle) -> Bool {
    transfer.wasSentBefore || (transfer.watch != nil && handle.requestBytes > 0)
  }

  static func explain(
    _ code: CURLcode, _ transfer: Transfer, _ handle: EasyHandle, _ options: CurlTransport.Options
  ) -> TransportError {
    if transfer.stop == nil, let reason = certificateReason(handle) {
      let why = "\(transfer.request.url.server) \(reason): \(detail(handle, code))"
      return TransportError(.certificateWanted, why, mayHaveActed: transfer.wasSentBefore)
    }
    let acted = mayHaveActed(transfer, handle)
    let (kind, message) =
      transfer.stop.map { explain($0, transfer, options) }
      ?? explain(code, transfer, handle, options)
    if acted && [.unknownHost, .noConnection, .tls].contains(kind) {
      // libcurl tried anew after a kept-alive connection had ended, and that failed, too.
      let first = "\(transfer.request.url.server) ended the connection before it answered"
      return TransportError(.interrupted, "\(first), and then: \(message)", mayHaveActed: true)
    }
    return TransportError(kind, message, mayHaveActed: acted)
  }

  /// HTTP/1.1 may do better: HTTP/2 failed, or a connection that carried several requests ended
  /// before an answer, or one whose server had taken no more of them.
  static func isToLeaveHTTP2(
    _ code: CURLcode, _ error: TransportError, _ transfer: Transfer, hadCompany: Bool
  ) -> Bool {
    error.kind == .multiplexingFailed || code == CURLE_HTTP2
      || hadCompany && isEndOfStream(code, transfer)
  }

  /// The connection of a stream ended before an answer: libcurl 7.88 says so. Over HTTP/1 nothing
  /// is partial without a head.
  private static func isEndOfStream(_ code: CURLcode, _ transfer: Transfer) -> Bool {
    (code == CURLE_PARTIAL_FILE || code == CURLE_HTTP2) && transfer.head.status == 0
  }

  /// An error of HTTP/2's own (RFC 9113 section 5.4), and not the mere end of a connection.
  private static func isOfHTTP2(
    _ code: CURLcode, _ transfer: Transfer, _ handle: EasyHandle
  ) -> Bool {
    switch code {
    case CURLE_HTTP2: return !transfer.http2.wasDismissed
    case CURLE_HTTP2_STREAM: return true
    // libcurl itself ended the connection, because of what came over it.
    case CURLE_GOT_NOTHING where transfer.http2.isUsed: return !transfer.http2.wasDismissed
    // Refused streams (section 8.7) are repeated on other connections until it is too much.
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR:
      let isRefused = handle.failureText.hasPrefix("Connection died, tried")
      return transfer.http2.hasFailed || transfer.http2.isUsed && isRefused
    default: return transfer.http2.hasFailed
    }
  }

  static func cutWithinHead(_ transfer: Transfer) -> TransportError {
    let message = "\(transfer.request.url.server) ended the connection within the headers"
    return TransportError(.interrupted, message, mayHaveActed: true)
  }

  static func outOfTime(
    _ verdict: ExchangeWatch.Verdict, _ transfer: Transfer, _ handle: EasyHandle,
    _ options: CurlTransport.Options
  ) -> TransportError {
    let server = transfer.request.url.server
    let message =
      switch verdict {
      case .silent, .moving: "no byte came from \(server) for \(options.silenceTimeout)"
      case .tooSlow:
        "\(server) is too slow: less than \(options.minimumRate) bytes a second (min_rate) over "
          + "\(options.minimumRateWindow)"
      case .tooLong: "the exchange with \(server) took longer than \(options.totalTimeout)"
      }
    let kind: TransportError.Kind = verdict == .tooSlow ? .tooSlow : .timeout
    return TransportError(kind, message, mayHaveActed: mayHaveActed(transfer, handle))
  }

  private static let mayWantCertificate = " (it may want a client certificate)"

  /// CURLE_TOO_LARGE, which libcurl has from 8.6 on.
  private static let tooLarge = CURLcode(rawValue: 100)

  typealias Words = (kind: TransportError.Kind, message: String)

  private static func explain(
    _ stop: Transfer.Stop, _ transfer: Transfer, _ options: CurlTransport.Options
  ) -> Words {
    let server = transfer.request.url.server
    switch stop {
    case .refusedBody: return (.refusedBody, "the body from \(server) was not wanted any further")
    case .encodedBody:
      return (.malformed, "\(server) compressed its answer several times over")
    case .repetition:
      return (.unanswered, "\(server) ended the connection before it answered")
    case .failedHTTP2:
      return (.multiplexingFailed, "\(server) ended HTTP/2 with an error")
    case .staleConnection:
      return (.interrupted, "\(server) ended the connection before it answered")
    case .endlessChallenge:
      return (.malformed, "\(server) goes on asking for a digest")
    case .head(.tooManyBytes):
      return (.malformed, "the headers from \(server) exceed \(options.maxHeaderBytes) bytes")
    case .head(.tooManyLines):
      return (.malformed, "\(server) sent more than \(options.maxHeaderCount) headers")
    case .head(.unwantedCoding):
      return (.malformed, "\(server) used a transfer coding that was not asked for")
    case .head(.noStatus): return (.malformed, "what came from \(server) is not HTTP")
    }
  }

  private static func explain(
    _ code: CURLcode, _ transfer: Transfer, _ handle: EasyHandle, _ options: CurlTransport.Options
  ) -> Words {
    let url = transfer.request.url
    let server = url.server
    // So says libcurl 7.88 of a header line of more than 100 KB, and 8.6 in the other words.
    if code == CURLE_OUT_OF_MEMORY || code == tooLarge, transfer.isWithinHead {
      return explain(.head(.tooManyBytes), transfer, options)
    }
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: return (.unknownHost, "no such host: \(url.host)")
    // libcurl's text may hold the proxy's URL and with it a password.
    case CURLE_COULDNT_RESOLVE_PROXY: return (.noConnection, "the proxy's name does not resolve")
    case CURLE_COULDNT_CONNECT: return (.noConnection, noConnection(transfer, handle, options))
    case CURLE_OPERATION_TIMEDOUT where transfer.watch == nil:
      return (.noConnection, connectTimeout(transfer, handle, options))
    case CURLE_OPERATION_TIMEDOUT: return (.timeout, "\(server) did not answer in time")
    case CURLE_PROXY: return explainSOCKS(handle, server)
    case _ where transfer.watch == nil && handle.tunnelStatus == 407:
      return (.proxyDenied, "the proxy answered 407")
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      let holder = isProxys(handle, url, options) ? "the proxy" : url.host
      return (.tls, "the certificate of \(holder) is not trusted: \(detail(handle, code))")
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      return (.unexpectedKey, "the certificate of \(url.host) is valid, its public key not pinned")
    case CURLE_SSL_CERTPROBLEM:
      return (.tls, "the client certificate cannot be used: \(detail(handle, code))")
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
      CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED, CURLE_SSL_CLIENTCERT:
      let why = detail(handle, code)
      // What a server of TLS 1.2 says for want of a certificate (RFC 5246 section 7.4.6), too.
      let more = why.contains("alert handshake failure") ? mayWantCertificate : ""
      let peer = isProxys(handle, url, options) ? "the proxy" : server
      return (.tls, "no TLS connection to \(peer): \(why)\(more)")
    case CURLE_URL_MALFORMAT: return (.badRequest, "the URL cannot be sent: libcurl refuses it")
    case CURLE_BAD_CONTENT_ENCODING:
      return (.malformed, "what \(server) compressed cannot be unpacked: \(detail(handle, code))")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_FILESIZE_EXCEEDED, tooLarge,
      CURLE_OUT_OF_MEMORY:
      return (.malformed, "what came from \(server) is not HTTP: \(detail(handle, code))")
    case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2,
      CURLE_HTTP2_STREAM:
      return interrupted(code, transfer, handle)
    default: return (.interrupted, "the exchange with \(server) failed: \(detail(handle, code))")
    }
  }

  /// The alerts with which a server ends a handshake for want of a certificate it takes, and what
  /// they say: RFC 8446 section 6.2 has `certificate_required`, RFC 5246 section 7.2.2 the others.
  /// With TLS 1.3 they come when the request is already on its way, and nobody has read it.
  private static let certificateAlerts: KeyValuePairs<String, String> = [
    "certificate required": "wants a client certificate",
    "certificate expired": "says that the client certificate has expired",
    "certificate revoked": "says that the client certificate was revoked",
    "unknown ca": "does not know the authority of the client certificate",
    "access denied": "knows the client certificate, and does not let it in",
    "bad certificate": "does not take the client certificate",
    "certificate unknown": "does not take the client certificate",
    "unsupported certificate": "does not take the client certificate",
  ]

  /// What the server says of the client certificate; nil where it is not about that.
  private static func certificateReason(_ handle: EasyHandle) -> String? {
    let text = handle.failureText
    return certificateAlerts.first { text.contains("alert \($0.key)") }?.value
  }

  private static func interrupted(
    _ code: CURLcode, _ transfer: Transfer, _ handle: EasyHandle
  ) -> Words {
    let server = transfer.request.url.server
    if transfer.watch == nil && handle.tunnelStatus > 0 {
      return (
        .noConnection, "the proxy refused the way to \(server): status \(handle.tunnelStatus)"
      )
    }
    if isOfHTTP2(code, transfer, handle) {
      return (.multiplexingFailed, "HTTP/2 with \(server) failed: \(detail(handle, code))")
    }
    if isEndOfStream(code, transfer) {
      return (.unanswered, "\(server) ended the connection before it answered")
    }
    let isEnd = code == CURLE_GOT_NOTHING || code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR
    var kind = TransportError.Kind.interrupted
    if isEnd, transfer.head.status == 0 { kind = handle.madeConnection ? .turnedAway : .unanswered }
    if kind == .turnedAway, transfer.wasAskedForCertificate {
      // The end of the connection, or a write that fails, may overtake the alert that says so.
      return (
        .certificateWanted,
        "\(server) asked for a client certificate, and then ended the TLS connection before it "
          + "answered, perhaps for want of one that it takes"
      )
    }
    switch code {
    case CURLE_GOT_NOTHING: return (kind, "\(server) ended the connection before it answered")
    case CURLE_PARTIAL_FILE: return (kind, "the answer of \(server) was cut short")
    default:
      // Of a new connection that TLS 1.3 has made the end may overtake the alert before it.
      let mayBeAlert = kind == .turnedAway && transfer.request.url.isSecure
      let more = mayBeAlert ? mayWantCertificate : ""
      return (kind, "the connection to \(server) broke: \(detail(handle, code))\(more)")
    }
  }

  private static func noConnection(
    _ transfer: Transfer, _ handle: EasyHandle, _ options: CurlTransport.Options
  ) -> String {
    let peer = options.unixSocketPath ?? peer(handle) ?? transfer.request.url.server
    switch handle.systemError {
    case ECONNREFUSED: return "connection refused by \(peer)"
    case 0: return "no connection to \(peer)"
    case let number: return "no connection to \(peer): \(String(cString: strerror(number)))"
    }
  }

  private static func connectTimeout(
    _ transfer: Transfer, _ handle: EasyHandle, _ options: CurlTransport.Options
  ) -> String {
    let server = transfer.request.url.server
    let limit = options.connectTimeout
    if handle.wasConnected { return "\(server) did not finish the handshake within \(limit)" }
    if handle.nameWasResolved { return "no connection to \(server) within \(limit)" }
    return "the name \(transfer.request.url.host) was not resolved within \(limit)"
  }

  /// Whom libcurl tried to reach, which is the proxy if there is one; only the name and port of
  /// "Failed to connect to dav.example.org port 443 after 12 ms", nothing that may be secret.
  private static func peer(_ handle: EasyHandle) -> String? {
    let words = handle.failureText.split(separator: " ")
    guard words.count > 5, words.starts(with: ["Failed", "to", "connect", "to"]),
      words[5] == "port", words.count > 6
    else { return nil }
    return "\(words[4]) port \(words[6])"
  }

  private static func detail(_ handle: EasyHandle, _ code: CURLcode) -> String {
    var text = handle.failureText
    for prefix in ["SSL certificate problem: ", "SSL: "] where text.hasPrefix(prefix) {
      text.removeFirst(prefix.count)
    }
    // A call of its own that failed on a connection which had ended before.
    if text.hasPrefix("getpeername()") { return "it was ended at once" }
    return text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
  }
}

extension RequestURL {
  /// The server as messages name it.
  var server: String { "\(host) port \(port)" }
}

extension TransportError {
  static func cancelled(mayHaveActed: Bool) -> TransportError {
    TransportError(.cancelled, "cancelled", mayHaveActed: mayHaveActed)
  }

  static func shutDown(mayHaveActed: Bool) -> TransportError {
    TransportError(.cancelled, "the transport was shut down", mayHaveActed: mayHaveActed)
  }

  /// Nothing could be tried for want of memory, threads or features.
  static func unprepared(_ why: String) -> TransportError {
    TransportError(.noConnection, "no request can be sent: \(why)", mayHaveActed: false)
  }
}
