/// Where the tokens of the Bearer scheme come from (RFC 6750).
package protocol BearerTokens: Sendable {
  /// The token to show.
  ///
  /// - Parameter refused: one that a server has just answered with 401; then another is wanted, or
  ///   the same where there is no other.
  /// - Throws: where none can be had; to ask on would only ask a person, or a server, the same.
  func token(insteadOf refused: [UInt8]?) async throws(DAVError) -> [UInt8]

  /// What a person does about a server that goes on refusing them.
  var advice: String { get }
}

/// A token that a person copied from the server, good until the server says otherwise.
package struct FixedToken: BearerTokens {
  package let advice = "check token; it may have run out, or lack the permission for calendars"
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package func token(insteadOf refused: [UInt8]?) -> [UInt8] { bytes }
}
