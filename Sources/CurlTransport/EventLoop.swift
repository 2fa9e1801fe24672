import CCurl
import Glibc
import Synchronization
import WebDAV

/// Drives libcurl on one thread. Everything here but the mailbox belongs to that thread.
final class EventLoop {
  /// Finished handles kept for the next transfers: as many as a burst of requests has in flight.
  private static let mostIdleHandles = 128
  /// Idle connections kept open to all hosts together.
  private static let mostIdleConnections = 32
  /// Nothing needs attention while nothing runs; a letter wakes the loop.
  private static let longestSleep: Int32 = 60_000

  private struct Running {
    let transfer: Transfer
    let handle: EasyHandle
  }

  /// A handle answers challenges for one server and one login.
  private struct DigestRealm: Hashable {
    let host: String
    let port: UInt16
    let isSecure: Bool
    let login: OutgoingRequest.DigestLogin
  }

  private let multi: UnsafeMutableRawPointer
  private let mailbox: Mailbox
  private let options: CurlTransport.Options
  private let trust: TrustStore?
  private let traffic: TrafficCount
  private let shown: ShownCertificates
  private let interval: Int64
  private let note: @Sendable (String) -> Void
  private let connections = Connections()

  private var running: [UnsafeMutableRawPointer: Running] = [:]
  private var byID: [UInt64: UnsafeMutableRawPointer] = [:]
  private var idle: [EasyHandle] = []
  private var idleWithDigest: [DigestRealm: [EasyHandle]] = [:]
  /// Where a nonce was not taken a second time.
  private var realmsOfSingleUse: Set<DigestRealm> = []
  /// Servers of TLS that gave an answer: what they make of our certificate is known.
  private var answering: Set<String> = []
  /// Servers whose HTTP/2 has failed: HTTP/1.1 is spoken with them from then on.
  private var withoutHTTP2: Set<String> = []
  private var nextLook: Int64 = 0

  init(_ parts: LoopParts) {
    multi = parts.multi
    mailbox = parts.mailbox
    options = parts.options
    trust = parts.trust
    traffic = parts.traffic
    shown = parts.shown
    note = parts.note
    interval = ExchangeWatch.Limits(parts.options).interval
    let connections = max(1, min(options.maxConnectionsPerHost, 1000))
    ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, connections)
    ccurl_multi_set_long(
      multi, CURLMOPT_MAXCONNECTS, max(connections, Self.mostIdleConnections))
  }

  /// Works until the mailbox says to stop, then ends what runs and takes libcurl down.
  func run() {
    var letters = mailbox.collect()
    while !letters.isStopping {
      for transfer in letters.submitted { start(transfer) }
      for id in letters.cancelled { cancel(id) }
      work()
      letters = mailbox.collect()
    }
    for transfer in letters.submitted { resume(transfer, .failure(.shutDown(mayHaveActed: false))) }
    for (transfer, handle) in running.values.map({ ($0.transfer, $0.handle) }) {
      let acted = Failure.mayHaveActed(transfer, handle)
      finish(handle, .failure(.shutDown(mayHaveActed: acted)))
    }
    idle = []
    idleWithDigest = [:]
    curl_multi_cleanup(multi)
  }

  private func work() {
    var stillRunning: Int32 = 0
    var code = curl_multi_perform(multi, &stillRunning)
    var result = CURLE_OK
    while let finished = ccurl_next_finished(multi, &result) { settle(finished, result) }
    look()
    let sleep = running.isEmpty ? Self.longestSleep : Int32(interval / 1_000_000)
    if code == CURLM_OK { code = curl_multi_poll(multi, nil, 0, sleep, nil) }
    guard code != CURLM_OK else { return }
    failEverything(String(cString: curl_multi_strerror(code)))
    // A failure that stays must not keep a core busy.
    _ = poll(nil, 0, 100)
  }

  // MARK: The life of a transfer

  private func start(_ transfer: Transfer) {
    if transfer.isCancelled.load(ordering: .acquiring) {
      return resume(transfer, .failure(.cancelled(mayHaveActed: false)))
    }
    begin(transfer, on: realm(of: transfer).flatMap { idleWithDigest[$0]?.popLast() })
  }

  /// - Parameter known: a handle that has a nonce of the server; nil: another one, without.
  private func begin(_ transfer: Transfer, on known: EasyHandle?) {
    // In a handle that was used without credentials libcurl may remember a challenge, and would
    // show a wrong password twice.
    let spare = transfer.request.digest == nil ? idle.popLast() : nil
    guard let handle = known ?? spare ?? newHandle() else {
      return resume(transfer, .failure(.unprepared("libcurl gives no handle")))
    }
    // libcurl asks for the challenge with an empty body. A server that asks nobody would take
    // that for the write itself, so a write first goes out whole.
    let request = transfer.request
    transfer.olderNonce = known?.nonce
    if request.digest != nil && known == nil && request.sendsLength && !request.isSafe {
      transfer.round = .unauthenticated
    }
    add(transfer, handle)
  }

  private func add(_ transfer: Transfer, _ handle: EasyHandle) {
    transfer.handle = handle
    let url = transfer.request.url
    transfer.watchesHandshake = url.isSecure && !answering.contains(url.server)
    let offersHTTP2 = !transfer.request.avoidsHTTP2 && !withoutHTTP2.contains(url.server)
    guard handle.prepare(for: transfer, offersHTTP2: offersHTTP2),
      curl_multi_add_handle(multi, handle.pointer) == CURLM_OK
    else {
      transfer.handle = nil
      return resume(transfer, .failure(.unprepared("libcurl does not take it")))
    }
    running[handle.pointer] = Running(transfer: transfer, handle: handle)
    byID[transfer.id] = handle.pointer
  }

  private func cancel(_ id: UInt64) {
    guard let pointer = byID[id], let found = running[pointer] else { return }
    let acted = Failure.mayHaveActed(found.transfer, found.handle)
    finish(found.handle, .failure(.cancelled(mayHaveActed: acted)))
  }

  private func settle(_ pointer: UnsafeMutableRawPointer, _ code: CURLcode) {
    guard let (transfer, handle) = running[pointer].map({ ($0.transfer, $0.handle) }) else {
      return
    }
    if transfer.stop == .staleConnection {
      remove(handle)
      transfer.takeAnotherConnection()
      return add(transfer, handle)
    }
    if transfer.stop == .endlessChallenge, let head = transfer.head.final {
      handle.nonce = nil
      return finish(handle, .success(head))
    }
    if code == CURLE_BAD_CONTENT_ENCODING, transfer.isToBeLeftPacked {
      remove(handle)
      transfer.leaveBodyPacked()
      return add(transfer, handle)
    }
    let isWhole = code == CURLE_OK || code == CURLE_BAD_CONTENT_ENCODING && transfer.isRefusal
    if !isWhole {
      let error = Failure.explain(code, transfer, handle, options)
      let hadCompany = hasCompany(transfer)
      if Failure.isToLeaveHTTP2(code, error, transfer, hadCompany: hadCompany) {
        leaveHTTP2(of: transfer.request.url.server, after: error)
      }
      return finish(handle, .failure(error))
    }
    guard var head = transfer.head.final else {
      // libcurl takes the end of a connection within the headers for the end of an answer.
      return finish(handle, .failure(Failure.cutWithinHead(transfer)))
    }
    handle.noteAnswer()
    if transfer.watchesHandshake { answering.insert(transfer.request.url.server) }
    head.isMultiplexed = handle.isMultiplexed
    head.answersAnybody = !transfer.isSigned
    if transfer.nonceRanOut {
      remove(handle)
      // libcurl does not always take the new nonce, so the handle is not used again.
      handle.release()
      if let realm = realm(of: transfer) { realmsOfSingleUse.insert(realm) }
      transfer.beginAuthenticatedRound()
      return begin(transfer, on: nil)
    }
    if transfer.isToBeRepeatedWithDigest {
      remove(handle)
      transfer.beginAuthenticatedRound()
      return add(transfer, handle)
    }
    if head.status == 401 {
      handle.nonce = nil
    } else if transfer.head.challenges > 0 {
      handle.nonce = transfer.head.nonce
    }
    finish(handle, .success(head))
  }

  /// Another request is on its way to the same server.
  private func hasCompany(_ transfer: Transfer) -> Bool {
    let server = transfer.request.url.server
    return running.values.contains { other in
      other.transfer !== transfer && other.transfer.watch != nil
        && other.transfer.request.url.server == server
    }
  }

  /// Some servers mix up what they carry at once on one connection, as those behind a proxy do that
  /// was set up wrong, and answer over HTTP/1.1. Whether the request goes again is its sender's to
  /// decide.
  private func leaveHTTP2(of server: String, after error: TransportError) {
    guard withoutHTTP2.insert(server).inserted else { return }
    note("\(error.message); it is asked over HTTP/1.1 from here on")
  }

  private func finish(_ handle: EasyHandle, _ outcome: Transfer.Outcome) {
    guard let transfer = remove(handle) else { return }
    handle.release()
    keep(handle, for: transfer)
    resume(transfer, outcome)
  }

  /// Takes a transfer off libcurl and counts what it moved.
  @discardableResult
  private func remove(_ handle: EasyHandle) -> Transfer? {
    guard let transfer = running.removeValue(forKey: handle.pointer)?.transfer else { return nil }
    byID[transfer.id] = nil
    traffic.add(
      requests: transfer.takeRequestsSent(), bytesIn: handle.receivedBytes,
      bytesOut: handle.sentBytes)
    if options.keepsCertificates { shown.keep(handle.certificates) }
    curl_multi_remove_handle(multi, handle.pointer)
    transfer.handle = nil
    return transfer
  }

  private func resume(_ transfer: Transfer, _ outcome: Transfer.Outcome) {
    transfer.continuation?.resume(returning: outcome)
    transfer.continuation = nil
  }

  private func failEverything(_ why: String) {
    for (transfer, handle) in running.values.map({ ($0.transfer, $0.handle) }) {
      let acted = Failure.mayHaveActed(transfer, handle)
      let error = TransportError(.interrupted, "libcurl failed: \(why)", mayHaveActed: acted)
      finish(handle, .failure(error))
    }
  }

  // MARK: Handles and time

  private func newHandle() -> EasyHandle? {
    EasyHandle(options: options, trust: trust, connections: connections)
  }

  private func realm(of transfer: Transfer) -> DigestRealm? {
    let url = transfer.request.url
    return transfer.request.digest.map {
      DigestRealm(host: url.host, port: url.port, isSecure: url.isSecure, login: $0)
    }
  }

  private func keep(_ handle: EasyHandle, for transfer: Transfer) {
    let kept = idleWithDigest.values.reduce(idle.count) { $0 + $1.count }
    guard kept < Self.mostIdleHandles else { return }
    if let realm = realm(of: transfer) {
      // Without a nonce it would ask with an empty body the next time, too.
      if handle.nonce != nil, !realmsOfSingleUse.contains(realm) {
        idleWithDigest[realm, default: []].append(handle)
      }
    } else {
      idle.append(handle)
    }
  }

  /// Ends the exchanges that no longer move, now and then.
  private func look() {
    let now = monotonicNanoseconds()
    guard now >= nextLook else { return }
    nextLook = now + interval
    for (transfer, handle) in running.values.map({ ($0.transfer, $0.handle) }) {
      guard let verdict = transfer.watch?.look(now: now, moved: handle.movedBytes),
        verdict != .moving
      else { continue }
      finish(handle, .failure(Failure.outOfTime(verdict, transfer, handle, options)))
    }
  }
}
