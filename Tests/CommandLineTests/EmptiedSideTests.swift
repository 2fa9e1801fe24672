import Foundation
import Testing

/// One side was emptied, and the guard has stopped the run. It stands until somebody answers.
@Suite struct EmptiedSideTests {
  private static let uids = ["a", "b", "c", "d", "e", "f"]

  private func emptied(_ uids: [String] = Self.uids, _ side: String = "two") async throws
    -> TwoFolders
  {
    let folders = try TwoFolders()
    for uid in uids { try folders.write("one", uid, at: 10, uid) }
    #expect(try await folders.calgw("sync").status == 0)
    for uid in uids {
      try FileManager.default.removeItem(atPath: "\(folders.calgw.home)/\(side)/work/\(uid).ics")
    }
    return folders
  }

  private func expectStop(
    _ folders: TwoFolders, _ kept: Int, at place: SourceLocation = #_sourceLocation
  ) async throws {
    let run = try await folders.calgw("sync")
    #expect(run.status == 1, "\(run.output) \(run.errors)", sourceLocation: place)
    #expect(run.errors.contains("this would delete"), "\(run.errors)", sourceLocation: place)
    #expect(try folders.items("one").count == kept, sourceLocation: place)
    let status = try await folders.calgw("status")
    #expect(status.output.contains("this would delete"), "\(status.output)", sourceLocation: place)
  }

  @Test func `one that is brought back is no yes to the deletion of the others`() async throws {
    let folders = try await emptied()
    try await expectStop(folders, 6)
    #expect(try await folders.calgw("resolve", "a", "--take", "local").status == 0)
    #expect(try folders.items("two") == ["a 10"])
    for _ in 0..<2 { try await expectStop(folders, 6) }
    #expect(
      try await folders.calgw("status").output.contains("an earlier sync was to delete more"))
    // One is said yes to.
    #expect(try await folders.calgw("resolve", "b", "--take", "remote").status == 0)
    #expect(try folders.items("one").count == 5)
    try await expectStop(folders, 5)
    #expect(try await folders.calgw("sync", "--allow-mass-delete").status == 0)
    #expect(try folders.items("one") == ["a 10"])
    #expect(try await folders.calgw("sync").output.contains("nothing to do"))
  }

  @Test(arguments: [6, 3])
  func `an edit of one is none`(count: Int) async throws {
    let folders = try await emptied(Array(Self.uids.prefix(count)))
    try folders.write("one", "a", at: 12, "edited")
    for _ in 0..<2 { try await expectStop(folders, count) }
    #expect(try folders.items("two").isEmpty)
    #expect(try await folders.calgw("sync", "--allow-mass-delete").status == 0)
    #expect(try folders.items("one") == ["edited 12"])
    #expect(try folders.items("two") == ["edited 12"])
  }

  @Test func `neither is one that cannot be read`() async throws {
    let folders = try await emptied()
    try folders.calgw.write("one/work/a.ics", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n")
    for _ in 0..<2 { try await expectStop(folders, 6) }
  }

  /// As somebody who copies the files back while a timer syncs.
  @Test func `where some of it comes back, the rest waits on`() async throws {
    let folders = try await emptied()
    try await expectStop(folders, 6)
    for uid in Self.uids.dropFirst() { try folders.write("two", uid, at: 10, uid) }
    try await expectStop(folders, 6)
    try folders.write("two", "a", at: 10, "a")
    #expect(try await folders.calgw("sync").status == 0)
    #expect(try folders.items("one").count == 6)
  }

  @Test func `what comes back by itself is waited for no more`() async throws {
    let folders = try await emptied()
    try await expectStop(folders, 6)
    for uid in Self.uids { try folders.write("two", uid, at: 10, uid) }
    #expect(try await folders.calgw("sync").status == 0)
    try FileManager.default.removeItem(atPath: "\(folders.calgw.home)/two/work/a.ics")
    #expect(try await folders.calgw("sync").status == 0, "one deletion is none too many")
    #expect(try folders.items("one").count == 5)
  }

  /// Each the side that was emptied, how it is called, and the other one.
  @Test(arguments: [("two", "remote", "local"), ("one", "local", "remote")])
  func `resolve says of one that is gone what it waits for`(
    emptied side: String, gone: String, kept: String
  ) async throws {
    let folders = try await emptied(Self.uids, side)
    try await expectStop(folders, side == "one" ? 0 : 6)
    for (name, uid) in [("a", "a"), ("one/work/b.ics", "b")] {
      let run = try await folders.calgw("resolve", name, "--take", "both")
      #expect(run.status == 1)
      #expect(run.errors.contains("\(name) is in no conflict, and waits"), "\(run.errors)")
      let words = "this would delete 6 of 6 items on the \(kept) side [mass-delete]\n"
      #expect(run.errors.contains("problem: \"\(uid)\" (\(uid).ics)\n"), "\(run.errors)")
      #expect(run.errors.contains(words), "\(run.errors)")
      let mend = "look at the \(gone) side; if it is meant, run again with --allow-mass-delete;"
      #expect(run.errors.contains(mend), "\(run.errors)")
      let command = "`calgw resolve --take \(kept) \(uid)` brings one back"
      #expect(run.errors.contains(command), "\(run.errors)")
      let json = try await folders.calgw("resolve", name, "--take", "both", "--json")
      #expect(json.status == 1)
      #expect(json.output.contains("\"status\":1,"), "\(json.output)")
      #expect(json.output.contains("\"problems\":[{\"uid\":\"\(uid)\","), "\(json.output)")
      #expect(json.output.contains("\"code\":\"mass-delete\""), "\(json.output)")
    }
    #expect(try await folders.calgw("resolve", "a", "--take", kept).status == 0)
    #expect(try folders.items(side) == ["a 10"])
    let settled = try await folders.calgw("resolve", "a", "--take", "both")
    #expect(settled.status == 0 && settled.errors == "a is in no conflict\n", "\(settled.errors)")
  }

  /// The command for the others would delete it.
  @Test func `one that is gone from the other side is not in the mend`() async throws {
    let folders = try await emptied()
    try await expectStop(folders, 6)
    try folders.write("two", "a", at: 10, "a")
    try FileManager.default.removeItem(atPath: "\(folders.calgw.home)/one/work/a.ics")
    let run = try await folders.calgw("resolve", "a", "--take", "both")
    #expect(run.status == 1 && run.errors.contains("[mass-delete]"), "\(run.errors)")
    #expect(run.errors.contains("`calgw resolve UID --take local` brings one"), "\(run.errors)")
  }

  @Test func `the mend names its file where another calendar has the UID`() async throws {
    let folders = try await emptied()
    for side in ["one", "two"] {
      try folders.calgw.write("\(side)/home/a.ics", event("a", "Elsewhere"))
    }
    #expect(try await folders.calgw("sync").status == 1)
    let run = try await folders.calgw("resolve", "a", "--take", "both")
    #expect(run.status == 1)
    let file = "\(folders.calgw.home)/one/work/a.ics"
    #expect(run.errors.contains("`calgw resolve --take local \(file)` brings"), "\(run.errors)")
  }
}
