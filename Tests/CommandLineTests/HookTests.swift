import Foundation
import Glibc
import TestSupport
import Testing

/// The commands of a configuration, and what it asks a person, with two folders as sides.
@Suite struct HookTests {
  private func pair(_ keys: String) throws -> (CommandLine, TwoFolders) {
    let folders = try TwoFolders(keys)
    for side in ["one", "two"] { try folders.write(side, "dentist", at: 10, "Dentist") }
    return (folders.calgw, folders)
  }

  private func lines(_ calgw: CommandLine, _ name: String) throws -> [[String: Any]] {
    let text = try String(contentsOfFile: calgw.home + "/" + name, encoding: .utf8)
    return try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test func `after a sync the report goes to the command`() async throws {
    let (calgw, folders) = try pair(#"after_sync = ["sh", "-c", "cat >> ~/seen"]"#)
    #expect(try await calgw("sync").status == 0)
    try folders.write("one", "dentist", at: 10, "Dentist, with the X-ray")
    #expect(try await calgw("push", "--dry-run").status == 0)
    #expect(try await calgw("push").status == 0)
    let reports = try lines(calgw, "seen")
    #expect(reports.count == 2, "a dry run calls nothing")
    let collections = try #require(reports[1]["collections"] as? [[String: Any]])
    #expect((collections[0]["actions"] as? [[String: Any]])?.count == 1)
    #expect(reports[1]["direction"] as? String == "push")
  }

  @Test func `a command that fails is told of where its status would be thrown away`() async throws
  {
    let (calgw, _) = try pair(#"after_sync = ["sh", "-c", "exit 3"]"#)
    let ignoring = ["/bin/sh", "-c", "trap '' CHLD; exec \"$@\"", "sh"]
    let run = try await calgw.run(["sync"], within: ignoring)
    #expect(run.errors.contains("status 3"), "\(run.errors)")
  }

  @Test func `no core file is left, of calgw or of what it starts`() async throws {
    let (calgw, _) = try pair(#"after_sync = ["sh", "-c", "ulimit -Sc > ~/limit"]"#)
    var limit = rlimit()
    try #require(getrlimit(Limit.core, &limit) == 0)
    let before = limit.rlim_cur
    // As much as may be, so that calgw has something to forbid.
    limit.rlim_cur = limit.rlim_max
    try #require(setrlimit(Limit.core, &limit) == 0)
    defer {
      limit.rlim_cur = before
      setrlimit(Limit.core, &limit)
    }
    #expect(try await calgw("sync").status == 0)
    #expect(try String(contentsOfFile: calgw.home + "/limit", encoding: .utf8) == "0\n")
  }

  private enum Limit { static let core = __rlimit_resource_t(RLIMIT_CORE.rawValue) }

  @Test func `a new conflict is told once`() async throws {
    let (calgw, folders) = try pair(#"on_conflict = ["sh", "-c", "cat >> ~/seen"]"#)
    #expect(try await calgw("sync").status == 0)
    try folders.write("one", "dentist", at: 11, "Dentist")
    try folders.write("two", "dentist", at: 12, "Dentist")
    #expect(try await calgw("sync").status == 1)
    #expect(try await calgw("sync").status == 1)
    let told = try lines(calgw, "seen")
    #expect(told.count == 1)
    #expect((told[0]["conflict"] as? [String: Any])?["uid"] as? String == "dentist")
    #expect(told[0]["collection"] as? String == "work")
  }

  @Test func `what a signal kept from being told is told by the next run, once`() async throws {
    let hook = "cat >> ~/seen; test -e ~/never && echo > ~/started && cat ~/never; true"
    let (calgw, folders) = try pair("on_conflict = [\"sh\", \"-c\", \"\(hook)\"]")
    for side in ["one", "two"] { try folders.write(side, "gym", at: 10, "Gym") }
    #expect(try await calgw("sync").status == 0)
    for uid in ["dentist", "gym"] {
      try folders.write("one", uid, at: 11, uid)
      try folders.write("two", uid, at: 12, uid)
    }
    for name in ["started", "never"] { #expect(mkfifo("\(calgw.home)/\(name)", 0o600) == 0) }
    let process = try calgw.start(["sync"])
    #expect(await cut(process, by: SIGINT, calgw).status == 130)
    try FileManager.default.removeItem(atPath: "\(calgw.home)/never")

    func told() throws -> [String?] {
      try lines(calgw, "seen").map { ($0["conflict"] as? [String: Any])?["uid"] as? String }
    }
    #expect(try told() == ["dentist"])
    #expect(try await calgw("sync").status == 1)
    #expect(try told() == ["dentist", "dentist", "gym"], "the first was cut short")
    #expect(try await calgw("sync").status == 1)
    #expect(try told().count == 3)
    try folders.write("one", "gym", at: 13, "gym")
    #expect(try await calgw("sync").status == 1)
    #expect(try told() == ["dentist", "dentist", "gym", "gym"], "another conflict")
  }

  @Test func `what a person does to both sides is followed by after_sync too`() async throws {
    let (calgw, folders) = try pair(#"after_sync = ["sh", "-c", "cat >> ~/seen"]"#)
    #expect(try await calgw("sync").status == 0)
    try folders.write("one", "dentist", at: 11, "Dentist")
    try folders.write("two", "dentist", at: 12, "Dentist")
    #expect(try await calgw("sync").status == 1)
    #expect(try lines(calgw, "seen").count == 2)
    for (arguments, count) in [
      (["resolve", "dentist", "--take", "local", "--dry-run"], 2),
      (["resolve", "dentist", "--take", "local"], 3), (["restore", "1", "--dry-run"], 3),
      (["restore", "1"], 4),
    ] {
      #expect(try await calgw.run(arguments).status == 0)
      #expect(try lines(calgw, "seen").count == count, "\(arguments)")
    }
  }

  @Test func `a calgw that a hook starts on its own pair runs no hooks`() async throws {
    let again = "test $(wc -l < ~/seen) -lt 5 && \(Checkout.calgw) sync"
    let (calgw, _) = try pair("after_sync = [\"sh\", \"-c\", \"echo >> ~/seen; \(again)\"]")
    #expect(try await calgw("sync").status == 0)
    #expect(FileManager.default.contents(atPath: calgw.home + "/seen") == Data("\n".utf8))
  }

  @Test(arguments: [
    (#"["sh", "-c", "exit 3"]"#, "ended with status 3"),
    (#"["/no/such/program"]"#, "cannot be run"),
    (#"["sh", "-c", "kill -TERM $$"]"#, "was ended by signal 15"),
  ])
  func `a hook that fails is named and fails nothing`(command: String, words: String) async throws {
    let (calgw, _) = try pair("after_sync = \(command)")
    let run = try await calgw("sync")
    #expect(run.status == 0)
    #expect(run.errors.contains("after_sync of pair p"))
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  /// Pairs p and q, with a hook that both have.
  private func twoPairs(_ hook: String) throws -> CommandLine {
    let calgw = try CommandLine()
    try calgw.configure(
      ["p", "q"].map { name in
        """
        [pair.\(name)]
        local = "~/\(name)-one"
        remote = { local = "~/\(name)-two" }
        after_sync = ["sh", "-c", "\(hook)"]
        """
      }.joined(separator: "\n"))
    for name in ["p", "q"] { try calgw.write("\(name)-one/work/a.ics", event("a", "A")) }
    return calgw
  }

  private func expectCut(_ run: CommandLine.Run, by signal: Int32, _ calgw: CommandLine) {
    #expect(run.status == 128 + signal, "\(run.errors)")
    #expect(run.errors.contains("pair q"), "\(run.errors)")
    #expect(calgw.exists("p-two/work/a.ics"))
    #expect(!calgw.exists("q-two"))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal while a hook runs ends the hook and the run, with its status`(signal: Int32)
    async throws
  {
    let calgw = try twoPairs("echo > ~/started; cat ~/never")
    for name in ["started", "never"] { #expect(mkfifo("\(calgw.home)/\(name)", 0o600) == 0) }
    let process = try calgw.start(["sync"])
    expectCut(await cut(process, by: signal, calgw), by: signal, calgw)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal that a hook itself sends leaves the second pair out, and the status says so`(
    signal: Int32
  ) async throws {
    // It waits to be ended, so that the signal has been taken before the next pair's turn.
    let calgw = try twoPairs("kill -\(signal) $PPID; cat ~/never")
    #expect(mkfifo("\(calgw.home)/never", 0o600) == 0)
    expectCut(try await calgw("sync"), by: signal, calgw)
  }

  @Test func `a hook gets the environment without the secrets in it`() async throws {
    let (calgw, _) = try pair(
      """
      after_sync = ["sh", "-c", "env > ~/seen"]
      [account.home]
      url = "https://dav.example.org/"
      username = "alice"
      password = { env = "SECRET" }
      """)
    let run = try await calgw(
      "sync",
      environment: [
        "SECRET": "canary", "https_proxy": "http://u:canary@127.0.0.1:1", "OTHER": "kept",
      ])
    #expect(run.status == 0, "\(run.errors)")
    let seen = try String(contentsOfFile: calgw.home + "/seen", encoding: .utf8)
    let lines = seen.split(separator: "\n")
    #expect(!seen.contains("canary") && !lines.contains { $0.hasPrefix("SECRET=") }, "\(seen)")
    #expect(lines.contains("https_proxy=http://127.0.0.1:1"), "\(seen)")
    #expect(lines.contains("OTHER=kept") && lines.contains("CALGW_HOOK_OF=p"), "\(seen)")
  }

  /// Whoever starts calgw, and wherever.
  @Test(arguments: ["./notify", "~/config/calgw/notify", "$XDG_CONFIG_HOME/calgw/notify"])
  func `a hook beside the configuration runs in the state directory`(program: String) async throws {
    let (calgw, _) = try pair(
      "after_sync = [\"\(program)\", \"-c\", \"echo $0 in $(pwd -P)\", \"$HOME\"]")
    // A program that was just written may be busy still.
    #expect(symlink("/bin/sh", calgw.home + "/config/calgw/notify") == 0)
    let run = try await calgw.run(["sync"], within: ["sh", "-c", "cd / && exec \"$@\"", "sh"])
    let state = try #require(realpath(calgw.home + "/state/calgw", nil))
    defer { free(state) }
    #expect(run.errors == "$HOME in \(String(cString: state))\n")
  }

  /// A variable that names the configuration from where calgw was started still does in a hook.
  @Test func `a calgw that a hook starts finds the same configuration`() async throws {
    let (calgw, _) = try pair(#"after_sync = ["sh", "-c", "echo $CALGW_CONFIG from $PWD"]"#)
    let run = try await calgw(
      "sync", environment: ["CALGW_CONFIG": "config/calgw/../calgw/config.toml"])
    let file = calgw.home + "/config/calgw/../calgw/config.toml"
    #expect(run.errors == "\(file) from \(calgw.home)/state/calgw\n")
  }

  /// As where the disk with it is away.
  @Test func `without a state directory the hook tells of it all the same`() async throws {
    let (calgw, _) = try pair(#"after_sync = ["sh", "-c", "pwd; grep -o '.status.:[0-9]*'"]"#)
    try calgw.write("state", "a file")
    let run = try await calgw("sync")
    #expect(run.status == 73 || run.status == 74, "\(run.errors)")
    #expect(run.errors.contains("/\n\"status\":\(run.status)\n"), "\(run.errors)")
  }

  @Test func `what a hook prints is no result`() async throws {
    let (calgw, _) = try pair(#"after_sync = ["sh", "-c", "echo hello"]"#)
    let run = try await calgw("sync", "--json")
    #expect(!run.output.contains("hello"))
    #expect(run.errors.contains("hello"))
  }

  @Test func `of what a hook prints without end the beginning is shown`() async throws {
    let flood = "yes flood | head -c 300000; echo >&2 last"
    let (calgw, _) = try pair("after_sync = [\"sh\", \"-c\", \"\(flood)\"]")
    let run = try await calgw("sync")
    #expect(run.status == 0)
    let floods = run.errors.split(separator: "\n").count { $0 == "flood" }
    #expect(floods == 65_536 / 6)
    #expect(run.errors.components(separatedBy: "left out").count == 2)
    #expect(!run.errors.contains("last"))
  }

  @Test func `what a hook leaves in the background holds nothing of the caller's`() async throws {
    let (calgw, _) = try pair(
      #"after_sync = ["sh", "-c", "mkfifo $HOME/gate; cat $HOME/gate & echo hello"]"#)
    #expect(try await calgw("sync").errors.contains("hello"))
    // calgw has ended, and it waits for this still.
    let gate = open(calgw.home + "/gate", O_WRONLY)
    #expect(gate >= 0)
    close(gate)
  }

  @Test func `a deletion that has to be confirmed waits where nobody can be asked`() async throws {
    let (calgw, _) = try pair(#"confirm_delete = "always""#)
    #expect(try await calgw("sync").status == 0)
    try FileManager.default.removeItem(atPath: calgw.home + "/one/work/dentist.ics")
    let run = try await calgw("sync")
    #expect(run.status == 1)
    #expect(run.errors.contains("--allow-mass-delete"))
    #expect(calgw.exists("two/work/dentist.ics"))
    #expect(try await calgw("sync", "--allow-mass-delete").status == 0)
    #expect(!calgw.exists("two/work/dentist.ics"))
  }
}

/// Sends a signal as soon as the hook has written into the FIFO `started`. All of it on one thread:
/// among hundreds of tests a hop to another may take as long as a hook may.
private func cut(_ process: RunningProgram, by signal: Int32, _ calgw: CommandLine) async
  -> CommandLine.Run
{
  let path = "\(calgw.home)/started"
  return await onOwnThread {
    // Foundation's own reading does not wait for a writer.
    let pipe = open(path, O_RDONLY)
    var byte: UInt8 = 0
    while read(pipe, &byte, 1) > 0 {}
    close(pipe)
    process.send(signal)
    return process.finish()
  }
}
