import CCurl
import WebDAV

/// What went wrong on the way to or within a proxy, which says nothing of the server.
extension Failure {
  /// What a proxy of SOCKS answered (RFC 1928 section 6, RFC 1929).
  static func explainSOCKS(_ handle: EasyHandle, _ server: String) -> Words {
    let trouble = handle.proxyTrouble
    switch trouble {
    case CURLPX_USER_REJECTED:
      return (.proxyDenied, "the proxy refused the user name or the password")
    case CURLPX_NO_AUTH:
      return (.proxyDenied, "the proxy takes no way to sign in that it was offered")
    default: break
    }
    let reason: KeyValuePairs = [
      CURLPX_REPLY_NOT_ALLOWED: "its rules do not allow it",
      CURLPX_REPLY_CONNECTION_REFUSED: "the server refused the connection",
      CURLPX_REPLY_HOST_UNREACHABLE: "it does not reach the host",
      CURLPX_REPLY_NETWORK_UNREACHABLE: "it does not reach the network",
    ]
    let why = reason.first { $0.key == trouble }.map { ": \($0.value)" } ?? ""
    return (.noConnection, "the proxy made no connection to \(server)\(why)")
  }

  /// A TLS connection that was not made is the proxy's own, and not the server's.
  static func isProxys(
    _ handle: EasyHandle, _ url: RequestURL, _ options: CurlTransport.Options
  ) -> Bool {
    // A proxy that answered for a tunnel was trusted by then.
    guard handle.tunnelStatus == 0 else { return false }
    return switch options.way(to: url) {
    case .url(let url): url.lowercased().hasPrefix("https:")
    case .environment: handle.distrustsProxy
    case .none: false
    }
  }
}
