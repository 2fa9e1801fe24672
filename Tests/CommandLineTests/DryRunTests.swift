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

  @Test func `the way back from a mass deletion names the collection wherever it is told`()
    async throws
  {
    let folders = try TwoFolders("")
    for number in 1...8 { try folders.write("one", "e\(number)", at: 10, "E") }
    #expect(try await folders.calgw("sync").status == 0)
    for number in 1...7 {
      try FileManager.default.removeItem(
        atPath: folders.calgw.home + "/one/work/e\(number).ics")
    }
    for run in [
      try await folders.calgw("sync"), try await folders.calgw("sync", "--dry-run"),
      try await folders.calgw("status"),
    ] {
      let told = run.output + run.errors
      #expect(told.contains("[mass-delete]"), "\(told)")
      #expect(told.contains("/work` with a sync all of them"), "\(told)")
    }
  }

  @Test func `status says that a deletion waits, before a sync meets it and after`() async throws {
    let folders = try await oneGone()
    for _ in 0..<2 {
      let status = try await folders.calgw("status")
      #expect(status.status == 0)
      #expect(
        status.output.contains("(gym.ics): deleted on the local side; it is gone"),
        "\(status.output)")
      #expect(
        status.output.contains("`calgw resolve --take remote gym` brings it back"),
        "\(status.output)")
      #expect(try await folders.calgw("sync").status == 1)
    }
    let yes = try await folders.calgw("sync", "--allow-mass-delete")
    #expect(yes.status == 0, "\(yes.output)")
    #expect(try await folders.calgw("status").output.contains("nothing is pending"))
  }

  @Test func `who takes the side where it is gone has said yes, without a terminal and on one`()
    async throws
  {
    for isOnTerminal in [false, true] {
      let folders = try await oneGone()
      #expect(try await folders.calgw("status").output.contains("--take local gym` deletes"))
      let take = ["resolve", "gym", "--take", "local"]
      let dry = try await folders.calgw.run(take + ["--dry-run"])
      #expect(dry.status == 0 && dry.output.contains("up: 1 deleted"), "\(dry.output)")
      #expect(try folders.items("two").count == 2)
      if isOnTerminal {
        let run = try await folders.calgw.onTerminal(take)
        #expect(run.status == 0 && !run.screen.contains("[y/N]"), "\(run.screen)")
      } else {
        let run = try await folders.calgw.run(take)
        #expect(run.status == 0 && run.output.contains("up: 1 deleted"), "\(run.errors)")
      }
      #expect(try folders.items("two") == ["dentist 10"])
      #expect(try await folders.calgw("sync").status == 0)
    }
  }

  @Test func `a dry restore to a read-only side says what the restore says`() async throws {
    let folders = try TwoFolders()
    for title in ["Dentist", "Doctor"] {
      try folders.write("one", "dentist", at: 10, title)
      #expect(try await folders.calgw("sync").status == 0)
    }
    try folders.calgw.configure(
      "[pair.p]\nlocal = \"~/one\"\nremote = { local = \"~/two\" }\nread_only = true\n")
    for options in [["--dry-run"], []] {
      let run = try await folders.calgw.run(["restore", "p/1"] + options)
      #expect(run.status == 1, "\(run.errors)")
      #expect(run.output.hasPrefix("p/work: down: 1 changed; 1 problem"), "\(run.output)")
      #expect(run.errors.contains("[read-only]"), "\(run.errors)")
    }
    #expect(try folders.items("one") == ["Dentist 10"])
    #expect(try folders.items("two") == ["Doctor 10"])
  }

  @Test func `to keep both is told in full by a dry run, and as that by the log`() async throws {
    let folders = try TwoFolders()
    try folders.write("one", "dentist", at: 10, "Dentist")
    #expect(try await folders.calgw("sync").status == 0)
    try folders.write("one", "dentist", at: 11, "Dentist")
    try folders.write("two", "dentist", at: 12, "Dentist")
    for options in [["--dry-run"], []] {
      let run = try await folders.calgw.run(["resolve", "dentist", "--take", "both"] + options)
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.hasPrefix("p/work: down: 1 new; up: 1 new, 1 changed"), "\(run.output)")
      // Each line ends with why it is done.
      let why = "a person decided: both are kept, the remote one as a second item\n"
      #expect(run.output.components(separatedBy: why).count == (options.isEmpty ? 1 : 3))
      #expect(!run.output.contains(": \n") && !run.output.contains("won"), "\(run.output)")
    }
    let log = try await folders.calgw("log", "dentist").output
    let why = "both changed it; a person decided: both are kept, the remote one as a second item"
    #expect(log.contains(why) && !log.contains("won"), "\(log)")
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
