import CCrypto
import Synchronization

/// An authorization server on 127.0.0.1 (RFC 6749, 7636, 8414, 8628) and the person before it.
///
/// It gives out numbered tokens, each code and, where it rotates them, each refresh token once: a
/// second use takes all tokens back, as RFC 9700 §4.14.2 wants it.
public final class OAuthServer: Sendable {
  /// How this server differs from the plainest.
  public struct Rules: Sendable {
    public var clientSecret: String?
    /// The client's secret has to come by Basic.
    public var wantsBasic = false
    /// Seconds; nil: the server does not say, and the token holds.
    public var lifetime: Int? = 3600
    public var rotates = true
    public var givesRefreshToken = true
    public var hasDeviceFlow = true
    /// Where the metadata say that codes for devices are given; nil: here.
    public var deviceURL: String?
    /// Every question is refused with this error, in words that have all of it.
    public var echo: String?
    /// A renewal brings an empty refresh token where it brings no new one.
    public var emptiesRefreshToken = false
    /// Questions about a device code that are answered before the person has decided.
    public var pending: [String] = []
    /// The status of such an answer.
    public var pendingStatus = 400
    /// Where tokens are given, below the server's URL.
    public var tokenPath = "token"
    /// The one document that names the endpoint for devices.
    public var metadataPath = "/.well-known/oauth-authorization-server"
    /// How long a code is said to hold, as JSON has it.
    public var codeLifetime = "1800"
    /// How long is said to be waited between two questions, as JSON has it.
    public var interval = "5"
    /// What the first questions about tokens end with, one each.
    public var troubles: [[ServerStep]] = []
    /// What is done once tokens are given, before anybody hears of it.
    public var beforeAnswer: [ServerStep] = []
    /// The answer where there is nothing.
    public var nothing = ServerStep.answer(404)

    public init() {}
  }

  private struct State {
    var rules: Rules
    var number = 0
    var codes: [String: [String: String]] = [:]
    var access: Set<String> = []
    var refresh: Set<String> = []
    var usedRefresh: Set<String> = []
    var grants: [String] = []
  }

  public static let clientID = "calgw test & more"
  public static let scope = "calendars offline"

  private let state: Mutex<State>
  private let server = Mutex<ScriptedServer?>(nil)

  public init(_ rules: Rules = Rules()) throws(LoopbackError) {
    state = Mutex(State(rules: rules))
    let server = try ScriptedServer { [weak self] request in
      guard let self else { return [.close] }
      return self.steps(for: request)
    }
    self.server.withLock { $0 = server }
  }

  public var url: String { server.withLock { $0?.url ?? "" } }
  public var authorizeURL: String { url + "authorize" }
  public var tokenURL: String { url + state.withLock { $0.rules.tokenPath } }
  public var requests: [ReceivedRequest] { server.withLock { $0?.requests ?? [] } }
  /// The grant types that were asked for, in order.
  public var grants: [String] { state.withLock { $0.grants } }

  public func change(_ body: (inout Rules) -> Void) { state.withLock { body(&$0.rules) } }

  /// A request brings an access token that holds.
  public func accepts(_ request: ReceivedRequest) -> Bool {
    guard let header = request.header("Authorization"), header.hasPrefix("Bearer ") else {
      return false
    }
    return state.withLock { $0.access.contains(String(header.dropFirst(7))) }
  }

  /// All access tokens given so far hold no more.
  public func expireAccess() { state.withLock { $0.access = [] } }

  /// Nothing given so far holds any more.
  public func revokeAll() {
    state.withLock {
      $0.access = []
      $0.refresh = []
    }
  }

  /// What the browser of a person who allows it is sent to, from the address that was shown; nil
  /// where the request is not one that this server takes.
  public func allow(_ address: String, answer: [(String, String)]? = nil) -> String? {
    guard address.hasPrefix(authorizeURL + "?") else { return nil }
    let fields = Self.form(address.utf8.drop { $0 != 0x3F }.dropFirst())
    guard fields["response_type"] == "code", fields["client_id"] == Self.clientID,
      fields["code_challenge_method"] == "S256", let redirect = fields["redirect_uri"],
      redirect.hasPrefix("http://127.0.0.1:"), let state = fields["state"], state.utf8.count >= 22
    else { return nil }
    let code = self.state.withLock { inner in
      inner.number += 1
      inner.codes["code-\(inner.number)"] = fields
      return "code-\(inner.number)"
    }
    let pairs = answer ?? [("code", code), ("state", state)]
    return redirect + "?" + pairs.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  // MARK: Endpoints

  private func steps(for request: ReceivedRequest) -> [ServerStep] {
    let rules = state.withLock { $0.rules }
    let token = "/" + rules.tokenPath
    switch (request.method, request.target) {
    case ("GET", rules.metadataPath):
      guard rules.hasDeviceFlow else { return [rules.nothing] }
      let place = rules.deviceURL ?? url + "device"
      return [Self.json("{\"device_authorization_endpoint\":\"\(place)\"}")]
    case ("POST", "/device"):
      guard Self.knows(request, Self.form(request.body), rules) else {
        return [Self.refuse("invalid_client", status: 401)]
      }
      return [
        Self.json(
          """
          {"device_code":"device-1","user_code":"WDJB-MJHT","verification_uri":"\(url)device",
          "expires_in":\(rules.codeLifetime),"interval":\(rules.interval)}
          """)
      ]
    case ("POST", token):
      let trouble = state.withLock { state -> [ServerStep]? in
        state.rules.troubles.isEmpty ? nil : state.rules.troubles.removeFirst()
      }
      if let trouble { return trouble }
      let answer = self.token(request)
      return rules.beforeAnswer + [answer]
    default: return [rules.nothing]
    }
  }

  private func token(_ request: ReceivedRequest) -> ServerStep {
    if let error = state.withLock({ $0.rules.echo }) {
      let asked = String(decoding: request.body, as: UTF8.self)
      let login = request.header("Authorization") ?? "without login"
      return Self.json(
        "{\"error\":\"\(error)\",\"error_description\":\"\(login) \(asked)\"}", status: 400)
    }
    let fields = Self.form(request.body)
    return state.withLock { state in
      guard Self.knows(request, fields, state.rules) else {
        return Self.refuse("invalid_client", status: 401)
      }
      let grant = fields["grant_type"] ?? ""
      state.grants.append(grant)
      switch grant {
      case "authorization_code":
        guard let asked = state.codes.removeValue(forKey: fields["code"] ?? ""),
          asked["redirect_uri"] == fields["redirect_uri"],
          asked["code_challenge"] == Self.challenge(fields["code_verifier"] ?? "")
        else { return Self.refuse("invalid_grant") }
      case "refresh_token":
        let old = fields["refresh_token"] ?? ""
        if state.usedRefresh.contains(old) {
          state.access = []
          state.refresh = []
        }
        guard state.refresh.contains(old) else { return Self.refuse("invalid_grant") }
        if state.rules.rotates {
          state.refresh.remove(old)
          state.usedRefresh.insert(old)
        }
      case "urn:ietf:params:oauth:grant-type:device_code":
        guard fields["device_code"] == "device-1" else { return Self.refuse("invalid_grant") }
        if !state.rules.pending.isEmpty {
          return Self.refuse(
            state.rules.pending.removeFirst(), status: state.rules.pendingStatus)
        }
      default: return Self.refuse("unsupported_grant_type")
      }
      return Self.grant(&state, isFirst: grant != "refresh_token")
    }
  }

  private static func grant(_ state: inout State, isFirst: Bool) -> ServerStep {
    state.number += 1
    let access = "canary-access-\(state.number)"
    state.access.insert(access)
    var members = ["\"access_token\":\"\(access)\"", "\"token_type\":\"bearer\""]
    if let lifetime = state.rules.lifetime { members.append("\"expires_in\":\(lifetime)") }
    if state.rules.givesRefreshToken, isFirst || state.rules.rotates {
      let refresh = "canary-refresh-\(state.number)"
      state.refresh.insert(refresh)
      members.append("\"refresh_token\":\"\(refresh)\"")
    } else if state.rules.emptiesRefreshToken {
      members.append("\"refresh_token\":\"\"")
    }
    return json("{\(members.joined(separator: ","))}")
  }

  // MARK: Forms

  private static func knows(
    _ request: ReceivedRequest, _ fields: [String: String], _ rules: Rules
  ) -> Bool {
    guard let secret = rules.clientSecret else { return fields["client_id"] == clientID }
    if rules.wantsBasic {
      // RFC 6749 §2.3.1: both are form-encoded before Basic puts them together.
      return request.header("Authorization") == "Basic Y2FsZ3clMjB0ZXN0JTIwJTI2JTIwbW9yZTpzM2NyZXQ="
        && secret == "s3cret"
    }
    return fields["client_id"] == clientID && fields["client_secret"] == secret
  }

  /// An answer in JSON.
  public static func json(_ text: String, status: Int = 200) -> ServerStep {
    .answer(status, headers: ["Content-Type": "application/json"], body: text)
  }

  private static func refuse(_ code: String, status: Int = 400) -> ServerStep {
    json("{\"error\":\"\(code)\",\"error_description\":\"no\"}", status: status)
  }

  private static func form(_ text: some Sequence<UInt8>) -> [String: String] {
    var fields: [String: String] = [:]
    for pair in Array(text).split(separator: 0x26) {
      let parts = pair.split(separator: 0x3D, maxSplits: 1).map(decoded)
      if parts.count == 2 { fields[parts[0]] = parts[1] }
    }
    return fields
  }

  private static func decoded(_ text: ArraySlice<UInt8>) -> String {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      if byte == 0x25, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == 0x2B ? 0x20 : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// RFC 7636 §4.2.
  private static func challenge(_ verifier: String) -> String {
    let bytes = Array(verifier.utf8)
    var digest = [UInt8](repeating: 0, count: 32)
    var length: UInt32 = 0
    _ = EVP_Digest(bytes, bytes.count, &digest, &length, EVP_sha256(), nil)
    var text = [UInt8](repeating: 0, count: 64)
    let count = Int(EVP_EncodeBlock(&text, digest, 32))
    return String(decoding: text[..<count], as: UTF8.self).filter { $0 != "=" }
      .replacing("+", with: "-").replacing("/", with: "_")
  }
}
