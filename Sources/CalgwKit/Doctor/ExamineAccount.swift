import CalDAVStorage
import CurlTransport
import SyncModel
import WebDAV

extension Doctor {
  /// One account, step by step; what a step that failed makes pointless is skipped, and said so.
  func examine(_ account: AccountConfiguration, _ gateway: Gateway) async -> AccountWay {
    let context = AccountContext(
      secrets: SecretStore(
        variables: environment.variables, stop: { [signals] in signals?.reason }),
      surroundings: surroundings, stateDirectory: gateway.configuration.stateDirectory, person: nil,
      notice: { [report, name = account.name] text in
        report(Finding(.warning, .account(name), .secret, text))
      })
    var way = AccountWay(account: account, context: context, doctor: self)
    way.examineUse(by: gateway.configuration.pairs)
    await way.examineSecret()
    await way.examineHost()
    await way.examineServer()
    await way.examineCalendars(of: gateway.configuration.pairs, gateway)
    if !way.isStopped { await way.tellProfile(gateway) }
    await way.examineByWriting(gateway)
    await way.examineLeftProbes(of: gateway.configuration.pairs)
    return way
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
  /// Nil where a secret or a file for them cannot be had.
  var options: CurlTransport.Options?
  /// How connections go where they do not go straight to the host.
  var detour: String?
  var connection: AccountConnection?
  var calendars: [CollectionDescription] = []
  /// There are no others.
  var showsAll = true

  init(account: AccountConfiguration, context: AccountContext, doctor: Doctor) {
    self.account = account
    self.context = context
    self.doctor = doctor
  }

  var subject: Finding.Subject { .account(account.name) }
  var isStopped: Bool { doctor.signals?.reason != nil }

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

  /// What was cut short by a signal is nobody's failure; the command says at its end that it was.
  mutating func tell(_ failure: RunFailure, _ step: Finding.Step) {
    if isStopped, failure.code == "interrupted" { return tellCutShort(step) }
    tell(finding(failure, step))
  }

  /// The same of one that keeps the calendars from being found: they may be at another place, which
  /// the name servers of the URL's domain know.
  mutating func tellUnfound(_ failure: RunFailure, _ step: Finding.Step) async {
    var failure = failure
    if step == .certificate { failure.sparesAddress = true }
    if !isStopped { await failure.addPlace(of: account, doctor.resolver) }
    tell(failure, step)
  }

  /// The same of one that keeps nothing else from being looked at.
  mutating func tellBeside(_ failure: RunFailure, _ step: Finding.Step) {
    statuses += doctor.tell([finding(failure, step)])
  }

  private func finding(_ failure: RunFailure, _ step: Finding.Step) -> Finding {
    let clock = WallClock(for: [failure], doctor.surroundings, doctor.environment)
    return Finding(failure.explained(by: nil, at: clock), subject, step)
  }

  mutating func tellCutShort(_ step: Finding.Step) {
    tell(.skipped, step, "not looked at to the end, since calgw was told to stop")
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
    if let trouble = troubleWithFiles() {
      tell(trouble, .configuration)
      _ = skips(.secret)
      return
    }
    do throws(RunFailure) {
      options = try account.transportOptions(context.secrets)
      connection = try AccountConnection(account, memory: AccountMemory(), context)
      if let oauth = account.oauth, account.authentication == .oauth2 {
        return examine(try account.tokenStore(context).load(), of: oauth)
      }
      tell(.ok, .secret, secretInWords)
    } catch {
      tell(error, .secret)
    }
  }

  /// What is wrong with `ca_file`, `client_cert` and `client_key`, which both the sign-in and the
  /// handshake need; nil: nothing.
  private func troubleWithFiles() -> RunFailure? {
    var options = CurlTransport.Options()
    options.extraCAFile = account.authoritiesFile
    options.clientCertificate = account.identity
    do throws(RunFailure) {
      try account.checkIdentity()
      _ = try account.transport(options)
      return nil
    } catch {
      return error
    }
  }

  /// Where tokens are missing, or are another client's, a person has to sign in; nobody is asked
  /// here.
  private mutating func examine(_ tokens: StoredTokens?, of oauth: OAuthConfiguration) {
    if tokens?.belongs(to: oauth, of: account.username) ?? false {
      return tell(.ok, .secret, "the tokens of an earlier sign-in are used, and renewed")
    }
    tell(
      .failed, .secret, "nobody has signed in to the account yet",
      why: tokens == nil
        ? "" : "the tokens that are kept are of another client_id, token_url, scope or username",
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
}

extension Finding.Step {
  /// The step as a part of a sentence.
  var words: String {
    switch self {
    case .configuration: "the look at its files"
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
