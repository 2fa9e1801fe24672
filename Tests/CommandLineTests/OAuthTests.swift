import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// The program, an authorization server, and a calendar server that takes its tokens.
@Suite(.timeLimit(.minutes(20))) struct OAuthTests {
  /// `script` gives a program a terminal.
  static let hasTerminal = access("/usr/bin/script", X_OK) == 0

  private struct World {
    let oauth: OAuthServer
    let calendars: ScriptedServer
    let calgw: CommandLine
    var file: String { calgw.home + "/state/calgw/tokens/home.json" }

    init(_ rules: OAuthServer.Rules = .init()) throws {
      let oauth = try OAuthServer(rules)
      let model = ModelServer(surroundings: ModelClock().surroundings)
      model.makeCalendar("work", displayName: "Work")
      calendars = try ScriptedServer { request in
        guard oauth.accepts(request) else {
          return [.answer(401, headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""])]
        }
        return model.steps(for: request)
      }
      self.oauth = oauth
      calgw = try CommandLine()
      try calgw.configure(
        """
        [account.home]
        url = "\(calendars.url)"
        auth = "oauth2"
        [account.home.oauth2]
        client_id = "\(OAuthServer.clientID)"
        authorize_url = "\(oauth.authorizeURL)"
        token_url = "\(oauth.tokenURL)"
        scope = "\(OAuthServer.scope)"
        [pair.p]
        local = "~/calendars"
        remote = "home"
        """)
    }

    /// Runs `discover` on a terminal, with a person who allows what is asked.
    func signIn() async throws -> CommandLine.Run {
      let oauth = oauth
      return try await calgw.onTerminal("discover home --verbose") { line in
        guard let address = line.split(separator: " ").first(where: { $0.contains("?") }),
          let redirect = oauth.allow(String(address))
        else { return }
        _ = try? browse(redirect)
      }
    }
  }

  @Test(.enabled(if: hasTerminal))
  func `who signs in once on a terminal is signed in everywhere`() async throws {
    let world = try World()
    let first = try await world.signIn()
    #expect(first.status == 0, "\(first.output)")
    #expect(first.output.contains("Work"))
    #expect(!first.output.contains("canary"))
    var status = stat()
    #expect(stat(world.file, &status) == 0 && status.st_mode & 0o777 == 0o600)
    try world.calgw.write("calendars/work/a.ics", event("a", "Dentist"))
    world.oauth.expireAccess()
    let second = try await world.calgw("sync", "--verbose")
    #expect(second.status == 0, "\(second.errors)")
    #expect(!(second.output + second.errors).contains("canary"))
    #expect(world.oauth.grants == ["authorization_code", "refresh_token"])
    let doctor = try await world.calgw("doctor", "home")
    #expect(doctor.output.contains("ok      secret: the tokens of an earlier sign-in are used"))
    try FileManager.default.removeItem(atPath: world.file)
    #expect(!world.calgw.holds("canary"))
  }

  @Test func `without a terminal and without tokens it is 77, with the mend`() async throws {
    let run = try await World().calgw("sync")
    #expect(run.status == 77)
    #expect(run.errors.contains("run `calgw discover home` on a terminal"))
  }

  @Test func `doctor says that nobody has signed in yet, and asks nobody`() async throws {
    let world = try World()
    let run = try await world.calgw("doctor", "home")
    #expect(run.status == 77, "\(run.output)")
    #expect(run.output.contains("failed  secret: nobody has signed in to the account yet"))
    #expect(run.output.contains("run `calgw discover home` on a terminal"))
    #expect(!run.output.contains("earlier sign-in"))
  }

  @Test(.enabled(if: hasTerminal))
  func `an authorization server that asks for more time than there is is 75, with the time`()
    async throws
  {
    let world = try World()
    #expect(try await world.signIn().status == 0)
    world.oauth.expireAccess()
    world.oauth.change {
      $0.troubles = Array(
        repeating: [.answer(429, headers: ["Retry-After": "5400"])], count: 10)
    }
    let run = try await world.calgw("sync")
    #expect(run.status == 75, "\(run.errors)")
    #expect(run.errors.contains("the authorization server asks to wait"), "\(run.errors)")
    #expect(run.errors.contains("do:    try again in 90 minutes, at "), "\(run.errors)")

    world.oauth.change { $0.troubles = [[.answer(429, headers: ["Retry-After": "0"])]] }
    let second = try await world.calgw("sync")
    #expect(second.status == 0, "\(second.errors)")
    #expect(world.oauth.grants == ["authorization_code", "refresh_token"])
  }

  @Test(.enabled(if: hasTerminal))
  func `a sign-in that was taken back is 77, and the local files stay`() async throws {
    let world = try World()
    #expect(try await world.signIn().status == 0)
    try world.calgw.write("calendars/work/a.ics", event("a", "Dentist"))
    #expect(try await world.calgw("sync").status == 0)
    world.oauth.revokeAll()
    let run = try await world.calgw("sync", "--verbose")
    #expect(run.status == 77)
    #expect(run.errors.contains("run `calgw discover home` on a terminal"))
    #expect(!run.errors.contains("canary"))
    #expect(world.calgw.exists("calendars/work/a.ics"))
  }
}

extension CommandLine {
  /// Runs a command on a terminal of its own and calls `act` for each line that it prints.
  func onTerminal(
    _ command: String, _ act: @escaping @Sendable (String) -> Void
  ) async throws -> Run {
    // Held open: the end of its input would be the end of the terminal's.
    let input = try ProgramStream()
    let output = try ProgramStream()
    let process = try ChildProcess(
      ["/usr/bin/script", "-qec", "\(Checkout.calgw) \(command)", "/dev/null"],
      environment: [
        "HOME": home, "XDG_CONFIG_HOME": home + "/config", "XDG_STATE_HOME": home + "/state",
        "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "dumb", "SHELL": "/bin/sh",
      ], directory: home, input: input.writing, output: output.writing, errors: output.writing)
    output.closeWriting()
    let text = await onOwnThread { () -> String in
      var all = ""
      var line = ""
      while let byte = output.readSome(upTo: 1).first {
        all.unicodeScalars.append(Unicode.Scalar(byte))
        if byte != 0x0A && byte != 0x0D {
          line.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
          if !line.isEmpty { act(line) }
          line = ""
        }
      }
      return all
    }
    let status = await onOwnThread { process.wait() }
    input.closeWriting()
    return Run(status: status, output: text, errors: "")
  }
}
