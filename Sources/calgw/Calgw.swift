import ArgumentParser
import CalgwKit
import Glibc

/// The program: takes the signals, parses the arguments, runs one subcommand, exits.
@main
struct Calgw {
  static func main() async {
    ProcessLimits.openStandardFiles()
    ProcessLimits.forbidCoreFiles()
    ProcessLimits.forbidKeyLogs()
    ProcessLimits.keepExitStatuses()
    ProcessLimits.returnLargeBlocks()
    // First of all, so that every thread inherits what is blocked.
    let signals = StopSignals()
    let command: any ParsableCommand
    let arguments = Array(words.dropFirst())
    do { command = try CommandLineRoot.parsed(arguments) } catch {
      end(with: CommandLineRoot.shown(error, about: arguments))
    }
    guard let command = command as? any Subcommand else {
      // `calgw` alone, or a help request: the library words it.
      var command = command
      do {
        try command.run()
        exit(ExitStatus.success.rawValue)
      } catch {
        end(with: error)
      }
    }
    let session = Session(command.common, signals: signals)
    let status: ExitStatus
    do throws(RunFailure) {
      status = try await command.execute(session)
    } catch {
      session.console.report(error)
      status = error.status
    }
    end(session.console.finish(status))
  }

  /// What was typed. `CommandLine.arguments` has another name for a file that is not called by
  /// UTF-8.
  private static var words: [String] {
    (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }.map { word in
      argumentText(
        UnsafeBufferPointer(start: word, count: strlen(word)).map(UInt8.init(bitPattern:)))
    }
  }

  /// Prints what the library has to say of arguments. Help is a result as any other: where it
  /// cannot be printed, the status says so.
  private static func end(with error: any Error) -> Never {
    guard CommandLineRoot.exitCode(for: error) == .success,
      let options = try? CommonOptions.parse([])
    else { CommandLineRoot.exit(withError: error) }
    let console = Console(options, variables: [:])
    console.print(CommandLineRoot.fullMessage(for: error, columns: nil))
    end(console.finish(.success))
  }

  /// Ends the process at once. `exit` would run the destructors of libcurl, libldap and the Swift
  /// runtime while idle threads still use them: one run of some thousands had done all and died of
  /// signal 11. Nothing waits in a buffer: the console writes what it is given.
  private static func end(_ status: ExitStatus) -> Never {
    _exit(status.rawValue)
  }
}

/// `calgw`, which alone prints its help.
struct CommandLineRoot: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calgw",
    abstract: "Keep directories of .ics files and CalDAV servers the same, in both directions.",
    discussion: """
      Start with `calgw init`, then `calgw sync`. The manual is docs/cli.md, the configuration is \
      described in docs/configuration.md.
      """,
    version: "calgw \(calgwVersion)",
    groupedSubcommands: [
      CommandGroup(
        name: "Syncing:",
        subcommands: [
          Sync.self, Pull.self, Push.self, Status.self, Diff.self, Resolve.self,
        ]),
      CommandGroup(
        name: "Calendar:",
        subcommands: [
          List.self, Show.self, New.self, Edit.self, Delete.self, Move.self, Import.self,
          Expand.self, Check.self,
        ]),
      CommandGroup(name: "History:", subcommands: [Log.self, Restore.self]),
      CommandGroup(
        name: "Setting up:",
        subcommands: [Initialize.self, Discover.self, Examine.self, Forget.self]),
    ])

  fileprivate static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    try checkCommand(in: arguments)
    return try parseAsRoot(Diff.separated(List.separated(arguments)))
  }

  /// The same error with arguments in it as they may be shown: the library repeats them as they
  /// came, and a terminal would obey what is in some.
  fileprivate static func shown(_ error: any Error, about arguments: [String]) -> any Error {
    let visible = arguments.map { visibleText($0, limit: .max) }
    guard visible != arguments else { return error }
    // What the library refuses it refuses in this spelling, too.
    do { _ = try parsed(visible) } catch { return error }
    return error
  }

  /// Of a command that there is not the library would complain about its options, and as help for
  /// it print its own.
  fileprivate static func checkCommand(in arguments: [String]) throws(ValidationError) {
    let isHelp = arguments.first == "help"
    guard let word = isHelp ? arguments.dropFirst().first : arguments.first,
      !word.hasPrefix("-"), word != "help"
    else { return }
    let names = configuration.subcommands.map {
      $0.configuration.commandName ?? String(describing: $0).lowercased()
    }
    if names.contains(word) { return }
    let hint = suggestion(for: word, among: names, what: "commands")
    throw ValidationError("There is no command \"\(visibleText(word, limit: 60))\"; \(hint)")
  }
}

/// A command of calgw: one call to CalgwKit, and the printing of what it gives.
protocol Subcommand: ParsableCommand {
  var common: CommonOptions { get }
  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus
}
