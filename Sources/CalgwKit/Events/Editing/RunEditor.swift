import Glibc

/// The program that a person edits text with: `$VISUAL`, else `$EDITOR`, else `vi`.
public struct TextEditor: Sendable {
  private let words: [String]
  private let variables: [String: String]

  /// Takes the editor of the environment. A command that cannot be split into words is status 64;
  /// so is none at all without a terminal, where `vi` would wait for ever.
  public init(_ environment: ProcessEnvironment, hasTerminal: Bool) throws(RunFailure) {
    variables = environment.variables
    let names = ["VISUAL", "EDITOR"]
    let name = names.first { !(environment.variables[$0] ?? "").isEmpty }
    guard name != nil || hasTerminal else {
      throw .usage(
        "nothing is named to change, and there is no terminal to edit on",
        hint: "name what to change (--summary, --start or another property), or set $EDITOR")
    }
    let command = name.flatMap { environment.variables[$0] } ?? "vi"
    do throws(WordError) {
      words = try splitWords(command)
    } catch {
      throw .usage(
        "the editor in $\(name ?? "EDITOR") cannot be read: \(error.message)",
        hint: "set it to a program with its options, for example: export EDITOR=nano")
    }
  }

  /// The program's name without its directory.
  private var program: String { words.first?.split(separator: "/").last.map(String.init) ?? "" }

  /// What makes it open a file at a line; nil for editors of which that is not known.
  private func option(line: Int) -> String? {
    let known: Set = [
      "vi", "vim", "nvim", "view", "ex", "nano", "pico", "emacs", "emacsclient", "joe", "jed",
      "mg", "micro", "ne", "mcedit", "kak", "editor",
    ]
    return known.contains(program) ? "+\(line)" : nil
  }

  /// Opens a file and waits until the editor ends. It has the terminal meanwhile: what is typed
  /// there is its own. Where calgw is told to end, the editor is told so too, and the edit is over.
  ///
  /// An editor that cannot be started or that fails is status 74.
  public func edit(_ path: String, atLine line: Int?, signals: StopSignals?) throws(RunFailure) {
    let place = line.flatMap { option(line: $0) }.map { [$0] } ?? []
    let end: CommandResult.End
    do throws(SystemError) {
      end = try RunInteractive(
        arguments: words + place + [path], variables: variables, stop: { signals?.reason }
      ).run()
    } catch {
      throw RunFailure(
        .io, code: "no-editor", message: "the editor \(program) cannot be started",
        why: error.text, hint: "set $VISUAL or $EDITOR to one that is installed")
    }
    if let reason = signals?.reason {
      var failure = RunFailure.stopped(reason, place: "")
      failure.message = "the edit was broken off, since calgw was told to end"
      failure.hint = "nothing was changed; run the command again"
      throw failure
    }
    guard end != .exited(0) else { return }
    let how =
      switch end {
      case .exited(let status): "it ended with status \(status)"
      case .signalled(let number): "it was ended by signal \(number)"
      case .timedOut, .stopped, .tooMuchOutput: "it was ended"
      }
    throw RunFailure(
      .io, code: "editor-failed", message: "the editor \(program) failed", why: how,
      hint: "nothing was changed; run the command again")
  }
}

/// Runs a program that has the terminal, and waits for its end.
struct RunInteractive {
  var arguments: [String]
  var variables: [String: String]
  /// Why calgw has to end; nil as long as it need not.
  var stop: () -> StopReason?

  /// How often the process and the reason to stop are looked at, in milliseconds: nobody sees that
  /// an editor ended so long ago.
  private static let waitInterval: UInt32 = 50
  /// In milliseconds. Whoever is told to end at the same time, as by a terminal that closes, does
  /// so by itself: a second signal would break off what it does to keep the text.
  private static let timeByItself: UInt32 = 500
  /// In milliseconds, from then on: an editor keeps its text in less.
  private static let timeToEnd: UInt32 = 2000

  func run() throws(SystemError) -> CommandResult.End {
    // What the person types at the program is not meant for us.
    let ignored = [SIGINT, SIGQUIT].map { number in
      var before = sigaction()
      var action = sigaction()
      action.__sigaction_handler.sa_handler = SIG_IGN
      sigaction(number, &action, &before)
      return (number, before)
    }
    defer {
      for (number, before) in ignored {
        var before = before
        sigaction(number, &before, nil)
      }
    }
    let process = try spawn()
    if let end = wait(for: process, while: { _ in stop() == nil }) { return end }
    if let end = wait(for: process, while: { $0 < Self.timeByItself }) { return end }
    kill(process, stop() == .hungUp ? SIGHUP : SIGTERM)
    return wait(for: process, while: { $0 < Self.timeToEnd }) ?? .stopped
  }

  /// Gives how it ended; nil where it goes on. `mayWait` is told for how many milliseconds it was
  /// waited for.
  private func wait(for process: pid_t, while mayWait: (UInt32) -> Bool) -> CommandResult.End? {
    var waited: UInt32 = 0
    while true {
      var status: Int32 = 0
      let found = waitpid(process, &status, WNOHANG)
      if found < 0, errno != EINTR { return .exited(0) }
      if found > 0 {
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
      }
      guard mayWait(waited) else { return nil }
      usleep(Self.waitInterval * 1000)
      waited += Self.waitInterval
    }
  }

  private func spawn() throws(SystemError) -> pid_t {
    var attributes = posix_spawnattr_t()
    var actions = posix_spawn_file_actions_t()
    posix_spawnattr_init(&attributes)
    posix_spawn_file_actions_init(&actions)
    defer {
      posix_spawnattr_destroy(&attributes)
      posix_spawn_file_actions_destroy(&actions)
    }
    // Results alone go there, and whoever reads them is no terminal.
    if isatty(STDOUT_FILENO) == 0 {
      posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var strings = arguments.map { strdup($0) } + [nil]
    var pairs = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for string in strings + pairs { free(string) } }
    guard let program = arguments.first else { throw SystemError(EINVAL) }
    var process: pid_t = 0
    let code = posix_spawnp(&process, program, &actions, &attributes, &strings, &pairs)
    guard code == 0 else { throw SystemError(code) }
    return process
  }
}
