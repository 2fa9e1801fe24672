import CurlTransport
import TestSupport
import WebDAV

/// What came of one request.
struct Answer {
  let head: HTTPResponseHead
  let body: String
}

/// Options for loopback: no proxy of the environment gets in between, and no limit on silence or
/// on the rate ends a test that waits for its turn beside two thousand others. A test of such a
/// limit sets its own.
func loopbackOptions(
  _ change: (inout CurlTransport.Options) -> Void = { _ in }
) -> CurlTransport.Options {
  var options = CurlTransport.Options()
  options.proxy = .none
  options.silenceTimeout = .seconds(600)
  options.minimumRate = 0
  change(&options)
  return options
}

extension CurlTransport {
  /// A transport for loopback.
  static func loopback(
    _ change: (inout CurlTransport.Options) -> Void = { _ in }
  ) throws(TransportError) -> CurlTransport {
    try CurlTransport(options: loopbackOptions(change))
  }

  /// Sends a request and collects the answer's body.
  func answer(
    _ method: String = "GET", _ url: String, headers: [HTTPHeader] = [], body: [UInt8] = [],
    credentials: HTTPCredentials? = nil
  ) async throws(TransportError) -> Answer {
    let sink = CollectingSink()
    let request = HTTPRequest(
      method: method, url: url, headers: headers, body: body, credentials: credentials)
    let head = try await send(request, into: sink)
    return Answer(head: head, body: sink.text)
  }

  /// Sends a request that is to fail; nil if it does not.
  func failure(
    _ method: String = "GET", _ url: String, headers: [HTTPHeader] = [], body: [UInt8] = [],
    credentials: HTTPCredentials? = nil
  ) async -> TransportError? {
    do {
      _ = try await answer(method, url, headers: headers, body: body, credentials: credentials)
      return nil
    } catch { return error }
  }
}

extension HTTPCredentials {
  static func login(_ name: String, _ password: String, _ scheme: Scheme) -> HTTPCredentials {
    HTTPCredentials(username: Array(name.utf8), password: Array(password.utf8), scheme: scheme)
  }
}

/// A body that does not fit into the buffers between two sockets.
let largeBody = [UInt8](repeating: UInt8(ascii: "x"), count: 16 * 1024 * 1024)
