/// An absolute http or https URL in ASCII (RFC 3986), taken apart as far as a request needs.
///
/// Stricter than libcurl on purpose: what two programs may read differently is refused, so that
/// the host that was checked above is the host that is asked.
struct RequestURL: Sendable, Hashable {
  /// RFC 9110 section 4.1 asks for 8,000 octets at least; common servers refuse from 8 KiB on.
  static let longestBytes = 16 * 1024

  let text: String
  let isSecure: Bool
  /// As written, an IPv6 address with its brackets.
  let host: String
  let port: UInt16

  /// Throws the reason in words where the text is no URL to send a request to.
  init(_ text: String) throws(Unfit) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.longestBytes else { throw Unfit("it is too long") }
    guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw Unfit("it holds a space, a control character or a letter outside ASCII")
    }
    guard !bytes.contains(UInt8(ascii: "#")) else { throw Unfit("it holds a fragment") }
    guard let scheme = Self.scheme(of: bytes) else { throw Unfit("it is not http or https") }
    let authority = bytes.dropFirst(scheme.count + 3).prefix { $0 != 0x2F && $0 != 0x3F }
    guard !authority.contains(UInt8(ascii: "@")) else { throw Unfit("it holds a user name") }
    let (host, rest) = try Self.splitHost(authority)
    self.text = text
    self.isSecure = scheme.count == 5
    self.host = String(decoding: host, as: UTF8.self)
    self.port = try Self.port(rest, isSecure: isSecure)
  }

  /// This machine itself, by its name or an address of it.
  var isLoopback: Bool {
    let host = host.lowercased()
    if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Why a text cannot be sent, without the text.
  struct Unfit: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
  }

  private static func scheme(of bytes: [UInt8]) -> String? {
    for scheme in ["https", "http"] {
      let start = Array("\(scheme)://".utf8)
      if bytes.prefix(start.count).map(ASCII.lowercase) == start { return scheme }
    }
    return nil
  }

  private static func splitHost(
    _ authority: ArraySlice<UInt8>
  ) throws(Unfit) -> (host: ArraySlice<UInt8>, rest: ArraySlice<UInt8>) {
    if authority.first == UInt8(ascii: "[") {
      guard let close = authority.firstIndex(of: UInt8(ascii: "]")) else {
        throw Unfit("its host has a bracket that is not closed")
      }
      let inner = authority[authority.startIndex.advanced(by: 1)..<close]
      guard !inner.isEmpty, inner.allSatisfy({ ASCII.isHexDigit($0) || $0 == 0x3A || $0 == 0x2E })
      else { throw Unfit("its host is not an IPv6 address") }
      return (authority[...close], authority[close...].dropFirst())
    }
    let host = authority.prefix { $0 != UInt8(ascii: ":") }
    guard !host.isEmpty else { throw Unfit("it has no host") }
    guard host.allSatisfy({ ASCII.isHostByte($0) }) else {
      throw Unfit("its host holds a character that no host name has")
    }
    return (host, authority[host.endIndex...])
  }

  private static func port(_ rest: ArraySlice<UInt8>, isSecure: Bool) throws(Unfit) -> UInt16 {
    if rest.isEmpty { return isSecure ? 443 : 80 }
    let digits = rest.dropFirst()
    guard rest.first == UInt8(ascii: ":"), digits.allSatisfy(ASCII.isDigit), digits.count <= 5,
      let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
    else { throw Unfit("its port is not a number from 1 to 65535") }
    return port
  }
}

/// The classes of bytes that URLs and header fields are made of.
enum ASCII {
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x61...0x66).contains(byte | 0x20)
  }

  static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

  static func isHostByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || isLetter(byte) || [0x2D, 0x2E, 0x5F].contains(byte)
  }

  /// RFC 9110 section 5.6.2.
  static func isTokenByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || isLetter(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  static func lowercase(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  /// Without spaces and tabs at either end: the optional whitespace of RFC 9110 section 5.6.3.
  static func trimmed(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    let tail = Array(bytes.drop(while: isSpace))
    guard let last = tail.lastIndex(where: { !isSpace($0) }) else { return [] }
    return Array(tail[...last])
  }
}
