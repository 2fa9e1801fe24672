import Foundation
import TestSupport
import Testing

/// `log --prune`: four versions of an item, one of which the limits keep.
@Suite struct PruneTests {
  /// One item whose title was changed four times here, and once by an edit.
  private func edited() async throws -> TwoFolders {
    let folders = try TwoFolders()
    for title in ["first", "second", "third", "fourth", "fifth"] {
      try folders.write("one", "choir", at: 10, title)
      #expect(try await folders.calgw("sync").status == 0)
    }
    let edit = try await folders.calgw("edit", "choir", "--in", "one/work", "--summary", "sixth")
    #expect(edit.status == 0)
    return folders
  }

  private func keepOne(_ folders: TwoFolders) throws {
    try folders.calgw.configure(
      """
      [pair.p]
      local = "~/one"
      remote = { local = "~/two" }
      history = { keep = "0s", versions = 1 }
      """)
  }

  private func versions(_ folders: TwoFolders) async throws -> Int {
    try await folders.calgw("log").output.split(separator: "\n").count
  }

  @Test func `what is within the limits stays`() async throws {
    let folders = try await edited()
    let run = try await folders.calgw("log", "--prune")
    #expect(run.status == 0)
    #expect(run.output == "p: nothing is beyond the limits\nedits: nothing is beyond the limits\n")
    #expect(try await versions(folders) == 5)
  }

  @Test func `what is beyond the limits goes, with its texts, and is told`() async throws {
    let folders = try await edited()
    try keepOne(folders)
    let dry = try await folders.calgw("log", "--prune", "--dry-run", "--json")
    #expect(dry.status == 0)
    #expect(try await versions(folders) == 5, "a dry run drops nothing")

    // Three of the four texts that were replaced go; each was stored once, in both folders alike.
    func length(_ title: String) throws -> Int {
      try folders.write("spare", "choir", at: 10, title)
      return try Data(
        contentsOf: URL(filePath: folders.calgw.home + "/spare/work/choir.ics")
      ).count
    }
    let gone = try length("first") + length("second") + length("third")
    let line = "{\"pair\":\"p\",\"versions\":3,\"bytes\":\(gone),\"dryRun\":"
    let edits = "{\"pair\":null,\"versions\":0,\"bytes\":0,\"dryRun\":"
    #expect(dry.output == "\(line)true}\n\(edits)true}\n")
    let run = try await folders.calgw("log", "--prune", "--json")
    #expect(run.status == 0)
    #expect(run.output == "\(line)false}\n\(edits)false}\n")
    #expect(try await versions(folders) == 2, "the newest of the sync's and that of the edit")
    let left = try await folders.calgw("log", "--content")
    #expect(left.output.contains("SUMMARY:fourth"))
    #expect(!left.output.contains("SUMMARY:third"))
    #expect(try await folders.calgw("log", "--prune").output.contains("nothing is beyond"))
    #expect(try await folders.calgw("sync").status == 0)
    #expect(try await folders.calgw("status", "--exit-code").status == 0)
  }

  @Test func `a forgotten collection's versions go too`() async throws {
    let folders = try await edited()
    #expect(try await folders.calgw("forget", "p").status == 0)
    try keepOne(folders)
    let run = try await folders.calgw("log", "--prune")
    #expect(run.output.contains("p: 3 versions removed, "))
  }

  @Test func `a pair that is being synced is left alone`() async throws {
    let folders = try await edited()
    try keepOne(folders)
    let lock = try #require(fopen(folders.calgw.home + "/state/calgw/p.lock", "r+"))
    defer { fclose(lock) }
    #expect(flock(fileno(lock), LOCK_EX | LOCK_NB) == 0)
    let run = try await folders.calgw("log", "--prune")
    #expect(run.status == 75)
    #expect(run.errors.contains("pair p"))
    #expect(run.output.hasPrefix("edits: "), "the rest is pruned")
  }

  @Test func `nothing kept yet is no error, and a part of the log cannot be pruned`() async throws {
    let folders = try TwoFolders()
    let run = try await folders.calgw("log", "--prune")
    #expect(run.status == 0)
    #expect(run.output == "no log is kept yet\n")
    for arguments in [["choir", "--prune"], ["--prune", "--content"], ["--dry-run"]] {
      #expect(try await folders.calgw.run(["log"] + arguments).status == 64)
    }
  }
}
