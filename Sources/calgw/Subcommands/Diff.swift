import ArgumentParser
import CalgwKit

/// `calgw diff`
struct Diff: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Show property by property what changed here since the last sync.",
    discussion: """
      With --remote it is what this side has against what the server has. Together with --local, \
      --remote takes the server's URL; say it once more, without one, to compare with the server.
      """)

  @Argument(help: ArgumentHelp("Only these items: a file or a UID.", valueName: "file|uid"))
  var items: [String] = []

  /// `--remote` without a URL; see `separated`.
  @Flag(
    name: .customLong(Self.remoteFlag),
    help: ArgumentHelp("Compare with the server: as --remote.", visibility: .hidden))
  var fromRemote = false

  @Flag(help: "Exit with status 1 where anything differs.")
  var exitCode = false

  @OptionGroup(title: "Without a configuration") var adhoc: AdhocOptions
  @OptionGroup(title: "Common options") var common: CommonOptions

  private static let remoteFlag = "with-remote"

  /// Tells the flag `--remote` from the option of the same name, which needs a value and --local.
  static func separated(_ arguments: [String]) -> [String] {
    guard arguments.first == "diff" else { return arguments }
    var needsURL = arguments.contains { $0 == "--local" || $0.hasPrefix("--local=") }
    var result: [String] = []
    for (index, argument) in arguments.enumerated() {
      guard argument == "--remote" else {
        if argument.hasPrefix("--remote=") { needsURL = false }
        result.append(argument)
        continue
      }
      let hasValue = index + 1 < arguments.count && !arguments[index + 1].hasPrefix("-")
      result.append(needsURL && hasValue ? argument : "--\(remoteFlag)")
      if hasValue { needsURL = false }
    }
    return result
  }

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    let gateway = try session.gateway(adhoc: adhoc.pair)
    let report = try await gateway.diff(items, fromRemote: fromRemote)
    session.console.show(report)
    var statuses = report.failures.map { $0.status }
    if exitCode, !report.items.isEmpty { statuses.append(.attention) }
    return .combined(statuses)
  }
}
