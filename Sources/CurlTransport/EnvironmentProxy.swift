import CCurl
import Glibc

extension CurlTransport.Options {
  /// Whether the way to a URL's server leads through a proxy that the environment names.
  ///
  /// libcurl itself is asked: which variables it reads, in capitals or not, and what it makes of
  /// `no_proxy` differs from version to version. Nothing is connected; the name of a proxy is
  /// looked up, for as long as `connectTimeout` allows.
  public func leadsThroughEnvironmentProxy(to url: String) -> Bool {
    guard unixSocketPath == nil, let url = try? RequestURL(url), way(to: url) == .environment,
      let easy = curl_easy_init()
    else { return false }
    defer { curl_easy_cleanup(easy) }
    let destination = curl_slist_append(nil, "::\(FirstConnection.standIn):9")
    defer { curl_slist_free_all(destination) }
    let first = FirstConnection()
    let settings = [
      ccurl_set_string(easy, CURLOPT_URL, url.text),
      ccurl_set_list(easy, CURLOPT_CONNECT_TO, destination),
      ccurl_set_socket_callbacks(
        easy, FirstConnection.onOpen, { _, descriptor in close(descriptor) },
        Unmanaged.passUnretained(first).toOpaque()),
      ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1),
      ccurl_set_long(
        easy, CURLOPT_CONNECTTIMEOUT_MS, Int(connectTimeout.clampedMilliseconds)),
    ]
    guard destination != nil, settings.allSatisfy({ $0 == CURLE_OK }) else { return false }
    curl_easy_perform(easy)
    return withExtendedLifetime(first) { !first.isToServer }
  }
}

/// Sees where libcurl would connect to first, and lets it connect to nothing.
///
/// A proxy that cannot be used, or whose name is not known, is never come to.
private final class FirstConnection {
  /// It would have been to what stands for the server.
  private(set) var isToServer = false

  /// Stands for the server, whose name needs no look-up so. It is an address for documentation
  /// (RFC 5737 section 3), and so no proxy's.
  static let standIn = "192.0.2.1"
  private static let standInNumber: UInt32 = 0xC000_0201

  static let onOpen: curl_opensocket_callback = { context, _, address in
    guard let context, let address, address.pointee.family == AF_INET else { return -1 }
    // The address stands behind the family and the port.
    let number = withUnsafeBytes(of: address.pointee.addr) {
      UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    }
    let first = Unmanaged<FirstConnection>.fromOpaque(context).takeUnretainedValue()
    if number == standInNumber { first.isToServer = true }
    return -1
  }
}
