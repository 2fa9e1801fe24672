import Glibc
import TestSupport
import Testing

/// What `calgw init` says to the address that it is given, and of a server that wants no password.
@Suite struct InitAddressTests {
  @Test(arguments: [
    ("dav.example.org", "do:    if it is the server, give https://dav.example.org\n"),
    ("alice@", "nothing stands after the @"), ("a b@example.org", "is no e-mail address"),
    ("http://dav.example.org/", "give https://dav.example.org/;"),
  ])
  func `an address that is none is status 64, and about the address`(
    address: String, words: String
  ) async throws {
    let calgw = try CommandLine()
    for arguments in [["init", address], ["init", "--url", address]] {
      let run = try await calgw.run(arguments + ["--local", "x"])
      #expect(run.status == 64)
      #expect(run.errors.hasPrefix("error: \"\(address)\" "), "\(run.errors)")
      #expect(run.errors.contains(words), "\(run.errors)")
      #expect(!run.errors.contains("config.toml"))
      #expect(!calgw.exists("config"))
    }
  }

  @Test func `who gives no password is told that one is needed, and of whom`() async throws {
    let calgw = try CommandLine()
    let run = try await calgw("init", "alice@example.org", "--local", "x")
    #expect(run.status == 64)
    #expect(
      run.errors.hasPrefix("error: the password of alice@example.org is needed\n"),
      "\(run.errors)")
    #expect(run.errors.contains("--password-command"), "\(run.errors)")
    #expect(!run.errors.contains("--username"), "\(run.errors)")
  }

  @Test func `who is with Google is told of OAuth before a password is asked for`() async throws {
    let calgw = try CommandLine()
    for options in [[], ["--password-command", "touch asked"]] {
      let run = try await calgw.run(["init", "carol@gmail.com", "--local", "x"] + options)
      #expect(run.status == 77)
      #expect(run.errors.hasPrefix("error: Google takes no password"), "\(run.errors)")
      #expect(run.errors.contains("docs/sign-in.md"), "\(run.errors)")
      #expect(!calgw.exists("asked") && !calgw.exists("config"))
    }
  }

  @Test func `a server that wants a login is told with the options that give one`() async throws {
    let server = try ScriptedServer { _ in
      [.answer(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""])]
    }
    let run = try await CommandLine().run(["init", "--url", server.url, "--local", "x"])
    #expect(run.status == 77)
    #expect(run.errors.contains("give --username and --password-command"), "\(run.errors)")
  }

  @Test(
    .enabled(if: access("/dev/ptmx", R_OK | W_OK) == 0), .timeLimit(.minutes(20)),
    arguments: ["y", "n"])
  func `without a password there is no talk of one where another server is asked about`(
    answer: String
  ) async throws {
    let model = ModelServer(surroundings: ModelClock().surroundings)
    model.makeCalendar("work", displayName: "Work")
    let second = try ScriptedServer { model.steps(for: $0) }
    let principal = principalText(homes: [second.url + "calendars/alice/"])
    let first = try ScriptedServer { _ in
      [.answer(207, headers: ["Content-Type": "application/xml"], body: principal)]
    }
    let run = try await CommandLine().onTerminal(
      ["init", "--url", first.url, "--local", "~/calendars"],
      answers: [
        ("Your user name there (empty: none is asked for): ", ""),
        ("for the calendars. May it be asked? [y/N] ", answer),
      ])
    #expect(run.status == (answer == "y" ? 0 : 77), "\(run.screen)")
    #expect(!run.screen.contains("password"), "\(run.screen)")
  }

  /// In the configuration a relative path counts from there.
  @Test(arguments: [["--password-command", "./secret please"], ["--password-file", "key"]])
  func `a relative path is taken from where it was typed`(password: [String]) async throws {
    let model = ModelServer(surroundings: ModelClock().surroundings)
    model.makeCalendar("work", displayName: "Work")
    let server = try ScriptedServer { model.steps(for: $0) }
    let calgw = try CommandLine()
    try calgw.write("key", "please\n")
    // A program that was just written may be busy still.
    #expect(symlink("/bin/echo", calgw.home + "/secret") == 0)
    let login = ["--username", "alice"] + password
    let run = try await calgw.run(["init", "--url", server.url, "--local", "calendars"] + login)
    #expect(run.status == 0, "\(run.errors)")
    let again = try await calgw.run(
      ["discover"], within: ["sh", "-c", "cd / && exec \"$@\"", "sh"])
    #expect(again.status == 0 && again.output.contains("Work"), "\(again.errors)")
  }
}
