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
      stays in `calgw log`. With --take local or remote it also takes back what one side alone \
      changed since the last sync.
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
    // Who reads JSON is a program.
    guard take != nil || interview.isPossible && !session.console.isJSON else {
      throw .usage(
        "--take is missing", hint: "give --take local, remote, merged or both")
    }
    // Who says which side holds may also mean a change that only one side has.
    let holder: Side? = take == .local ? .local : take == .remote ? .remote : nil
    let waiting: WaitingConflict
    switch try await gateway.standing(of: item, holding: holder) {
    case .conflict(let conflict): waiting = conflict
    case .quiet(let quiet): return session.console.show(quiet, named: item, isDryRun: dryRun)
    case .hidden(let reports):
      session.console.show(reports, isDryRun: dryRun)
      return .combined(reports.map(\.status))
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
    let obstacle = choice == .merged ? await waiting.mergeObstacle() : nil
    var report = await gateway.resolve(
      waiting.item, taking: choice, ifStill: take == nil ? waiting.shown : nil, isDryRun: dryRun,
      patience: lock.wait)
    await gateway.runHooks(after: &report)
    session.console.show(report)
    // Of the others, the conflict itself says so.
    if let obstacle, obstacle == .unmergeable {
      session.console.note(
        "\(title(of: waiting.item.reported)) cannot be merged: \(words(for: obstacle))")
    }
    if let side = waiting.survivor(of: choice, after: report) {
      session.console.tellSurvivor(on: side, waiting)
    }
    return report.status
  }
}

extension Console {
  /// Says that there is nothing to settle, and what an item waits for else; gives the status.
  fileprivate func show(_ quiet: QuietItem, named name: String, isDryRun: Bool) -> ExitStatus {
    let isWaiting = !quiet.waiting.isEmpty
    note(
      "\(visibleText(name)) is in no conflict"
        + (isWaiting ? ", and waits for something else" : ""))
    for entry in quiet.waiting where !isJSON { showProblem(of: entry) }
    if isJSON { show(quiet.reports, isDryRun: isDryRun) }
    return isWaiting ? .attention : .success
  }

  /// Shows what a command says that did nothing.
  fileprivate func show(_ reports: [PairReport], isDryRun: Bool) {
    for var report in reports {
      report.isDryRun = isDryRun
      show(report)
    }
  }

  /// Says so where the chosen side has deleted the item, and it stays all the same.
  fileprivate func tellSurvivor(on side: Side, _ waiting: WaitingConflict) {
    let way =
      side == .local
      ? mend("`calgw delete FILE --span all` deletes it", waiting.names)
      : "delete it on the remote side"
    note(
      "note: \(title(of: waiting.item.reported)) stays: the \(side.rawValue) side has edited it,"
        + " and an edit outlives a deletion\n  do:    \(way)")
  }
}

extension Session {
  /// Shows both versions and asks which one holds; nil: none is chosen, and it goes on waiting.
  /// What cannot be done in this pair is not offered.
  func ask(_ interview: Interview, about conflict: ConflictView) -> ConflictChoice? {
    console.pauseProgress()
    console.show(conflict)
    guard !conflict.choices.isEmpty else {
      console.note("neither version can be taken: neither side may be written to")
      return nil
    }
    let offers = conflict.choices.map { "(\($0.rawValue.prefix(1)))\($0.rawValue.dropFirst())" }
    let question = "Take \(offers.joined(separator: ", ")), or leave it (Enter)? "
    while let answer = interview.optional(question)?.lowercased() {
      if let choice = conflict.choices.first(where: { $0.rawValue.hasPrefix(answer) }) {
        return choice
      }
    }
    return nil
  }
}
