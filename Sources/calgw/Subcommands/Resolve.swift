import ArgumentParser
import CalgwKit

/// `calgw resolve`
struct Resolve: Subcommand {
  enum Choice: String, ExpressibleByArgument, CaseIterable {
    case local, remote, merged, both
  }

  static let configuration = CommandConfiguration(
    abstract: "Settle a conflict: take one version, what both changed, or keep both.",
    discussion: """
      Without --take, on a terminal, it shows both versions side by side and asks. What gives way \
      stays in `calgw log`.
      """)

  @Argument(help: ArgumentHelp("The item: a file or a UID.", valueName: "file|uid"))
  var item: String

  @Option(help: ArgumentHelp("Which version holds.", valueName: "choice"))
  var take: Choice?

  @Flag(help: "Say what would happen; nothing changes.")
  var dryRun = false

  @OptionGroup var lock: LockOptions
  @OptionGroup(title: "Without a configuration") var adhoc: AdhocOptions
  @OptionGroup(title: "Common options") var common: CommonOptions

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    let gateway = try session.gateway(adhoc: adhoc.pair)
    let interview = Interview(signals: session.signals)
    guard take != nil || interview.isPossible else {
      throw .usage(
        "--take is missing", hint: "give --take local, remote, merged or both")
    }
    guard let waiting = try await gateway.conflict(item) else {
      session.console.note("\(visibleText(item)) is in no conflict")
      return .success
    }
    let choice: ConflictChoice?
    if let take {
      choice = ConflictChoice(rawValue: take.rawValue)
    } else if let conflict = await waiting.view(here: .local(session.environment)) {
      choice = session.ask(interview, about: conflict)
    } else {
      session.console.note("its versions cannot be shown: give --take, or run the sync again")
      choice = nil
    }
    if let failure = gateway.leavingOut("pair \(waiting.item.pair.name)") { throw failure }
    guard let choice else { return .attention }
    var report = await gateway.resolve(
      waiting.item, taking: choice, isDryRun: dryRun, patience: lock.wait)
    await gateway.runHooks(after: &report)
    session.console.show(report)
    return report.status
  }
}

extension Session {
  /// Shows both versions and asks which one holds; nil: none is chosen, and it goes on waiting.
  func ask(_ interview: Interview, about conflict: ConflictView) -> ConflictChoice? {
    console.pauseProgress()
    console.show(conflict)
    let question =
      "Take (l)ocal, (r)emote, (m)erged, (b)oth, or leave it (Enter)? "
    while let answer = interview.optional(question)?.lowercased() {
      if let choice = ConflictChoice.allCases.first(where: { $0.rawValue.hasPrefix(answer) }) {
        return choice
      }
    }
    return nil
  }
}
