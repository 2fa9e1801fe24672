import Synchronization
public import WebDAV

/// Sends requests over libcurl, many at a time, from one thread of its own.
///
/// - TLS 1.2 or newer; certificates and host names are always checked against the system's
///   authorities and `Options.extraCAFile`, and keys against `Options.pinnedKeys` on top of that.
/// - Redirects are answers like any other. No cookies, no netrc, no HSTS or alternative services.
/// - Bodies go out with their length, never chunked and without `Expect`. Answers are asked for
///   without compression, but for a request that accepts it. One that comes compressed all the
///   same, as from a proxy, is unpacked, too: what one coding unpacks to comes to the sink piece by
///   piece, whose limit ends a bomb. Several codings within each other are refused.
/// - A read (GET, HEAD, OPTIONS, PROPFIND, REPORT) is sent again by itself if a kept-alive
///   connection turns out to be closed; any other method never is once a byte of it went out.
///   A kept-alive connection on which something waits to be read is not used again.
/// - HTTP/2 where a server of TLS offers it and the request does not avoid it. One at which that
///   fails with an error of HTTP/2's own, or which ends a connection with several requests on it,
///   is asked over HTTP/1.1 from then on.
/// - Credentials: Basic goes out with the first request. For Digest a write goes out whole without
///   them first, so that a server that asks for none never sees the empty body with which libcurl
///   asks for the challenge; later requests bring the answer with them. What a server answers
///   without having asked is marked (`HTTPResponseHead.answersAnybody`). A client certificate is
///   shown in requests that may identify alone.
///
/// Sinks are called on the transport's thread and must not wait there: all transfers would.
public final class CurlTransport: HTTPTransport {
  private let options: Options
  private let count = TrafficCount()
  private let shown = ShownCertificates()
  private let loop: LoopThread
  private let nextID = Atomic<UInt64>(0)

  /// Starts the thread.
  ///
  /// - Parameter note: gets what a log should have, on the transport's thread; never credentials.
  /// - Throws: `.tls` if the extra CA file cannot be used, `.badRequest` if another option cannot,
  ///   `.noConnection` if the system gives no thread.
  public init(
    options: Options = Options(), note: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(TransportError) {
    try options.check()
    var trust: TrustStore?
    if let path = options.extraCAFile { trust = try TrustStore(extraFile: path) }
    self.options = options
    loop = try LoopThread(
      options: options, trust: trust, traffic: count, shown: shown, note: note)
  }

  /// Sends one request and returns once its answer was taken whole.
  ///
  /// The end of the calling task ends the transfer at once with `.cancelled`. An answer is whole
  /// if its length or its last chunk says so; one that ends with its connection cannot be told
  /// from one that was cut.
  public func send(
    _ request: HTTPRequest, into sink: any BodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    let transfer = Transfer(
      id: nextID.wrappingAdd(1, ordering: .relaxed).newValue,
      request: try OutgoingRequest(checking: request), sink: sink, options: options)
    let mailbox = loop.mailbox
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfer.continuation = continuation
        if mailbox.submit(transfer) { return }
        continuation.resume(returning: .failure(.shutDown(mayHaveActed: false)))
      }
    } onCancel: {
      transfer.isCancelled.store(true, ordering: .releasing)
      mailbox.cancel(transfer.id)
    }
    return try outcome.get()
  }

  /// What went over the wire in exchanges that are over: requests with every round of an
  /// authentication, bytes of headers and bodies as libcurl counts them, without TLS.
  public var traffic: HTTPTraffic { count.value }

  /// The chain in PEM, the server's own certificate first, that the last request which made a
  /// connection over TLS was shown, whether it was taken or not; empty unless
  /// `Options.keepsCertificates`.
  public var certificates: [[UInt8]] { shown.value }

  /// Ends all transfers with `.cancelled`, closes the connections and waits for the thread.
  ///
  /// Harmless when repeated. Later requests end with `.cancelled`. Letting go of the transport
  /// does the same.
  public func shutdown() { loop.end() }
}

extension CurlTransport.Options {
  /// Texts that go to libcurl hold no control characters, so none is cut or splits a header.
  fileprivate func check() throws(TransportError) {
    var texts = [("user agent", userAgent), ("CA file's path", extraCAFile ?? "")]
    texts.append(("socket's path", unixSocketPath ?? ""))
    if let identity = clientCertificate {
      texts.append(("client certificate's path", identity.certificateFile))
      texts.append(("client key's path", identity.keyFile))
    }
    if case .url(let url) = proxy { texts.append(("proxy's URL", url)) }
    for (name, text) in texts where text.utf8.contains(where: ASCII.isControl) {
      throw TransportError(
        .badRequest, "the \(name) holds a control character", mayHaveActed: false)
    }
    // SHA-256 has 32 bytes; libcurl would compare anything else with nothing.
    guard pinnedKeys.allSatisfy({ $0.count == 32 }) else {
      throw TransportError(
        .badRequest, "a pinned key is no SHA-256 digest", mayHaveActed: false)
    }
    // The limit is that of sockaddr_un with its closing zero.
    guard (unixSocketPath ?? "").utf8.count < 108 else {
      throw TransportError(
        .badRequest, "the socket's path has more than 107 bytes", mayHaveActed: false)
    }
    if let identity = clientCertificate { try PEMFile.check(identity) }
  }
}
