import Glibc
import SyncExecution

extension Gateway {
  /// A hook that takes longer is killed: a sync that runs every five minutes must not pile up.
  static let hookLimit = Duration.seconds(60)

  /// Runs the pair's own commands, `on_conflict` for each conflict that is new and `after_sync` at
  /// the end. The pair's lock is free by then, so they may call calgw. What goes wrong with one is
  /// said and changes nothing about the run.
  func runHooks(of pair: PairConfiguration, _ report: inout PairReport) {
    if let command = pair.onConflict {
      for collection in report.collections {
        for conflict in collection.conflicts where conflict.isNew {
          runHook(
            "on_conflict", command,
            .object(
              ("pair", .string(pair.name)), ("collection", .string(collection.name)),
              ("conflict", conflict.json)),
            &report)
        }
      }
    }
    if let command = pair.afterSync {
      runHook("after_sync", command, report.json(withActions: true), &report)
    }
  }

  private func runHook(
    _ key: String, _ command: [String], _ input: JSONValue, _ report: inout PairReport
  ) {
    let name = "\(key) of pair \(report.pair) (\(command.first ?? ""))"
    // Whoever pressed Ctrl-C waits for no hook.
    if let failure = leavingOut(name) {
      report.cutHook = report.cutHook ?? failure
      return
    }
    let signals = signals
    let run = RunCommand(
      arguments: command, variables: variables, timeLimit: Self.hookLimit,
      shouldStop: { signals?.reason != nil })
    do {
      let end = try run.run(reading: Array((input.text + "\n").utf8))
      if end == .stopped { report.cutHook = leavingOut(name) }
      if end != .exited(0) {
        report.notices.append("\(name) \(end.words(limit: Self.hookLimit))")
      }
    } catch {
      report.notices.append("\(name) cannot be run: \(error.text)")
    }
  }
}
