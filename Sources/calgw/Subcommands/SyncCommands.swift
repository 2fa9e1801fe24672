import ArgumentParser
import CalgwKit

/// `calgw sync`
struct Sync: Subcommand {
  static let configuration = CommandConfiguration(abstract: "Sync in both directions.")
  @OptionGroup var arguments: SyncArguments
  @OptionGroup(title: "Common options") var common: CommonOptions

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    try await run(arguments, .both, session)
  }
}

/// `calgw pull`
struct Pull: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Carry changes from the remote to the local side only.")
  @OptionGroup var arguments: SyncArguments
  @OptionGroup(title: "Common options") var common: CommonOptions

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    try await run(arguments, .pull, session)
  }
}

/// `calgw push`
struct Push: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Carry changes from the local to the remote side only.")
  @OptionGroup var arguments: SyncArguments
  @OptionGroup(title: "Common options") var common: CommonOptions

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    try await run(arguments, .push, session)
  }
}

/// Runs the pairs one after another; one that fails does not stop the others.
private func run(_ arguments: SyncArguments, _ direction: SyncDirection, _ session: Session)
  async throws(RunFailure) -> ExitStatus
{
  let calgw = try session.calgw(adhoc: arguments.adhoc.pair)
  let options = arguments.options(direction)
  let targets = try calgw.targets(arguments.targets, for: direction)
  let progress = ProgressLine(session.console)
  var statuses: [ExitStatus] = []
  for target in targets {
    let report = await calgw.sync(target, options) { progress.show($0) }
    session.console.show(report)
    statuses.append(report.status)
    if calgw.isStopped { break }
  }
  return .combined(statuses)
}
