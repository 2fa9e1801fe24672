import Foundation
import Glibc
import TestSupport
import Testing

/// What goes wrong in the field: each has its documented status, and a message that names the place
/// and the mend. Nothing is ever taken for a deletion.
@Suite(.serialized) struct FailureTests {
  private func pairOverURL(_ url: String, more: String = "") throws -> (Sandbox, Program) {
    let sandbox = Sandbox()
    try sandbox.configureAccount(
      url, password: "wrong-canary-secret",
      """
      \(more)

      [pair.test]
      local = "~/calendars"
      remote = "home"
      collections = ["*"]
      """)
    try sandbox.write("calendars/work/dentist.ics", Event.make("dentist", "Dentist"))
    return (sandbox, Program(sandbox: sandbox))
  }

  private func expectFailure(
    _ run: Program.Run, _ status: Int32, says words: String..., mend: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(run.status == status, "\(run.errors)", sourceLocation: sourceLocation)
    for word in words + [mend] {
      #expect(
        run.errors.localizedCaseInsensitiveContains(word), "\(word)? \(run.errors)",
        sourceLocation: sourceLocation)
    }
    #expect(!run.errors.contains("canary"), sourceLocation: sourceLocation)
    #expect(!run.output.contains("canary"), sourceLocation: sourceLocation)
  }

  @Test func `a wrong password`() async throws {
    let server = try await RealServer.start(.radicale)
    let (_, calgw) = try pairOverURL(server.url)
    expectFailure(try await calgw("sync"), 77, says: "127.0.0.1", mend: "password")
    await server.stop()
  }

  @Test func `an unknown host`() async throws {
    let (_, calgw) = try pairOverURL("https://no-such-host.invalid/")
    expectFailure(try await calgw("sync"), 69, says: "no-such-host.invalid", mend: "url")
  }

  @Test func `a server that is down`() async throws {
    let server = try await RealServer.start(.radicale)
    let url = server.url
    await server.stop()
    let (_, calgw) = try pairOverURL(url)
    expectFailure(try await calgw("sync"), 69, says: "connection refused", mend: "try again")
  }

  @Test func `a server that answers with a web page`() async throws {
    let server = try ScriptedServer { _ in [.html] }
    let (_, calgw) = try pairOverURL(server.url)
    expectFailure(try await calgw("sync"), 76, says: "web page", mend: "url")
    server.stop()
  }

  @Test func `an unknown key in the configuration`() async throws {
    let (sandbox, calgw) = try pairOverURL("https://dav.example.org/", more: "usrname = \"x\"")
    let run = try await calgw("sync")
    expectFailure(run, 78, says: "usrname", "config.toml", mend: "username")
    #expect(run.errors.contains(":6") || run.errors.contains("line 6"), "\(run.errors)")
    #expect(sandbox.names(in: "state/calgw").isEmpty)
  }

  @Test func `no configuration at all`() async throws {
    let calgw = Program(sandbox: Sandbox())
    expectFailure(try await calgw("sync"), 78, says: "config.toml", mend: "calgw init")
  }

  @Test func `a pair that is not there`() async throws {
    let (_, calgw) = try pairOverURL("https://dav.example.org/")
    expectFailure(try await calgw("sync", "tset"), 64, says: "tset", mend: "test")
  }

  @Test func `a broken file among good ones`() async throws {
    let pair = try await Pair.make(.radicale)
    for uid in ["dentist", "gym", "lunch"] { try pair.write("\(uid).ics", Event.make(uid, uid)) }
    #expect(try await pair.calgw("sync").status == 0)
    try pair.write("dentist.ics", String(Event.make("dentist", "Dentist").prefix(90)))
    try pair.write("gym.ics", Event.make("gym", "Gym edited"))
    let run = try await pair.calgw("sync")
    expectFailure(run, 1, says: "dentist.ics", mend: "restore")
    #expect(try await pair.remoteTexts().count == 3)
    #expect(Pair.summaries(try await pair.remoteTexts())["gym"] == "Gym edited")

    try pair.write("dentist.ics", "")
    #expect(try await pair.calgw("sync").status == 1)
    #expect(try await pair.remoteTexts()["dentist"] != nil)

    // The mend that the message names: the version before the last edit that was synced.
    try pair.write("dentist.ics", Event.make("dentist", "Second"))
    #expect(try await pair.calgw("sync").status == 0)
    let log = try await pair.calgw("log", "dentist", "--json")
    let id = try #require(try log.objects().first?["id"])
    for cut in [90, 0] {
      try pair.write("dentist.ics", String(Event.make("dentist", "Second").prefix(cut)))
      #expect(try await pair.calgw("sync").status == 1)
      let restored = try await pair.calgw("restore", "\(id)")
      #expect(restored.status == 0, "\(restored.errors)")
      #expect(Pair.summaries(try pair.localTexts())["dentist"] == "dentist")
      #expect(Pair.summaries(try await pair.remoteTexts())["dentist"] == "dentist")
    }
    try pair.write("dentist.ics", Event.make("dentist", "Mended"))
    #expect(try await pair.calgw("sync").status == 0)
    #expect(Pair.summaries(try await pair.remoteTexts())["dentist"] == "Mended")
    await pair.server.stop()
  }

  @Test func `odd things in the folder are left alone`() async throws {
    let pair = try await Pair.make(.radicale)
    try pair.write("dentist.ics", Event.make("dentist", "Dentist"))
    let folder = "\(pair.sandbox.path)/\(pair.folder)"
    symlink("\(pair.sandbox.path)/secret", "\(folder)/link.ics")
    mkfifo("\(folder)/pipe.ics", 0o600)
    mkdir("\(folder)/folder.ics", 0o700)
    try pair.write("nouid.ics", Event.make("x", "No UID").replacing("UID:x\r\n", with: ""))
    try pair.write("copy.ics", Event.make("dentist", "Copy"))
    let run = try await pair.calgw("sync", "--json")
    #expect(run.status == 1, "\(run.errors)")
    let collection = try #require(
      (try run.objects().first?["collections"] as? [[String: Any]])?.first)
    let problems = try #require(collection["problems"] as? [[String: Any]])
    let codes = Dictionary(
      problems.map { ($0["file"] as? String ?? "", $0["code"] as? String ?? "") },
      uniquingKeysWith: { first, _ in first })
    #expect(
      codes == [
        "link.ics": "not-a-file", "pipe.ics": "not-a-file", "folder.ics": "not-a-file",
        "nouid.ics": "no-uid", "copy.ics": "duplicate-uid", "dentist.ics": "duplicate-uid",
      ])
    #expect(try await pair.remoteTexts().isEmpty)
    await pair.server.stop()
  }

  @Test func `a folder that has vanished`() async throws {
    let pair = try await Pair.make(.radicale)
    for uid in ["dentist", "gym"] { try pair.write("\(uid).ics", Event.make(uid, uid)) }
    #expect(try await pair.calgw("sync").status == 0)
    try pair.sandbox.remove(pair.folder)
    expectFailure(try await pair.calgw("sync"), 74, says: pair.folder, mend: "forget")
    #expect(try await pair.remoteTexts().count == 2)
    try pair.sandbox.remove("calendars")
    #expect(try await pair.calgw("sync").status == 74)
    #expect(try await pair.remoteTexts().count == 2)
    await pair.server.stop()
  }

  @Test func `a calendar that was emptied on the server`() async throws {
    let pair = try await Pair.make(.radicale)
    for number in 0..<8 { try pair.write("e\(number).ics", Event.make("e\(number)", "E")) }
    #expect(try await pair.calgw("sync").status == 0)
    for path in try await pair.server.otherClient.list(pair.path).keys {
      try await pair.server.otherClient.delete(path)
    }
    expectFailure(
      try await pair.calgw("sync"), 1, says: "8 of 8", mend: "--allow-mass-delete")
    #expect(pair.sandbox.items(in: pair.folder).count == 8)
    #expect(try await pair.calgw("sync", "--allow-mass-delete").status == 0)
    #expect(pair.sandbox.items(in: pair.folder).isEmpty)
    await pair.server.stop()
  }

  @Test func `a calendar that was deleted on the server`() async throws {
    let pair = try await Pair.make(.radicale)
    for number in 0..<4 { try pair.write("e\(number).ics", Event.make("e\(number)", "E")) }
    #expect(try await pair.calgw("sync").status == 0)
    try await pair.server.otherClient.delete(pair.path)
    expectFailure(try await pair.calgw("sync"), 1, says: "work", mend: "forget")
    #expect(pair.sandbox.items(in: pair.folder).count == 4)
    await pair.server.stop()
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a small file system takes root"))
  func `a disk that is full`() async throws {
    let pair = try await Pair.make(.radicale)
    for number in 0..<40 {
      try await pair.server.otherClient.put(
        pair.path + "e\(number).ics",
        Array(Event.make("e\(number)", String(repeating: "x", count: 4000)).utf8))
    }
    let folder = "\(pair.sandbox.path)/calendars"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard mount("none", folder, "tmpfs", 0, "size=64k") == 0 else {
      Issue.record("cannot mount a small file system")
      return
    }
    defer { umount(folder) }
    expectFailure(try await pair.calgw("sync"), 74, says: "space", mend: "free")
    #expect(try await pair.remoteTexts().count == 40)
    await pair.server.stop()
  }

  @Test func `a folder that may not be read`() async throws {
    let sandbox = Sandbox()
    try sandbox.write(
      "config/calgw/config.toml",
      """
      [pair.test]
      local = "~/one"
      remote = { local = "~/two" }
      calendar = "."
      """)
    try sandbox.write("one/dentist.ics", Event.make("dentist", "Dentist"))
    try sandbox.write("two/gym.ics", Event.make("gym", "Gym"))
    let calgw = try Program(sandbox: sandbox).asNobody()
    chmod("\(sandbox.path)/one", 0)
    expectFailure(try await calgw("sync"), 74, says: "/one", mend: "permissions")
    #expect(sandbox.items(in: "two") == ["gym.ics"])
    chmod("\(sandbox.path)/one", 0o700)
    #expect(try await calgw("sync").status == 0)
    #expect(sandbox.items(in: "two").count == 2)
  }

  @Test func `a state directory that may only be read`() async throws {
    let sandbox = Sandbox()
    try sandbox.write(
      "config/calgw/config.toml",
      """
      state_dir = "\(sandbox.path)/state 100% of it?"
      [pair.test]
      local = "~/one"
      remote = { local = "~/two" }
      calendar = "."
      """)
    try sandbox.write("one/dentist.ics", Event.make("dentist", "Dentist"))
    try sandbox.write("two/none", "")
    let calgw = try Program(sandbox: sandbox).asNobody()
    #expect(try await calgw("sync").status == 0)
    try sandbox.write("one/dentist.ics", Event.make("dentist", "Teeth"))
    #expect(try await calgw("sync").status == 0)
    try sandbox.write("one/dentist.ics", Event.make("dentist", "Crown"))
    let state = "\(sandbox.path)/state 100% of it?"
    chmod(state, 0o500)
    defer { chmod(state, 0o700) }
    for (command, told) in [("log", "Dentist"), ("status", "Crown"), ("diff", "Crown")] {
      let run = try await calgw(command)
      #expect(run.status != 74 && run.output.contains(told), "\(command): \(run)")
    }
    expectFailure(try await calgw("sync"), 74, says: "readonly", mend: "mode of the file")
  }

  @Test func `a file in the place of the folder`() async throws {
    let pair = try await Pair.make(.radicale)
    try pair.write("dentist.ics", Event.make("dentist", "Dentist"))
    #expect(try await pair.calgw("sync").status == 0)
    try pair.sandbox.remove(pair.folder)
    try pair.sandbox.write(pair.folder, "no folder")
    expectFailure(try await pair.calgw("sync"), 74, says: pair.folder, mend: "folder")
    #expect(try await pair.remoteTexts().count == 1)
    await pair.server.stop()
  }

  @Test func `a second calgw on the pair at the same time`() async throws {
    let gate = try Gate()
    let server = try ScriptedServer { _ in [.wait(gate), .html] }
    let (_, calgw) = try pairOverURL(server.url)
    async let first = calgw("sync")
    await server.waitForRequests(1)
    expectFailure(try await calgw("sync"), 75, says: "another calgw", mend: "--wait")
    #expect(server.requests.count == 1, "the second one asked the server")
    gate.open()
    _ = try await first
    server.stop()
  }
}
