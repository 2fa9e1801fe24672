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
