public import SyncModel
import Synchronization
public import WebDAV

/// A CalDAV server in memory that speaks the protocol's own bytes.
///
/// It has one user, `alice`: `/` names the principal `/principals/alice/`, that names the home set
/// `/calendars/alice/`. Its switches make it behave like one real server or another; faults befall
/// single requests. It is deterministic: no clock, no chance, no dictionary's order.
public final class ModelServer: HTTPTransport {
  public static let origin = "http://127.0.0.1:8080"
  public static let homePath = "/calendars/alice/"
  public static let principalPath = "/principals/alice/"

  struct State {
    var switches: ModelSwitches
    var world = ModelWorld()
    var log: [ModelRequest] = []
    var traffic = HTTPTraffic()
    var faults: [PlannedFault] = []
    var hook: (@Sendable (ModelRequest) -> ModelFault?)?
    var isStopped = false
    var answers = 0
    var underWay = 0
    var mostAtOnce = 0
    /// What it did so far because of its switches.
    var acts: Set<ModelAct> = []
  }

  struct PlannedFault {
    var fault: ModelFault
    var method: String?
    var skip: Int
    var times: Int
  }

  let state: Mutex<State>
  let surroundings: Surroundings
  private let latency: @Sendable (ModelRequest) -> Int64

  /// - Parameter latency: in virtual milliseconds, once before the server acts and once after.
  public init(
    _ switches: ModelSwitches = ModelSwitches(), surroundings: Surroundings,
    latency: @escaping @Sendable (ModelRequest) -> Int64 = { _ in 0 }
  ) {
    state = Mutex(State(switches: switches))
    self.surroundings = surroundings
    self.latency = latency
  }

  // MARK: Steering

  /// Changes how the server behaves from now on.
  public func change(_ body: (inout ModelSwitches) -> Void) {
    state.withLock { body(&$0.switches) }
  }

  /// Plans a fault for requests of a method (nil: any), after `skip` of them, `times` times.
  public func plan(
    _ fault: ModelFault, for method: String? = nil, skipping skip: Int = 0, times: Int = 1
  ) {
    state.withLock {
      $0.faults.append(PlannedFault(fault: fault, method: method, skip: skip, times: times))
    }
  }

  /// Asks `hook` about every request that no planned fault befalls.
  public func interfere(_ hook: (@Sendable (ModelRequest) -> ModelFault?)?) {
    state.withLock { $0.hook = hook }
  }

  /// Kills the client at the `number`th request from now; everything after it is stopped too,
  /// until `restart`.
  public func stop(atRequest number: Int, afterActing: Bool) {
    plan(afterActing ? .stopAfter : .stopBefore, skipping: number - 1)
  }

  /// A fresh client comes: nothing is stopped, no fault is planned.
  public func restart() {
    state.withLock {
      $0.isStopped = false
      $0.faults = []
    }
  }

  // MARK: Looking

  public var traffic: HTTPTraffic { state.withLock { $0.traffic } }
  public var requests: [ModelRequest] { state.withLock { $0.log } }
  public var isStopped: Bool { state.withLock { $0.isStopped } }
  /// Writes and deletions of items with attendees.
  public var mails: Int { state.withLock { $0.world.mails } }

  /// The number of requests of a method.
  public func count(_ method: String) -> Int {
    state.withLock { state in state.log.count { $0.method == method } }
  }

  public func forgetRequests() { state.withLock { $0.log = [] } }

  /// The most requests that were on their way at once.
  public var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }

  // MARK: Transport

  public func send(
    _ request: HTTPRequest, into sink: any BodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    try await send(request, meeting: nil, into: sink)
  }

  /// Sends a request that meets a fault, if one is given.
  public func send(
    _ request: HTTPRequest, meeting given: ModelFault?, into sink: any BodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    let (seen, planned) = arrive(request)
    state.withLock { state in
      state.underWay += 1
      state.mostAtOnce = max(state.mostAtOnce, state.underWay)
    }
    defer { state.withLock { $0.underWay -= 1 } }
    let fault = given ?? planned
    let wait = latency(seen)
    if wait > 0 { await surroundings.pause(wait) }
    if let error = Self.errorBefore(fault) { throw error }
    if case .brokenHTTP2 = fault, !request.avoidsHTTP2 {
      throw TransportError(.multiplexingFailed, "HTTP/2 failed", mayHaveActed: true)
    }
    let answer = state.withLock { state in
      var answer = act(request, &state, fault)
      if state.switches.tellsDate {
        let date = Self.httpDate(surroundings.now().milliseconds)
        answer.headers.append(HTTPHeader("Date", date))
      }
      state.traffic.bytesOut += Int64(request.body.count)
      if let index = state.log.lastIndex(where: { $0.number == seen.number }) {
        state.log[index].status = answer.status
      }
      return answer
    }
    if wait > 0 { await surroundings.pause(wait) }
    var head = try deliver(answer, fault, into: sink)
    if request.avoidsHTTP2 { head.isMultiplexed = false }
    return head
  }

  /// The answer to a request that some server on a socket took; planned faults that are answers
  /// are played.
  func answer(onWire request: HTTPRequest) -> ModelAnswer {
    let (seen, fault) = arrive(request)
    return state.withLock { state in
      let answer = act(request, &state, fault)
      if let index = state.log.lastIndex(where: { $0.number == seen.number }) {
        state.log[index].status = answer.status
      }
      return answer
    }
  }

  private func arrive(_ request: HTTPRequest) -> (ModelRequest, ModelFault?) {
    state.withLock { state in
      state.traffic.requests += 1
      var headers: [String: String] = [:]
      for header in request.headers {
        headers[header.name.lowercased()] = String(decoding: header.value, as: UTF8.self)
      }
      if request.credentials != nil { headers["authorization"] = "yes" }
      let seen = ModelRequest(
        number: state.traffic.requests, method: request.method, url: request.url,
        headers: headers, bodyBytes: request.body.count,
        wantsNewConnection: request.wantsNewConnection, avoidsHTTP2: request.avoidsHTTP2)
      guard !state.isStopped else { return (seen, .stopBefore) }
      state.log.append(seen)
      let fault = Self.nextFault(&state, request.method) ?? state.hook?(seen)
      if fault == .stopBefore || fault == .stopAfter { state.isStopped = true }
      return (seen, fault)
    }
  }

  private static func nextFault(_ state: inout State, _ method: String) -> ModelFault? {
    var due: ModelFault?
    for index in state.faults.indices {
      let planned = state.faults[index]
      guard planned.method == nil || planned.method == method, planned.times > 0 else { continue }
      if planned.skip > 0 {
        state.faults[index].skip -= 1
      } else if due == nil {
        state.faults[index].times -= 1
        due = planned.fault
      }
    }
    return due
  }

  private static let unanswered = TransportError(.unanswered, "it ended", mayHaveActed: true)

  private static func errorBefore(_ fault: ModelFault?) -> TransportError? {
    switch fault {
    case .unanswered(isDone: false): unanswered
    case .noConnection: TransportError(.noConnection, "refused", mayHaveActed: false)
    case .lostBefore: TransportError(.interrupted, "connection reset", mayHaveActed: true)
    case .silent: TransportError(.timeout, "no byte came", mayHaveActed: true)
    case .stopBefore: TransportError(.cancelled, "stopped", mayHaveActed: false)
    default: nil
    }
  }

  private func act(
    _ request: HTTPRequest, _ state: inout State, _ fault: ModelFault?
  ) -> ModelAnswer {
    switch fault {
    case .answer(let status, let headers, let body):
      return ModelAnswer(
        status, headers: headers.compactMap { $0.count == 2 ? HTTPHeader($0[0], $0[1]) : nil },
        body: Array(body.utf8))
    case .webPage:
      return ModelAnswer(
        200, headers: [HTTPHeader("Content-Type", "text/html; charset=utf-8")],
        body: Array("<!DOCTYPE html><html><title>Log in</title></html>".utf8))
    case .actThenAnswer(let status):
      _ = answer(request, &state)
      return ModelAnswer(status)
    default:
      return answer(request, &state)
    }
  }

  private func deliver(
    _ answer: ModelAnswer, _ fault: ModelFault?, into sink: any BodySink
  ) throws(TransportError) -> HTTPResponseHead {
    var body = answer.body[...]
    var headers = answer.headers + [HTTPHeader("Content-Length", "\(body.count)")]
    var error: TransportError?
    switch fault {
    case .unanswered: (body, error) = ([], Self.unanswered)
    case .lostAfter: (body, error) = ([], TransportError(.interrupted, "reset", mayHaveActed: true))
    case .stopAfter: (body, error) = ([], TransportError(.cancelled, "stopped", mayHaveActed: true))
    case .truncated(let count):
      body = body.prefix(count)
      error = TransportError(.interrupted, "the answer was cut short", mayHaveActed: true)
    case .cutUnnoticed(let count):
      // Nobody notices where the end of the connection is the end of the answer.
      (body, headers) = (body.prefix(count), answer.headers)
    default: break
    }
    // In pieces, as from a network.
    for start in stride(from: body.startIndex, to: body.endIndex, by: 997) {
      let piece = body[start..<min(start + 997, body.endIndex)]
      guard piece.withUnsafeBytes({ sink.receive($0) }) else {
        throw TransportError(.refusedBody, "the body was refused", mayHaveActed: true)
      }
    }
    let isMultiplexed = state.withLock { state in
      state.traffic.bytesIn += Int64(body.count)
      if case .cutUnnoticed = fault, body.count < answer.body.count { state.acted(.cutUnnoticed) }
      return state.switches.isMultiplexed
    }
    if let error { throw error }
    return HTTPResponseHead(
      status: answer.status, headers: headers, isMultiplexed: isMultiplexed)
  }
}
