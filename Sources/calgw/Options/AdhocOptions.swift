import ArgumentParser
import CalgwKit

/// A pair on the command line, for use without a configuration.
struct AdhocOptions: ParsableArguments {
  @Option(help: ArgumentHelp("A directory to sync without a configuration.", valueName: "dir"))
  var local: String?

  @Option(help: ArgumentHelp("The server, or one calendar on it.", valueName: "url"))
  var remote: String?

  @Option(help: ArgumentHelp("Who you are on the server.", valueName: "user"))
  var username: String?

  @Option(help: ArgumentHelp("A command that prints the password.", valueName: "cmd"))
  var passwordCommand: String?

  @Option(
    name: .customLong("password-env"),
    help: ArgumentHelp("The environment variable that holds the password.", valueName: "var"))
  var passwordVariable: String?

  mutating func validate() throws {
    let isAdhoc = local != nil || remote != nil
    guard (local == nil) == (remote == nil) else {
      throw ValidationError("--local and --remote belong together: give both")
    }
    if !isAdhoc, username != nil || passwordCommand != nil || passwordVariable != nil {
      throw ValidationError(
        "--username and the password options need --local DIR and --remote URL")
    }
    if passwordCommand != nil, passwordVariable != nil {
      throw ValidationError("--password-command and --password-env exclude each other")
    }
  }

  /// Nil where a configured pair is meant.
  var pair: AdhocPair? {
    guard let local, let remote else { return nil }
    return AdhocPair(
      local: local, remote: remote, username: username, passwordCommand: passwordCommand,
      passwordVariable: passwordVariable)
  }
}
