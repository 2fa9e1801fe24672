import CalgwKit
import CurlTransport
import SyncModel
import Synchronization
import TestSupport
import WebDAV

/// An authorization server, a place for tokens, and a person who may be there.
struct SignInWorld {
  let server: OAuthServer
  let folder: TemporaryFolder
  let clock = ModelClock()
  /// What a run calls the account.
  var account = "home"
  /// Is called whenever a run waits a moment, as for another one that renews the tokens.
  var whileWaiting: @Sendable () -> Void = {}
  /// What the person was shown.
  let shown = Shown()
  /// What the person was told besides.
  let notices = Shown()

  final class Shown: Sendable {
    private let texts = Mutex<[String]>([])
    func add(_ text: String) { texts.withLock { $0.append(text) } }
    var all: [String] { texts.withLock { $0 } }
  }

  /// What the person does with the address that is shown.
  typealias Act = @Sendable (_ address: String, _ server: OAuthServer) -> Void

  /// Opens the page, allows it, and lets the browser go where it is sent.
  static let allows: Act = { address, server in
    if let redirect = server.allow(address) { _ = try? browse(redirect) }
  }

  init(_ rules: OAuthServer.Rules = .init()) throws {
    server = try OAuthServer(rules)
    folder = try TemporaryFolder()
  }

  var oauth: OAuthConfiguration {
    var oauth = OAuthConfiguration(clientID: OAuthServer.clientID, tokenURL: server.tokenURL)
    oauth.authorizeURL = server.authorizeURL
    oauth.scope = OAuthServer.scope
    return oauth
  }

  var file: String { folder.path + "/tokens/home.json" }

  var store: TokenStore {
    TokenStore(
      place: .file(file), account: account, directory: folder.path + "/tokens", variables: [:])
  }

  /// A new process, as it were.
  func tokens(
    secret: String? = nil, username: String? = nil, doing act: Act? = nil,
    change: (inout OAuthConfiguration) -> Void = { _ in }
  ) throws -> OAuthTokens {
    let (shown, server) = (shown, server)
    let person = act.map { act in
      SignInPerson(show: { text in
        shown.add(text)
        let address = text.split(whereSeparator: \.isWhitespace).first { $0.contains("?") }
        Task { await onOwnThread { act(String(address ?? ""), server) } }
      })
    }
    return try tokens(secret: secret, username: username, person: person, change: change)
  }

  func tokens(
    secret: String? = nil, username: String? = nil, person: SignInPerson?,
    change: (inout OAuthConfiguration) -> Void = { _ in }
  ) throws -> OAuthTokens {
    var oauth = oauth
    change(&oauth)
    var options = CurlTransport.Options()
    options.proxy = .none
    let endpoint = TokenEndpoint(
      oauth: oauth, secret: secret.map { Secret(bytes: Array($0.utf8)) },
      transport: try CurlTransport(options: options))
    var account = AccountConfiguration(name: self.account, url: "https://dav.example.org/")
    account.username = username
    let notices = notices
    return OAuthTokens(
      account: account,
      endpoint: endpoint, store: store, person: person, surroundings: surroundings,
      notice: { notices.add($0) })
  }

  /// The virtual clock, with real waiting of a moment where a browser, a person or another process
  /// has to get a turn.
  private var surroundings: Surroundings {
    let (clock, whileWaiting) = (clock, whileWaiting)
    return Surroundings(
      now: { clock.now }, newUUID: clock.surroundings.newUUID,
      pause: { milliseconds in
        if milliseconds > LockWait.interval {
          clock.advance(milliseconds: milliseconds)
        } else {
          whileWaiting()
          await Surroundings.live.pause(5)
        }
      })
  }
}

extension OAuthTokens {
  /// The token as text.
  func text(insteadOf refused: String? = nil) async throws(DAVError) -> String {
    String(decoding: try await token(insteadOf: refused.map { Array($0.utf8) }), as: UTF8.self)
  }
}
