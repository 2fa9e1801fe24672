import Synchronization
import Testing
import WebDAV

/// How often a request goes out whose connections end without an answer, one request at a time.
@Suite struct EndedRequestsTests {
  /// Ends the first requests in these ways, and answers all that come after them.
  private final class EndingServer: HTTPTransport {
    private let ends: Mutex<[TransportError.Kind]>
    private let count = Mutex(0)

    init(_ ends: [TransportError.Kind]) { self.ends = Mutex(ends) }

    var traffic: HTTPTraffic { HTTPTraffic() }
    var requests: Int { count.withLock { $0 } }

    func send(
      _ request: HTTPRequest, into sink: any BodySink
    ) async throws(TransportError) -> HTTPResponseHead {
      count.withLock { $0 += 1 }
      let end = ends.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      if let end { throw TransportError(end, "it ended", mayHaveActed: true) }
      return HTTPResponseHead(status: 204, headers: [])
    }
  }

  /// After an error of HTTP/2 itself the next one goes over HTTP/1.1: what came before says nothing
  /// of that.
  @Test(
    arguments: [
      ("GET", [.interrupted], 2, true), ("GET", [.interrupted, .interrupted], 2, false),
      ("GET", [.multiplexingFailed], 2, true),
      ("GET", [.interrupted, .multiplexingFailed], 3, true),
      ("GET", [.multiplexingFailed, .interrupted], 3, true),
      ("GET", [.interrupted, .multiplexingFailed, .interrupted], 3, false),
      ("GET", [.multiplexingFailed, .interrupted, .interrupted], 3, false),
      ("GET", [.multiplexingFailed, .multiplexingFailed, .multiplexingFailed], 3, false),
      // Its sender looks first at what became of it.
      ("PUT", [.multiplexingFailed], 1, false), ("PUT", [.interrupted], 1, false),
    ] as [(String, [TransportError.Kind], Int, Bool)])
  func `a read goes once more, and again where HTTP 2 is left`(
    method: String, ends: [TransportError.Kind], requests: Int, isAnswered: Bool
  ) async {
    let server = EndingServer(ends)
    let client = DAVClient(
      transport: server, access: DAVAccess { 0 }, trusting: "https://a.example")
    let status = try? await Requests.send(client, method)
    #expect(server.requests == requests)
    #expect(status == (isAnswered ? 204 : nil))
  }
}
