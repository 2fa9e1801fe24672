import TestSupport
import Testing

/// A UID is a UID, whatever the directory holds in which calgw is called.
@Suite struct HiddenUIDTests {
  /// A pair whose item is in a conflict, and a directory `work`, a file `notes` and nothing else of
  /// theirs where calgw is called.
  private func conflict(of uid: String) async throws -> CommandLine {
    let calgw = try TwoFolders("conflict = \"ask\"").calgw
    for name in ["work/x", "notes", "one/work/dir/x"] { try calgw.write(name, "") }
    for side in ["one", "two"] { try calgw.write("\(side)/work/a.ics", event(uid, "Old")) }
    #expect(try await calgw("sync").status == 0)
    try calgw.write("one/work/a.ics", event(uid, "Here"))
    try calgw.write("two/work/a.ics", event(uid, "There"))
    #expect(try await calgw("sync").status == 1)
    return calgw
  }

  /// What runs calgw in a collection's folder.
  private static let inFolder = ["sh", "-c", "cd one/work && exec \"$@\"", "sh"]

  @Test(arguments: [
    ("work", false), ("notes", false), (".", false), ("..", false), (".", true), ("dir", true),
  ])
  func `what is of its name in the directory hides no UID`(
    uid: String, isInCollection: Bool
  ) async throws {
    let calgw = try await conflict(of: uid)
    let wrapper = isInCollection ? Self.inFolder : []
    let diff = try await calgw.run(["diff", uid], within: wrapper)
    #expect(diff.status == 0 && diff.output.contains("Here"), "\(diff.errors)")
    let log = try await calgw.run(["log", uid], within: wrapper)
    #expect(log.status == 0 && log.output.hasPrefix("p/"), "\(log)")
    let run = try await calgw.run(["resolve", "--take", "local", uid], within: wrapper)
    #expect(run.status == 0, "\(run.errors)")
    let show = try await calgw.run(["show", uid, "--in", "p/work"], within: wrapper)
    #expect(show.status == 0 && show.output.contains("Here"), "\(show.errors)")
    #expect(try await calgw("status", "--exit-code").status == 0)
  }

  @Test(arguments: [["diff"], ["resolve", "--take", "local"]])
  func `what is neither a UID nor in a pair is told as that`(command: [String]) async throws {
    let calgw = try await conflict(of: "dentist")
    for name in ["work", "notes", "."] {
      let run = try await calgw.run(command + [name])
      #expect(run.status == 64, "\(name): \(run)")
      #expect(run.errors.contains("\(name) is in no folder that is synced"), "\(run.errors)")
    }
    let nobody = try await calgw.run(command + ["nobody"])
    #expect(nobody.status == 66, "\(nobody)")
    let file = try await calgw.run(command + ["a.ics"], within: Self.inFolder)
    #expect(file.status == 0, "\(file.errors)")
  }
}
