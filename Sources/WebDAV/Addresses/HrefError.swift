/// Why an address is not used.
package enum HrefError: Error, Sendable, Hashable {
  case tooLong
  /// Nothing: it would mean the address that was asked, and is mostly a slip of the server.
  case empty
  /// A control byte, raw or as `%00`.
  case controlByte
  case noHost
  /// Another scheme than http and https.
  case unknownScheme
  /// `user@host`: it serves to deceive, and credentials belong elsewhere.
  case userinfo
  /// Not a registered name, an IPv4 address or an IPv6 address in brackets; or percent-encoded.
  case badHost
  case badPort
  /// `%2e%2e` and the like: what it means differs from server to server.
  case encodedDots
  /// A `#` in the address of a resource: it names a part of it, or a sloppily written name.
  case fragment

  /// In words, without a full stop.
  package var reason: String {
    switch self {
    case .tooLong: "it is longer than \(WebURL.longestReference) bytes"
    case .empty: "it is empty"
    case .controlByte: "it holds a control byte"
    case .noHost: "it names no host"
    case .unknownScheme: "it is neither http nor https"
    case .userinfo: "it holds a user name"
    case .badHost: "its host is not a plain name or address"
    case .badPort: "its port is not a number from 1 to 65535"
    case .encodedDots: "it hides a dot segment behind percent signs"
    case .fragment: "it holds a fragment"
    }
  }
}
