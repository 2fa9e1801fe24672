import CCurl
import Synchronization
import WebDAV

/// One request on its way, from `send` to the resumption of its caller.
///
/// Unchecked: after it was put into the mailbox, whose lock orders the hand-over, every mutable
/// field is touched on the event loop's thread only; `isCancelled` is atomic.
final class Transfer: @unchecked Sendable {
  typealias Outcome = Result<HTTPResponseHead, TransportError>

  /// Why calgw itself ended an exchange within a callback of libcurl.
  enum Stop: Equatable {
    case refusedBody
    case head(ResponseHead.Fault)
    case encodedBody
    /// libcurl was about to send a request again that may have been carried out.
    case repetition
    /// The same, after HTTP/2 had failed with an error of its own.
    case failedHTTP2
    /// The connection libcurl chose cannot be trusted any more; another is to be taken.
    case staleConnection
    /// The server calls each nonce stale that it has just given: it refuses the password.
    case endlessChallenge
  }

  /// Which round of an authentication by digest this is.
  enum Round {
    /// Nothing to negotiate, or libcurl does it.
    case final
    /// The request goes out whole and without credentials.
    case unauthenticated
  }

  /// One to begin with, one where the nonce became stale in between, and one for chance; libcurl
  /// knows no end.
  private static let mostChallenges = 3

  /// Each costs its connection, so there are at most as many as libcurl keeps.
  private static let mostStaleConnections = 64

  let id: UInt64
  let request: OutgoingRequest
  let sink: any BodySink
  let isCancelled = Atomic(false)
  var continuation: CheckedContinuation<Outcome, Never>?

  var round = Round.final
  /// The nonce that the request went out with; nil where the challenge is of this exchange.
  var olderNonce: [UInt8]?
  var head: ResponseHead
  var stop: Stop?
  var headerList: UnsafeMutablePointer<curl_slist>?
  /// Set from the moment the request first goes out on a connection.
  var watch: ExchangeWatch?
  /// What libcurl tells is looked at for the handshake's sake, too.
  var watchesHandshake = false
  /// The server asked for a client certificate in a handshake of TLS 1.3, which is over before it
  /// says what it makes of the one that it got, or of none (RFC 8446 section 4.4.2.4).
  private(set) var wasAskedForCertificate = false
  /// What libcurl told of HTTP/2.
  private(set) var http2 = HTTP2Trace()
  /// Set while libcurl has the transfer.
  var handle: EasyHandle?

  private let options: CurlTransport.Options
  private let limits: ExchangeWatch.Limits
  /// The request already went out on a connection that was given up since.
  private(set) var wasSentBefore = false
  /// The body is taken as it comes, whatever coding it is said to be in.
  private(set) var leavesBodyPacked = false
  private var requestsSent = 0
  private var staleConnections = 0
  private var uploaded = 0
  /// The request that went out last had all credentials that it was to have. For Digest libcurl
  /// leaves them out as long as no challenge has come on the same handle.
  private(set) var isSigned = true
  private var headSinceSending = true
  private var sentBefore: Int64 = 0

  init(
    id: UInt64, request: OutgoingRequest, sink: any BodySink, options: CurlTransport.Options
  ) {
    self.id = id
    self.request = request
    self.sink = sink
    self.options = options
    limits = ExchangeWatch.Limits(options)
    head = ResponseHead(maxBytes: options.maxHeaderBytes, maxLines: options.maxHeaderCount)
  }

  deinit { curl_slist_free_all(headerList) }

  /// Forgets what the round before brought, but not that there was one.
  func beginAuthenticatedRound() {
    round = .final
    olderNonce = nil
    watch = nil
    beginAgain()
  }

  /// Begins again, with a body that is left as it comes: in this answer it could not be unpacked,
  /// and need not be.
  func leaveBodyPacked() {
    leavesBodyPacked = true
    watch = nil
    beginAgain()
  }

  /// Begins again on another connection, before anything went out on the one that was chosen.
  func takeAnotherConnection() {
    stop = nil
    beginAgain()
  }

  private func beginAgain() {
    head = ResponseHead(maxBytes: options.maxHeaderBytes, maxLines: options.maxHeaderCount)
    http2 = HTTP2Trace()
    headSinceSending = true
    sentBefore = 0
    uploaded = 0
  }

  /// The request went out, and the headers of its answer are not there yet.
  var isWithinHead: Bool { watch != nil && head.final == nil }

  /// What was asked for is there, under a coding that is none; nothing of it has reached the sink.
  /// What the server refused is not shown to it twice.
  var isToBeLeftPacked: Bool {
    request.isSafe && !leavesBodyPacked && head.namesNoCoding && head.status != 401
  }

  /// The same of a refusal: its headers say what the server wants, and its body is not needed.
  var isRefusal: Bool { head.status == 401 && head.namesNoCoding }

  /// The answer of this round is a challenge to be answered, no answer for the caller.
  var isToBeRepeatedWithDigest: Bool {
    round == .unauthenticated && head.challengesForDigest || nonceRanOut
  }

  /// The server gives another nonce than the one that the request went out with. Some let each be
  /// used once and do not say `stale=true`, which libcurl takes for a refusal of the password.
  var nonceRanOut: Bool {
    guard let olderNonce, let nonce = head.nonce, requestsSent == 1 else { return false }
    return head.challengesForDigest && nonce != olderNonce
  }

  /// Requests that went out since the last call of this.
  func takeRequestsSent() -> Int {
    defer { requestsSent = 0 }
    return requestsSent
  }

  // MARK: What libcurl calls

  func receive(headerLine: UnsafeRawBufferPointer) -> Bool {
    if let fault = head.take(headerLine) {
      stop = .head(fault)
      return false
    }
    if head.final != nil { headSinceSending = true }
    if head.nonce != nil { handle?.holdsChallenge = true }
    guard head.challenges <= Self.mostChallenges else {
      stop = .endlessChallenge
      return false
    }
    return true
  }

  func receive(trace: UnsafeRawBufferPointer) {
    if watchesHandshake, trace.starts(with: "TLSv1.3 (IN), TLS handshake, Request CERT".utf8) {
      wasAskedForCertificate = true
    }
    http2.take(trace)
  }

  func receive(body: UnsafeRawBufferPointer) -> Bool {
    head.bodyBegins()
    // Of codings within each other every one multiplies what the one before has grown to.
    guard head.codings.count <= 1 else {
      stop = .encodedBody
      return false
    }
    if isToBeRepeatedWithDigest { return true }
    guard sink.receive(body) else {
      stop = .refusedBody
      return false
    }
    return true
  }

  /// Fills the buffer with what comes next of the request's body; zero at its end.
  func upload(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let end = min(request.body.count, uploaded + buffer.count)
    buffer.copyBytes(from: request.body[uploaded..<end])
    defer { uploaded = end }
    return end - uploaded
  }

  func rewind(to offset: Int64) -> Bool {
    guard let offset = Int(exactly: offset), (0...request.body.count).contains(offset) else {
      return false
    }
    uploaded = offset
    return true
  }

  /// A connection is ready and the request is about to go out; false ends the exchange.
  ///
  /// libcurl sends a request again by itself if a kept-alive connection ends before one byte of
  /// an answer. For a write the server may have carried out, that is a second delivery
  /// (SIMULATION C4 24): the caller has to look first. And after an error of HTTP/2's own it does
  /// so over HTTP/2, or, where it takes HTTP/1.1 instead, without the body (7.88).
  func mayGoOut(sentSoFar: Int64, moved: Int64, isStale: Bool) -> Bool {
    let isRepetition = !headSinceSending && sentSoFar != sentBefore
    guard !isRepetition || request.isSafe && !http2.hasFailed else {
      stop = http2.hasFailed ? .failedHTTP2 : .repetition
      return false
    }
    if isStale && staleConnections < Self.mostStaleConnections {
      staleConnections += 1
      if sentSoFar > 0 { wasSentBefore = true }
      stop = .staleConnection
      return false
    }
    if watch == nil {
      watch = ExchangeWatch(limits: limits, now: monotonicNanoseconds(), moved: moved)
    }
    headSinceSending = false
    isSigned = request.digest == nil || round == .final && handle?.holdsChallenge == true
    sentBefore = sentSoFar
    requestsSent += 1
    return true
  }
}
