import Foundation
import Glibc
import TestSupport
import Testing

/// What goes on around a run: hooks that edit, a machine that is in another time zone, folders that
/// are links or shared, and descriptors that are closed.
@Suite struct OddSurroundingsTests {
  @Test func `what a hook edits in the folder travels with the next run`() async throws {
    let folders = try TwoFolders(
      #"after_sync = ["sed", "-i", "s/Dentist/Doctor/", "../../one/work/dentist.ics"]"#)
    for side in ["one", "two"] { try folders.write(side, "dentist", at: 10, "Dentist") }
    #expect(try await folders.calgw("sync").status == 0)
    #expect(try folders.items("one") == ["Doctor 10"])
    #expect(try folders.items("two") == ["Dentist 10"])
    let next = try await folders.calgw("sync", "--json")
    #expect(next.status == 0, "\(next.output)")
    #expect(next.output.contains("\"pushed\":{\"created\":0,\"updated\":1,\"deleted\":0}"))
    #expect(try folders.items("two") == ["Doctor 10"])
    let quiet = try await folders.calgw("sync")
    #expect(quiet.output.contains("nothing to do"), "\(quiet.output)")
  }

  /// Summer time begins, or the person flies to Tokyo: nothing that was synced is news.
  @Test(arguments: ["Asia/Tokyo", "America/New_York", "UTC"])
  func `another time zone of the machine changes nothing`(zone: String) async throws {
    let folders = try TwoFolders()
    try folders.write("one", "dentist", at: 10, "Dentist")
    let zoned = event("gym", "Gym").replacing(
      "DTSTART:20260105T100000Z", with: "DTSTART;TZID=Europe/Vienna:20260329T023000")
    try folders.calgw.write("one/work/gym.ics", zoned)
    let floating = event("run", "Run").replacing("100000Z", with: "100000")
    try folders.calgw.write("two/work/run.ics", floating)
    #expect(try await folders.calgw("sync", environment: ["TZ": "Europe/Vienna"]).status == 0)
    let run = try await folders.calgw("sync", environment: ["TZ": zone])
    #expect(run.status == 0)
    #expect(run.output.contains("nothing to do"), "\(run.output)")
  }

  @Test func `a link in the place of a folder is named, and not followed`() async throws {
    let folders = try TwoFolders()
    try folders.write("two", "dentist", at: 10, "Dentist")
    let home = folders.calgw.home
    for folder in ["elsewhere", "one"] {
      try FileManager.default.createDirectory(
        atPath: "\(home)/\(folder)", withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(
      atPath: home + "/one/work", withDestinationPath: home + "/elsewhere")
    let run = try await folders.calgw("sync")
    #expect(run.status == 73)
    #expect(run.errors.contains("is a symbolic link, which is not followed"), "\(run.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: home + "/elsewhere").isEmpty)
  }

  @Test(arguments: [true, false])
  func `what has taken the place of a folder is named`(isLink: Bool) async throws {
    let folders = try TwoFolders()
    try folders.write("one", "dentist", at: 10, "Dentist")
    #expect(try await folders.calgw("sync").status == 0)
    let folder = folders.calgw.home + "/one/work"
    try FileManager.default.moveItem(atPath: folder, toPath: folder + ".away")
    if isLink {
      try FileManager.default.createSymbolicLink(
        atPath: folder, withDestinationPath: folders.calgw.home + "/elsewhere")
    } else {
      try folders.calgw.write("one/work", "no folder")
    }
    try FileManager.default.moveItem(
      atPath: folder + ".away", toPath: folders.calgw.home + "/elsewhere")
    let run = try await folders.calgw("sync")
    #expect(run.status == 74)
    let what = isLink ? "a symbolic link, which is not followed" : "something else than a folder"
    #expect(run.errors.contains("work is gone; in its place is \(what)\n"), "\(run.errors)")
    #expect(run.errors.contains("or take that away, run `calgw forget p/work`"))
  }

  @Test(arguments: ["~/link", "~/one/../one"])
  func `one folder under two names is no pair`(other: String) async throws {
    let calgw = try CommandLine()
    try calgw.configure("[pair.p]\nlocal = \"~/one\"\nremote = { local = \"\(other)\" }\n")
    try calgw.write("one/work/dentist.ics", event("dentist", "Dentist"))
    try FileManager.default.createSymbolicLink(
      atPath: calgw.home + "/link", withDestinationPath: calgw.home + "/one")
    for command in ["sync", "status"] {
      let run = try await calgw(command)
      #expect(run.status == 78, "\(run.errors)")
      #expect(run.errors.contains("both sides are the same directory"), "\(run.errors)")
    }
  }

  /// The remote folder would be a calendar of the local side, or the other way round: each run
  /// would copy the one into itself.
  @Test(
    arguments: [
      ("~/one", "~/link/work"), ("~/one", "~/x/../one/work"), ("~/link/work", "~/one"),
      ("~/one", "~/link/new"),
    ])
  func `a folder within the other side is no pair under any name`(local: String, remote: String)
    async throws
  {
    let calgw = try CommandLine()
    try calgw.configure(
      "[pair.p]\nlocal = \"\(local)\"\nremote = { local = \"\(remote)\" }\n")
    try calgw.write("one/work/dentist.ics", event("dentist", "Dentist"))
    try calgw.write("x/other", "")
    try FileManager.default.createSymbolicLink(
      atPath: calgw.home + "/link", withDestinationPath: calgw.home + "/one")
    for command in ["sync", "status"] {
      let run = try await calgw(command)
      #expect(run.status == 78, "\(run.errors)")
      #expect(run.errors.contains(" lies within "), "\(run.errors)")
    }
    #expect(!calgw.exists("one/work/work") && !calgw.exists("one/new"))
  }

  @Test func `a file within the local side is none under any name`() async throws {
    let calgw = try CommandLine()
    try calgw.configure(
      "[pair.p]\nlocal = \"~/one\"\nremote = { file = \"~/link/work/all.ics\" }\n")
    try calgw.write("one/work/dentist.ics", event("dentist", "Dentist"))
    try FileManager.default.createSymbolicLink(
      atPath: calgw.home + "/link", withDestinationPath: calgw.home + "/one")
    let run = try await calgw("sync")
    #expect(run.status == 78, "\(run.errors)")
    #expect(run.errors.contains("the file lies in the local directory"), "\(run.errors)")
    #expect(!calgw.exists("one/work/all.ics"))
  }

  /// Else they would start at the root: a sync would make its directory there.
  @Test(
    arguments: [
      (["sync", "--local", "rel", "--remote", "http://127.0.0.1:9/"], 64),
      (["check", "rel.ics"], 66), (["list", "rel.ics"], 66), (["expand", "rel.ics"], 66),
      (["status", "--config", "../c.toml"], 78), (["init", "--config", "c.toml"], 78),
    ] as [([String], Int32)])
  func `no relative path counts where the working directory is gone`(
    arguments: [String], status: Int32
  ) async throws {
    let calgw = try CommandLine()
    let line = #"mkdir gone && cd gone && rmdir ../gone && exec "$@""#
    let run = try await calgw.run(arguments, within: ["/bin/bash", "-c", line, "bash"])
    #expect(run.status == status, "\(run.errors)")
    #expect(
      run.errors.contains("is relative, and the working directory is gone"), "\(run.errors)")
  }

  /// Each side would wait for the lock that the other one has: status 75, for ever.
  @Test func `one folder as the collection of both sides is no pair`() async throws {
    let calgw = try CommandLine()
    try calgw.configure(
      """
      [pair.p]
      local = "~/one/work"
      remote = { local = "~/one" }
      calendar = "work"

      """)
    try calgw.write("one/work/dentist.ics", event("dentist", "Dentist"))
    for command in ["sync", "status"] {
      let run = try await calgw(command)
      #expect(run.status == 78, "\(run.errors)")
      #expect(run.errors.contains("both sides are the same directory"), "\(run.errors)")
    }
  }

  @Test(
    .enabled(
      if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0,
      "only root may run a program as a user whom nobody knows"))
  func `without a place for the state events can still be listed`() async throws {
    let calgw = try CommandLine()
    let (one, two) = (calgw.home + "/one", calgw.home + "/two")
    try calgw.configure("[pair.p]\nlocal = \"\(one)\"\nremote = { local = \"\(two)\" }\n")
    try calgw.write("one/work/dentist.ics", event("dentist", "Dentist"))
    func run(_ arguments: [String]) async throws -> CommandLine.Run {
      let process = try calgw.start(
        arguments, environment: ["HOME": "", "XDG_STATE_HOME": ""],
        within: ["/usr/bin/setpriv", "--reuid", "54321", "--clear-groups", "--"])
      return await onOwnThread { process.finish() }
    }
    // What was built may lie where only its owner may run it.
    guard try await run(["--version"]).status == 0 else { return }
    let list = try await run(["list", "p", "--from", "2026-01-01", "--to", "2026-02-01"])
    #expect(list.status == 0, "\(list.errors)")
    #expect(list.output.contains("Dentist"), "\(list.output)")
    let sync = try await run(["sync"])
    #expect(sync.status == 78, "\(sync.errors)")
    #expect(sync.errors.contains("no home directory to keep the state in"), "\(sync.errors)")
  }

  /// The first two files that a process opens would else be its standard input and output.
  @Test func `without standard input and output a run does what it should`() async throws {
    let folders = try TwoFolders()
    try folders.write("one", "dentist", at: 10, "Dentist")
    let line = "'\(Checkout.calgw)' sync <&- >&-; echo $? >&2"
    let program = try RunningProgram(
      ["/bin/bash", "-c", line],
      environment: [
        "HOME": folders.calgw.home, "XDG_CONFIG_HOME": folders.calgw.home + "/config",
        "PATH": "/usr/bin:/bin",
      ], directory: folders.calgw.home)
    let errors = await onOwnThread { program.finish().errors }
    #expect(errors == "0\n")
    #expect(try folders.items("two") == ["Dentist 10"])
  }

  /// Each pair has what became of a file of its own.
  @Test func `a file that two pairs have is looked for in both`() async throws {
    let folders = try TwoFolders("[pair.q]\nlocal = \"~/one\"\nremote = { local = \"~/three\" }")
    try folders.write("one", "dentist", at: 10, "Dentist")
    #expect(try await folders.calgw("sync").status == 0)
    try folders.write("one", "dentist", at: 11, "Dentist")
    try folders.write("three", "dentist", at: 12, "Dentist")
    #expect(try await folders.calgw("sync").status == 1)
    let file = folders.calgw.home + "/one/work/dentist.ics"
    let diff = try await folders.calgw("diff", "--exit-code", file)
    #expect(diff.status == 1)
    #expect(diff.output.contains("q/work"), "\(diff.output)")
    #expect(try await folders.calgw("resolve", file, "--take", "local").status == 0)
    for side in ["two", "three"] { #expect(try folders.items(side) == ["Dentist 11"]) }
    // Then both have one.
    try folders.write("one", "dentist", at: 13, "Dentist")
    for side in ["two", "three"] { try folders.write(side, "dentist", at: 14, "Dentist") }
    #expect(try await folders.calgw("sync").status == 1)
    for name in ["p", "q"] {
      let run = try await folders.calgw("resolve", "dentist", "--take", "local")
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.contains("\(name)/work"), "\(run.output)")
    }
    for side in ["two", "three"] { #expect(try folders.items(side) == ["Dentist 13"]) }
  }
}
