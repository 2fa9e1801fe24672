import FoundationEssentials
import WebDAV

/// An answer of a token endpoint (RFC 6749 §5.1).
struct TokenAnswer: Sendable, Hashable {
  var accessToken: String
  var refreshToken: String?
  /// In milliseconds.
  var lifetime: Int64?

  /// Bytes of one token: common ones have 200 to 2000.
  private static let longestToken = 16_384
  /// Ten years, in milliseconds: as good as for ever.
  private static let longestLife: Int64 = 10 * 366 * 86_400_000

  private struct Body: Decodable {
    var access_token: String
    var token_type: String?
    var refresh_token: String?
    var expires_in: Seconds?
  }

  /// Nil where the body is no such answer.
  init?(body: [UInt8]) {
    guard let body = try? JSONDecoder().decode(Body.self, from: Data(body)) else { return nil }
    // Some servers write an empty one where others leave it out.
    let refresh = body.refresh_token.flatMap { $0.isEmpty ? nil : $0 }
    guard (body.token_type ?? "bearer").lowercased() == "bearer", Self.isToken(body.access_token),
      refresh.map(Self.isToken) ?? true
    else { return nil }
    accessToken = body.access_token
    refreshToken = refresh
    lifetime = body.expires_in?.milliseconds(atMost: Self.longestLife)
  }

  private static func isToken(_ text: String) -> Bool {
    (1...longestToken).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }
}

/// A number of seconds in an answer, which some servers write as a text, or with a fraction.
struct Seconds: Decodable {
  private let value: Double?

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      value = number
    } else {
      value = (try? container.decode(String.self)).flatMap { Double($0) }
    }
  }

  /// In milliseconds; nil where it is no time, or none that could pass.
  func milliseconds(atMost limit: Int64) -> Int64? {
    // Not a number is not above zero either.
    guard let value, value > 0 else { return nil }
    let milliseconds = value * 1000
    return milliseconds < Double(limit) ? Int64(milliseconds) : limit
  }
}

/// A refusal of an authorization server (RFC 6749 §5.2, RFC 8628 §3.5).
struct TokenRefusal: Sendable, Hashable {
  /// As `invalid_grant`; `status 500` where the server gives no word. To be compared, not shown.
  var code: String
  private let shownCode: String
  /// For people; may be empty.
  private let words: String

  private struct Body: Decodable {
    var error: String
    var error_description: String?
  }

  /// - Parameter secrets: what is taken out of all that is shown.
  init(code: String, words: String, hiding secrets: KnownSecrets) {
    self.code = visibleText(code, limit: 60)
    shownCode = ServerWords.safe(Array(code.utf8), limit: 60, hiding: secrets)
    self.words = ServerWords.safe(Array(words.utf8), hiding: secrets)
  }

  /// Nil where the body is no refusal.
  init?(body: [UInt8], hiding secrets: KnownSecrets) {
    guard let body = try? JSONDecoder().decode(Body.self, from: Data(body)) else { return nil }
    self.init(code: body.error, words: body.error_description ?? "", hiding: secrets)
  }

  init(status: Int, body: [UInt8], hiding secrets: KnownSecrets) {
    self =
      TokenRefusal(body: body, hiding: secrets)
      ?? TokenRefusal(code: "status \(status)", words: "", hiding: secrets)
  }

  var reason: String {
    "the authorization server says \(shownCode)" + (words.isEmpty ? "" : ": \(words)")
  }
}
