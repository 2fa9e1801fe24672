import Glibc
import Synchronization

/// A TCP server on 127.0.0.1 that reads HTTP/1.1 requests and does with each what a script says:
/// right answers, wrong ones, or none.
///
/// ```swift
/// // A small server: the answer follows from the request.
/// let server = try ScriptedServer { request in
///   request.method == "PUT" ? [.answer(201, headers: ["ETag": "\"1\""])] : [.answer(404)]
/// }
/// let url = server.url + "calendars/ann/"      // "http://127.0.0.1:40123/calendars/ann/"
/// …
/// #expect(server.requests.map(\.method) == ["PUT"])
/// server.stop()                                // letting go of it does the same
/// ```
///
/// Scripts for the faults that a test usually wants:
///
/// ```swift
/// try ScriptedServer { _ in [.html] }                                  // a captive portal
/// try ScriptedServer { _ in [.silence] }                               // never answers
/// try ScriptedServer { _ in [.answer(429, headers: ["Retry-After": "1"])] }
/// try ScriptedServer { request in [.answer(request.number == 0 ? 503 : 200)] }  // once
/// try ScriptedServer { _ in [.answer(401, headers: ["WWW-Authenticate": "Basic realm=x"])] }
/// try ScriptedServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .close] }
/// try ScriptedServer { _ in [.reset] }                                 // applied? nobody knows
/// try ScriptedServer { _ in [.wait(gate), .answer(200)] }              // when the test says so
/// // Before a request is read, or amid its body:
/// try ScriptedServer(greeting: { _ in [.reset] }, answer: ScriptedServer.ok)
/// try ScriptedServer(greeting: { _ in [.read(1000), .reset] }, answer: ScriptedServer.ok)
/// ```
///
/// - The scripts are called on the server's threads, one thread a connection; they must not call
///   `stop`, which waits for those threads.
/// - A request is recorded before its script begins, so `waitForRequests` tells a test that the
///   server is, for instance, silent by now; no test has to sleep.
/// - Bodies are read by their `Content-Length`; a request in chunks ends the connection.
public final class ScriptedServer: Sendable {
  public typealias Answer = @Sendable (ReceivedRequest) -> [ServerStep]

  public let port: UInt16
  private let core: ServerCore

  /// Status 200 without a body.
  public static let ok: Answer = { _ in [.answer(200)] }

  /// - Parameter answer: what is done after a whole request was read.
  public convenience init(_ answer: @escaping Answer = ok) throws(LoopbackError) {
    try self.init(greeting: { _ in [] }, answer: answer)
  }

  /// - Parameters:
  ///   - greeting: what is done on a connection, counted from 0, before anything is read from it.
  ///   - answer: what is done after a whole request was read.
  public init(
    greeting: @escaping @Sendable (Int) -> [ServerStep], answer: @escaping Answer
  ) throws(LoopbackError) {
    let (listener, port) = try boundSocket()
    guard listen(listener, 512) == 0 else { throw LoopbackError("listen") }
    self.port = port
    core = try ServerCore(listener: listener, greeting: greeting, answer: answer)
    try core.start()
  }

  /// Listens at a Unix socket instead, whose file stays when the server goes.
  public init(
    unixSocket path: String, answer: @escaping Answer = ok
  ) throws(LoopbackError) {
    let listener = try boundSocket(at: path)
    guard listen(listener, 512) == 0 else { throw LoopbackError("listen") }
    port = 0
    core = try ServerCore(listener: listener, greeting: { _ in [] }, answer: answer)
    try core.start()
  }

  deinit { core.stop() }

  /// The server's root, with a slash at its end.
  public var url: String { "http://127.0.0.1:\(port)/" }

  /// All requests so far, in the order in which their last byte came.
  public var requests: [ReceivedRequest] { core.requests }

  /// The connections that were taken so far.
  public var connectionCount: Int { core.connectionCount }

  /// Returns when so many requests came.
  public func waitForRequests(_ count: Int) async { await core.waitForRequests(count) }

  /// Ends all connections, orderly, and takes no more.
  public func stop() { core.stop() }
}

/// What the server's threads share. Holds no reference to the server, which so can go.
final class ServerCore: Sendable {
  private struct State {
    var requests: [ReceivedRequest] = []
    var connections = 0
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var threads: [pthread_t] = []
    var hasEnded = false
  }

  let greeting: @Sendable (Int) -> [ServerStep]
  let answer: ScriptedServer.Answer
  /// Readable, by its end, once the server is to stop.
  let stopping: Int32
  private let listener: Int32
  private let stopper: Opener
  private let state = Mutex(State())

  init(
    listener: Int32, greeting: @escaping @Sendable (Int) -> [ServerStep],
    answer: @escaping ScriptedServer.Answer
  ) throws(LoopbackError) {
    self.listener = listener
    self.greeting = greeting
    self.answer = answer
    let pipe = try Pipe()
    stopping = pipe.reading
    stopper = Opener(pipe.writing)
  }

  deinit { close(stopping) }

  var requests: [ReceivedRequest] { state.withLock { $0.requests } }
  var connectionCount: Int { state.withLock { $0.connections } }

  func start() throws(LoopbackError) {
    try spawn { core in core.acceptConnections() }
  }

  func stop() {
    stopper.close()
    // The accepting thread is the first; it starts no other once it has ended.
    while let thread = state.withLock({ $0.threads.isEmpty ? nil : $0.threads.removeFirst() }) {
      pthread_join(thread, nil)
    }
    let isFirst = state.withLock { state in
      defer { state.hasEnded = true }
      return !state.hasEnded
    }
    if isFirst { close(listener) }
  }

  func record(connection: Int, head: [UInt8], body: [UInt8]) -> ReceivedRequest {
    let (request, ready) = state.withLock { state in
      let request = ReceivedRequest(
        number: state.requests.count, connection: connection, head: head, body: body)
      state.requests.append(request)
      let ready = state.waiting.filter { $0.count <= state.requests.count }
      state.waiting.removeAll { $0.count <= state.requests.count }
      return (request, ready)
    }
    for waiter in ready { waiter.continuation.resume() }
    return request
  }

  func waitForRequests(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.requests.count >= count { return true }
        state.waiting.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  private func acceptConnections() {
    while waitFor([(stopping, POLLIN), (listener, POLLIN)]) == 1 {
      let descriptor = accept(listener, nil, nil)
      guard descriptor >= 0 else { continue }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      // What a script sent is on its way then, and does not wait for what was sent before.
      var on: Int32 = 1
      setsockopt(
        descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
      let number = state.withLock { state in
        defer { state.connections += 1 }
        return state.connections
      }
      do {
        try spawn { core in
          ScriptedConnection(core: core, descriptor: descriptor, number: number).play()
        }
      } catch { close(descriptor) }
    }
  }

  private final class Job: Sendable {
    let core: ServerCore
    let work: @Sendable (ServerCore) -> Void

    init(core: ServerCore, work: @escaping @Sendable (ServerCore) -> Void) {
      self.core = core
      self.work = work
    }
  }

  private func spawn(_ work: @escaping @Sendable (ServerCore) -> Void) throws(LoopbackError) {
    let context = Unmanaged.passRetained(Job(core: self, work: work))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      {
        guard let context = $0 else { return nil }
        let job = Unmanaged<Job>.fromOpaque(context).takeRetainedValue()
        job.work(job.core)
        return nil
      }, context.toOpaque())
    guard code == 0 else {
      context.release()
      throw LoopbackError(text: "pthread_create: \(String(cString: strerror(code)))")
    }
    let started = thread
    state.withLock { $0.threads.append(started) }
  }
}
