import Foundation
import TestSupport
import Testing

/// Pairs with a `direction` of their own, as for a copy of a calendar that others keep.
@Suite struct OneWayPairTests {
  private func folders(_ keys: String) async throws -> TwoFolders {
    let folders = try TwoFolders("direction = \"pull\"\n" + keys)
    try folders.write("two", "gym", at: 10, "Gym")
    #expect(try await folders.calgw("sync").status == 0)
    try folders.write("one", "gym", at: 11, "Here")
    try folders.write("two", "gym", at: 12, "There")
    return folders
  }

  @Test func `the side that is read holds where the policy says so, and the log has the other`()
    async throws
  {
    let folders = try await folders("conflict = \"remote\"")
    let run = try await folders.calgw("sync")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folders.items("one") == ["There 12"])
    #expect(try folders.items("two") == ["There 12"])
    let log = try await folders.calgw("log", "--content", "--json")
    #expect(log.output.contains("SUMMARY:Here"), "\(log.output)")
    #expect(try await folders.calgw("sync").output == "p/work: nothing to do\n")
  }

  @Test func `a first sync goes by that policy, too`() async throws {
    let folders = try TwoFolders("direction = \"pull\"\nconflict = \"remote\"")
    try folders.write("one", "gym", at: 11, "Here")
    try folders.write("two", "gym", at: 12, "There")
    let run = try await folders.calgw("sync")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folders.items("one") == ["There 12"])
  }

  /// CONTRACT: `push` and `pull` do not touch it, whatever the policy.
  @Test(arguments: [
    ("conflict = \"remote\"", ["pull"]), ("", ["sync"]), ("conflict = \"local\"", ["sync"]),
    ("conflict = \"ask\"", ["sync"]), ("", ["sync", "--conflict", "merge"]),
  ])
  func `else it waits`(keys: String, command: [String]) async throws {
    let folders = try await folders(keys)
    let run = try await folders.calgw.run(command)
    #expect(run.status == 1, "\(run.output)")
    #expect(try folders.items("one") == ["Here 11"] && folders.items("two") == ["There 12"])
  }

  @Test func `a policy for the run settles it`() async throws {
    let folders = try await folders("")
    #expect(try await folders.calgw("sync").status == 1)
    #expect(try await folders.calgw("sync", "--conflict", "remote").status == 0)
    #expect(try folders.items("one") == ["There 12"])
  }
}
