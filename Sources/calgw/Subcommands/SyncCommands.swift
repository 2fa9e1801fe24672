import ArgumentParser
import CalgwKit

/// `calgw sync`
struct Sync: Subcommand {
  static let configuration = CommandConfiguration(abstract: "Sync in both directions.")
  @OptionGroup var arguments: SyncArguments
  @OptionGroup(title: "Common options") var common: CommonOptions

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    try await runPairs(arguments, .both, session)
  }
}

/// `calgw pull`
struct Pull: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Carry changes from the remote to the local side only.")
  @OptionGroup var arguments: SyncArguments
  @OptionGroup(title: "Common options") var common: CommonOptions

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    try await runPairs(arguments, .pull, session)
  }
}

/// `calgw push`
struct Push: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Carry changes from the local to the remote side only.")
  @OptionGroup var arguments: SyncArguments
  @OptionGroup(title: "Common options") var common: CommonOptions

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    try await runPairs(arguments, .push, session)
  }
}

/// Runs the pairs one after another; one that fails does not stop the others.
private func runPairs(_ arguments: SyncArguments, _ direction: SyncDirection, _ session: Session)
  async throws(RunFailure) -> ExitStatus
{
  let gateway = try session.gateway(adhoc: arguments.adhoc.pair)
  var options = arguments.options(direction)
  let interview = Interview(signals: session.signals)
  // Who reads JSON is a program.
  let mayAsk = interview.isPossible && !session.console.isJSON
  if mayAsk {
    options.confirmDeletion = { place, item, side in
      session.console.pauseProgress()
      return interview.confirms(
        "Delete \(title(of: item)) of \(visibleText(place)) on the \(side.rawValue) side, too?",
        default: false)
    }
    options.confirmInvitations = { place, count in
      session.console.pauseProgress()
      return interview.confirms(
        "\(count) item\(count == 1 ? " with attendees is" : "s with attendees are") new to the"
          + " server of \(place), which may invite them. Upload?",
        default: false)
    }
  }
  let targets = try gateway.targets(arguments.targets, for: direction)
  let progress = ProgressLine(session.console)
  var statuses: [ExitStatus] = []
  for target in targets {
    if let failure = gateway.leavingOut("pair \(target.pair.name)") {
      // Each pair is in the output, begun or not.
      var report = PairReport(
        pair: target.pair.name, direction: direction, isDryRun: options.isDryRun)
      report.failure = failure
      session.console.show(report)
      statuses.append(report.status)
      continue
    }
    var report = await gateway.sync(target, options) { progress.show($0) }
    let policy = options.policy ?? target.pair.policy
    if session.console.isJSON {
      await gateway.runHooks(after: &report)
      session.console.show(report)
    } else {
      session.console.show(report)
      var shown = report
      if mayAsk, direction == .both, !options.isDryRun, [.ask, .merge].contains(policy) {
        await settleConflicts(of: &report, gateway, interview, session, showing: &shown)
      }
      await gateway.runHooks(after: &report)
      session.console.showNews(of: report, since: shown)
    }
    statuses.append(report.status)
  }
  return .combined(statuses)
}

/// Asks a person about each conflict that a run left; those that are settled are no longer in its
/// report. `shown` is what he has seen of it.
private func settleConflicts(
  of report: inout PairReport, _ gateway: Gateway, _ interview: Interview, _ session: Session,
  showing shown: inout PairReport
) async {
  let here = EventZone.local(session.environment)
  for waiting in await gateway.conflicts(of: report) {
    guard let conflict = await waiting.view(here: here) else { continue }
    let choice = gateway.isStopped ? nil : session.ask(interview, about: conflict)
    if let failure = gateway.leavingOut("pair \(report.pair)") {
      report.failure = report.failure ?? failure
      return
    }
    guard let choice else { continue }
    let settled = await gateway.resolve(
      waiting.item, taking: choice, ifStill: waiting.shown, isDryRun: false, patience: .zero)
    session.console.show(settled)
    report.include(settled)
    shown.include(settled)
    if !settled.failures.isEmpty { return }
    guard settled.status == .success else { continue }
    for index in report.collections.indices
    where report.collections[index].name == waiting.item.collection {
      report.collections[index].conflicts.removeAll { $0.item.uid == waiting.item.uid }
    }
  }
}
