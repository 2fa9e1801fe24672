import ArgumentParser
import CalgwKit
import Glibc

/// `calgw init`
struct Initialize: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a configuration, after a look at the server.",
    discussion: """
      On a terminal it asks for what the options do not say; elsewhere the address and --local \
      have to be given. A configuration that is there already is never touched.
      """)

  @Argument(
    help: ArgumentHelp(
      "Your e-mail address, from which the server is found; or any URL of it.",
      valueName: "address"))
  var address: String?

  @Option(help: ArgumentHelp("Any URL of the server, or your e-mail address.", valueName: "url"))
  var url: String?

  @OptionGroup var login: LoginOptions

  @Option(help: ArgumentHelp("A file that holds the password.", valueName: "file"))
  var passwordFile: String?

  @Option(
    name: .customLong("trusted-host"),
    help: ArgumentHelp(
      "Another server that may have the password, if the calendars are there.", valueName: "host"))
  var trustedHosts: [String] = []

  @Option(
    name: .customLong("ca-file"),
    help: ArgumentHelp("The certificate of your own server's authority.", valueName: "file"))
  var authoritiesFile: String?

  @Option(help: ArgumentHelp("The directory for the calendars.", valueName: "dir"))
  var local: String?

  @OptionGroup(title: "Common options") var common: CommonOptions

  mutating func validate() throws {
    if address != nil, url != nil {
      throw ValidationError("the address and --url exclude each other: give one of them")
    }
    if passwordFile != nil, login.passwordCommand ?? login.passwordVariable != nil {
      throw ValidationError("the password has one source: give one of the --password options")
    }
  }

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    let console = session.console
    let file = try Configuration.fileToWrite(
      named: session.options.config, environment: session.environment)
    try Configuration.checkIsNew(file)
    let interview = Interview(signals: session.signals)
    let start = try TypedAddress(
      interview.answer(
        address ?? url, option: "--url", "Your e-mail address, or the server's URL: "))
    if case .mail(let address) = start { try address.checkTakesPassword() }
    var answers = try ask(interview, about: start, session)
    answers.local = try fromHere(answers.local, session)
    answers.authoritiesFile = try authoritiesFile.map { file throws(RunFailure) in
      try fromHere(file, session)
    }
    // What stands for a path is expanded with the configuration, which is not there yet.
    if let file = answers.authoritiesFile, file.first == "/", access(file, R_OK) != 0 {
      throw RunFailure(
        .missingInput, code: "no-such-file", message: "the file of --ca-file cannot be read",
        place: file, hint: "name the certificate of your server's authority")
    }
    let calendars = try await look(from: start, &answers, file, session)
    for calendar in calendars { console.show(calendar) }
    try interview.checkStop(at: file)
    try Configuration.write(try answers.text(), to: file)
    console.note("wrote \(visibleText(file)): \(plural(calendars.count, "calendar")) found")
    console.note(console.mend("go on with `calgw sync --dry-run`, then `calgw sync`"))
    return .success
  }

  private func fromHere(_ path: String, _ session: Session) throws(RunFailure) -> String {
    try NewConfiguration.path(path, typedIn: session.environment.workingDirectory)
  }

  /// Looks for the calendars; an e-mail address becomes the URL and the user name that led there,
  /// and so does a URL of a domain that has them elsewhere.
  private func look(
    from start: TypedAddress, _ answers: inout NewConfiguration, _ file: String, _ session: Session
  ) async throws(RunFailure) -> [FoundCalendar] {
    switch start {
    case .mail(let address):
      let search = AccountSearch(
        address, usernames: login.username.map { [$0] }, trustedHosts: answers.trustedHosts)
      return try await carryOut(search, &answers, file, session)
    case .url(let url):
      do throws(RunFailure) {
        let found = try await discover(&answers, file, session)
        if let notice = found.noticeOfGuess { session.notices(notice) }
        return found.calendars
      } catch {
        let search = AccountSearch(
          besides: url, after: error, username: answers.username,
          trustedHosts: answers.trustedHosts)
        guard let search else { throw error }
        let calendars = try await carryOut(search, &answers, file, session)
        session.notices(
          "the name servers of \(search.domainName) say where its calendars are, and the url of the"
            + " account is that: \(answers.shownURL)")
        return calendars
      }
    }
  }

  private func carryOut(
    _ search: AccountSearch, _ answers: inout NewConfiguration, _ file: String, _ session: Session
  ) async throws(RunFailure) -> [FoundCalendar] {
    let interview = Interview(signals: session.signals)
    let asks = { (point: StartingPoint) in
      interview.confirms(
        "\(search.domainName) says that its calendars are at \(visibleText(point.host)). Go on "
          + "there, with your password?", default: false)
    }
    let known = answers
    var trusted = answers.trustedHosts
    let found = try await search.run(agrees: interview.isPossible ? asks : nil) {
      url, username async throws(RunFailure) in
      var draft = known
      draft.url = url
      draft.username = username
      // Who was agreed to for one name is not asked about again for the next.
      draft.trustedHosts = trusted
      defer { trusted = draft.trustedHosts }
      return try await discover(&draft, file, session)
    }
    answers.trustedHosts = trusted
    answers.url = found.url
    answers.username = found.username
    return found.calendars
  }

  /// Servers that are asked about, one leading to the next.
  private static let mostHosts = 5

  /// The calendars; where they are on another server that nobody vouches for, a person is asked.
  private func discover(
    _ answers: inout NewConfiguration, _ file: String, _ session: Session
  ) async throws(RunFailure) -> FoundAccount {
    let interview = Interview(signals: session.signals)
    for _ in 0..<Self.mostHosts {
      do throws(RunFailure) {
        return try await calendars(answers, file, session)
      } catch {
        guard !error.otherHosts.isEmpty else { throw error }
        var failure = error
        failure.hint =
          "if that server belongs to your provider, run this again with "
          + (answers.trustedHosts + error.otherHosts).map { "--trusted-host \($0)" }
          .joined(separator: " ")
        let names = error.otherHosts.map { visibleText($0) }.joined(separator: ", ")
        let consent = answers.password == nil ? "May it be asked?" : "May it have your password?"
        guard
          interview.confirms(
            "\(visibleText(answers.shownURL)) leads to another server, \(names), for the calendars."
              + " \(consent)", default: false)
        else { throw failure }
        answers.trustedHosts += error.otherHosts
      }
    }
    return try await calendars(answers, file, session)
  }

  private func calendars(
    _ answers: NewConfiguration, _ file: String, _ session: Session
  ) async throws(RunFailure) -> FoundAccount {
    let text = try answers.text()
    let configuration: Configuration
    do {
      configuration = try Configuration.parse(
        text: text, file: file, environment: session.environment)
    } catch {
      throw RunFailure(error)
    }
    do throws(RunFailure) {
      let found = try await session.gateway(configuration)
        .discover(answers.account, notice: session.notices)
      // The first sync comes later.
      for failure in found.shortfalls {
        session.notices("\(failure.message) (\(failure.why)); \(failure.hint)")
      }
      return found
    } catch {
      // There is no file yet that the keys could be written into.
      var failure = error
      for (key, option) in [
        ("set ca_file to", "give --ca-file"), ("with ca_file", "with --ca-file"),
        ("set username and password", "give --username and --password-command"),
      ] {
        failure.hint = failure.hint.replacing(key, with: option)
      }
      throw failure
    }
  }

  /// The options, and on a terminal the answers to what they leave open.
  private func ask(
    _ interview: Interview, about start: TypedAddress, _ session: Session
  ) throws(RunFailure) -> NewConfiguration {
    var answers: NewConfiguration
    switch start {
    case .mail(let address):
      answers = NewConfiguration(url: address.text, local: "")
      answers.username = login.username ?? address.text
    case .url(let url):
      answers = NewConfiguration(url: url, local: "")
      answers.username =
        login.username ?? interview.optional("Your user name there (empty: none is asked for): ")
    }
    if let user = answers.username { answers.password = try password(interview, of: user, session) }
    answers.trustedHosts = trustedHosts
    answers.local = try interview.answer(
      local, option: "--local", "The directory for the calendars [~/calendars]: ",
      default: "~/calendars")
    return answers
  }

  private func password(
    _ interview: Interview, of user: String, _ session: Session
  ) throws(RunFailure) -> NewConfiguration.NewPassword {
    let here = session.environment.workingDirectory
    if let passwordCommand = login.passwordCommand { return .command(passwordCommand, from: here) }
    if let passwordVariable = login.passwordVariable { return .environment(passwordVariable) }
    if let passwordFile { return .file(try fromHere(passwordFile, session)) }
    guard interview.isPossible else {
      throw .usage(
        "the password of \(visibleText(user)) is needed",
        hint: "give --password-command, --password-env or --password-file")
    }
    if let command = interview.optional(
      "A command that prints the password (empty: type it, it is kept in the configuration): ")
    {
      return .command(command, from: here)
    }
    guard let secret = interview.secret("Password: ") else {
      try interview.checkStop(at: "the password")
      throw .usage("no password was typed", hint: "run `calgw init` again")
    }
    return .literal(secret)
  }
}
