import ArgumentParser
import CalgwKit

/// `calgw doctor`
struct Examine: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Test the whole way to the calendars, and say what to change.",
    discussion: """
      Looks at the configuration, passwords, names, connections, certificates, the sign-in, the \
      calendars and what may be done with them, and the local side. Nothing is changed unless \
      --write is given.
      """)

  @Argument(
    help: ArgumentHelp("The account; nothing: all of them, and all pairs.", valueName: "account"))
  var account: String?

  @Flag(help: "Make a calendar in each account, try what calgw relies on, and remove it again.")
  var write = false

  @OptionGroup(title: "Common options") var common: CommonOptions

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    let list = FindingList(session.console)
    let doctor = Doctor(
      environment: session.environment, signals: session.signals, resolver: .live, writes: write
    ) {
      list.show($0)
    }
    return try await doctor.run(configuration: session.options.config, account: account)
  }
}
