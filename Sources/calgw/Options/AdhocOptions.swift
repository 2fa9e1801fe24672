import ArgumentParser
import CalgwKit

/// Who one is on a server, where no configuration says so.
struct LoginOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Who you are on the server.", valueName: "user"))
  var username: String?

  @Option(help: ArgumentHelp("A command that prints the password.", valueName: "cmd"))
  var passwordCommand: String?

  @Option(
    name: .customLong("password-env"),
    help: ArgumentHelp("The environment variable that holds the password.", valueName: "var"))
  var passwordVariable: String?

  mutating func validate() throws {
    if passwordCommand != nil, passwordVariable != nil {
      throw ValidationError("--password-command and --password-env exclude each other")
    }
  }

  var isEmpty: Bool { username == nil && passwordCommand == nil && passwordVariable == nil }
}

/// A pair on the command line, for use without a configuration.
struct AdhocOptions: ParsableArguments {
  @Option(help: ArgumentHelp("A directory to sync without a configuration.", valueName: "dir"))
  var local: String?

  @Option(help: ArgumentHelp("The server, or one calendar on it.", valueName: "url"))
  var remote: String?

  @OptionGroup var login: LoginOptions

  mutating func validate() throws {
    guard (local == nil) == (remote == nil) else {
      throw ValidationError("--local and --remote belong together: give both")
    }
    if local == nil, !login.isEmpty {
      throw ValidationError(
        "--username and the password options need --local DIR and --remote URL")
    }
  }

  /// Nil where a configured pair is meant.
  var pair: AdhocPair? {
    guard let local, let remote else { return nil }
    return AdhocPair(
      local: local, remote: remote, username: login.username,
      passwordCommand: login.passwordCommand, passwordVariable: login.passwordVariable)
  }
}

/// For commands that need a pair's lock.
struct LockOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How long to wait for another calgw on this pair, as 30s.", valueName: "duration"),
    transform: parseWait)
  var wait = Duration.zero
}

/// Reads a duration with its unit.
@Sendable private func parseWait(_ text: String) throws -> Duration {
  guard let duration = parseDuration(text) else {
    throw ValidationError(
      "\"\(visibleText(text))\" is not a duration: write a number and a unit, as 30s or 5m")
  }
  return duration
}
