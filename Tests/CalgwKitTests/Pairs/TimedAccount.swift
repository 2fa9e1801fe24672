import CalgwKit
import SyncModel
import TestSupport
import Testing

/// A folder and an account, in runs at times that the test chooses: each knows of the last one by
/// what that kept.
struct TimedAccount {
  let folder: TemporaryFolder
  let server: ScriptedServer

  /// Syncs so many seconds after the first run.
  ///
  /// - Parameter keys: lines of the account's.
  /// - Returns: The report, and the requests that it took.
  func sync(
    after seconds: Int64, _ keys: String = ""
  ) async throws -> (report: PairReport, requests: [ReceivedRequest]) {
    let text = """
      state_dir = "state"
      [account.home]
      url = "\(server.url)"
      \(keys)
      [pair.copy]
      local = "here"
      remote = "home"
      """
    let configuration = try Configuration.parse(
      text: Array(text.utf8), file: folder.path + "/config.toml", environment: .home)
    var surroundings = Surroundings.live
    surroundings.now = { Instant(seconds: 1_767_600_000 + seconds) }
    let gateway = try Gateway(
      configuration, environment: .home, signals: nil, surroundings: surroundings)
    let before = server.requests.count
    let report = await gateway.sync(try #require(try gateway.targets([]).first), RunOptions())
    return (report, Array(server.requests.dropFirst(before)))
  }
}
