import ArgumentParser
import CalgwKit

/// What `sync`, `pull` and `push` take.
struct SyncArguments: ParsableArguments {
  enum Policy: String, ExpressibleByArgument, CaseIterable {
    case merge, newest, local, remote, ask
  }

  @Argument(
    help: ArgumentHelp("What to sync; nothing: every pair.", valueName: "pair[/collection]"))
  var targets: [String] = []

  @Flag(help: "Say what would happen; neither side nor the journal changes.")
  var dryRun = false

  @Option(
    help: ArgumentHelp("What to do where both sides changed one item.", valueName: "policy"))
  var conflict: Policy?

  @OptionGroup var lock: LockOptions

  @Flag(help: "Allow this run to delete more than max_delete.")
  var allowMassDelete = false

  @OptionGroup(title: "Without a configuration")
  var adhoc: AdhocOptions

  mutating func validate() throws {
    if adhoc.pair != nil, !targets.isEmpty {
      throw ValidationError("a pair's name and --local with --remote exclude each other")
    }
  }

  func options(_ direction: SyncDirection) -> RunOptions {
    var options = RunOptions()
    options.direction = direction
    options.policy = conflict.flatMap { ConflictPolicy(rawValue: $0.rawValue) }
    options.isDryRun = dryRun
    options.allowsMassDelete = allowMassDelete
    options.patience = lock.wait
    return options
  }
}
