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

  mutating func take(_ line: String) {
    if Self.streams.contains(where: line.hasPrefix) { isUsed = true }
    if line.hasPrefix("Downgrades to HTTP/1.1") { hasFailed = true }
    for farewell in Self.farewells where line.hasPrefix(farewell) {
      let isGraceful = line.dropFirst(farewell.count).hasPrefix("0,")
      if isGraceful { wasDismissed = true } else { hasFailed = true }
    }
  }
}
