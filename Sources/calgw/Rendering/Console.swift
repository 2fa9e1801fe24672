import CalgwKit
import Glibc
import Synchronization

/// Standard output for results, standard error for everything else.
final class Console: Sendable {
  let isQuiet: Bool
  let isVerbose: Bool
  let isJSON: Bool
  /// Progress may be drawn.
  let showsProgress: Bool
  let colorsOutput: Bool
  private let colorsErrors: Bool
  private let state = Mutex(State())

  private struct State {
    /// The reader of standard output went away: nobody wants the rest.
    var isClosed = false
    /// Standard output could not be written for another reason.
    var errorNumber: Int32?
    /// A progress line is on the terminal and has to go before anything else is printed.
    var hasProgress = false
    /// What commands to paste need to be about the same pairs.
    var configOptions: [String] = []
    var pair: AdhocPair?
    /// Takes secrets out of a text; nil where it knows none.
    var conceal: @Sendable (String) -> String? = { _ in nil }

    /// A command for the password may have it in its words, as `echo` would.
    var pairOptions: [String] {
      guard var pair else { return configOptions }
      pair.passwordCommand = pair.passwordCommand.map { conceal($0) ?? "…" }
      return configOptions + pair.options
    }
  }

  init(_ options: CommonOptions, variables: [String: String]) {
    isQuiet = options.quiet
    isVerbose = options.verbose
    isJSON = options.json
    let isTerminal = isatty(STDERR_FILENO) == 1 && variables["TERM"] != "dumb"
    showsProgress = isTerminal && !options.noProgress && !options.quiet
    func colors(_ descriptor: Int32) -> Bool {
      switch options.color {
      case .always: true
      case .never: false
      case .auto:
        isatty(descriptor) == 1 && (variables["NO_COLOR"] ?? "").isEmpty
          && variables["TERM"] != "dumb"
      }
    }
    colorsOutput = colors(STDOUT_FILENO)
    colorsErrors = colors(STDERR_FILENO)
    if let config = options.config { state.withLock { $0.configOptions = ["--config", config] } }
  }

  // MARK: Results

  /// Prints a line of results.
  func print(_ line: String) {
    state.withLock { state in
      clearProgress(&state)
      guard !state.isClosed, state.errorNumber == nil else { return }
      let code = Self.write(line + "\n", to: STDOUT_FILENO)
      if code == EPIPE { state.isClosed = true } else if code != 0 { state.errorNumber = code }
    }
  }

  func print(_ value: JSONValue) { print(value.text) }

  /// Somebody reads the results.
  var isWanted: Bool { state.withLock { !$0.isClosed && $0.errorNumber == nil } }

  /// Writes bytes to standard output as they are.
  func write(_ data: ItemData) {
    state.withLock { state in
      clearProgress(&state)
      let code = Self.write(data.bytes, to: STDOUT_FILENO)
      if code == EPIPE { state.isClosed = true } else if code != 0 { state.errorNumber = code }
    }
  }

  // MARK: Messages

  /// Prints a line on standard error.
  func note(_ line: String) {
    state.withLock { state in
      clearProgress(&state)
      _ = Self.write(line + "\n", to: STDERR_FILENO)
    }
  }

  /// Prints an error: what, where, why, what to do.
  func report(_ failure: RunFailure) {
    var lines = [styled("error:", .red, onErrors: true) + " " + explanation(failure.message)]
    if !failure.place.isEmpty { lines.append("  where: " + visibleText(failure.place)) }
    if !failure.why.isEmpty { lines.append("  why:   " + explanation(failure.why)) }
    if !failure.hint.isEmpty { lines.append("  do:    " + advice(failure.hint)) }
    note(lines.joined(separator: "\n"))
  }

  /// Prints what works and should be mended all the same, on standard error: a problem for whoever
  /// wants to hear of problems only, too.
  func warn(_ text: String) {
    note(styled("warning:", .yellow, onErrors: true) + " " + explanation(text))
  }

  /// The person at the terminal, to sign in.
  var person: SignInPerson {
    SignInPerson(show: { self.note($0) }, input: STDIN_FILENO)
  }

  /// Draws a line that the next one replaces.
  func showProgress(_ line: String) {
    guard showsProgress else { return }
    state.withLock { state in
      state.hasProgress = true
      _ = Self.write("\r" + visibleText(line, limit: 78) + "\u{1B}[K", to: STDERR_FILENO)
    }
  }

  /// Makes room for a question.
  func pauseProgress() { state.withLock { clearProgress(&$0) } }

  private func clearProgress(_ state: inout State) {
    guard state.hasProgress else { return }
    state.hasProgress = false
    _ = Self.write("\r\u{1B}[K", to: STDERR_FILENO)
  }

  /// The status to exit with: a result that could not be printed is a failure, a reader that went
  /// away is not.
  func finish(_ status: ExitStatus) -> ExitStatus {
    let code = state.withLock { state -> Int32? in
      clearProgress(&state)
      return state.errorNumber
    }
    guard let code else { return status }
    report(
      RunFailure(
        .io, code: "io", message: "the results could not be printed", place: "standard output",
        why: String(cString: strerror(code)), hint: "see where the output goes"))
    return .combined([status, .io])
  }

  // MARK: Commands to paste

  /// From now on the commands to paste are about this pair.
  func suggestCommands(for pair: AdhocPair) {
    state.withLock { $0.pair = pair }
  }

  /// From now on the commands to paste show nothing that `conceal` takes out of a text, and no text
  /// that it cannot tell about.
  func conceal(by conceal: @escaping @Sendable (String) -> String?) {
    state.withLock { $0.conceal = conceal }
  }

  /// A command that a person may paste: about the pairs of this run, and quoted for a shell.
  func command(_ verb: String, _ argument: String? = nil) -> String {
    shellCommand(verb, options: state.withLock { $0.pairOptions }, argument: argument)
  }

  /// What to do about a problem, with commands that a person may paste.
  /// - Parameter names: of the item that has the problem.
  func mend(_ hint: String, _ names: MendNames = MendNames()) -> String {
    pasteableMend(hint, options: state.withLock { $0.pairOptions }, names: names)
  }

  /// The same behind `do:`.
  func advice(_ hint: String, _ names: MendNames = MendNames()) -> String {
    mend(adviceText(hint), names)
  }

  // MARK: Style

  enum Style: String {
    case red = "31"
    case green = "32"
    case yellow = "33"
    case bold = "1"
    case faint = "2"
  }

  func styled(_ text: String, _ style: Style, onErrors: Bool = false) -> String {
    guard onErrors ? colorsErrors : colorsOutput else { return text }
    return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
  }

  /// Writes all of a text; gives the error's number, 0 for none.
  private static func write(_ text: String, to descriptor: Int32) -> Int32 {
    write(Array(text.utf8), to: descriptor)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        return errno
      }
      rest = rest.dropFirst(count)
    }
    return 0
  }
}
