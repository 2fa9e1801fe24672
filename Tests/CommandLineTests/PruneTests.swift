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

  @Test func `both sides of a conflict that waits stay, whatever the limits`() async throws {
    let folders = try TwoFolders(#"history = { keep = "0s", versions = 1 }"#)
    for (hour, sides) in [(10, ["one"]), (11, ["one"])] {
      for side in sides { try folders.write(side, "choir", at: hour, "choir") }
      #expect(try await folders.calgw("sync").status == 0)
    }
    try folders.write("one", "choir", at: 12, "choir")
    try folders.write("two", "choir", at: 13, "choir")
    #expect(try await folders.calgw("sync").status == 1)
    #expect(try await folders.calgw("log", "--prune").status == 0)
    let log = try await folders.calgw("log", "--content", "--json").output
    #expect(log.contains("T120000Z") && log.contains("T130000Z"), "\(log)")
    #expect(log.components(separatedBy: "\"action\":\"conflict\"").count == 3)
  }

  @Test func `a version whose text was damaged is told from one that never was`() async throws {
    let folders = try await edited()
    let script = """
      import sqlite3, sys
      journal = sqlite3.connect(sys.argv[1])
      journal.execute("UPDATE contents SET bytes = x'00'")
      journal.commit()
      """
    let damage = try ChildProcess(
      [
        "/usr/bin/env", "python3", "-c", script, folders.calgw.home + "/state/calgw/p.sqlite",
      ], environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"])
    #expect(await onOwnThread { damage.wait() } == 0)
    let lost = try await folders.calgw("restore", "p/1")
    #expect(lost.status == 74)
    #expect(lost.errors.contains("the text of version \"p/1\" is lost"), "\(lost.errors)")
    #expect(lost.errors.contains("do:"))
    #expect(try await folders.calgw("restore", "p/99").status == 66)
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
