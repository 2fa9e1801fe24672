public import WebDAV

extension CalDAVAccount {
  /// Who calgw is to the server.
  public struct Credentials: Sendable {
    public var username: [UInt8]
    public var password: [UInt8]
    /// Those that may be used, the preferred one first.
    public var schemes: [HTTPCredentials.Scheme]

    public init(
      username: [UInt8], password: [UInt8],
      schemes: [HTTPCredentials.Scheme] = [.basic, .digest]
    ) {
      self.username = username
      self.password = password
      self.schemes = schemes
    }

    /// Tokens in place of a user name and a password.
    package var tokens: (any BearerTokens)?

    package init(tokens: any BearerTokens) {
      self.init(username: [], password: [], schemes: [])
      self.tokens = tokens
    }
  }
}
