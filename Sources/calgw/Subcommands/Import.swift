import ArgumentParser
import CalgwKit

/// `calgw import`
struct Import: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Put the events of a file into a calendar, one file each.",
    discussion: """
      An event that is there already stays as it is; a second import changes nothing.
      """)

  @Argument(help: ArgumentHelp("An iCalendar file; - is standard input.", valueName: "file"))
  var file: String

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("The calendar to put them into.", valueName: "dir|pair/collection"))
  var place: String

  @Flag(help: "Replace events that are there with another content; what they were is kept.")
  var update = false

  @Flag(help: "Say what would happen; nothing is written.")
  var dryRun = false

  @OptionGroup(title: "Common options") var common: CommonOptions

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    let gateway = try session.eventGateway()
    let text = try readInput(file, signals: session.signals)
    let name = file == "-" ? "standard input" : file
    let report = try await gateway.importItems(
      text, file: name, in: place, here: .local(session.environment), updates: update,
      isDryRun: dryRun, notice: session.notices)
    session.console.show(report)
    return report.needsAttention ? .attention : .success
  }
}
