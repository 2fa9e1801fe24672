import TestSupport
import Testing

/// What the program says to arguments and configurations, right or wrong.
@Suite struct UsageTests {
  static let commands = [
    "sync", "pull", "push", "status", "diff", "resolve", "log", "restore", "init", "discover",
    "doctor", "forget", "list", "expand", "check", "show", "new", "edit", "delete", "move",
    "import",
  ]
  static let commonOptions = [
    "--config", "--json", "--quiet", "--verbose", "--color", "--no-progress", "--version", "--help",
  ]

  @Test func `alone it prints its help`() async throws {
    let calgw = try CommandLine()
    let run = try await calgw()
    #expect(run.status == 0)
    for command in Self.commands { #expect(run.output.contains("  \(command) ")) }
    #expect(run.errors.isEmpty)
  }

  @Test(arguments: commands)
  func `every command has help with the common options`(command: String) async throws {
    let calgw = try CommandLine()
    let run = try await calgw(command, "--help")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    for option in Self.commonOptions { #expect(run.output.contains(option), "\(option)") }
  }

  @Test(arguments: [["--version"], ["sync", "--version"]])
  func `the version`(arguments: [String]) async throws {
    let calgw = try CommandLine()
    let run = await onOwnThread { try? calgw.start(arguments).finish() }
    #expect(run?.status == 0)
    #expect(run?.output.wholeMatch(of: /calgw [0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
  }

  @Test(arguments: [
    "bogus", "sync --bogus", "sync --conflict newset", "sync --wait 5", "sync --local x",
    "sync --remote https://example.org/", "sync --username alice", "sync -q -v", "restore",
    "forget", "sync --color sometimes", "sync p --local a --remote https://example.org/",
    "sync --local a --remote https://e.org/ --password-env A --password-command b",
    "sync --local a --remote example.org", "sync --local a --remote http://example.org/",
    "init", "init --url example.org --local x", "log a b", "discover a b",
    "sync --local a --remote https://e.org/ --username alice",
  ])
  func `a usage error is status 64 with a message`(line: String) async throws {
    let calgw = try CommandLine()
    let arguments = line.split(separator: " ").map(String.init)
    let run = await onOwnThread { try? calgw.start(arguments).finish() }
    #expect(run?.status == 64, "\(run?.errors ?? "")")
    #expect(run?.output == "")
    #expect(run?.errors.lowercased().contains("error:") == true)
    #expect(!calgw.exists("state"))
  }

  @Test(arguments: [["p/nix"], ["p/nix", "p"], ["p", "p/nix"], ["p", "p/work", "p/nix"]])
  func `a collection that a pair has not is named whatever else is`(names: [String]) async throws {
    let folders = try TwoFolders()
    try folders.write("one", "dentist", at: 10, "Dentist")
    #expect(try await folders.calgw("sync").status == 0)
    for command in ["sync", "status", "forget"] {
      let run = try await folders.calgw.run([command] + names)
      #expect(run.status == 64, "\(command): \(run.errors)")
      #expect(run.errors.contains("no collection \"nix\""), "\(run.errors)")
    }
    let whole = try await folders.calgw("sync", "p/work", "p")
    #expect(whole.status == 0, "\(whole.errors)")
  }

  @Test func `help for a command that there is not is an error`() async throws {
    let calgw = try CommandLine()
    let help = try await calgw("help", "snyc")
    #expect(help.status == 64 && help.output.isEmpty, "\(help.output)")
    #expect(help.errors.contains("There is no command \"snyc\""), "\(help.errors)")
    #expect(help.errors == (try await calgw("snyc").errors))
    for known in [["help"], ["help", "sync"], ["help", "--help"]] {
      #expect(try await calgw.run(known).status == 0, "\(known)")
    }
  }

  @Test(arguments: [
    (["--\u{202E}x"], "--\\u{202E}x"), (["sync", "--\u{1B}[31m"], "--\\u{1B}[31m"),
    (["log", "a", "b\u{200B}\nError: c"], "b\\u{200B}\\u{A}Error: c"),
    (["sync", "--color", "a\u{202E}"], "a\\u{202E}"),
  ])
  func `what a terminal would obey is a visible escape in a usage error`(
    arguments: [String], shown: String
  ) async throws {
    let run = try await CommandLine().run(arguments)
    #expect(run.status == 64)
    #expect(run.errors.contains(shown), "\(run.errors)")
    #expect(run.errors.utf8.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x0A }, "\(run.errors)")
  }

  @Test func `no configuration is status 78 with the mend`() async throws {
    let calgw = try CommandLine()
    for command in ["sync", "status", "log", "discover"] {
      let run = try await calgw(command)
      #expect(run.status == 78)
      #expect(run.output.isEmpty)
      #expect(run.errors.contains("calgw init"))
      #expect(run.errors.contains(calgw.home + "/config/calgw/config.toml"))
    }
  }

  @Test func `an unknown key is status 78 with file, line, key and the mend`() async throws {
    let calgw = try CommandLine()
    try calgw.configure("[pair.a]\nlocal = \"x\"\nremote = { local = \"y\" }\ncolections = []\n")
    let run = try await calgw("sync")
    #expect(run.status == 78)
    #expect(run.errors.contains("unknown key"))
    #expect(run.errors.contains("config.toml:4:1, key pair.a.colections"))
    #expect(run.errors.contains("did you mean \"collections\"?"))
    #expect(!calgw.exists("state"))
  }

  @Test func `an unknown pair, account or collection is status 64 with what was meant`()
    async throws
  {
    let calgw = try CommandLine()
    try calgw.configure("[pair.personal]\nlocal = \"x\"\nremote = { local = \"y\" }\n")
    for command in ["sync", "push", "pull", "status", "forget"] {
      let run = try await calgw(command, "persnal")
      #expect(run.status == 64)
      #expect(run.errors.contains("did you mean \"personal\"?"))
    }
    #expect(try await calgw("discover", "home").status == 64)
    #expect(try await calgw("forget", "personal/work").status == 64)
    #expect(try await calgw("restore", "nothing").status == 64)
  }

  @Test func `push on a pair that only pulls is status 64, and the reverse`() async throws {
    let calgw = try CommandLine()
    try calgw.configure(
      """
      [pair.down]
      local = "a"
      remote = { local = "b" }
      direction = "pull"
      [pair.up]
      local = "c"
      remote = { local = "d" }
      direction = "push"
      """)
    let push = try await calgw("push", "down")
    #expect(push.status == 64)
    #expect(push.errors.contains("calgw pull down"))
    #expect(try await calgw("pull", "up").status == 64)
    #expect(!calgw.exists("a"))
  }

  @Test func `a configuration named by option, variable or place`() async throws {
    let calgw = try CommandLine()
    try calgw.write("one.toml", "[pair.one]\nlocal = \"a\"\nremote = { local = \"b\" }\n")
    try calgw.write("two.toml", "[pair.two]\nlocal = \"a\"\nremote = { local = \"b\" }\n")
    try calgw.configure("[pair.three]\nlocal = \"a\"\nremote = { local = \"b\" }\n")
    let variable = ["CALGW_CONFIG": calgw.home + "/two.toml"]
    let named = try await calgw("status", "xyz", "--config", "one.toml", environment: variable)
    #expect(named.errors.contains("pairs: one"))
    #expect(try await calgw("status", "xyz", environment: variable).errors.contains("pairs: two"))
    #expect(try await calgw("status", "xyz").errors.contains("pairs: three"))
  }

  @Test func `an item without a history is no error, one that nobody knows is status 66`()
    async throws
  {
    let calgw = try CommandLine()
    try calgw.configure("[pair.copy]\nlocal = \"~/here\"\nremote = { local = \"~/there\" }\n")
    try calgw.write("here/work/a.ics", event("a", "Dentist"))
    #expect(try await calgw("sync").status == 0)
    let known = try await calgw("log", "a")
    #expect(known.status == 0)
    #expect(known.output.isEmpty)
    let unknown = try await calgw("log", "b")
    #expect(unknown.status == 66)
    #expect(unknown.errors.contains("\"b\""))
    #expect(try await calgw("restore", "copy/1").status == 66)
  }

  @Test func `init never touches what is there`() async throws {
    let calgw = try CommandLine()
    try calgw.configure("# mine\n")
    let run = try await calgw("init", "--url", "https://e.org/", "--local", "~/c")
    #expect(run.status == 73)
    #expect(run.errors.contains("config.toml"))
  }

  @Test func `every command and every option is in the manual`() async throws {
    let manual = try Project.text("docs/cli.md")
    let calgw = try CommandLine()
    for command in Self.commands {
      #expect(manual.contains("calgw \(command)"), "\(command)")
      let help = try await calgw(command, "--help").output
      for option in help.matches(of: /--[a-z-]+/).map({ String($0.output) }) {
        #expect(manual.contains(option), "\(command) \(option)")
      }
    }
  }
}
