import ArgumentParser
import CalgwKit

/// `calgw log`
struct Log: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "List every version that a sync replaced or removed, newest first.",
    discussion: "Names and colours of collections that it replaced are in the list, too.")

  @Argument(
    help: ArgumentHelp(
      "Only the versions of this item, a file or a UID, or of this pair or collection.",
      valueName: "file|uid|pair[/collection]"))
  var item: String?

  @Flag(help: "Show the texts before and after.")
  var content = false

  @Flag(help: "Drop what is beyond the limits of `history` now, and say how much it was.")
  var prune = false

  @Flag(help: "With --prune: say what would go; nothing changes.")
  var dryRun = false

  @OptionGroup var lock: LockOptions
  @OptionGroup(title: "Without a configuration") var adhoc: AdhocOptions
  @OptionGroup(title: "Common options") var common: CommonOptions

  mutating func validate() throws {
    if prune, item != nil || content {
      throw ValidationError("--prune is for the whole log: give no name and no --content")
    }
    if dryRun, !prune { throw ValidationError("--dry-run goes with --prune") }
  }

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    let gateway = try session.historyGateway(adhoc: adhoc.pair, naming: item)
    if prune { return await self.prune(gateway, session.console) }
    let console = session.console
    let log: HistoryReport
    if let item {
      log = await gateway.log(naming: item, withContent: content, withTitles: !console.isJSON)
    } else {
      log = await gateway.log(of: nil, withContent: content, withTitles: !console.isJSON)
    }
    let here = EventZone.local(session.environment)
    for entry in log.entries { console.show(entry, here: here, withContent: content) }
    if !console.isQuiet {
      for notice in log.notices + [log.noticeOfLostTexts].compactMap(\.self) {
        console.note("note: \(explanation(notice))")
      }
    }
    for failure in log.failures { console.report(failure) }
    return .combined(log.failures.map { $0.status })
  }

  private func prune(_ gateway: Gateway, _ console: Console) async -> ExitStatus {
    let outcome = await gateway.pruneLog(isDryRun: dryRun, patience: lock.wait)
    for pruned in outcome.pruned { console.show(pruned) }
    if outcome.pruned.isEmpty, outcome.failures.isEmpty, !console.isJSON, !console.isQuiet {
      console.print("no log is kept yet")
    }
    for failure in outcome.failures { console.report(failure) }
    return .combined(outcome.failures.map { $0.status })
  }
}

/// `calgw restore`
struct Restore: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Bring a version from the log back, onto both sides.")

  @Argument(help: ArgumentHelp("The version's id, as `calgw log` shows it.", valueName: "id"))
  var id: String

  @Flag(help: "Say what would happen; nothing changes.")
  var dryRun = false

  @OptionGroup var lock: LockOptions
  @OptionGroup(title: "Without a configuration") var adhoc: AdhocOptions
  @OptionGroup(title: "Common options") var common: CommonOptions

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    let pair = id.prefix { $0 != "/" }
    let gateway = try session.historyGateway(adhoc: adhoc.pair, naming: String(pair))
    var report = try await gateway.restore(id, isDryRun: dryRun, patience: lock.wait)
    await gateway.runHooks(after: &report)
    session.console.show(report)
    return report.status
  }
}

/// `calgw forget`
struct Forget: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Forget what a pair or one of its collections agreed on; its items stay.",
    discussion: """
      The next sync meets the two sides as for the first time: it matches them by UID and deletes \
      nothing. The history stays.
      """)

  @Argument(help: ArgumentHelp("What to forget.", valueName: "pair[/collection]"))
  var targets: [String] = []

  @OptionGroup var lock: LockOptions
  @OptionGroup(title: "Without a configuration") var adhoc: AdhocOptions
  @OptionGroup(title: "Common options") var common: CommonOptions

  mutating func validate() throws {
    if (adhoc.pair == nil) == targets.isEmpty {
      throw ValidationError("say what to forget: a pair's name, or --local with --remote")
    }
  }

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    let gateway = try session.gateway(adhoc: adhoc.pair)
    var failures: [RunFailure] = []
    for target in try gateway.targets(targets) {
      do throws(RunFailure) {
        let forgotten = try await gateway.forget(target, patience: lock.wait)
        for name in forgotten { show(name, of: target.pair.name, session.console) }
      } catch {
        session.console.report(error)
        failures.append(error)
      }
    }
    return .combined(failures.map { $0.status })
  }

  private func show(_ collection: String, of pair: String, _ console: Console) {
    if console.isJSON {
      console.print(forgottenJSON(pair: pair, collection: collection))
    } else if !console.isQuiet {
      console.print("forgotten: \(pair)/\(visibleText(collection))")
    }
  }
}
