import Glibc
import SQLiteJournal
import SyncExecution
import SyncModel

/// How long the commands of a pair may take: a sync that runs every five minutes must not pile up.
package struct HookLimits: Sendable {
  /// One that takes longer is killed.
  var each = Duration.seconds(60)
  /// All that one run calls.
  var together = Duration.seconds(300)

  package init(each: Duration = .seconds(60), together: Duration = .seconds(300)) {
    self.each = each
    self.together = together
  }
}

extension Gateway {
  /// In the environment of a hook: the pairs whose hooks led to it, with slashes between them. A
  /// calgw that a hook starts runs no hooks of them, or it would not end.
  static let hookVariable = "CALGW_HOOK_OF"

  /// Runs the pair's own commands: `on_conflict` for each conflict that it was not told of yet, and
  /// `after_sync` at the end. The pair's lock is free by then, so they may call calgw. What goes
  /// wrong with one is said in the report's notices and changes nothing about the run; a signal
  /// that cuts one short is the report's `cutHook`.
  ///
  /// - Parameter report: of `sync`, `resolve` or `restore`; after a dry run nothing is called.
  public func runHooks(after report: inout PairReport) async {
    let own = report.pair
    guard report.isOfRun, !report.isDryRun, !hookedPairs.contains(own),
      let pair = configuration.pairs.first(where: { $0.name == own })
    else { return }
    var hooks = Hooks(gateway: self, pair: pair)
    guard await hooks.tellConflicts(&report), let command = pair.afterSync else { return }
    let input = report.json(withActions: true)
    _ = hooks.run("after_sync", command, input, &report)
  }

  /// The same place whoever starts calgw, and none that somebody else may have filled: the state
  /// directory, else the root, as where the disk with the state is away and a hook is to tell that.
  fileprivate var hookDirectory: String {
    var status = stat()
    let directory = configuration.stateDirectory
    let isThere = stat(directory, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    return isThere && access(directory, X_OK) == 0 ? directory : "/"
  }

  /// The pairs whose hooks led to this process.
  fileprivate var hookedPairs: [String] {
    (variables[Self.hookVariable] ?? "").split(separator: "/").map(String.init)
  }
}

/// The commands of one pair after one run.
private struct Hooks {
  let gateway: Gateway
  let pair: PairConfiguration
  private let deadline: ContinuousClock.Instant
  /// Of all hooks of the run.
  private var output = PassedOutput()

  init(gateway: Gateway, pair: PairConfiguration) {
    self.gateway = gateway
    self.pair = pair
    deadline = ContinuousClock.now.advanced(by: gateway.hookLimits.together)
  }

  /// Gives false where nothing more is to be run.
  mutating func tellConflicts(_ report: inout PairReport) async -> Bool {
    guard let command = pair.onConflict else { return true }
    // A person may have settled some of them meanwhile.
    let waiting = report.untold.filter { untold in
      report.collections.contains { collection in
        collection.name == untold.collection && collection.conflicts.contains(untold.conflict)
      }
    }
    for (index, untold) in waiting.enumerated() {
      let input = JSONValue.object(
        ("pair", .string(pair.name)), ("collection", .string(untold.collection)),
        ("conflict", untold.conflict.json))
      guard let end = run("on_conflict", command, input, &report) else {
        return !gateway.isStopped
      }
      if end == .stopped { return false }
      await remember(untold, &report)
      if end == .timedOut {
        let left = waiting.count - index - 1
        var rest = left == 0 ? [] : ["\(left) conflict\(left == 1 ? "" : "s")"]
        if pair.afterSync != nil { rest.append("after_sync") }
        if !rest.isEmpty {
          report.notices.append(
            "what is left of pair \(pair.name)'s hooks waits for the next run: "
              + rest.joined(separator: ", "))
        }
        return false
      }
    }
    return true
  }

  /// How it ended; nil where it could not be started, or calgw was told to stop before.
  mutating func run(
    _ key: String, _ command: [String], _ input: JSONValue, _ report: inout PairReport
  ) -> CommandResult.End? {
    let name = "\(key) of pair \(pair.name) (\(command.first ?? ""))"
    // Whoever pressed Ctrl-C waits for no hook.
    if let failure = gateway.leavingOut(name) {
      report.cutHook = failure
      return nil
    }
    let signals = gateway.signals
    let directory = gateway.hookDirectory
    var variables = gateway.configuration.withoutSecrets(gateway.variables)
    variables["PWD"] = directory
    variables[Gateway.hookVariable] = (gateway.hookedPairs + [pair.name]).joined(separator: "/")
    let limit = max(.zero, min(gateway.hookLimits.each, ContinuousClock.now.duration(to: deadline)))
    var program = RunCommand(
      arguments: command, variables: variables, timeLimit: limit,
      shouldStop: { signals?.reason != nil })
    program.directory = directory
    do {
      let wasCut = output.isCut
      let end = try program.run(reading: Array((input.text + "\n").utf8)) {
        output.pass($0, while: $1)
      }
      if output.isCut, !wasCut {
        report.notices.append(
          "\(name) printed more than is passed on: of the hooks of one run the first"
            + " \(PassedOutput.limit) bytes are shown; the rest is left out")
      }
      if end == .stopped { report.cutHook = gateway.leavingOut(name) }
      if end != .exited(0) {
        report.notices.append("\(name) \(end.words(limit: limit))")
      }
      return end
    } catch {
      report.notices.append("\(name) cannot be run: \(error.text)")
      return nil
    }
  }

  /// Other calgws on the pair are done by then, or the conflict is told once more.
  private static let lockPatience = Duration.seconds(10)

  /// Notes that the hook has run for a conflict.
  private func remember(_ told: UntoldConflict, _ report: inout PairReport) async {
    do throws(RunFailure) {
      let wait = LockWait(
        Self.lockPatience, from: gateway.surroundings.now(), StopWatch(signals: gateway.signals))
      let lock = try await gateway.opener.lock(pair, wait)
      defer { withExtendedLifetime(lock) {} }
      let store = try gateway.opener.openStore(pair, .write) { _ in }
      try await gateway.journaled(pair) { () throws(JournalError) in
        var known = try await ToldConflicts.load(told.collection, from: store)
        known.insert(told.conflict)
        try await known.save(told.collection, in: store)
        try await store.close()
      }
    } catch {
      report.notices.append(
        "on_conflict of pair \(pair.name) is told of a conflict once more: \(error.message)")
    }
  }
}
