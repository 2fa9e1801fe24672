import CurlTransport
import WebDAV

/// An e-mail address, from which an account can be found (RFC 6764 §6).
public struct AccountAddress: Sendable, Hashable {
  /// As it was written.
  public let text: String
  /// What stands before the last `@`.
  public let user: String
  /// In lower case and ASCII, as name servers know it.
  public let domain: String

  /// Nil where the text is a URL, or no address of a domain that has a name in ASCII.
  public init?(_ text: String) {
    guard !text.contains("://"), let at = text.lastIndex(of: "@") else { return nil }
    user = String(text[..<at])
    let written = text[text.index(after: at)...].lowercased()
    let isPlain = written.utf8.allSatisfy { $0 < 0x80 }
    domain = isPlain ? written : CurlTransport.asciiName(of: written) ?? written
    let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
    // RFC 1035 §2.3.4.
    guard !user.isEmpty, domain.utf8.count <= 253,
      labels.allSatisfy({ 1...63 ~= $0.utf8.count && $0.utf8.allSatisfy(isHostByte) }),
      user.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F && $0 != "/" })
    else { return nil }
    self.text = text
  }

  package var service: ServiceDomain { ServiceDomain(name: domain) }

  /// Refuses an address whose provider takes no password, before one is asked for.
  ///
  /// - Throws: status 77, with the other way to sign in.
  public func checkTakesPassword() throws(RunFailure) {
    guard PasswordAdvice.isOfGoogle(mailIn: domain) else { return }
    throw RunFailure(
      .denied, code: "denied",
      message: "Google takes no password, not even an app password, but OAuth alone",
      place: domain,
      hint: "write the configuration by hand, with auth = \"oauth2\", as docs/sign-in.md has it"
        + " under \"Google\"")
  }

  /// The names to sign in with, the likelier one first (RFC 6764 §7).
  public var usernames: [String] { [text, user] }
}
