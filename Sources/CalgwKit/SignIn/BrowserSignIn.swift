import Glibc
import SyncModel
import WebDAV

/// A person allows calgw in on a page, and the browser brings the code back to this machine
/// (RFC 6749 §4.1, RFC 7636, RFC 8252 §7.3).
struct BrowserSignIn {
  let endpoint: TokenEndpoint
  let page: String
  let username: String?
  let person: SignInPerson
  let surroundings: Surroundings

  func run() async throws(TokenFailure) -> TokenAnswer {
    let listener: RedirectListener
    do { listener = try RedirectListener() } catch {
      throw .failed(
        DAVError(
          .local, "no port of this machine can be opened for the sign-in", why: error.text,
          hint: "see what holds the ports of 127.0.0.1"))
    }
    // RFC 7636 §4.1 asks for 32 bytes of chance; the state's part is to be unguessable, too.
    let verifier = Self.text(randomBytes(32))
    let state = Self.text(randomBytes(32))
    let address = self.address(listener.address, state: state, verifier: verifier)
    person.show(
      """
      Open this address in a browser and allow calgw in:

        \(address)

      If the browser is on another machine, it ends at an address that begins with \
      \(listener.address) and cannot be opened: paste that address here.
      """)
    let code = try await waitForCode(listener, state: state)
    return try await endpoint.token([
      ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", listener.address),
      ("code_verifier", verifier),
    ])
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: base64URL(bytes), as: UTF8.self)
  }

  private func address(_ redirect: String, state: String, verifier: String) -> String {
    var fields = [
      ("response_type", "code"), ("client_id", endpoint.oauth.clientID),
      ("redirect_uri", redirect), ("state", state), ("code_challenge_method", "S256"),
      ("code_challenge", Self.text(liveDigest(Array(verifier.utf8)).bytes)),
    ]
    if let scope = endpoint.oauth.scope { fields.append(("scope", scope)) }
    if page.lowercased().hasPrefix("https://accounts.google.com/") {
      // Without these Google gives a token for one hour and no way to renew it.
      fields += [("access_type", "offline"), ("prompt", "consent")]
      if let username { fields.append(("login_hint", username)) }
    }
    let query = String(decoding: encodeForm(fields), as: UTF8.self)
    return page + (page.contains("?") ? "&" : "?") + query
  }

  /// Waits for the browser, or for a line of the person.
  private func waitForCode(
    _ listener: RedirectListener, state: String
  ) async throws(TokenFailure) -> String {
    let end = ContinuousClock.now.advanced(by: SignInPerson.patience)
    var typed = TypedLines(person.input)
    while ContinuousClock.now < end, !person.isLeaving {
      if let request = listener.next() {
        switch redirect(request.query, state: state) {
        case .code(let code):
          request.answer(.done)
          return code
        case .refusal(let refusal):
          request.answer(.refused)
          throw .refused(refusal)
        case .other: request.answer(.unknown)
        }
      } else if let line = typed.next() {
        let query = line.drop { $0 != UInt8(ascii: "?") }.dropFirst()
        switch redirect(Array(query), state: state) {
        case .code(let code): return code
        case .refusal(let refusal): throw .refused(refusal)
        case .other:
          person.show("That is not the address; it has \"code=\" and \"state=\" in it.")
        }
      } else {
        await surroundings.pause(Self.interval)
      }
    }
    throw person.failure("nobody signed in within the time")
  }

  /// Between two looks, in milliseconds.
  private static let interval: Int64 = 50

  /// What the server lets the browser bring.
  private enum Redirect {
    case code(String)
    case refusal(TokenRefusal)
    /// None of ours.
    case other
  }

  private func redirect(_ query: [UInt8]?, state: String) -> Redirect {
    guard let query, let fields = decodeForm(query), fields["state"] == state else { return .other }
    if let error = fields["error"] {
      return .refusal(
        TokenRefusal(
          code: error, words: fields["error_description"] ?? "", hiding: endpoint.secrets))
    }
    guard let code = fields["code"], !code.isEmpty else { return .other }
    return .code(code)
  }
}

/// Lines that come from a terminal, without waiting for them.
private struct TypedLines {
  /// A code has some hundred bytes.
  private static let longest = 8192

  private var descriptor: Int32?
  private var bytes: [UInt8] = []

  init(_ descriptor: Int32?) { self.descriptor = descriptor }

  /// The next whole line, without blanks.
  mutating func next() -> [UInt8]? {
    read()
    guard let end = bytes.firstIndex(of: 0x0A) else { return nil }
    let line = bytes[..<end].filter { $0 > 0x20 && $0 < 0x7F }
    bytes.removeFirst(end + 1)
    return line
  }

  private mutating func read() {
    guard let descriptor, bytes.count < Self.longest else { return }
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&state, 1, 0) > 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count > 0 { bytes += buffer[..<count] } else if count == 0 { self.descriptor = nil }
    // A line that never ends is none.
    if bytes.count >= Self.longest, !bytes.contains(0x0A) { bytes = [] }
  }
}
