import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// What goes where: results, messages, hostile texts, signals.
@Suite struct OutputTests {
  private func twoFolders(_ summary: String = "Dentist") throws -> CommandLine {
    let calgw = try CommandLine()
    try calgw.configure("[pair.copy]\nlocal = \"~/here\"\nremote = { local = \"~/there\" }\n")
    try calgw.write("here/work/a.ics", event("a", summary))
    return calgw
  }

  @Test func `a run says what it did, and a second that there was nothing to do`() async throws {
    let calgw = try twoFolders()
    let first = try await calgw("sync")
    #expect(first.status == 0)
    #expect(first.output == "copy/work: made the folder work on the remote side; up: 1 new\n")
    #expect(first.errors.isEmpty)
    #expect(try await calgw("sync").output == "copy/work: nothing to do\n")
    #expect(try await calgw("sync", "--quiet").output.isEmpty)
  }

  @Test(arguments: [
    (["snyc", "--config", "x"], "\"snyc\"; did you mean \"sync\"?"),
    (["frobnicate"], "\"frobnicate\"; commands: check, delete, diff, discover, doctor, edit,"),
  ])
  func `a command that there is not is told as that`(words: [String], hint: String) async throws {
    let run = try await CommandLine().run(words)
    #expect(run.status == 64)
    #expect(run.errors.contains("There is no command \(hint)"), "\(run.errors)")
  }

  @Test func `it ends without the destructors of libraries that threads still use`() async throws {
    let calgw = try twoFolders()
    let run = try await calgw("sync", environment: ["LD_DEBUG": "files"])
    #expect(run.status == 0)
    #expect(run.errors.contains("calling init: /"))
    #expect(!run.errors.contains("calling fini: "))
  }

  @Test func `verbose names every action`() async throws {
    let run = try await twoFolders()("sync", "--verbose")
    #expect(run.output.contains("create on the remote side: \"Dentist\" (a.ics)"))
  }

  @Test func `a problem is told on standard error: title, where, why, do`() async throws {
    let calgw = try twoFolders()
    try calgw.write("here/work/b.ics", "BEGIN:VCALENDAR\r\n")
    let run = try await calgw("sync", "--quiet")
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    for part in ["problem: b.ics", "  where: copy/work", "  why:   ", "[incomplete]", "  do:    "] {
      #expect(run.errors.contains(part), "\(run.errors)")
    }
  }

  @Test func `a password that others may read is told of also where problems only are`()
    async throws
  {
    let calgw = try twoFolders()
    try calgw.configure(
      """
      [account.home]
      url = "https://dav.example.org/"
      username = "alice"
      password = "secret"
      [pair.copy]
      local = "~/here"
      remote = { local = "~/there" }
      """)
    let file = calgw.home + "/config/calgw/config.toml"
    for (mode, isTold) in [(0o644, true), (0o600, false)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
      let run = try await calgw("sync", "--quiet")
      #expect(run.status == 0 && run.output.isEmpty, "\(run.output)")
      #expect(run.errors.contains("warning: \(file) holds a secret") == isTold, "\(run.errors)")
    }
  }

  @Test func `JSON is the only thing on standard output`() async throws {
    let calgw = try twoFolders()
    try calgw.write("here/work/b.ics", "")
    let run = try await calgw("sync", "--json", "--verbose", "--color", "always")
    #expect(run.status == 1)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(object["pair"] as? String == "copy")
    #expect(object["status"] as? Int == 1)
    #expect(object["error"] is NSNull)
    #expect(run.output.filter { $0 == "\n" }.count == 1)
  }

  @Test func `one pair's failure does not stop the others`() async throws {
    let calgw = try twoFolders()
    try calgw.configure(
      """
      [account.nowhere]
      url = "http://127.0.0.1:1/"
      [pair.broken]
      local = "~/x"
      remote = "nowhere"
      [pair.copy]
      local = "~/here"
      remote = { local = "~/there" }
      """)
    let run = try await calgw("sync", "--json")
    #expect(run.status == 69)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.contains("\"status\":69") == true)
    #expect(lines.last?.contains("\"status\":0") == true)
    #expect(run.errors.contains("pair broken"))
  }

  @Test func `hostile texts neither steer the terminal nor hide on it`() async throws {
    let summary = "\u{1B}[2J\u{1B}]52;c;eA==\u{7}\u{202E}evil\u{9B}31m\u{200B}"
    let calgw = try twoFolders(summary)
    try calgw.write("here/work/\u{1B}[31m.ics", "")
    for arguments in [["sync", "-v"], ["status"], ["sync", "--json", "-v"], ["log"]] {
      let run = await onOwnThread { try? calgw.start(arguments).finish() }
      let text = (run?.output ?? "") + (run?.errors ?? "")
      #expect(!text.isEmpty || arguments == ["log"])
      for scalar in text.unicodeScalars where scalar != "\n" {
        let isHostile =
          scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
          || [0x202E, 0x200B].contains(scalar.value)
        #expect(!isHostile, "\(arguments) \(scalar.value)")
      }
    }
  }

  @Test func `a name that is not UTF-8 is encoded in JSON`() async throws {
    let calgw = try twoFolders()
    let name = Array("\(calgw.home)/here/work/caf".utf8) + [0xE9] + Array(".ics".utf8) + [0]
    let file = open(name.map { CChar(bitPattern: $0) }, O_WRONLY | O_CREAT, 0o600)
    close(file)
    let run = try await calgw("sync", "--json")
    #expect(run.output.contains("\"file\":\"caf%E9.ics\",\"fileEncoded\":true"))
  }

  @Test func `colours only where they are wanted`() async throws {
    let calgw = try twoFolders()
    #expect(try await !calgw("sync").output.contains("\u{1B}"))
    #expect(try await calgw("sync", "--color", "always").output.contains("\u{1B}[1m"))
    #expect(try await !calgw("sync", "--color", "never").output.contains("\u{1B}"))
  }

  @Test func `results that cannot be printed are status 74, and the work is done`() async throws {
    let calgw = try twoFolders()
    let run = try await calgw("sync", to: "/dev/full")
    #expect(run.status == 74)
    #expect(run.errors.contains("standard output"))
    #expect(calgw.exists("there/work"))
  }

  @Test(arguments: ["--help", "help", "--version"])
  func `so is help that cannot be printed`(word: String) async throws {
    let calgw = try CommandLine()
    let run = try await calgw(word, to: "/dev/full")
    #expect(run.status == 74)
    #expect(run.errors.contains("standard output"), "\(run.errors)")
    let shown = try await calgw(word)
    #expect(shown.status == 0 && shown.output.contains("calgw"), "\(shown.output)")
  }

  @Test func `what a run did before it failed is said`() async throws {
    let uploads = Mutex(0)
    let world = try FolderAndCalendar { request, steps in
      let count = uploads.withLock { count in
        if request.method == "PUT" { count += 1 }
        return count
      }
      return count > 1 ? [.answer(401)] : steps
    }
    try world.calgw.configure(server: world.server.url, account: "max_connections = 1")
    for (uid, title) in [("a", "Dentist"), ("b", "Choir")] {
      try world.write("\(uid).ics", event(uid, title))
    }
    let run = try await world.calgw("sync")
    #expect(run.status == 77, "\(run.errors)")
    #expect(run.output == "p/work: up: 1 new; not finished\n")
  }

  @Test func `a reader that goes away is no failure`() async throws {
    let calgw = try twoFolders()
    let line = "'\(Checkout.calgw)' sync --json --verbose | true; echo ${PIPESTATUS[0]}"
    let program = try RunningProgram(
      ["/bin/bash", "-c", line],
      environment: [
        "HOME": calgw.home, "XDG_CONFIG_HOME": calgw.home + "/config", "PATH": "/usr/bin:/bin",
      ], directory: calgw.home)
    let text = await onOwnThread { program.finish().output }
    #expect(text == "0\n")
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func `a signal ends the run with its status`(signal: Int32, status: Int32) async throws {
    let calgw = try twoFolders()
    // Waits for a password until it is told to stop.
    try calgw.configure(
      """
      [account.slow]
      url = "http://127.0.0.1:1/"
      username = "alice"
      password = { command = ["sh", "-c", "echo > ~/asked; exec tail -f /dev/null"] }
      [pair.slow]
      local = "~/x"
      remote = "slow"
      """)
    let pipe = calgw.home + "/asked"
    mkfifo(pipe, 0o600)
    let program = try calgw.start(["sync"])
    // All of it in one go: the password command may take a minute, and no longer where the machine
    // has much else to do.
    let run = await onOwnThread { () -> CommandLine.Run in
      // Opens when the password command opens its end, which must not close before that has
      // written.
      let asked = open(pipe, O_RDONLY | O_CLOEXEC)
      precondition(asked >= 0)
      var byte: UInt8 = 0
      while read(asked, &byte, 1) > 0 {}
      close(asked)
      program.send(signal)
      return program.finish()
    }
    #expect(run.status == status, "\(run.errors)")
  }
}
