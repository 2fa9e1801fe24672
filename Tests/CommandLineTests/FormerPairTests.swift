import Foundation
import Testing

/// The log of a pair that was renamed in the configuration, or taken out of it.
@Suite struct FormerPairTests {
  /// The pair `p` with three versions of the choir in its log, which is called `q` since.
  private func renamed(_ keys: String = "") async throws -> TwoFolders {
    let folders = try TwoFolders()
    for title in ["first", "second", "third", "fourth"] {
      try folders.write("one", "choir", at: 10, title)
      #expect(try await folders.calgw("sync").status == 0)
    }
    if !keys.isEmpty {
      try configure(folders, "p", keys)
      #expect(try await folders.calgw("sync").status == 0)
    }
    try configure(folders, "q")
    return folders
  }

  private func configure(_ folders: TwoFolders, _ name: String, _ keys: String = "") throws {
    try folders.calgw.configure(
      "[pair.\(name)]\nlocal = \"~/one\"\nremote = { local = \"~/two\" }\n\(keys)\n")
  }

  @Test(arguments: [[], ["choir"], ["one/work/choir.ics"], ["p"], ["--content"]] as [[String]])
  func `its log is read, as a whole and of an item`(arguments: [String]) async throws {
    let folders = try await renamed()
    for isThere in [true, false] {
      let log = try await folders.calgw.run(["log"] + arguments)
      #expect(log.status == 0, "\(log.errors)")
      #expect(log.output.contains("p/1  ") && log.output.contains("p/3  "), "\(log.output)")
      #expect(log.output.contains("SUMMARY:first") == arguments.contains("--content"))
      guard isThere else { break }
      try FileManager.default.removeItem(atPath: "\(folders.calgw.home)/one/work/choir.ics")
    }
    #expect(try await folders.calgw("log", "nobody").status == 66)
  }

  @Test func `a version of it says what leads to it, and comes back once the pair does`()
    async throws
  {
    let folders = try await renamed()
    let lost = try await folders.calgw("restore", "p/1")
    #expect(lost.status == 64)
    #expect(lost.errors.contains("write [pair.p] back into the configuration"), "\(lost.errors)")
    #expect(lost.errors.contains("`calgw log --content p`"), "\(lost.errors)")
    #expect(try await folders.calgw("restore", "r/1").errors.contains("there is no pair \"r\""))
    try configure(folders, "p")
    #expect(try await folders.calgw("restore", "p/1").status == 0)
    #expect(try folders.items("two") == ["first 10"])
  }

  @Test func `none of it goes into another pair that has its name by now`() async throws {
    let folders = try await renamed()
    for side in ["three", "four"] { try folders.write(side, "gym", at: 12, "Gym") }
    try folders.calgw.configure(
      "[pair.p]\nlocal = \"~/three\"\nremote = { local = \"~/four\" }\n")
    for isSynced in [false, true] {
      if isSynced { #expect(try await folders.calgw("sync").status == 0) }
      for arguments in [["--dry-run"], []] {
        let run = try await folders.calgw.run(["restore", "p/1"] + arguments)
        #expect(run.status == 64, "\(run.output) \(run.errors)")
        #expect(run.errors.contains("of another pair that was called p"), "\(run.errors)")
        #expect(run.errors.contains("/one/work"), "\(run.errors)")
        #expect(run.errors.contains("`calgw log --content p/work`"), "\(run.errors)")
      }
    }
    for side in ["three", "four"] { #expect(try folders.items(side) == ["Gym 12"]) }
    let log = try await folders.calgw("log", "--content", "p/work")
    #expect(log.output.contains("SUMMARY:first"), "\(log.output)")
    try configure(folders, "p")
    #expect(try await folders.calgw("restore", "p/1").status == 0)
    #expect(try folders.items("two") == ["first 10"])
  }

  @Test(arguments: ["~/one", "~/five"])
  func `it goes on where one of its sides is as it was`(local: String) async throws {
    let folders = try await renamed()
    let remote = local == "~/one" ? "~/six" : "~/two"
    for folder in ["five", "six"] { try folders.write(folder, "choir", at: 10, "fourth") }
    try folders.calgw.configure(
      "[pair.p]\nlocal = \"\(local)\"\nremote = { local = \"\(remote)\" }\n")
    let run = try await folders.calgw("restore", "p/1")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(try folders.items(String(local.dropFirst(2))) == ["first 10"])
    #expect(try folders.items(String(remote.dropFirst(2))) == ["first 10"])
  }

  @Test func `without any configuration its log is there`() async throws {
    let folders = try await renamed()
    try FileManager.default.removeItem(atPath: "\(folders.calgw.home)/config")
    let log = try await folders.calgw("log")
    #expect(log.status == 0 && log.output.contains("p/1  "), "\(log.errors)")
    #expect(try await folders.calgw("restore", "p/1").status == 64)
  }

  @Test func `its log is pruned by the limits of its last run`() async throws {
    let folders = try await renamed(#"history = { keep = "0s", versions = 1 }"#)
    let json = try await folders.calgw("log", "--prune", "--dry-run", "--json")
    #expect(json.output.hasPrefix("{\"pair\":\"p\",\"versions\":2,"), "\(json.output)")
    #expect(json.output.contains("\"configured\":false"), "\(json.output)")
    let run = try await folders.calgw("log", "--prune")
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("p (not in the configuration): 2 versions removed, "))
    #expect(try await folders.calgw("log", "p").output.split(separator: "\n").count == 1)
  }

  @Test func `limits that keep it hold, too`() async throws {
    let folders = try await renamed()
    let run = try await folders.calgw("log", "--prune")
    #expect(run.output == "p (not in the configuration): nothing is beyond the limits\n")
    #expect(try await folders.calgw("log").output.split(separator: "\n").count == 3)
  }

  @Test func `a pair without a configuration is there by its name alone, and nothing foreign is`()
    async throws
  {
    let folders = try await renamed()
    let state = "\(folders.calgw.home)/state/calgw"
    try FileManager.default.moveItem(
      atPath: "\(state)/p.sqlite", toPath: "\(state)/adhoc-0123abcd.sqlite")
    try folders.calgw.write("state/calgw/other.sqlite", "no journal of ours")
    let log = try await folders.calgw("log")
    #expect(log.status == 0 && log.output.isEmpty && log.errors.isEmpty, "\(log)")
    let named = try await folders.calgw("log", "adhoc-0123abcd")
    #expect(named.output.contains("adhoc-0123abcd/1  "), "\(named)")
    let restored = try await folders.calgw("restore", "adhoc-0123abcd/1")
    #expect(restored.status == 64)
    #expect(restored.errors.contains("--local and --remote"), "\(restored.errors)")
    #expect(try await folders.calgw("log", "other").status == 66)
    #expect(try await folders.calgw("log", "--prune").output == "no log is kept yet\n")
  }
}
