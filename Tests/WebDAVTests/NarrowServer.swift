import SyncModel
import Synchronization
import WebDAV

/// A server that takes so many requests at once and answers each in 100 ms; what is too much it
/// refuses.
final class NarrowServer: HTTPTransport {
  enum Refusal { case status(Int), noConnection, ended(TransportError.Kind) }

  struct Seen {
    var underWay = 0
    var most = 0
    var answers: [Int] = []
    var times: [Int64] = []
  }

  let refusal: Refusal
  let surroundings: Surroundings
  let isMultiplexed: Bool
  /// Requests that are refused before any is taken.
  let firstRefusals: Int
  let seen = Mutex(Seen())
  let capacity: Mutex<Int>

  init(
    _ capacity: Int, _ refusal: Refusal, _ surroundings: Surroundings,
    isMultiplexed: Bool = false, firstRefusals: Int = 0
  ) {
    self.capacity = Mutex(capacity)
    self.refusal = refusal
    self.surroundings = surroundings
    self.isMultiplexed = isMultiplexed
    self.firstRefusals = firstRefusals
  }

  var traffic: HTTPTraffic { HTTPTraffic() }

  func send(
    _ request: HTTPRequest, into sink: any BodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    let most = capacity.withLock { $0 }
    let isTooMuch = seen.withLock { seen in
      seen.times.append(surroundings.now().milliseconds)
      guard seen.underWay < most, seen.times.count > firstRefusals else { return true }
      seen.underWay += 1
      seen.most = max(seen.most, seen.underWay)
      return false
    }
    if isTooMuch {
      switch refusal {
      case .noConnection:
        throw TransportError(.noConnection, "refused", mayHaveActed: false)
      case .ended(let kind):
        throw TransportError(kind, "it ended", mayHaveActed: true)
      case .status(let status):
        seen.withLock { $0.answers.append(status) }
        return HTTPResponseHead(status: status, headers: [], isMultiplexed: isMultiplexed)
      }
    }
    await surroundings.pause(100)
    seen.withLock { seen in
      seen.underWay -= 1
      seen.answers.append(204)
    }
    return HTTPResponseHead(status: 204, headers: [], isMultiplexed: isMultiplexed)
  }
}

/// Requests to such a server, and who sends them.
enum Requests {
  static func access(_ surroundings: Surroundings, most: Int = 8) -> DAVAccess {
    var access = DAVAccess { surroundings.now().milliseconds }
    access.maxConnections = most
    access.patience.pause = surroundings.pause
    access.patience.chance = { 777 }
    return access
  }

  static func send(
    _ client: DAVClient, _ method: String = "GET", guarded: Bool = false
  ) async throws(DAVError) -> Int {
    guard let url = try? WebURL(absolute: "https://a.example/x") else { return 0 }
    let request = DAVRequest(
      method, url, headers: guarded ? [HTTPHeader("If-Match", "\"1\"")] : [])
    return try await client.send(request) { BytesSink(limit: 1000) }.0.status
  }

  /// Sends requests all at once, and gives their statuses; 0 is an error.
  static func sendTogether(_ count: Int, _ client: DAVClient) async -> [Int] {
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<count { group.addTask { (try? await send(client)) ?? 0 } }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }
}
