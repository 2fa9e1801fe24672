import Foundation
import TestSupport
import Testing

/// Versions in the log of which a text was damaged in the journal: it was there, and that it was
/// not would say that the item was new then, or was deleted.
@Suite struct LostTextTests {
  private static let lost = "lost (damaged in the journal)"

  /// An item with three titles, one after the other, and the last was deleted: `p/1`, `p/2` and
  /// `p/3`. The text of the second is damaged then.
  private func damaged() async throws -> TwoFolders {
    let folders = try TwoFolders()
    for title in ["first", "second", "third"] {
      try folders.write("one", "choir", at: 10, title)
      #expect(try await folders.calgw("sync").status == 0)
    }
    try FileManager.default.removeItem(atPath: folders.calgw.home + "/one/work/choir.ics")
    #expect(try await folders.calgw("sync").status == 0)
    try await damage("SUMMARY:second", in: "p.sqlite", of: folders)
    return folders
  }

  /// Damages each text of a journal that has these words, of which there is one.
  private func damage(_ words: String, in journal: String, of folders: TwoFolders) async throws {
    let script = """
      import sqlite3, sys
      journal = sqlite3.connect(sys.argv[1])
      texts = journal.execute("SELECT digest, bytes FROM contents").fetchall()
      found = [digest for digest, text in texts if sys.argv[2].encode() in text]
      for digest in found:
          journal.execute("UPDATE contents SET bytes = x'00' WHERE digest = ?", (digest,))
      journal.commit()
      sys.exit(0 if len(found) == 1 else 1)
      """
    let path = "\(folders.calgw.home)/state/calgw/\(journal)"
    let process = try ChildProcess(
      ["/usr/bin/env", "python3", "-c", script, path, words],
      environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"])
    #expect(await onOwnThread { process.wait() } == 0)
  }

  @Test(arguments: [[], ["choir"], ["one/work/choir.ics"], ["p/work"]] as [[String]])
  func `the log says that they are lost, and names them`(name: [String]) async throws {
    let folders = try await damaged()
    let log = try await folders.calgw.run(["log", "--content"] + name)
    #expect(log.status == 0)
    let note =
      "note: texts are lost, since their bytes in the journal were damaged: p/2 (before),"
      + " p/1 (after); a backup may have them\n"
    #expect(log.errors == note)
    let lines = log.output.split(separator: "\n").filter { !$0.hasPrefix("  | ") }
    let places = lines.filter { $0.hasPrefix("  ") }
    #expect(
      places == [
        "  before:", "  after: nothing", "  before: \(Self.lost)", "  after:", "  before:",
        "  after: \(Self.lost)",
      ], "\(log.output)")
    let quiet = try await folders.calgw.run(["log", "--content", "--quiet"] + name)
    #expect(quiet.errors.isEmpty && quiet.output.contains(Self.lost), "\(quiet.errors)")
    // Who asks for no text misses none.
    #expect(try await folders.calgw.run(["log"] + name).errors.isEmpty)
  }

  @Test func `JSON has null for them, and that there was a text`() async throws {
    let folders = try await damaged()
    let log = try await folders.calgw("log", "--content", "--json")
    #expect(log.status == 0 && log.errors.contains("note: texts are lost"), "\(log.errors)")
    let lines = try log.output.split(separator: "\n").map { line -> [String: Any] in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(lines.map { $0["id"] as? String } == ["p/3", "p/2", "p/1"])
    #expect(lines.map { $0["before"] is NSNull } == [false, true, false])
    #expect(lines.map { $0["after"] is NSNull } == [true, false, true])
    #expect(lines.map { $0["beforeLost"] as? Bool } == [nil, true, nil])
    #expect(lines.map { $0["afterLost"] as? Bool } == [nil, nil, true])
  }

  @Test func `so is what an edit replaced, and it is no version that never was`() async throws {
    let folders = try TwoFolders()
    try folders.write("one", "choir", at: 10, "first")
    #expect(try await folders.calgw("sync").status == 0)
    let edit = try await folders.calgw("edit", "choir", "--in", "one/work", "--summary", "new")
    #expect(edit.status == 0, "\(edit.errors)")
    try await damage("SUMMARY:first", in: "edits/history.sqlite", of: folders)
    let log = try await folders.calgw("log", "--content")
    #expect(log.output.contains("  before: \(Self.lost)\n  after:\n"), "\(log.output)")
    #expect(log.errors.contains("were damaged: edit-1 (before);"), "\(log.errors)")
    let restore = try await folders.calgw("restore", "edit-1")
    #expect(restore.status == 74, "\(restore.errors)")
    #expect(restore.errors.contains("the text of version \"edit-1\" is lost"))
    #expect(try await folders.calgw("restore", "edit-9").status == 66)
    #expect(try folders.items("one") == ["new 10"])
  }
}
