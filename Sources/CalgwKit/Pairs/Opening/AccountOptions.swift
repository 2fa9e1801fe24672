import CalDAVStorage
import CurlTransport
import Logging
import SyncModel
import WebDAV

/// What the accounts of a run share.
struct AccountContext: Sendable {
  let secrets: SecretStore
  let surroundings: Surroundings
  /// Absolute.
  let stateDirectory: String
  /// Nil where nobody can be asked to sign in.
  let person: SignInPerson?
  /// Gets what a person should know besides.
  var notice: @Sendable (String) -> Void = { _ in }
}

extension AccountConfiguration {
  /// The account in messages.
  var place: String { "account \(name)" }

  /// Who one is there; nil where nothing is shown.
  func credentials(
    _ context: AccountContext
  ) throws(RunFailure) -> CalDAVAccount.Credentials? {
    let secrets = context.secrets
    let user = username ?? ""
    if let oauth, authentication == .oauth2 {
      return CalDAVAccount.Credentials(tokens: try tokens(oauth, context))
    }
    if authentication == .bearer, let token {
      let secret = try secrets.secret(from: token, username: user, what: "token", place: place)
      return CalDAVAccount.Credentials(tokens: FixedToken(secret.bytes))
    }
    guard username != nil, let password else { return nil }
    let secret = try secrets.secret(from: password, username: user, place: place)
    return CalDAVAccount.Credentials(
      username: Array(user.utf8), password: secret.bytes, schemes: schemes)
  }

  /// Where the tokens of its sign-in are kept (OAuth 2).
  func tokenStore(_ context: AccountContext) -> TokenStore {
    let variables = context.secrets.variables
    // A user has one keyring, and as many state directories as configurations.
    let environment = ProcessEnvironment(variables: variables, workingDirectory: "/")
    let state = try? Configuration.defaultStateDirectory(environment)
    return TokenStore(
      place: tokenPlace(stateDirectory: context.stateDirectory), account: name,
      directory: (state ?? context.stateDirectory) + "/tokens", variables: variables)
  }

  func tokenPlace(stateDirectory: String) -> TokenPlace {
    switch token {
    case .file(let path): .file(path)
    case .keyring(let service): .keyring(service: service, username: username ?? "")
    case .command, .environment, .literal, nil: .file("\(stateDirectory)/tokens/\(name).json")
    }
  }

  private func tokens(
    _ oauth: OAuthConfiguration, _ context: AccountContext
  ) throws(RunFailure) -> OAuthTokens {
    var secret: Secret?
    if let source = oauth.clientSecret {
      secret = try context.secrets.secret(
        from: source, username: username ?? "", what: "client secret", place: self.place)
    }
    // Another server than that of the calendars: no key of it is pinned, and it is shown no
    // certificate.
    var options = try transportOptions(context.secrets)
    options.pinnedKeys = []
    options.clientCertificate = nil
    options.unixSocketPath = nil
    let transport = try transport(options)
    var person = context.person
    person?.isCalledOff = { context.secrets.isStopping }
    return OAuthTokens(
      account: self,
      endpoint: TokenEndpoint(
        oauth: oauth, secret: secret, transport: transport, secrets: context.secrets.known),
      store: tokenStore(context), person: person, surroundings: context.surroundings,
      notice: context.notice)
  }

  private var schemes: [HTTPCredentials.Scheme] {
    switch authentication {
    case .basic: [.basic]
    case .digest: [.digest]
    case .bearer, .oauth2: [.bearer]
    case nil: [.basic, .digest]
    }
  }

  /// Throws where one of the account's PEM files cannot be used, and says which key names it.
  func transport(_ options: CurlTransport.Options) throws(RunFailure) -> CurlTransport {
    do { return try CurlTransport(options: options) { logger.notice("\($0)") } } catch {
      throw RunFailure(
        .configuration, code: "bad-configuration", message: error.message,
        place: place(ofFileIn: error.message) ?? place,
        hint: "correct the path or the file; see ca_file, client_cert, client_key and proxy")
    }
  }

  /// The longest path, since one may be within another.
  private func place(ofFileIn message: String) -> String? {
    let path = placesOfFiles.keys.filter(message.contains).max { $0.utf8.count < $1.utf8.count }
    return path.flatMap { placesOfFiles[$0] }
  }

  /// The transport that the account's keys ask for.
  func transportOptions(_ secrets: SecretStore) throws(RunFailure) -> CurlTransport.Options {
    var options = CurlTransport.Options()
    options.connectTimeout = timeout
    options.silenceTimeout = timeout
    options.minimumRate = minimumRate
    options.minimumRateWindow = max(options.minimumRateWindow, timeout * 2)
    options.maxConnectionsPerHost = maxConnections
    options.userAgent = userAgent ?? "calgw/\(calgwVersion)"
    options.extraCAFile = authoritiesFile
    options.pinnedKeys = pinnedKeys
    try checkIdentity()
    options.clientCertificate = identity
    switch proxy {
    case .environment:
      options.proxy = .environment
      for name in ["http_proxy", "https_proxy", "all_proxy"] {
        for url in [name, name.uppercased()].compactMap({ secrets.variables[$0] }) {
          secrets.known.add(loginOf: url)
        }
      }
    case .none: options.proxy = .none
    case .url(let url): options.proxy = .url(url)
    case .secret(let source): options.proxy = .url(try proxyURL(source, secrets))
    case .unixSocket(let path):
      options.proxy = .none
      options.unixSocketPath = path
    }
    return options
  }

  /// How connections go where they do not go straight to the host; nil where they do.
  func detour(to url: WebURL) -> String? {
    switch proxy {
    case .none: return nil
    case .url, .secret: return url.isLoopback ? nil : "through a proxy"
    case .unixSocket(let path): return "to the socket \(path)"
    case .environment:
      // What is no secret of the account suffices to ask for the way.
      var options = CurlTransport.Options()
      options.connectTimeout = timeout
      return options.leadsThroughEnvironmentProxy(to: url.text)
        ? "through the proxy of the environment" : nil
    }
  }

  private func proxyURL(
    _ source: SecretSource, _ secrets: SecretStore
  ) throws(RunFailure) -> String {
    let secret = try secrets.secret(
      from: source, username: username ?? "", what: "proxy URL", place: place)
    let url = String(decoding: secret.bytes, as: UTF8.self)
    do { try checkProxyURL(url, mayHoldLogin: true) } catch {
      throw RunFailure(
        .configuration, code: "bad-configuration",
        message: "the proxy of the account cannot be used: \(error.message)", place: place,
        hint: error.hint)
    }
    secrets.known.add(loginOf: url)
    return url
  }
}
