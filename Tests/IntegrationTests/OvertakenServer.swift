import Synchronization
import TestSupport
import WebDAV

/// The way to a model server, on which another client may overtake a request.
final class OvertakenServer: HTTPTransport {
  private struct Plan: Sendable {
    var methods: Set<String>
    var act: @Sendable (HTTPRequest) -> Void
  }

  private let server: ModelServer
  private let plan = Mutex<Plan?>(nil)

  init(_ server: ModelServer) { self.server = server }

  var traffic: HTTPTraffic { server.traffic }

  /// Something happens once, just before the next request of one of these methods arrives.
  func before(_ methods: Set<String>, _ act: @escaping @Sendable () -> Void) {
    overtake(methods) { _ in act() }
  }

  /// The same, by somebody who sees that request.
  func overtake(_ methods: Set<String>, _ act: @escaping @Sendable (HTTPRequest) -> Void) {
    plan.withLock { $0 = Plan(methods: methods, act: act) }
  }

  func send(
    _ request: HTTPRequest, into sink: any BodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    let due = plan.withLock { plan -> Plan? in
      guard let due = plan, due.methods.contains(request.method) else { return nil }
      plan = nil
      return due
    }
    due?.act(request)
    return try await server.send(request, into: sink)
  }
}
