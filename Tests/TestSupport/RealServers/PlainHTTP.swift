import Glibc

/// An HTTP answer, whole, as the test's own client reads it.
public struct PlainAnswer: Sendable {
  /// The three digits of the status line.
  public let status: Int
  /// Names in lower case; of repeated headers the last.
  public let headers: [String: String]
  public let body: [UInt8]

  /// Parses what a server sent until it closed the connection.
  init(_ bytes: [UInt8]) throws(ConnectionFailure) {
    let end = Array("\r\n\r\n".utf8)
    guard let gap = bytes.firstRange(of: end) else { throw .notHTTP }
    let lines = String(decoding: bytes[..<gap.lowerBound], as: UTF8.self).split(
      separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
      throw .notHTTP
    }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers[line[..<colon].lowercased()] = String(value)
    }
    self.status = status
    self.headers = headers
    body = Array(bytes[gap.upperBound...])
  }
}

/// Why no answer came.
public enum ConnectionFailure: Error {
  case system(call: String, errno: Int32)
  case notHTTP
}

/// Asks for an address on 127.0.0.1 as a browser does, and gives the status. Blocks.
public func browse(_ address: String) throws(ConnectionFailure) -> Int {
  try page(at: address).status
}

/// The same, with what a browser would show.
public func page(at address: String) throws(ConnectionFailure) -> PlainAnswer {
  let parts = address.dropFirst("http://127.0.0.1:".count).split(separator: "/", maxSplits: 1)
  guard address.hasPrefix("http://127.0.0.1:"), let port = parts.first.flatMap({ UInt16($0) })
  else { throw .notHTTP }
  let path = parts.count > 1 ? parts[1] : ""
  let head = "GET /\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAccept: text/html\r\n\r\n"
  return try PlainAnswer(try exchange(Array(head.utf8), port: port))
}

/// Sends the bytes to 127.0.0.1 and reads until the server closes. Blocks.
func exchange(_ request: [UInt8], port: UInt16) throws(ConnectionFailure) -> [UInt8] {
  let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
  guard connection >= 0 else { throw .system(call: "socket", errno: errno) }
  defer { close(connection) }
  // Radicale needs half a minute to list ten thousand items that it has not parsed yet.
  var patience = timeval(tv_sec: 180, tv_usec: 0)
  let size = socklen_t(MemoryLayout<timeval>.size)
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, size)

  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  let length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let connected = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(connection, $0, length)
    }
  }
  guard connected == 0 else { throw .system(call: "connect", errno: errno) }

  var rest = request[...]
  while !rest.isEmpty {
    let sent = rest.withUnsafeBytes {
      send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    guard sent > 0 else { throw .system(call: "send", errno: errno) }
    rest = rest.dropFirst(sent)
  }
  var answer: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = recv(connection, &chunk, chunk.count, 0)
    guard count >= 0 else { throw .system(call: "recv", errno: errno) }
    if count == 0 { return answer }
    answer += chunk[..<count]
  }
}
