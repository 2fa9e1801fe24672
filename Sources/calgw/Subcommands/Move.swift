import ArgumentParser
import CalgwKit

/// `calgw move`
struct Move: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Move an event to another calendar.",
    discussion: """
      It keeps its UID. It is written there first and removed here second: run the command again \
      if it was interrupted.
      """)

  @Argument(help: ArgumentHelp("A file, or an item's UID.", valueName: "target"))
  var target: String

  @Argument(help: ArgumentHelp("Where it goes.", valueName: "dir|pair/collection"))
  var destination: String

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("Where to look for the UID.", valueName: "dir|pair/collection"))
  var place: String?

  @Flag(help: "Say what would happen; nothing is written.")
  var dryRun = false

  @OptionGroup(title: "Common options") var common: CommonOptions

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    let report = try await session.eventGateway().move(
      target, in: place, to: destination, isDryRun: dryRun, notice: session.notices)
    session.console.show(report)
    return .success
  }
}
