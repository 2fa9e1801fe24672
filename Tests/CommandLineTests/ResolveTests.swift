import Foundation
import TestSupport
import Testing

/// `diff`, `resolve`, and what `status` says of changes, with two folders as sides.
@Suite struct ResolveTests {
  /// Both sides moved the dentist; each changed another thing of the choir; the gym moved here.
  private func changed() async throws -> TwoFolders {
    let folders = try TwoFolders()
    for uid in ["dentist", "choir", "gym"] { try folders.write("one", uid, at: 10, uid) }
    #expect(try await folders.calgw("sync").status == 0)
    try folders.write("one", "dentist", at: 11, "dentist")
    try folders.write("two", "dentist", at: 12, "dentist")
    try folders.write("one", "choir", at: 15, "choir")
    try folders.write("two", "choir", at: 10, "Choir, in the church")
    try folders.write("one", "gym", at: 13, "gym")
    return folders
  }

  @Test func `status and diff say what changed in words`() async throws {
    let folders = try await changed()
    let status = try await folders.calgw("status").output
    #expect(status.contains("local: start 10:00 UTC → 15:00 UTC"))
    #expect(status.contains("remote: title \"choir\" → \"Choir, in the church\""))
    let diff = try await folders.calgw("diff")
    #expect(diff.status == 0)
    #expect(diff.output.contains("start 10:00 UTC → 13:00 UTC"))
    #expect(!diff.output.contains("church"), "that is the other side's change")
    let against = try await folders.calgw("diff", "--remote", "--exit-code", "dentist")
    #expect(against.status == 1)
    #expect(against.output.contains("start 12:00 UTC → 11:00 UTC"))
  }

  @Test func `a pair that cannot be looked at is an object, too`() async throws {
    let folders = try await changed()
    let home = folders.calgw.home
    try FileManager.default.moveItem(atPath: home + "/two", toPath: home + "/away")
    let run = try await folders.calgw("resolve", "dentist", "--take", "local", "--json")
    #expect(run.status == 74)
    #expect(run.output.split(separator: "\n").count == 1, "\(run.output)")
    #expect(run.output.hasPrefix("{\"pair\":\"p\","), "\(run.output)")
    #expect(run.output.contains("\"status\":74,\"error\":{\"code\":\"vanished\","))
    #expect(run.errors.hasPrefix("error: "), "\(run.errors)")
    #expect(try await folders.calgw("resolve", "dentist", "--take", "local").output.isEmpty)
  }

  @Test func `status and diff say how versions differ that never agreed`() async throws {
    let folders = try TwoFolders("conflict = \"ask\"")
    try folders.write("one", "dentist", at: 11, "dentist")
    try folders.write("two", "dentist", at: 12, "dentist")
    #expect(try await folders.calgw("sync").status == 1)
    let words = "start 12:00 UTC → 11:00 UTC on Monday 5 January 2026"
    let status = try await folders.calgw("status").output
    #expect(status.contains("\n    remote → local: \(words)\n"), "\(status)")
    let diff = try await folders.calgw("diff").output
    #expect(diff.contains("never agreed on; from the remote version to the local one:"), "\(diff)")
    #expect(diff.contains("\n    \(words)\n"), "\(diff)")
  }

  @Test(arguments: [[], ["--quiet"], ["--json"]] as [[String]])
  func `a sync names what gave way in a merge, a few of many`(options: [String]) async throws {
    let folders = try TwoFolders()
    let names = (1...7).map { "item\($0)" }
    for name in names { try folders.write("one", name, at: 10, name) }
    #expect(try await folders.calgw("sync").status == 0)
    for name in names {
      try folders.write("one", name, at: 10, "here \(name)")
      try folders.write("two", name, at: 10, "there \(name)")
    }
    let run = try await folders.calgw.run(["sync"] + options)
    #expect(run.status == 0)
    guard options.isEmpty else {
      #expect(run.errors.isEmpty)
      return
    }
    #expect(run.output == "p/work: 7 merged\n")
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 7, "\(run.errors)")
    let words = " in p/work: both sides changed it: merged; of SUMMARY the remote one holds"
    #expect(lines.first?.hasPrefix("note: \"there item") == true, "\(run.errors)")
    #expect(lines.prefix(5).allSatisfy { $0.contains(words) }, "\(run.errors)")
    #expect(run.errors.contains("note: of 2 more items something gave way\n"))
    #expect(lines.last?.contains("`calgw restore ID`") == true)
  }

  /// As after a journal was lost: perhaps one of them alone was edited.
  @Test func `of what the sides never agreed on nobody is said to have changed it`() async throws {
    let folders = try TwoFolders()
    try folders.write("one", "gym", at: 10, "gym")
    #expect(try await folders.calgw("sync").status == 0)
    #expect(try await folders.calgw("forget", "p/work").status == 0)
    try folders.write("one", "gym", at: 10, "Gym")
    let words = "the sides differ, and never agreed: merged; of SUMMARY the "
    let dry = try await folders.calgw("sync", "--dry-run")
    #expect(dry.output.contains(words), "\(dry.output)")
    let local = try await folders.calgw("sync", "--dry-run", "--conflict", "local")
    let won = "the sides differ, and never agreed; policy local: the local one won"
    #expect(local.output.contains(won), "\(local.output)")
    let run = try await folders.calgw("sync")
    #expect(run.errors.contains(" (gym.ics) in p/work: \(words)"), "\(run.errors)")
    #expect(try await folders.calgw("log").output.contains(words))
  }

  @Test func `a sync says why it does what it does, to people alone`() async throws {
    let folders = try await changed()
    let dry = try await folders.calgw("sync", "--dry-run")
    #expect(dry.output.contains("change on the remote side: \"gym\" (gym.ics): changed here\n"))
    #expect(dry.output.contains("both sides changed it: merged"))
    let newest = try await folders.calgw("sync", "--dry-run", "--conflict", "local")
    #expect(newest.output.contains("policy local: the local one won"))
    let json = try await folders.calgw("sync", "--dry-run", "--json")
    #expect(!json.output.contains("changed here"))
    #expect(!(try await folders.calgw("sync").output.contains("changed here")))
  }

  @Test func `diff takes files and UIDs and knows what is nowhere`() async throws {
    let folders = try await changed()
    let byFile = try await folders.calgw("diff", "one/work/gym.ics", "--json")
    let line = try #require(byFile.output.split(separator: "\n").first)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(object["uid"] as? String == "gym")
    let changes = try #require(object["changes"] as? [[String: Any]])
    #expect(changes.map { $0["property"] as? String } == ["DTSTART"])
    #expect(try await folders.calgw("diff", "nobody").status == 66)
    #expect(try await folders.calgw("diff", "one/work/none.ics").status == 66)
    #expect(try await folders.calgw("sync").status == 1)
    #expect(try await folders.calgw("diff", "gym", "--exit-code").status == 0)
  }

  @Test(arguments: [
    ("local", ["dentist 11"]), ("remote", ["dentist 12"]), ("both", ["dentist 11", "dentist 12"]),
  ])
  func `a conflict is settled as a person says`(choice: String, dentists: [String]) async throws {
    let folders = try await changed()
    #expect(try await folders.calgw("sync").status == 1)
    let before = try folders.items("one") + folders.items("two")
    #expect(
      try await folders.calgw("resolve", "dentist", "--take", choice, "--dry-run").status == 0)
    #expect(try folders.items("one") + folders.items("two") == before)
    #expect(try await folders.calgw("resolve", "dentist", "--take", choice).status == 0)
    let expected = (["Choir, in the church 15", "gym 13"] + dentists).sorted()
    #expect(try folders.items("one") == expected)
    #expect(try folders.items("two") == expected)
    #expect(try await folders.calgw("sync").status == 0)
    #expect(try await folders.calgw("status", "--exit-code").status == 0)
  }

  @Test func `what cannot be merged says so, and what is settled needs nothing`() async throws {
    let folders = try await changed()
    #expect(try await folders.calgw("sync").status == 1)
    let merged = try await folders.calgw("resolve", "dentist", "--take", "merged")
    #expect(merged.status == 1)
    #expect(merged.errors.contains("it cannot be merged: the sides differ in its start"))
    #expect(merged.errors.contains("--take local, remote or both;"), "\(merged.errors)")
    #expect(try await folders.calgw("resolve", "gym", "--take", "local").status == 0)
    #expect(try await folders.calgw("resolve", "nobody", "--take", "local").status == 66)
    let untold = try await folders.calgw("resolve", "dentist")
    #expect(untold.status == 64)
    #expect(untold.errors.contains("--take"))
  }

  @Test func `a file is named as it was typed, and one of the remote side as that`() async throws {
    let folders = try await changed()
    let none = try await folders.calgw("diff", "one/work/none.ics")
    #expect(none.errors.contains("no pair knows an item one/work/none.ics"), "\(none.errors)")
    for arguments in [["diff"], ["resolve", "--take", "local"]] {
      let run = try await folders.calgw.run(arguments + ["two/work/gym.ics"])
      #expect(run.status == 64, "\(run.errors)")
      let words = "two/work/gym.ics is on the remote side of the pair p"
      #expect(run.errors.contains(words), "\(run.errors)")
      #expect(run.errors.contains("/one/work/gym.ics'"), "\(run.errors)")
    }
  }

  @Test func `with the policy ask nothing is merged before a person says so`() async throws {
    let folders = try await changed()
    #expect(try await folders.calgw("sync", "--conflict", "ask").status == 1)
    #expect(try folders.items("two").contains("Choir, in the church 10"))
    #expect(try await folders.calgw("resolve", "choir", "--take", "merged").status == 0)
    #expect(try folders.items("two").contains("Choir, in the church 15"))
  }

  @Test func `what one side alone changed or deleted is taken back before it travels`()
    async throws
  {
    let folders = try TwoFolders("confirm_delete = \"always\"")
    for uid in ["dentist", "gym"] { try folders.write("one", uid, at: 10, uid) }
    #expect(try await folders.calgw("sync").status == 0)
    try FileManager.default.removeItem(atPath: folders.calgw.home + "/one/work/dentist.ics")
    let held = try await folders.calgw("sync")
    #expect(held.status == 1)
    #expect(held.errors.contains("`calgw resolve --take remote dentist`"), "\(held.errors)")
    try folders.write("one", "gym", at: 13, "gym")
    for uid in ["dentist", "gym"] {
      let run = try await folders.calgw("resolve", uid, "--take", "remote")
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(try folders.items("one") == ["dentist 10", "gym 10"])
    #expect(try folders.items("two") == ["dentist 10", "gym 10"])
    #expect(try await folders.calgw("sync").output == "p/work: nothing to do\n")

    // What the other side never had has nothing to be taken back to.
    try folders.write("one", "choir", at: 15, "choir")
    let new = try await folders.calgw("resolve", "choir", "--take", "remote")
    #expect(new.status == 0 && new.errors.contains("in no conflict"), "\(new)")
    #expect(try folders.items("two") == ["dentist 10", "gym 10"])
  }
}
