/// An absolute http or https URL in its parts, on bytes (RFC 3986).
///
/// The path keeps the spelling in which it was received, since servers compare spellings; two
/// paths are compared by `pathKey`.
package struct WebURL: Sendable, Hashable {
  package enum Scheme: String, Sendable {
    case http
    case https

    package var defaultPort: Int { self == .http ? 80 : 443 }
  }

  /// Bytes of a reference that is looked at; servers refuse request lines far shorter than this.
  static let longestReference = 8192

  package let scheme: Scheme
  /// In lower case; an IPv6 address in its brackets.
  package let host: String
  package let port: Int
  /// Begins with a slash, without literal dot segments.
  package let path: [UInt8]
  /// What follows the question mark.
  package let query: [UInt8]?
  /// `scheme://host`, with the port where it is not the scheme's own (RFC 6454 §6.2).
  package let origin: String

  package init(scheme: Scheme, host: String, port: Int, path: [UInt8], query: [UInt8]?) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path
    self.query = query
    origin = "\(scheme.rawValue)://\(host)" + (port == scheme.defaultPort ? "" : ":\(port)")
  }

  /// Reads an absolute URL, as a person writes it into a configuration. A fragment is dropped.
  package init(absolute bytes: [UInt8]) throws(HrefError) {
    let reference = try Reference(bytes)
    guard let scheme = reference.scheme else { throw .unknownScheme }
    guard let authority = reference.authority else { throw .noHost }
    let (host, port) = try Authority.parse(authority, scheme: scheme)
    let path = reference.path.isEmpty ? [UInt8(ascii: "/")] : reference.path
    self.init(
      scheme: scheme, host: host, port: port, path: try Reference.withoutDots(path),
      query: reference.query)
  }

  package init(absolute text: String) throws(HrefError) {
    try self.init(absolute: Array(text.utf8))
  }

  /// The path and query in the spelling received, as a server's href has it.
  package var target: [UInt8] {
    guard let query else { return path }
    return path + [UInt8(ascii: "?")] + query
  }

  /// The URL as a request needs it: everything outside RFC 3986's characters is encoded.
  package var text: String {
    origin + String(decoding: PercentCoding.requestSpelling(target), as: UTF8.self)
  }

  /// What all spellings of this path have in common: its octets, decoded exactly once.
  package var pathKey: [UInt8] {
    guard let query else { return PercentCoding.key(path) }
    return PercentCoding.key(path) + [UInt8(ascii: "?")] + query
  }

  /// The whole address in one spelling, to recognise it again.
  package var identity: String {
    var spelled: [UInt8] = []
    for byte in pathKey {
      if PercentCoding.isUnreserved(byte) || "/%?".utf8.contains(byte) {
        spelled.append(byte)
      } else {
        PercentCoding.append(encoded: byte, to: &spelled)
      }
    }
    return origin + String(decoding: spelled, as: UTF8.self)
  }

  /// The server as a person writes it into `trusted_hosts`.
  package var trustedName: String { port == scheme.defaultPort ? host : "\(host):\(port)" }

  /// The machine itself: what goes there cannot be overheard, so plain http is fine.
  package var isLoopback: Bool {
    // RFC 6761 §6.3: the names below localhost, too.
    if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
    guard host.hasPrefix("127.") else { return false }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }

  /// The same address with a slash at the end of its path, as collections have. A query is part of
  /// it (RFC 4918 §8.3).
  package var asCollection: WebURL {
    if path.last == UInt8(ascii: "/") { return self }
    return WebURL(
      scheme: scheme, host: host, port: port, path: path + [UInt8(ascii: "/")], query: query)
  }

  /// A member of this collection, its name encoded wherever any server could object. The query of
  /// the collection goes with it: who asks for one there, as for a token, asks for it here as well.
  package func appending(segment name: [UInt8], isCollection: Bool = false) -> WebURL {
    let end = isCollection ? [UInt8(ascii: "/")] : []
    return WebURL(
      scheme: scheme, host: host, port: port,
      path: asCollection.path + PercentCoding.segment(name) + end, query: query)
  }

  /// Another path on the same origin.
  package func replacingPath(_ text: String) -> WebURL {
    WebURL(scheme: scheme, host: host, port: port, path: Array(text.utf8), query: nil)
  }

  /// The last segment of the path, decoded, without a slash.
  package var lastSegment: [UInt8] {
    PercentCoding.decoded(
      Array(path.split(separator: UInt8(ascii: "/")).last ?? []))
  }

  /// The last segment of the path for people: decoded where that is text fit to be shown.
  package var lastName: String {
    let segment = lastSegment
    if let text = String(validating: segment, as: UTF8.self),
      !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }),
      !text.isEmpty
    {
      return text
    }
    return String(decoding: PercentCoding.segment(segment), as: UTF8.self)
  }

  /// The same path at the origin of another address.
  package func moved(to other: WebURL) -> WebURL {
    WebURL(scheme: other.scheme, host: other.host, port: other.port, path: path, query: query)
  }

  /// True if `other` is directly in this collection, by any spelling; queries make no difference.
  package func isParent(of other: WebURL) -> Bool {
    guard origin == other.origin else { return false }
    let base = PercentCoding.key(asCollection.path)
    let key = PercentCoding.key(other.path)
    guard key.count > base.count, key.starts(with: base) else { return false }
    return !key.dropFirst(base.count).dropLast().contains(UInt8(ascii: "/"))
  }

  /// True if both name one collection, by any spelling and with or without a slash at the end.
  /// Queries are not compared, though one is sent: servers leave it out of the addresses that they
  /// answer with.
  package func isSameCollection(as other: WebURL) -> Bool {
    origin == other.origin
      && PercentCoding.key(asCollection.path) == PercentCoding.key(other.asCollection.path)
  }
}
