import ArgumentParser
import CalgwKit
import Glibc

/// Which item an event command works on.
struct TargetArguments: ParsableArguments {
  @Argument(help: ArgumentHelp("A file, or an item's UID.", valueName: "target"))
  var target: String

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("Where to look for the UID.", valueName: "dir|pair/collection"))
  var place: String?
}

extension Session {
  /// The gateway for a command that works without a configuration too.
  func eventGateway() throws(RunFailure) -> Gateway {
    let configuration: Configuration
    do {
      configuration = try environment.loadConfigurationIfAny(from: options.config)
    } catch {
      throw RunFailure(error)
    }
    return try Gateway(configuration, environment: environment, signals: signals)
  }

  /// The gateway for the history, which is there without a configuration where event commands have
  /// replaced something, or pairs have left a log.
  ///
  /// - Parameter name: what the command line names; it may be such a pair.
  func historyGateway(adhoc: AdhocPair?, naming name: String?) throws(RunFailure) -> Gateway {
    guard adhoc == nil else { return try gateway(adhoc: adhoc) }
    let gateway = try eventGateway()
    let isUseful =
      gateway.configuration.file != nil || gateway.hasEditHistory || gateway.hasFormerPairs
      || name.map { gateway.hasLog(ofPair: $0) } ?? false
    let hasState = !gateway.configuration.stateDirectory.isEmpty
    return isUseful && hasState ? gateway : try self.gateway()
  }

  /// What event commands tell a person beside their results.
  var notices: @Sendable (String) -> Void {
    let console = console
    return { text in if !console.isQuiet { console.note("note: " + explanation(text)) } }
  }
}
