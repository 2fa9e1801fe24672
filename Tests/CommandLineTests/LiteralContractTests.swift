import Foundation
import Glibc
import TestSupport
import Testing

/// Sentences of the contract, each as a strict reader takes it.
@Suite struct LiteralContractTests {
  // MARK: Sides that are not written to

  @Test(arguments: [
    ("two", "read_only = true", "sync"), ("two", "direction = \"pull\"", "sync"),
    ("two", "", "pull"), ("one", "", "push"),
  ])
  func `no directory is made where nothing may be written`(
    missing: String, keys: String, command: String
  ) async throws {
    let folders = try TwoFolders(keys)
    try folders.write(missing == "one" ? "two" : "one", "dentist", at: 10, "Dentist")
    let run = try await folders.calgw(command)
    #expect(run.status == (keys == "read_only = true" ? 1 : 0), "\(run.output) \(run.errors)")
    #expect(!folders.calgw.exists(missing))
    #expect(!run.output.contains("made the folder"), "\(run.output)")
  }

  @Test func `what a new folder holds beside a read-only side is told`() async throws {
    let folders = try TwoFolders("read_only = true")
    for side in ["one", "two"] { try folders.write(side, "dentist", at: 10, "Dentist") }
    #expect(try await folders.calgw("sync").status == 0)
    try folders.calgw.write("one/club/choir.ics", event("choir", "Choir"))
    let run = try await folders.calgw("sync")
    #expect(run.status == 1)
    #expect(run.errors.contains("[read-only]") && run.errors.contains("p/club"), "\(run.errors)")
    #expect(!folders.calgw.exists("two/club"))
    // What is to be written there waits, and is nothing of a pull's.
    let pull = try await folders.calgw("pull")
    #expect(pull.status == 0 && pull.errors.isEmpty, "\(pull.errors)")
  }

  // MARK: --offline

  @Test(arguments: ["remote = { local = \"~/two\" }", "remote = { file = \"~/two.ics\" }"])
  func `before the first sync the local side alone can be looked at`(remote: String) async throws {
    let calgw = try CommandLine()
    try calgw.configure("[pair.p]\nlocal = \"~/one\"\n\(remote)\ncalendar = \".\"\n")
    try calgw.write("one/dentist.ics", event("dentist", "Dentist"))
    for command in [["status", "--offline"], ["diff"]] {
      let run = try await calgw.run(command + ["--json"])
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.contains("\"local\":\"created\""), "\(run.output)")
    }
  }

  // MARK: Files in JSON

  @Test func `diff, resolve and restore name files by their whole paths`() async throws {
    let folders = try TwoFolders()
    try folders.write("one", "dentist", at: 10, "Dentist")
    #expect(try await folders.calgw("sync").status == 0)
    try folders.write("one", "dentist", at: 10, "Doctor")
    let file = "\"file\":\"\(folders.calgw.home)/one/work/dentist.ics\""
    let diff = try await folders.calgw("diff", "--json")
    #expect(diff.output.contains(file), "\(diff.output)")
    let relative = try await folders.calgw("sync", "--json", "--verbose")
    #expect(relative.output.contains("\"file\":\"dentist.ics\""), "\(relative.output)")
    let restored = try await folders.calgw("restore", "p/1", "--dry-run", "--json")
    #expect(restored.output.contains(file), "\(restored.output)")
  }

  // MARK: Exit statuses

  @Test(.enabled(if: geteuid() != 0))
  func `a file that cannot be made is status 73`() async throws {
    let folders = try TwoFolders()
    try folders.write("one", "dentist", at: 10, "Dentist")
    let folder = folders.calgw.home + "/one/work"
    chmod(folder, 0o555)
    defer { chmod(folder, 0o755) }
    let run = try await folders.calgw(
      "new", "--summary", "Choir", "--start", "20260105", "--in", folder)
    #expect(run.status == 73, "\(run.errors)")
  }

  @Test func `a FIFO among the items is not waited for`() async throws {
    let folders = try TwoFolders()
    try folders.write("one", "dentist", at: 10, "Dentist")
    let pipe = folders.calgw.home + "/pipe.ics"
    #expect(mkfifo(pipe, 0o600) == 0)
    let run = try await folders.calgw("import", pipe, "--in", folders.calgw.home + "/one/work")
    #expect(run.status == 65, "\(run.errors)")
  }

  @Test(arguments: ["--summary", "--location", "--description"])
  func `a control character is no text`(option: String) async throws {
    let folders = try TwoFolders()
    try folders.write("one", "dentist", at: 10, "Dentist")
    let edit = try await folders.calgw("edit", "dentist", option, "a\u{1B}b")
    #expect(edit.status == 64 && edit.errors.contains("control character"), "\(edit.errors)")
    let lines = try await folders.calgw("edit", "dentist", option, "a\tb")
    #expect(lines.status == 0, "\(lines.errors)")
  }

  // MARK: One pair of several

  @Test func `an item is settled whatever ails the other pairs`() async throws {
    let folders = try TwoFolders(
      "conflict = \"ask\"\n[pair.q]\nlocal = \"~/three\"\nremote = { file = \"~/gone/x.ics\" }\n"
        + "calendar = \".\"")
    try folders.write("one", "dentist", at: 10, "Dentist")
    #expect(try await folders.calgw("sync", "p").status == 0)
    try folders.write("one", "dentist", at: 10, "Here")
    try folders.write("two", "dentist", at: 10, "There")
    #expect(try await folders.calgw("sync", "p").status == 1)
    let diff = try await folders.calgw("diff", "--remote", "dentist")
    #expect(diff.status == 0 && diff.output.contains("Here"), "\(diff.output) \(diff.errors)")
    let run = try await folders.calgw("resolve", "dentist", "--take", "local")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folders.items("two") == ["Here 10"])
    #expect(try await folders.calgw("resolve", "nobody", "--take", "local").status != 0)
  }

  @Test func `a hook in the home directory is found`() async throws {
    let folders = try TwoFolders("after_sync = [\"~/hook\", \"told\"]")
    try FileManager.default.createSymbolicLink(
      atPath: folders.calgw.home + "/hook", withDestinationPath: "/usr/bin/touch")
    try folders.write("one", "dentist", at: 10, "Dentist")
    let run = try await folders.calgw("sync")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(folders.calgw.exists("state/calgw/told"))
  }
}
