/// What is wrong with a server's URL.
package struct URLComplaint: Error, Hashable {
  package var message: String
  package var hint: String
}

/// Checks the URL of a server: absolute, http or https, a host, no user information (it would be
/// shown in messages), no fragment; plain http only to this machine unless `allowsPlainHTTP`.
package func checkServerURL(_ url: String, allowsPlainHTTP: Bool) throws(URLComplaint) {
  /// What servers and proxies take at the most.
  let lengthLimit = 2048
  guard url.utf8.count <= lengthLimit else {
    throw URLComplaint(message: "the URL is longer than \(lengthLimit) bytes", hint: "shorten it")
  }
  let scheme: String
  if url.lowercased().hasPrefix("https://") {
    scheme = "https"
  } else if url.lowercased().hasPrefix("http://") {
    scheme = "http"
  } else {
    let hint =
      url.contains("://") || ["", "/", ".", "~"].contains(url.prefix(1))
      ? "write a URL that begins with https://"
      : "write \"https://\" before it"
    throw URLComplaint(message: "the URL does not begin with https://", hint: hint)
  }
  guard url.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7F }) else {
    throw URLComplaint(
      message: "the URL has a blank, a control character or a letter outside ASCII",
      hint: "percent-encode it, as %20 for a blank")
  }
  let rest = url.dropFirst(scheme.count + 3)
  let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
  guard !authority.contains("@") else {
    throw URLComplaint(
      message: "the URL holds a user name or a password",
      hint: "remove what stands before the @; user and password have keys of their own")
  }
  guard !url.contains("#") else {
    throw URLComplaint(message: "the URL has a fragment", hint: "remove the # and what follows")
  }
  guard let host = hostName(of: authority) else {
    throw URLComplaint(
      message: "the URL has no valid host and port", hint: "write it as https://HOST[:PORT]/")
  }
  guard scheme == "https" || allowsPlainHTTP || isLoopback(host) else {
    throw URLComplaint(
      message: "the URL is plain http: passwords and calendars would be readable on the way",
      hint: "write https://, or give the account allow_http = true in a configuration if the"
        + " network is safe")
  }
}

/// The host of `host`, `host:port` or `[address]:port`; nil where it is not of that form.
func hostName(of authority: Substring) -> String? {
  let host: Substring
  let after: Substring
  if authority.first == "[" {
    guard let end = authority.firstIndex(of: "]") else { return nil }
    host = authority[authority.index(after: authority.startIndex)..<end]
    after = authority[authority.index(after: end)...]
    guard !host.isEmpty, host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else {
      return nil
    }
  } else {
    host = authority.prefix { $0 != ":" }
    after = authority[host.endIndex...]
    let isNamed = host.allSatisfy { $0.isLetter || $0.isNumber || "-._~%".contains($0) }
    guard !host.isEmpty, isNamed else { return nil }
  }
  if after.isEmpty { return String(host) }
  let port = after.dropFirst()
  guard after.first == ":", let number = UInt16(port), number > 0 else { return nil }
  return String(host)
}

/// True for names and addresses of this machine.
func isLoopback(_ host: String) -> Bool {
  let host = host.lowercased()
  if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
  let parts = host.split(separator: ".", omittingEmptySubsequences: false)
  return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
}
