import Foundation
import Glibc
import Testing

/// An editor has a file open while calgw puts another text in its place.
@Suite struct LateEditTests {
  @Test func `what it saves after that is in the log, and the next sync says so`() async throws {
    let folders = try TwoFolders()
    try folders.write("one", "a", at: 10, "Before")
    #expect(try await folders.calgw("sync").status == 0)
    // A program that another test starts meanwhile must not hold it open, too.
    let descriptor = open("\(folders.calgw.home)/one/work/a.ics", O_RDWR | O_CLOEXEC)
    try #require(descriptor >= 0)
    let editor = FileHandle(fileDescriptor: descriptor)
    // It has truncated the file, and not written yet.
    try editor.truncate(atOffset: 0)
    #expect(try await folders.calgw("sync").status == 1)
    try folders.write("two", "a", at: 11, "Theirs")
    #expect(try await folders.calgw("resolve", "a", "--take", "remote").status == 0)
    #expect(try folders.items("one") == ["Theirs 11"])
    let mine = try String(contentsOfFile: "\(folders.calgw.home)/two/work/a.ics", encoding: .utf8)
      .replacingOccurrences(of: "Theirs", with: "Mine")
    try editor.write(contentsOf: Data(mine.utf8))
    try editor.close()
    let run = try await folders.calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("what was saved into a.ics"), "\(run.errors)")
    #expect(run.errors.contains("`calgw log --content p/work`"), "\(run.errors)")
    #expect(try await folders.calgw("log", "--content", "p/work").output.contains("SUMMARY:Mine"))
    #expect(try await !folders.calgw("sync").errors.contains("saved into"), "once")
  }

  @Test func `what it saves while it keeps the file open waits until it is closed`() async throws {
    let folders = try TwoFolders()
    try folders.write("one", "a", at: 10, "Before")
    #expect(try await folders.calgw("sync").status == 0)
    let folder = "\(folders.calgw.home)/one/work"
    let mine = try String(contentsOfFile: "\(folder)/a.ics", encoding: .utf8)
      .replacingOccurrences(of: "Before", with: "Mine")
    let editor = open("\(folder)/a.ics", O_RDWR | O_CLOEXEC)
    try #require(editor >= 0)
    try folders.write("two", "a", at: 11, "Theirs")
    #expect(try await folders.calgw("sync").status == 0)
    #expect(try folders.items("one") == ["Theirs 11"])

    let bytes = Array(mine.utf8)
    #expect(ftruncate(editor, 0) == 0)
    #expect(pwrite(editor, bytes, bytes.count, 0) == bytes.count)
    #expect(try await !folders.calgw("sync").errors.contains("saved into"), "not closed yet")
    close(editor)
    let run = try await folders.calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("what was saved into a.ics"), "\(run.errors)")
    #expect(try await folders.calgw("log", "--content", "p/work").output.contains("SUMMARY:Mine"))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(!left.contains { $0.hasPrefix(".calgw-") }, "\(left)")
  }
}
