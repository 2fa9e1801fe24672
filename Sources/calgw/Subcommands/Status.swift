import ArgumentParser
import CalgwKit

/// `calgw status`
struct Status: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what each side changed since the last sync, conflicts and problems.")

  @Argument(
    help: ArgumentHelp("What to look at; nothing: every pair.", valueName: "pair[/collection]"))
  var targets: [String] = []

  @Flag(help: "Look at the local side alone.")
  var offline = false

  @Flag(help: "Exit with status 1 where anything is pending.")
  var exitCode = false

  @OptionGroup(title: "Without a configuration") var adhoc: AdhocOptions
  @OptionGroup(title: "Common options") var common: CommonOptions

  mutating func validate() throws {
    if adhoc.pair != nil, !targets.isEmpty {
      throw ValidationError("a pair's name and --local with --remote exclude each other")
    }
  }

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    let gateway = try session.gateway(adhoc: adhoc.pair)
    // As a sync in the same place would.
    let asks = Interview(signals: session.signals).isPossible && !session.console.isJSON
    let progress = ProgressLine(session.console)
    var statuses: [ExitStatus] = []
    for target in try gateway.targets(targets) {
      if let failure = gateway.leavingOut("pair \(target.pair.name)") {
        session.console.report(failure)
        statuses.append(failure.status)
        break
      }
      let report = await gateway.status(target, offline: offline, asks: asks) {
        progress.show($0)
      }
      session.console.show(report)
      statuses += report.failures.map { $0.status }
      if exitCode, !report.items.isEmpty { statuses.append(.attention) }
    }
    return .combined(statuses)
  }
}
