import Foundation
import Testing

/// `--dry-run` says what the run would do, with the questions that it would ask.
@Suite struct DryRunTests {
  /// Two items on both sides, and one of them gone from the first since.
  private func oneGone() async throws -> TwoFolders {
    let folders = try TwoFolders("confirm_delete = \"always\"")
    for uid in ["dentist", "gym"] { try folders.write("one", uid, at: 10, uid) }
    #expect(try await folders.calgw("sync").status == 0)
    try FileManager.default.removeItem(atPath: folders.calgw.home + "/one/work/gym.ics")
    return folders
  }

  @Test func `where nobody can be asked, a deletion waits in a dry run as in the run`()
    async throws
  {
    let folders = try await oneGone()
    let dry = try await folders.calgw("sync", "--dry-run", "--json")
    let run = try await folders.calgw("sync", "--json")
    for each in [dry, run] {
      #expect(each.status == 1, "\(each.output)")
      #expect(each.output.contains("\"code\":\"mass-delete\""), "\(each.output)")
      #expect(each.output.contains("\"pushed\":{\"created\":0,\"updated\":0,\"deleted\":0}"))
    }
    #expect(try folders.items("two").count == 2)
  }

  @Test func `on a terminal a dry run lists the deletion, and asks nothing`() async throws {
    let folders = try await oneGone()
    let dry = try await folders.calgw.onTerminal(["sync", "--dry-run"])
    #expect(dry.status == 0, "\(dry.screen)")
    #expect(dry.screen.contains("gym"), "\(dry.screen)")
    #expect(!dry.screen.contains("[y/N]"), "\(dry.screen)")
    #expect(try folders.items("two").count == 2)
  }
}
