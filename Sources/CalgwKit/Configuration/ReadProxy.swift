/// Reads `proxy`: a URL, `none`, `unix:PATH`, or the source of a secret that is a URL.
func readProxy(
  _ reader: TableReader, in context: ReadingContext
) throws(ConfigurationError) -> ProxyConfiguration {
  guard let value = reader.table["proxy"] else { return .environment }
  guard case .string(let text) = value.content else {
    return try readSecret("proxy", of: reader, in: context).map { .secret($0) } ?? .environment
  }
  if text == "none" { return .none }
  do throws(URLComplaint) {
    if let path = try socketPath(text, in: context) { return .unixSocket(path) }
    try checkProxyURL(text, mayHoldLogin: false)
    return .url(text)
  } catch {
    throw reader.error("proxy", error.message, hint: error.hint)
  }
}

/// The path after `unix:`; nil where it does not begin so.
private func socketPath(
  _ text: String, in context: ReadingContext
) throws(URLComplaint) -> String? {
  guard text.hasPrefix("unix:") else { return nil }
  /// `sockaddr_un` holds 108 bytes with the closing zero (unix(7)).
  let lengthLimit = 107
  let path: String
  do {
    path = try expandPath(
      String(text.dropFirst(5)), environment: context.environment, relativeTo: context.directory)
  } catch {
    throw URLComplaint(message: error.message, hint: error.hint)
  }
  guard path.utf8.count <= lengthLimit else {
    throw URLComplaint(
      message: "the socket's path has more than \(lengthLimit) bytes",
      hint: "put the socket, or a link to its directory, at a shorter path")
  }
  return path
}

/// Checks the URL of a proxy. Its words never hold the URL, which may be secret.
package func checkProxyURL(_ url: String, mayHoldLogin: Bool) throws(URLComplaint) {
  let schemes = ["http", "https", "socks5", "socks5h"]
  let scheme = schemes.first { url.lowercased().hasPrefix($0 + "://") }
  guard let scheme, url.utf8.count <= 2048,
    url.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7F })
  else {
    throw URLComplaint(
      message: "the value is no URL of a proxy",
      hint: "write http://HOST:PORT, or https, socks5 or socks5h; \"unix:/PATH\" for a socket; "
        + "\"none\" for no proxy")
  }
  let rest = url.dropFirst(scheme.count + 3)
  let authority = rest.prefix { $0 != "/" }
  guard rest.dropFirst(authority.count).allSatisfy({ $0 == "/" }), !authority.contains("?"),
    !authority.contains("#")
  else {
    throw URLComplaint(
      message: "the proxy's URL has a path", hint: "write it as \(scheme)://HOST:PORT")
  }
  let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
  guard parts.count == 1 || (parts.count == 2 && mayHoldLogin) else {
    throw URLComplaint(
      message: "the proxy's URL holds a user name or a password",
      hint: "keep the whole URL as a secret: proxy = { command = [\"pass\", \"show\", \"…\"] }")
  }
  guard let last = parts.last, hostName(of: last) != nil else {
    throw URLComplaint(
      message: "the proxy's URL has no valid host and port",
      hint: "write it as \(scheme)://HOST:PORT")
  }
}
