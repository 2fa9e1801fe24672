import Foundation
import TestSupport
import Testing

/// An item of which the remote side has no whole version, or two. Whoever names it by its file is
/// told what is told of its UID.
@Suite struct BrokenThereTests {
  private static let file = "one/work/gym.ics"
  private static let codes = ["no-uid", "several-uids", "incomplete", "duplicate-uid"]

  /// Two items that both sides have; then the gym is damaged there, and a sync has seen it.
  private func damaged(_ code: String, edit: String? = nil) async throws -> TwoFolders {
    let folders = try TwoFolders()
    for uid in ["choir", "gym"] { try folders.write("one", uid, at: 10, uid) }
    #expect(try await folders.calgw("sync").status == 0)
    let whole = event("gym", "Sports")
    switch code {
    case "no-uid":
      try folders.calgw.write("two/work/gym.ics", whole.replacing("UID:gym\r\n", with: ""))
    case "several-uids":
      let second = "END:VEVENT\r\nBEGIN:VEVENT\r\nUID:b\r\nEND:VEVENT"
      try folders.calgw.write("two/work/gym.ics", whole.replacing("END:VEVENT", with: second))
    case "incomplete":
      try folders.calgw.write("two/work/gym.ics", String(whole.prefix(120)))
    default:
      try folders.calgw.write("two/work/copy.ics", whole)
    }
    if let edit { try folders.write("one", "gym", at: 12, edit) }
    let run = try await folders.calgw("sync")
    #expect(run.status == 1 && run.errors.contains("[\(code)]"), "\(run.errors)")
    return folders
  }

  @Test(arguments: codes)
  func `resolve of its file says what it waits for`(code: String) async throws {
    let folders = try await damaged(code)
    let told = try await folders.calgw("resolve", Self.file, "--take", "both")
    #expect(told.status == 1)
    #expect(told.errors.contains("gym.ics is in no conflict, and waits"), "\(told.errors)")
    #expect(told.errors.contains("[\(code)]\n  do:    "), "\(told.errors)")
    let json = try await folders.calgw("resolve", Self.file, "--take", "both", "--json")
    #expect(json.status == 1)
    #expect(json.output.contains("\"status\":1,"), "\(json.output)")
    #expect(json.output.contains("\"code\":\"\(code)\""), "\(json.output)")
    let taken = try await folders.calgw("resolve", Self.file, "--take", "local")
    #expect(taken.status == 1 && taken.errors.contains("[\(code)]"), "\(taken.errors)")

    // What is wrong with the gym is no matter of the choir.
    let other = try await folders.calgw("resolve", "one/work/choir.ics", "--take", "both")
    #expect(other.status == 0 && !other.errors.contains("waits"), "\(other.errors)")
  }

  @Test(arguments: codes, [[], ["--remote"]] as [[String]])
  func `diff of its file says what is wrong with it`(code: String, options: [String])
    async throws
  {
    let folders = try await damaged(code)
    let byFile = try await folders.calgw.run(["diff", Self.file, "--exit-code"] + options)
    #expect(byFile.status == 1)
    #expect(byFile.output.contains("[\(code)]"), "\(byFile.output)")
    let byUID = try await folders.calgw.run(["diff", "gym"] + options)
    #expect(byFile.output == byUID.output)
    let other = try await folders.calgw.run(["diff", "one/work/choir.ics"] + options)
    #expect(other.status == 0 && other.output.isEmpty, "\(other.output)")
  }

  @Test(arguments: [[], ["--remote"]] as [[String]])
  func `diff of its file shows what was changed here`(options: [String]) async throws {
    let folders = try await damaged("no-uid", edit: "Swimming")
    let run = try await folders.calgw.run(["diff", Self.file] + options)
    #expect(run.output.contains("title \"gym\" → \"Swimming\"\n"), "\(run.output)")
    #expect(run.output.contains("the local side has changed it since [no-uid]"), "\(run.output)")
  }

  @Test func `a file that was renamed since is the same item`() async throws {
    let folders = try await damaged("no-uid")
    let now = "one/work/sports.ics"
    try FileManager.default.moveItem(
      atPath: "\(folders.calgw.home)/\(Self.file)", toPath: "\(folders.calgw.home)/\(now)")
    let run = try await folders.calgw("resolve", now, "--take", "both")
    #expect(run.status == 1 && run.errors.contains("[no-uid]"), "\(run.errors)")
    let diff = try await folders.calgw("diff", now)
    #expect(diff.output.contains("[no-uid]"), "\(diff.output)")
  }
}
