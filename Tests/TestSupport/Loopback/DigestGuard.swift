import CCrypto

/// The server's side of Digest (RFC 7616) with `qop=auth`: challenges, and checks the answers.
public struct DigestGuard: Sendable {
  /// RFC 7616 section 6.1 names them.
  public enum Algorithm: String, Sendable, CaseIterable {
    case md5 = "MD5"
    case sha256 = "SHA-256"
  }

  private static let realm = "calendars"
  private let algorithm: Algorithm
  private let username: String
  private let password: String
  private let nonce: String

  public init(algorithm: Algorithm, username: String, password: String, nonce: String = "f84f1c") {
    self.algorithm = algorithm
    self.username = username
    self.password = password
    self.nonce = nonce
  }

  /// The value of `WWW-Authenticate`.
  public var challenge: String {
    "Digest realm=\"\(Self.realm)\", qop=\"auth\", algorithm=\(algorithm.rawValue), "
      + "nonce=\"\(nonce)\""
  }

  /// Status 401 with the challenge and a body that no client wants to see.
  public var refusal: ServerStep {
    .answer(401, headers: ["WWW-Authenticate": challenge], body: "log in first")
  }

  /// The request has an `Authorization` header that is right for it (RFC 7616 section 3.4.1).
  public func accepts(_ request: ReceivedRequest) -> Bool {
    guard let header = request.header("Authorization"), header.hasPrefix("Digest ") else {
      return false
    }
    let fields = Self.fields(header.dropFirst(7))
    guard fields["username"] == username, fields["realm"] == Self.realm,
      fields["nonce"] == nonce, fields["uri"] == request.target, fields["qop"] == "auth",
      let count = fields["nc"], let cnonce = fields["cnonce"]
    else { return false }
    let a1 = hash("\(username):\(Self.realm):\(password)")
    let a2 = hash("\(request.method):\(request.target)")
    return fields["response"] == hash("\(a1):\(nonce):\(count):\(cnonce):auth:\(a2)")
  }

  private static func fields(_ text: Substring) -> [String: String] {
    var fields: [String: String] = [:]
    for part in text.split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2 else { continue }
      let name = pair[0].drop { $0 == " " }
      fields[String(name)] = pair[1].filter { $0 != "\"" && $0 != " " }
    }
    return fields
  }

  private func hash(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var digest = [UInt8](repeating: 0, count: 64)
    var length: UInt32 = 0
    let kind = algorithm == .md5 ? EVP_md5() : EVP_sha256()
    _ = EVP_Digest(bytes, bytes.count, &digest, &length, kind, nil)
    let digits = Array("0123456789abcdef")
    return String(
      digest.prefix(Int(length)).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}
