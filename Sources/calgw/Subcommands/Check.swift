import ArgumentParser
import CalgwKit

/// `calgw check`
struct Check: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Find what is wrong in files, and with --fix mend what is safe to mend.",
    discussion: """
      Each finding has a place, a code and, where calgw can help, what --fix does; docs/check.md \
      explains the codes. The status is 1 where an error is found, or left after --fix. What \
      --fix replaces is kept: see calgw log.
      """)

  @Argument(
    help: ArgumentHelp(
      "What to look at; nothing: every pair.", valueName: "file|dir|pair[/collection]"))
  var targets: [String] = []

  @Flag(help: "Mend what is safe to mend, and say what was.")
  var fix = false

  @OptionGroup(title: "Common options") var common: CommonOptions

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    let console = session.console
    let checker = FileChecker(
      environment: session.environment, configuration: session.options.config,
      signals: session.signals, mends: fix
    ) { console.note("note: " + visibleText($0)) }
    var hasErrors = false
    let failures = try await checker.check(targets) { file in
      hasErrors = hasErrors || file.hasErrors
      console.show(file)
    }
    for failure in failures { console.report(failure) }
    return .combined(failures.map(\.status) + (hasErrors ? [.attention] : []))
  }
}
