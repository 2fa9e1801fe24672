import Foundation
import Glibc
import Testing

/// The state directory is on a disk that has no room left.
@Suite struct FullStateTests {
  @Test(.enabled(if: geteuid() == 0, "mounting a small file system takes root"))
  func `an event command says that it has changed nothing`() async throws {
    let calgw = try TwoFolders().calgw
    try calgw.write("one/work/a.ics", event("a", "Dentist"))
    try calgw.write("one/home/b.ics", event("b", "Choir"))
    let state = calgw.home + "/state"
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    guard mount("none", state, "tmpfs", 0, "size=64k") == 0 else {
      Issue.record("cannot mount a small file system")
      return
    }
    defer { umount(state) }
    try calgw.write("state/filler", String(repeating: "x", count: 64 << 10))
    let commands = [
      ["edit", "a", "--summary", "Tooth"], ["delete", "a"], ["move", "a", "p/home"],
    ]
    for command in commands {
      let run = try await calgw.run(command)
      #expect(run.status == 74 && run.output.isEmpty, "\(run.output) \(run.errors)")
      #expect(
        run.errors.contains("free some space, then run again; nothing was changed"),
        "\(run.errors)")
      #expect(!run.errors.contains("recorded"), "\(run.errors)")
    }
    let file = calgw.home + "/one/work/a.ics"
    #expect(try String(contentsOfFile: file, encoding: .utf8) == event("a", "Dentist"))
    #expect(!calgw.exists("one/home/a.ics"))
  }
}
