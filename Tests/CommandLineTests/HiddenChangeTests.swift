import Foundation
import Glibc
import Testing

/// A file that is broken here while the other side changed its item: what is said of that, and what
/// a person can do without losing either.
@Suite struct HiddenChangeTests {
  private static let dentist = event("a", "Dentist")
  private static let doctor = event("a", "Doctor")
  private static let broken = String(dentist.prefix(120))

  private let calgw: CommandLine

  init() throws {
    calgw = try CommandLine()
    try calgw.configure("[pair.copy]\nlocal = \"~/here\"\nremote = { local = \"~/there\" }\n")
  }

  private func text(_ side: String) throws -> String {
    try String(contentsOfFile: "\(calgw.home)/\(side)/work/a.ics", encoding: .utf8)
  }

  private func hide() async throws {
    try calgw.write("here/work/a.ics", Self.dentist)
    #expect(try await calgw("sync").status == 0)
    try calgw.write("here/work/a.ics", Self.broken)
    try calgw.write("there/work/a.ics", Self.doctor)
    let run = try await calgw("sync")
    #expect(run.status == 1)
    let words = "has no end; the remote side has changed it since [incomplete]\n"
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.errors.contains("`calgw resolve --take remote a`"), "\(run.errors)")
    #expect(try await calgw("status").output.contains(words))
  }

  @Test func `the last good version comes back, and the change there is not written over`()
    async throws
  {
    try await hide()
    for options in [["--dry-run"], []] {
      let run = try await calgw.run(["restore", "copy/1"] + options)
      #expect(run.status == 1)
      #expect(run.output.hasPrefix("copy/work: down: 1 changed; 1 conflict"), "\(run.output)")
      #expect(run.errors.hasPrefix("conflict: \"Dentist\" (a.ics)\n"), "\(run.errors)")
      #expect(run.errors.contains("`calgw resolve a`"), "\(run.errors)")
    }
    #expect(try text("here") == Self.dentist)
    #expect(try text("there") == Self.doctor)
    #expect(try await calgw("resolve", "a", "--take", "local", "--dry-run").status == 0)
    #expect(try await calgw("sync").status == 0)
    #expect(try text("here") == Self.doctor)
  }

  @Test func `the version there is taken over the broken file, and that can be taken back`()
    async throws
  {
    try await hide()
    let local = try await calgw("resolve", "a", "--take", "local")
    #expect(local.status == 1 && local.errors.contains("[incomplete]"), "\(local.errors)")
    let dry = try await calgw("resolve", "here/work/a.ics", "--take", "remote", "--dry-run")
    #expect(dry.status == 0)
    #expect(dry.output.hasPrefix("copy/work: down: 1 changed (dry run"), "\(dry.output)")
    #expect(try text("here") == Self.broken)
    let run = try await calgw("resolve", "here/work/a.ics", "--take", "remote")
    #expect(run.status == 0 && run.output == "copy/work: down: 1 changed\n", "\(run.errors)")
    #expect(try text("here") == Self.doctor)
    #expect(try await calgw("status", "--exit-code").status == 0)

    let log = try await calgw("log", "a").output
    let newest = String(try #require(log.split(separator: " ").first))
    #expect(try await calgw("restore", newest).status == 1)
    #expect(try text("here") == Self.broken)
    #expect(try text("there") == Self.doctor)
  }

  @Test func `diff says what the other side changed`() async throws {
    try await hide()
    let run = try await calgw("diff")
    let words =
      "changed on the remote side since the last sync:\n    title \"Dentist\" → \"Doctor\"\n"
    #expect(run.output.contains(words), "\(run.output)")
  }

  /// What is at the place of the file where the item is gone from the other side.
  @Test(arguments: ["a broken file", "a pipe", "a folder"])
  func `where the item is gone there, too, nothing but the file is left to remove`(what: String)
    async throws
  {
    let folders = try TwoFolders()
    for uid in ["dentist", "gym"] { try folders.write("one", uid, at: 10, uid) }
    #expect(try await folders.calgw("sync").status == 0)
    let file = folders.calgw.home + "/one/work/gym.ics"
    try FileManager.default.removeItem(atPath: folders.calgw.home + "/two/work/gym.ics")
    try FileManager.default.removeItem(atPath: file)
    switch what {
    case "a pipe": #expect(mkfifo(file, 0o600) == 0)
    case "a folder":
      try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
    default: try folders.calgw.write("one/work/gym.ics", Self.broken)
    }
    let run = try await folders.calgw("sync")
    #expect(run.status == 1)
    #expect(run.errors.contains("; it is gone from the remote side ["), "\(run.errors)")
    #expect(
      run.errors.contains("; or only remove it, and the item is gone from both sides\n"),
      "\(run.errors)")
    #expect(!run.errors.contains("deletes the item"), "\(run.errors)")
    try FileManager.default.removeItem(atPath: file)
    let after = try await folders.calgw("sync")
    #expect(after.status == 0 && after.errors.isEmpty, "\(after.errors)")
    for side in ["one", "two"] { #expect(try folders.items(side) == ["dentist 10"]) }
  }

  @Test func `what never was an item is replaced or removed`() async throws {
    let folders = try TwoFolders()
    try folders.write("one", "gym", at: 10, "gym")
    try FileManager.default.createDirectory(
      atPath: folders.calgw.home + "/one/work/stray.ics", withIntermediateDirectories: false)
    let run = try await folders.calgw("sync")
    #expect(
      run.errors.contains("do:    replace it with the file itself, or remove it\n"),
      "\(run.errors)")
  }
}

/// What a restore of an edit's version says, and how it is called.
@Suite struct EditRestoreWordsTests {
  private let calgw: CommandLine

  init() throws { calgw = try CommandLine() }

  /// What is said of the version from before the edit, by a dry run and by the run.
  private func restored(by options: [String] = ["--dry-run"]) async throws -> String {
    let run = try await calgw.run(["restore", "edit-1"] + options)
    #expect(run.status == 0, "\(run.errors)")
    return run.output.replacing(" (dry run: nothing was changed)", with: "")
  }

  @Test func `a dry run names the file that the run writes`() async throws {
    try calgw.write("folder/x.ics", event("a", "Dentist"))
    #expect(try await calgw("edit", "a", "--in", "folder", "--summary", "Doctor").status == 0)
    let folder = calgw.home + "/folder/"
    try FileManager.default.moveItem(atPath: folder + "x.ics", toPath: folder + "y.ics")
    let renamed = try await restored()
    #expect(renamed.contains("change on the local side: \"Dentist\" (y.ics)"), "\(renamed)")
    #expect(try await restored(by: ["--verbose"]) == renamed)

    // Somebody's file has the name now.
    try FileManager.default.removeItem(atPath: folder + "y.ics")
    try calgw.write("folder/x.ics", "a shopping list\n")
    let beside = try await restored()
    #expect(beside.contains("create on the local side: \"Dentist\" (a.ics)"), "\(beside)")
    #expect(try await restored(by: ["--verbose"]) == beside)
    #expect(calgw.exists("folder/a.ics"))
  }

  @Test func `its commands are about the same configuration`() async throws {
    let file = calgw.home + "/other.toml"
    try calgw.write(
      "other.toml", "[pair.copy]\nlocal = \"~/here\"\nremote = { local = \"~/there\" }\n")
    try calgw.write("here/work/a.ics", event("a", "Dentist"))
    #expect(try await calgw("edit", "a", "--summary", "Doctor", "--config", file).status == 0)
    let run = try await calgw("restore", "edit-1", "--config", file)
    #expect(run.errors.contains("`calgw sync --config \(file)` carries it"), "\(run.errors)")
  }
}
