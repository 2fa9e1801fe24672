import WebDAV

extension ModelServer {
  /// Answers a request that came over a socket, for the real program against the model.
  ///
  /// ```swift
  /// let server = try ScriptedServer { model.steps(for: $0) }
  /// ```
  ///
  /// Faults of the network are those of `ServerStep`; of `ModelFault` the answers are played.
  /// Digest is not spoken here: `DigestGuard` is.
  public func steps(for received: ReceivedRequest) -> [ServerStep] {
    var request = HTTPRequest(
      method: received.method, url: Self.origin + received.target, headers: received.headers,
      body: received.body, credentials: received.credentials)
    request.headers.removeAll { $0.name.lowercased() == "authorization" }
    let answer = answer(onWire: request)
    var head = "HTTP/1.1 \(answer.status) Model\r\n"
    for header in answer.headers {
      head += "\(header.name): \(String(decoding: header.value, as: UTF8.self))\r\n"
    }
    if answer.status != 204 { head += "Content-Length: \(answer.body.count)\r\n" }
    return [.send(Array((head + "\r\n").utf8) + answer.body)]
  }
}

extension ReceivedRequest {
  /// All headers in order.
  fileprivate var headers: [HTTPHeader] {
    head.split(separator: 0x0A).dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let value = line[colon...].dropFirst().drop { $0 == 0x20 }.prefix { $0 != 0x0D }
      return HTTPHeader(String(decoding: line[..<colon], as: UTF8.self), Array(value))
    }
  }

  fileprivate var credentials: HTTPCredentials? {
    let words = (header("Authorization") ?? "").split(separator: " ")
    guard words.count == 2 else { return nil }
    if words[0] == "Bearer" {
      return HTTPCredentials(username: [], password: Array(words[1].utf8), scheme: .bearer)
    }
    guard words[0] == "Basic", let pair = Self.decodeBase64(words[1]),
      let colon = pair.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    return HTTPCredentials(
      username: Array(pair[..<colon]), password: Array(pair[(colon + 1)...]), scheme: .basic)
  }

  private static func decodeBase64(_ text: Substring) -> [UInt8]? {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var bytes: [UInt8] = []
    var bits = 0
    var count = 0
    for byte in text.utf8 where byte != UInt8(ascii: "=") {
      guard let value = alphabet.firstIndex(of: byte) else { return nil }
      bits = (bits << 6 | value) & 0xFF_FFFF
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
    }
    return bytes
  }
}
