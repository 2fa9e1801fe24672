/// A URI reference in its parts (RFC 3986 §4.1), before it is resolved.
struct Reference {
  var scheme: WebURL.Scheme?
  var authority: [UInt8]?
  var path: [UInt8]
  var query: [UInt8]?
  var hasFragment = false

  /// With `allowsColonNames`, what looks like an unknown scheme and is not followed by `//` is the
  /// name of a resource: xandikos lists `colon:x.ics` as just that.
  init(_ bytes: [UInt8], allowsColonNames: Bool = false) throws(HrefError) {
    guard bytes.count <= WebURL.longestReference else { throw .tooLong }
    guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw .controlByte }
    var rest = bytes[...]
    if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
      rest = rest[..<hash]
      hasFragment = true
    }
    if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
      query = Array(rest[(mark + 1)...])
      rest = rest[..<mark]
    }
    if let colon = Self.schemeEnd(rest) {
      let name = String(decoding: rest[..<colon], as: UTF8.self).lowercased()
      let after = rest[(colon + 1)...]
      let hasSlashes = after.starts(with: "//".utf8)
      if let known = WebURL.Scheme(rawValue: name) {
        guard hasSlashes else { throw .noHost }
        scheme = known
        rest = after
      } else if hasSlashes || !allowsColonNames {
        throw .unknownScheme
      }
    }
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = Array(rest[..<end])
      rest = rest[end...]
    }
    path = Array(rest)
  }

  /// The index of the colon after something that reads as a scheme (RFC 3986 §3.1).
  private static func schemeEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = bytes[..<colon]
    guard let first = name.first, (first | 0x20) >= UInt8(ascii: "a"),
      (first | 0x20) <= UInt8(ascii: "z")
    else { return nil }
    let isName = name.allSatisfy {
      ($0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z"))
        || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) || "+-.".utf8.contains($0)
    }
    return isName ? colon : nil
  }

  /// Removes literal dot segments (RFC 3986 §5.2.4); refuses hidden ones and `%00`.
  static func withoutDots(_ path: [UInt8]) throws(HrefError) -> [UInt8] {
    // Nearly no path has any, and a listing has thousands of paths.
    guard path.contains(UInt8(ascii: "%")) || hasSegmentOfDots(path) else { return path }
    var kept: [ArraySlice<UInt8>] = []
    let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      if segment.elementsEqual(".".utf8) {
        if isLast { kept.append([]) }
      } else if segment.elementsEqual("..".utf8) {
        if kept.count > 1 { kept.removeLast() }
        if isLast { kept.append([]) }
      } else {
        let decoded = PercentCoding.decoded(Array(segment))
        guard !decoded.contains(0) else { throw .controlByte }
        guard !decoded.elementsEqual(".".utf8), !decoded.elementsEqual("..".utf8) else {
          throw .encodedDots
        }
        kept.append(segment)
      }
    }
    return Array(kept.joined(separator: [UInt8(ascii: "/")]))
  }

  /// A segment that begins with a dot may be one of dots alone.
  private static func hasSegmentOfDots(_ path: [UInt8]) -> Bool {
    var previous = UInt8(ascii: "/")
    for byte in path {
      if byte == UInt8(ascii: "."), previous == UInt8(ascii: "/") { return true }
      previous = byte
    }
    return false
  }
}

/// A host and a port (RFC 3986 §3.2).
enum Authority {
  static func parse(
    _ bytes: [UInt8], scheme: WebURL.Scheme
  ) throws(HrefError) -> (host: String, port: Int) {
    guard !bytes.contains(UInt8(ascii: "@")) else { throw .userinfo }
    var host = bytes[...]
    var portText: ArraySlice<UInt8> = []
    if bytes.first == UInt8(ascii: "[") {
      guard let close = bytes.firstIndex(of: UInt8(ascii: "]")) else { throw .badHost }
      host = bytes[...close]
      let after = bytes[(close + 1)...]
      guard after.isEmpty || after.first == UInt8(ascii: ":") else { throw .badHost }
      portText = after.dropFirst()
    } else if let colon = bytes.lastIndex(of: UInt8(ascii: ":")) {
      host = bytes[..<colon]
      portText = bytes[(colon + 1)...]
    }
    guard !host.isEmpty else { throw .noHost }
    guard isHost(host) else { throw .badHost }
    let name = String(decoding: host, as: UTF8.self).lowercased()
    if portText.isEmpty { return (name, scheme.defaultPort) }
    guard portText.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
      let port = Int(String(decoding: portText, as: UTF8.self)), (1...65535).contains(port)
    else { throw .badPort }
    return (name, port)
  }

  private static func isHost(_ host: ArraySlice<UInt8>) -> Bool {
    if host.first == UInt8(ascii: "[") {
      let address = host.dropFirst().dropLast()
      return !address.isEmpty
        && address.allSatisfy {
          PercentCoding.digit($0) != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
        }
    }
    return host.allSatisfy { PercentCoding.isUnreserved($0) && $0 != UInt8(ascii: "~") }
  }
}

extension WebURL {
  /// Resolves the href of an answer that came from this URL.
  ///
  /// A server that a proxy speaks TLS for, and does not tell so, takes itself for one of plain http
  /// and names its resources by that. Over TLS its own host with `http:` is its own origin.
  package func resolve(href bytes: [UInt8]) throws(HrefError) -> WebURL {
    guard !bytes.isEmpty else { throw .empty }
    let reference = try Reference(bytes, allowsColonNames: true)
    guard !reference.hasFragment else { throw .fragment }
    let named = try resolve(reference)
    return isOwnWithoutTLS(named) ? named.moved(to: self) : named
  }

  /// The server may leave the port out, or know that of the proxy. Another one is another server.
  private func isOwnWithoutTLS(_ named: WebURL) -> Bool {
    scheme == .https && named.scheme == .http && named.host == host
      && [named.scheme.defaultPort, port].contains(named.port)
  }

  /// Resolves a Location header (RFC 9110 §10.2.2) as it is: who follows it would be led from https
  /// to http. Its fragment is no matter of ours. To webcal:, as links to calendars lead, is https.
  package func resolve(location bytes: [UInt8]) throws(HrefError) -> WebURL {
    for scheme in ["webcal:", "webcals:"]
    where String(decoding: bytes.prefix(scheme.utf8.count), as: UTF8.self).lowercased() == scheme {
      return try resolve(Reference(Array("https:".utf8) + bytes.dropFirst(scheme.utf8.count)))
    }
    return try resolve(Reference(bytes))
  }

  /// RFC 3986 §5.2.2.
  private func resolve(_ reference: Reference) throws(HrefError) -> WebURL {
    if let authority = reference.authority {
      let scheme = reference.scheme ?? self.scheme
      let (host, port) = try Authority.parse(authority, scheme: scheme)
      let path = reference.path.isEmpty ? [UInt8(ascii: "/")] : reference.path
      return WebURL(
        scheme: scheme, host: host, port: port, path: try Reference.withoutDots(path),
        query: reference.query)
    }
    if reference.path.isEmpty {
      return WebURL(
        scheme: scheme, host: host, port: port, path: path, query: reference.query ?? query)
    }
    var merged = reference.path
    if merged.first != UInt8(ascii: "/") {
      let slash = path.lastIndex(of: UInt8(ascii: "/")) ?? 0
      merged = Array(path[...slash]) + merged
    }
    return WebURL(
      scheme: scheme, host: host, port: port, path: try Reference.withoutDots(merged),
      query: reference.query)
  }
}
