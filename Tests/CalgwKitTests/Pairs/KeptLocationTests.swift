import CalgwKit
import SyncModel
import TestSupport
import Testing

/// Runs over an account at times that the test chooses: each knows from the last one where the
/// calendars are, and since when.
@Suite struct KeptLocationTests {
  private let folder: TemporaryFolder
  private let server: ScriptedServer

  init() throws {
    let model = ModelServer(surroundings: ModelClock().surroundings)
    model.makeCalendar("work")
    folder = try TemporaryFolder()
    server = try ScriptedServer { model.steps(for: $0) }
  }

  /// Runs a sync some hours after the first one; true where it looks for the account's homes.
  private func searches(after hours: Int64, hosts: String = "") async throws -> Bool {
    let run = try await TimedAccount(folder: folder, server: server).sync(
      after: hours * 3600, "trusted_hosts = [\(hosts)]")
    #expect(run.report.status == .success, "\(run.report.failures)")
    return run.requests.contains { $0.target == ModelServer.principalPath }
  }

  @Test func `the account is searched for once a day`() async throws {
    for (hours, isDue) in [(0, true), (0, false), (23, false), (24, true), (47, false), (48, true)]
      as [(Int64, Bool)]
    {
      #expect(try await searches(after: hours) == isDue, "\(hours)")
    }
  }

  @Test func `and where other servers are vouched for than in the last run`() async throws {
    for (hosts, isDue) in [("", true), ("\"a.example\"", true), ("\"a.example\"", false)] {
      #expect(try await searches(after: 0, hosts: hosts) == isDue, "\(hosts)")
    }
  }
}
