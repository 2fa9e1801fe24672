import ArgumentParser
import CalgwKit

/// `calgw show`
struct Show: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Show an event: when it is, how it repeats, who comes.",
    discussion: """
      TARGET is a file, or a UID that is looked for in --in or in every configured pair.
      """)

  @OptionGroup var target: TargetArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "One occurrence of a series, by its original start, as 2026-01-05T09:00.",
      valueName: "time"))
  var occurrence: String?

  @Flag(help: "Print the file as it is.")
  var raw = false

  @OptionGroup(title: "Common options") var common: CommonOptions

  mutating func validate() throws {
    if raw, common.json { throw ValidationError("--raw and --json exclude each other") }
    if raw, occurrence != nil {
      throw ValidationError("--raw prints the whole file: leave --occurrence out")
    }
  }

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    let details = try await session.eventGateway().show(
      target.target, in: target.place, occurrence: occurrence, here: .local(session.environment))
    if raw {
      session.console.write(details.data)
    } else if session.console.isJSON {
      session.console.print(details.json)
    } else {
      session.console.show(details)
    }
    return .success
  }
}
