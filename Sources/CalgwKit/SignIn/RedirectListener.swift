import Glibc

/// Takes the browser's redirect on a port of 127.0.0.1 that the system chose (RFC 8252 §7.3).
final class RedirectListener: Sendable {
  /// 16 KiB: what servers take of a head, too.
  private static let longestHead = 16_384
  /// How long one connection may take for its head, in milliseconds; browsers open some for
  /// nothing.
  private static let patience: Int32 = 1000

  private let descriptor: Int32
  private let port: UInt16

  /// What the server is told to send the browser to.
  var address: String { "http://127.0.0.1:\(port)/" }

  init() throws(SystemError) {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_INET, kind | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw SystemError(errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else {
      let code = errno
      close(descriptor)
      throw SystemError(code)
    }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }

  /// What the browser shows in the end.
  enum Page: String {
    case done = "calgw has what it needs from the browser. You can close this page."
    case refused = "calgw was not allowed in; see the terminal. You can close this page."
    case unknown = "This is not the page that calgw waits for."
  }

  /// A request of a browser; answered once, then its connection ends.
  struct Request {
    fileprivate let descriptor: Int32
    /// What follows the question mark; nil for a request for anything but `/`.
    let query: [UInt8]?

    func answer(_ page: Page) {
      let text = page.rawValue
      let head = [
        page == .unknown ? "HTTP/1.1 404 Not Found" : "HTTP/1.1 200 OK",
        "Content-Type: text/plain; charset=utf-8", "Content-Length: \(text.utf8.count)",
        "Cache-Control: no-store", "Referrer-Policy: no-referrer",
        "Content-Security-Policy: default-src 'none'", "Connection: close", "", "",
      ].joined(separator: "\r\n")
      let bytes = Array((head + text).utf8)
      // Short enough for the buffer of a socket.
      _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      shutdown(descriptor, Int32(SHUT_WR))
      close(descriptor)
    }
  }

  /// The next request, if there is one.
  func next() -> Request? {
    let connection = accept(descriptor, nil, nil)
    guard connection >= 0 else { return nil }
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    let line = requestLine(connection)
    let words = line.split(separator: 0x20)
    guard words.count == 3, words[0].elementsEqual("GET".utf8),
      words[1].first == UInt8(ascii: "/")
    else { return Request(descriptor: connection, query: nil) }
    let target = words[1].dropFirst()
    guard target.first == UInt8(ascii: "?") else {
      return Request(descriptor: connection, query: nil)
    }
    return Request(descriptor: connection, query: Array(target.dropFirst()))
  }

  /// The first line of a head that came whole; empty otherwise.
  private func requestLine(_ connection: Int32) -> [UInt8] {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: .milliseconds(Int(Self.patience)))
    var head: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while head.count < Self.longestHead, clock.now < end {
      var state = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
      guard poll(&state, 1, Self.patience) > 0 else { return [] }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return [] }
      head += buffer[..<count]
      // The whole head is read, or closing would break the connection before its answer came.
      if head.suffix(4).elementsEqual([0x0D, 0x0A, 0x0D, 0x0A]) {
        return Array(head.prefix { $0 != 0x0D })
      }
    }
    return []
  }
}
