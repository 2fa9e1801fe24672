import CCurl

extension CurlTransport {
  /// The name of a host in ASCII (IDNA, RFC 5890), as `xn--bcher-kva.example` for
  /// `bücher.example`; nil where the text is no name of a host, or libcurl was built without IDN.
  package static func asciiName(of host: String) -> String? {
    // What would be another part of a URL is none of a name.
    guard !host.isEmpty, host.utf8.allSatisfy({ $0 >= 0x80 || ASCII.isHostByte($0) }),
      let text = ccurl_ascii_host("https://\(host)/")
    else { return nil }
    defer { curl_free(text) }
    let name = String(cString: text)
    return !name.isEmpty && name.utf8.allSatisfy(ASCII.isHostByte) ? name : nil
  }
}
