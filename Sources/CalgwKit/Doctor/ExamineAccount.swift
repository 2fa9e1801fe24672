import CalDAVStorage
import Glibc
import SyncModel
import WebDAV

extension Doctor {
  /// One account, step by step; what a step that failed makes pointless is skipped, and said so.
  func examine(_ account: AccountConfiguration, _ gateway: Gateway) async -> [ExitStatus] {
    let context = AccountContext(
      secrets: SecretStore(
        variables: environment.variables, stop: { [signals] in signals?.reason }),
      surroundings: surroundings, stateDirectory: gateway.configuration.stateDirectory, person: nil)
    var way = AccountWay(account: account, context: context, doctor: self)
    way.examineUse(by: gateway.configuration.pairs)
    await way.examineSecret()
    await way.examineHost()
    await way.examineServer()
    await way.examineCalendars(of: gateway.configuration.pairs)
    await way.tellProfile(gateway)
    await way.examineByWriting(gateway)
    return way.statuses
  }
}

/// The way to an account as far as it was gone.
struct AccountWay {
  let account: AccountConfiguration
  let context: AccountContext
  let doctor: Doctor
  var statuses: [ExitStatus] = []
  /// The step that failed first; every later one needs it.
  var broken: Finding.Step?
  var connection: AccountConnection?
  var calendars: [CollectionDescription] = []

  init(account: AccountConfiguration, context: AccountContext, doctor: Doctor) {
    self.account = account
    self.context = context
    self.doctor = doctor
  }

  var subject: Finding.Subject { .account(account.name) }

  mutating func tell(_ finding: Finding) {
    statuses += doctor.tell([finding])
    if finding.result == .failed, broken == nil { broken = finding.step }
  }

  mutating func tell(
    _ result: Finding.Result, _ step: Finding.Step, _ message: String, why: String = "",
    hint: String = "", status: ExitStatus = .success
  ) {
    tell(Finding(result, subject, step, message, why: why, hint: hint, status: status))
  }

  mutating func tell(_ failure: RunFailure, _ step: Finding.Step) {
    tell(Finding(failure, subject, step))
  }

  /// True where an earlier step failed; says so.
  mutating func skips(_ step: Finding.Step) -> Bool {
    guard let broken else { return false }
    tell(.skipped, step, "not looked at, since \(broken.words) failed")
    return true
  }

  mutating func examineUse(by pairs: [PairConfiguration]) {
    guard !pairs.isEmpty, !pairs.contains(where: { $0.accounts.contains(account.name) }) else {
      return
    }
    tell(
      .warning, .configuration, "no pair uses the account",
      hint: "name it as remote of a pair, or remove it")
  }

  // MARK: The secret

  mutating func examineSecret() async {
    do throws(RunFailure) {
      connection = try AccountConnection(account, memory: AccountMemory(), context)
      if let oauth = account.oauth, account.authentication == .oauth2 {
        return examine(try account.tokenStore(context).load(), of: oauth)
      }
      tell(.ok, .secret, secretInWords)
    } catch {
      tell(error, .secret)
    }
  }

  /// Where tokens are missing, or are another client's, a person has to sign in; nobody is asked
  /// here.
  private mutating func examine(_ tokens: StoredTokens?, of oauth: OAuthConfiguration) {
    if tokens?.belongs(to: oauth) ?? false {
      return tell(.ok, .secret, "the tokens of an earlier sign-in are used, and renewed")
    }
    tell(
      .failed, .secret, "nobody has signed in to the account yet",
      why: tokens == nil
        ? "" : "the tokens that are kept are of another client_id, token_url or scope",
      hint: "run `calgw discover \(account.name)` on a terminal", status: .denied)
  }

  private var secretInWords: String {
    switch account.authentication {
    case .bearer: return account.token.map { "the token comes from \($0.words)" } ?? "no token"
    case .basic, .digest, .oauth2, nil: break
    }
    if let source = account.password, account.username != nil {
      return "the password comes from \(source.words)"
    }
    return account.clientCertificate == nil
      ? "no user name and password are given: the server is asked without"
      : "the client certificate is used, and no password"
  }

  // MARK: The host

  mutating func examineHost() async {
    guard let url = try? WebURL(absolute: account.url) else { return }
    if let way = indirectWay(to: url) {
      tell(.skipped, .name, "not looked at, since connections go \(way)")
      tell(.skipped, .connection, "not looked at, since connections go \(way)")
      return
    }
    let reach = ReachHost(host: url.host, port: url.port, timeout: account.timeout)
    // A secret that is missing does not keep the host from being looked at.
    switch await reach.addresses() {
    case .failed(let why):
      tell(
        .failed, .name, "the host \(url.host) is not known", why: why,
        hint: "check the url of the account, and the network connection",
        status: .unreachable)
      tell(.skipped, .connection, "not looked at, since \(Finding.Step.name.words) failed")
      broken = .name
    case .found(let addresses):
      let list = addresses.map(\.text)
      let isAddress = list == [reach.bareHost]
      tell(
        .ok, .name,
        "\(url.host) is " + (isAddress ? "an address" : list.joined(separator: ", ")))
      examine(await reach.connections(to: addresses), to: url)
    }
  }

  private mutating func examine(_ tries: [ReachHost.Try], to url: WebURL) {
    func words(_ attempt: ReachHost.Try) -> String {
      let failure = attempt.errorNumber.map { SystemError($0).text.lowercased() } ?? "connected"
      return "\(attempt.address.text): \(failure)"
    }
    let failed = tries.filter { $0.errorNumber != nil }
    guard let good = tries.first(where: { $0.errorNumber == nil }) else {
      tell(
        .failed, .connection, "no connection to \(url.host) port \(url.port)",
        why: failed.map(words).joined(separator: "; "),
        hint: "check the port of the url and the network connection, or try again later",
        status: .unreachable)
      broken = .connection
      return
    }
    tell(
      .ok, .connection, "\(good.address.text) port \(url.port) in \(good.milliseconds) ms")
    // A machine without IPv6 reaches no such address, and nobody misses it.
    let odd = failed.filter { attempt in
      attempt.errorNumber.map { !Self.isNoRoute($0) } ?? false
    }
    guard !odd.isEmpty else { return }
    tell(
      .warning, .connection, "an address of \(url.host) does not answer",
      why: odd.map(words).joined(separator: "; "),
      hint: "each connection may take longer; tell the server's operator")
  }

  private static func isNoRoute(_ code: Int32) -> Bool {
    [ENETUNREACH, EHOSTUNREACH, EAFNOSUPPORT, EADDRNOTAVAIL].contains(code)
  }

  /// How connections go where they do not go straight to the host; nil where they do.
  private func indirectWay(to url: WebURL) -> String? {
    switch account.proxy {
    case .none: return nil
    case .url, .secret: return "through a proxy"
    case .unixSocket(let path): return "to the socket \(path)"
    case .environment:
      if url.isLoopback { return nil }
      let names = ["\(url.scheme.rawValue)_proxy", "all_proxy"]
      let variables = context.secrets.variables
      let isSet = (names + names.map { $0.uppercased() }).contains {
        !(variables[$0] ?? "").isEmpty
      }
      return isSet ? "through the proxy of the environment" : nil
    }
  }
}

extension Finding.Step {
  /// The step as a part of a sentence.
  var words: String {
    switch self {
    case .secret: "reading what the sign-in needs"
    case .name: "the look-up of the host"
    case .connection: "the connection"
    case .certificate: "the certificate"
    case .signIn: "the sign-in"
    case .discovery: "the search for calendars"
    default: "the step before"
    }
  }
}

extension SecretSource {
  /// Where it is, without what it is.
  var words: String {
    switch self {
    case .command(let arguments): "the command \(arguments.first ?? "")"
    case .environment(let name): "the variable \(name)"
    case .file(let path): "the file \(path)"
    case .keyring(let service): "the keyring (service \(service))"
    case .literal: "the configuration"
    }
  }
}
