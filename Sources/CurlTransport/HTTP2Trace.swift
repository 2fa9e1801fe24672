/// What libcurl tells of HTTP/2 (RFC 9113) while it has a transfer. Its codes of failures say less.
struct HTTP2Trace {
  /// The request went out as a stream, and so not over HTTP/1.
  private(set) var isUsed = false
  /// The server ended the connection with an error (section 5.4.1), or the stream with the one that
  /// asks for HTTP/1.1 (section 7, HTTP_1_1_REQUIRED).
  private(set) var hasFailed = false
  /// The server took no more streams on the connection, which is no error (section 6.8).
  private(set) var wasDismissed = false

  /// As libcurl 8 says it, and 7.88.
  private static let streams = ["[HTTP/2] [", "Using Stream ID: "]
  private static let farewells = ["received GOAWAY, error=", "recveived GOAWAY, error="]

  /// - Parameter line: may have a password in it, and is not copied.
  mutating func take(_ line: UnsafeRawBufferPointer) {
    if Self.streams.contains(where: { line.starts(with: $0.utf8) }) { isUsed = true }
    if line.starts(with: "Downgrades to HTTP/1.1".utf8) { hasFailed = true }
    for farewell in Self.farewells where line.starts(with: farewell.utf8) {
      let isGraceful = line.dropFirst(farewell.utf8.count).starts(with: "0,".utf8)
      if isGraceful { wasDismissed = true } else { hasFailed = true }
    }
  }
}
