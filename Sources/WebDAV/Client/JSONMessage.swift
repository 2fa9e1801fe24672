import FoundationEssentials

/// What an error body in JSON says to people, in the forms that are common: Google's
/// `{"error":{"message":"…"}}`, `{"message":"…"}`, and OAuth's
/// `{"error":"…","error_description":"…"}` (RFC 6749 §5.2).
struct JSONMessage {
  let text: String

  /// Bytes of a body that is read; Google's errors have some 1,500.
  private static let longestBody = 64 << 10

  private struct Body: Decodable {
    var text: String

    private enum Key: String, CodingKey {
      case error, message
      case description = "error_description"
    }

    init(from decoder: any Decoder) throws {
      let body = try decoder.container(keyedBy: Key.self)
      func words(_ key: Key) -> String? { try? body.decode(String.self, forKey: key) }
      let error = try? body.nestedContainer(keyedBy: Key.self, forKey: .error)
      if let message = try? error?.decode(String.self, forKey: .message) {
        text = message
      } else if let message = words(.message) {
        text = message
      } else {
        text = [words(.error), words(.description)].compactMap(\.self).joined(separator: ": ")
      }
    }
  }

  /// Nil where the body is no such JSON, or says nothing.
  init?(body: [UInt8]) {
    guard body.count <= Self.longestBody, body.trimmed.first == UInt8(ascii: "{"),
      let body = try? JSONDecoder().decode(Body.self, from: Data(body)),
      !body.text.isEmpty
    else { return nil }
    text = body.text
  }
}
