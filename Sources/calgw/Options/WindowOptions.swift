import ArgumentParser
import CalgwKit

/// Which time, for commands that show occurrences.
struct WindowOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "From this time on, as 2026-12-24, tomorrow or \"fri 9:30\".", valueName: "time"))
  var from: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Up to this time.", valueName: "time"))
  var to: String?

  @Option(
    help: ArgumentHelp(
      "Where days begin and floating times are, as Europe/Vienna.", valueName: "zone"))
  var tz: String?

  @Flag(help: "Show what is cancelled, too.")
  var includeCancelled = false

  func request(_ targets: [String]) -> AgendaRequest {
    AgendaRequest(
      targets: targets, from: from, to: to, zone: tz, includesCancelled: includeCancelled)
  }
}
