import Foundation
import TestSupport
import Testing

/// One file is copied over another one: what that held is not taken for deleted.
@Suite struct CopiedOverTests {
  /// Two items in step, and then `choir.ics` over `dentist.ics` on one side.
  private func copiedOver(on side: String) async throws -> TwoFolders {
    let folders = try TwoFolders()
    for uid in ["choir", "dentist", "gym"] { try folders.write("one", uid, at: 10, uid) }
    #expect(try await folders.calgw("sync").status == 0)
    let folder = "\(folders.calgw.home)/\(side)/work"
    try FileManager.default.removeItem(atPath: folder + "/dentist.ics")
    try FileManager.default.copyItem(
      atPath: folder + "/choir.ics", toPath: folder + "/dentist.ics")
    return folders
  }

  private func remove(_ file: String, _ folders: TwoFolders) throws {
    try FileManager.default.removeItem(atPath: "\(folders.calgw.home)/\(file)")
  }

  @Test(arguments: ["one", "two"])
  func `both items are left alone and named, until the copy goes`(side: String) async throws {
    let folders = try await copiedOver(on: side)
    let other = side == "one" ? "two" : "one"
    for _ in 0..<2 {
      let run = try await folders.calgw("sync")
      #expect(run.status == 1)
      #expect(run.errors.contains("\"dentist\""), "\(run.errors)")
      #expect(run.errors.contains("holds another item now"), "\(run.errors)")
      #expect(try folders.items(other) == ["choir 10", "dentist 10", "gym 10"])
    }
    try remove("\(side)/work/dentist.ics", folders)
    #expect(try await folders.calgw("sync").status == 0)
    #expect(try folders.items(other) == ["choir 10", "gym 10"])
  }

  @Test func `what the file held comes back as the mend says`() async throws {
    let folders = try await copiedOver(on: "one")
    let errors = try await folders.calgw("sync").errors
    let mend = try #require(errors.firstMatch(of: /`calgw restore (p\/[0-9]+)`/), "\(errors)")
    try remove("one/work/dentist.ics", folders)
    let restored = try await folders.calgw("restore", String(mend.1))
    #expect(restored.status == 0, "\(restored.output) \(restored.errors)")
    let run = try await folders.calgw("sync")
    #expect(run.output == "p/work: nothing to do\n", "\(run.errors)")
    for side in ["one", "two"] {
      #expect(try folders.items(side) == ["choir 10", "dentist 10", "gym 10"])
    }
  }
}
