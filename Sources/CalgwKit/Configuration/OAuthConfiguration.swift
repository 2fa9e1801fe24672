/// How to get tokens from an authorization server (RFC 6749).
public struct OAuthConfiguration: Sendable, Hashable {
  public var clientID: String
  /// Nil for a public client, which PKCE protects (RFC 7636).
  public var clientSecret: SecretSource?
  /// The page on which a person allows calgw in; nil: with a code, on any device (RFC 8628).
  public var authorizeURL: String?
  public var tokenURL: String
  /// Blank-separated; nil: what the server takes for granted.
  public var scope: String?

  public init(clientID: String, tokenURL: String) {
    self.clientID = clientID
    self.tokenURL = tokenURL
  }
}

/// Reads the table `oauth2`; nil where there is none.
func readOAuth(
  _ reader: TableReader, in context: ReadingContext
) throws(ConfigurationError) -> OAuthConfiguration? {
  guard let table = try reader.table("oauth2", known: KnownKeys.oauth2) else { return nil }
  let client = try table.requiredString(
    "client_id", hint: "write client_id = \"…\", which the server gave for calgw")
  let tokenURL = try table.requiredString(
    "token_url", hint: "write token_url = \"https://…\", from the server's documentation")
  var oauth = OAuthConfiguration(clientID: client, tokenURL: tokenURL)
  try checkEndpoint("token_url", tokenURL, table)
  if let url = try table.string("authorize_url") {
    try checkEndpoint("authorize_url", url, table)
    oauth.authorizeURL = url
  }
  oauth.clientSecret = try readSecret("client_secret", of: table, in: context)
  if let scope = try table.string("scope") {
    // RFC 6749 §3.3: printable ASCII without quotes and backslashes.
    let isPlain = scope.utf8.allSatisfy { 0x20...0x7E ~= $0 && $0 != 0x22 && $0 != 0x5C }
    guard isPlain, scope.utf8.count <= 2048 else {
      throw table.error(
        "scope", "the value is no scope", hint: "write words of ASCII with a blank between them")
    }
    oauth.scope = scope.isEmpty ? nil : scope
  }
  return oauth
}

private func checkEndpoint(
  _ key: String, _ url: String, _ table: TableReader
) throws(ConfigurationError) {
  do { try checkServerURL(url, allowsPlainHTTP: false) } catch {
    throw table.error(key, error.message, hint: "write https://…, from the server's documentation")
  }
}
