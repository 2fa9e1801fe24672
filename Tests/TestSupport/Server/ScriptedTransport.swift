import Synchronization
public import WebDAV

/// Plays a conversation: each request must be the next one of an exchange.
public final class ScriptedTransport: HTTPTransport {
  private struct State {
    var turns: [Exchange.Turn]
    var complaints: [String] = []
    var traffic = HTTPTraffic()
    var identified: [String] = []
  }

  private let state: Mutex<State>

  public init(_ exchange: Exchange) { state = Mutex(State(turns: exchange.turns)) }

  public var traffic: HTTPTraffic { state.withLock { $0.traffic } }

  /// What was asked otherwise than the exchange says; what it has left over too.
  public var complaints: [String] {
    state.withLock { state in
      state.complaints + state.turns.map { "not asked: \($0.method) \($0.url)" }
    }
  }

  /// The addresses that were to be shown a certificate, in order.
  public var identified: [String] { state.withLock { $0.identified } }

  public func send(
    _ request: HTTPRequest, into sink: any BodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    let turn = state.withLock { state -> Exchange.Turn? in
      state.traffic.requests += 1
      guard let next = state.turns.first, next.method == request.method, next.url == request.url
      else {
        state.complaints.append("unexpected: \(request.method) \(request.url)")
        return nil
      }
      state.turns.removeFirst()
      if request.mayIdentify { state.identified.append(request.url) }
      state.complaints += Self.differences(next, request)
      return next
    }
    guard let turn else {
      throw TransportError(.noConnection, "not in the exchange", mayHaveActed: false)
    }
    let taken = Array(turn.answer.utf8).withUnsafeBytes { sink.receive($0) }
    guard taken else {
      throw TransportError(.refusedBody, "the body was refused", mayHaveActed: true)
    }
    var head = HTTPResponseHead(status: turn.status, headers: turn.answerHeaders)
    head.answersAnybody = turn.answersAnybody
    return head
  }

  private static func differences(
    _ turn: Exchange.Turn, _ request: HTTPRequest
  ) -> [String] {
    var differences: [String] = []
    for wanted in turn.headers {
      let given =
        wanted.name.lowercased() == "credentials"
        ? Array((request.credentials.map { "\($0.scheme)" } ?? "none").utf8)
        : request.headers.first { $0.name.lowercased() == wanted.name.lowercased() }?.value
      if given ?? Array("none".utf8) != wanted.value {
        differences.append("\(turn.method) \(turn.url): \(wanted.name) is not as expected")
      }
    }
    let body = String(decoding: request.body, as: UTF8.self)
    for part in turn.bodyParts where !body.contains(part) {
      differences.append("\(turn.method) \(turn.url): its body lacks \(part)")
    }
    for part in turn.unwantedParts where body.contains(part) {
      differences.append("\(turn.method) \(turn.url): its body has \(part)")
    }
    return differences
  }
}
