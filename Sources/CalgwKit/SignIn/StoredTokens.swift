import FoundationEssentials

/// What an authorization server gave, as it is kept between runs.
package struct StoredTokens: Sendable, Hashable, Codable {
  /// Tokens belong to one client on one server: with another they are of no use.
  var client: String
  var server: String
  var scope: String?
  /// Who was to sign in, of an account that says so.
  var user: String?
  var access: String
  /// Gets the next access token; nil: a person has to sign in again.
  var refresh: String?
  /// In milliseconds since 1970; nil: until the server refuses it.
  var expires: Int64?

  /// How long the access token held when it came, in milliseconds; nil where it is not known.
  var lifetime: Int64?

  /// An access token is not used in its last minute, so that it holds for a whole request; one of
  /// few minutes not in the last quarter of them, or it would be renewed for each request.
  private var margin: Int64 {
    let minute: Int64 = 60_000
    return lifetime.map { min(minute, max(0, $0) / 4) } ?? minute
  }

  package func isCurrent(at now: Int64) -> Bool {
    guard let expires else { return true }
    // What stands in a file may be any number.
    let (left, isBeyond) = expires.subtractingReportingOverflow(now)
    return isBeyond ? expires > now : left > margin
  }

  /// - Parameter user: who is to be signed in; nil: whoever did.
  func belongs(to oauth: OAuthConfiguration, of user: String?) -> Bool {
    guard client == oauth.clientID, server == oauth.tokenURL, scope == oauth.scope else {
      return false
    }
    guard let user, let other = self.user else { return true }
    return user == other
  }

  /// The text that is kept.
  var encoded: [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return (try? encoder.encode(self)).map { Array($0) + [0x0A] }
  }

  /// Reads what was kept; nil for anything else.
  package init?(encoded: [UInt8]) {
    guard let tokens = try? JSONDecoder().decode(Self.self, from: Data(encoded)) else {
      return nil
    }
    self = tokens
  }

  /// - Parameter before: what an answer without a refresh token leaves in force.
  init(
    _ answer: TokenAnswer, for oauth: OAuthConfiguration, of user: String?, now: Int64,
    before: StoredTokens? = nil
  ) {
    client = oauth.clientID
    server = oauth.tokenURL
    scope = oauth.scope
    self.user = user
    access = answer.accessToken
    refresh = answer.refreshToken ?? before?.refresh
    lifetime = answer.lifetime
    expires = answer.lifetime.map { now + $0 }
  }
}
