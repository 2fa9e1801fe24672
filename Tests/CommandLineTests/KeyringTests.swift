import Foundation
import Glibc
import TestSupport
import Testing

/// Passwords and tokens in the desktop's keyring. A script has the place of `secret-tool` and keeps
/// each secret in a file that is called as its attributes.
@Suite(.timeLimit(.minutes(20))) struct KeyringTests {
  private static let tool = """
    #!/bin/sh
    echo "$*" >> ~/calls
    verb=$1
    shift
    case $1 in --label=*) shift ;; esac
    file=~/keyring/$(echo "$*" | tr ' ' -)
    case $verb in
      store) cat > "$file" ;;
      lookup) cat "$file" 2> /dev/null ;;
    esac
    """

  private struct World {
    let calgw: CommandLine

    init(_ configuration: String) throws {
      calgw = try CommandLine()
      try calgw.configure(configuration)
      try calgw.write("keyring/readme", "")
      try install(KeyringTests.tool)
    }

    /// What the program that is called `secret-tool` does from now on.
    func install(_ script: String) throws {
      try calgw.write("script", script)
      try calgw.write("bin/readme", "")
      // By a program of its own: what this one has open for writing, whatever it starts meanwhile
      // has too for a moment, and a file that is open for writing cannot be run.
      let copy = try RunningProgram(
        ["/usr/bin/install", "-m", "700", "script", "bin/secret-tool"], environment: [:],
        directory: calgw.home)
      #expect(copy.finish().status == 0)
    }

    var environment: [String: String] { ["PATH": calgw.home + "/bin:/usr/bin:/bin"] }

    func run(_ arguments: String...) async throws -> CommandLine.Run {
      let program = try calgw.start(arguments, environment: environment)
      return await onOwnThread { program.finish() }
    }

    /// How the program was called so far, each way once.
    func calls() throws -> Set<String> {
      let text = try String(contentsOfFile: calgw.home + "/calls", encoding: .utf8)
      return Set(text.split(separator: "\n").map(String.init))
    }
  }

  @Test func `a password is looked up by service and user`() async throws {
    var switches = ModelSwitches()
    switches.authentication = .basic
    let model = ModelServer(switches, surroundings: ModelClock().surroundings)
    model.makeCalendar("work", displayName: "Work")
    let server = try ScriptedServer { model.steps(for: $0) }
    let world = try World(
      """
      [account.home]
      url = "\(server.url)"
      username = "alice"
      password = { keyring = "dav" }
      """)
    let locked = try await world.run("discover")
    #expect(locked.status == 78)
    let mend = "secret-tool store --label=calgw service dav username alice"
    #expect(locked.errors.contains(mend), "\(locked.errors)")

    try world.calgw.write("keyring/service-dav-username-alice", "secret")
    let run = try await world.run("discover")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("Work"))
    #expect(try world.calls() == ["lookup service dav username alice"])
  }

  private func expectFailure(
    in world: World, of script: String, status: Int32 = 74, says words: String...,
    at place: SourceLocation = #_sourceLocation
  ) async throws {
    try world.install("#!/bin/sh\n\(script)\n")
    let run = try await world.run("sync")
    #expect(run.status == status, "\(run.errors)", sourceLocation: place)
    #expect(words.allSatisfy(run.errors.contains), "\(run.errors)", sourceLocation: place)
    #expect(!run.errors.contains("canary"), sourceLocation: place)
  }

  private static func configuration(
    calendars server: ScriptedServer, _ oauth: OAuthServer
  ) -> String {
    """
    state_dir = "~/other"
    [account.home]
    url = "\(server.url)"
    username = "alice"
    token = { keyring = "calgw" }
    [account.home.oauth2]
    client_id = "\(OAuthServer.clientID)"
    token_url = "\(oauth.tokenURL)"
    scope = "\(OAuthServer.scope)"
    [pair.p]
    local = "~/calendars"
    remote = "home"
    """
  }

  /// The person types a code on another device, so that no browser is needed. (RFC 8628: calgw asks
  /// after five seconds whether that was done.)
  @Test(.enabled(if: access("/dev/ptmx", R_OK | W_OK) == 0))
  func `tokens that the keyring took come back from it, in every later run`() async throws {
    let oauth = try OAuthServer()
    let model = ModelServer(surroundings: ModelClock().surroundings)
    model.makeCalendar("work", displayName: "Work")
    let server = try ScriptedServer { request in
      guard oauth.accepts(request) else {
        return [.answer(401, headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""])]
      }
      return model.steps(for: request)
    }
    let world = try World(Self.configuration(calendars: server, oauth))
    let first = try await world.calgw.onTerminal(
      ["discover", "home"], environment: world.environment)
    #expect(first.status == 0, "\(first.screen)")
    #expect(first.screen.contains("WDJB-MJHT") && first.screen.contains("Work"))
    #expect(!first.screen.contains("canary"))

    try world.calgw.write("calendars/work/a.ics", event("a", "Dentist"))
    let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"
    for renewals in 0..<3 {
      // What is renewed is in the keyring, too: this server takes each refresh token once.
      if renewals > 0 { oauth.expireAccess() }
      let run = try await world.run("sync", "--verbose")
      #expect(run.status == 0, "\(run.errors)")
      #expect(!(run.output + run.errors).contains("canary"))
      let renewed = Array(repeating: "refresh_token", count: renewals)
      #expect(oauth.grants == [deviceGrant] + renewed)
    }
    #expect(model.items(in: "/calendars/alice/work/").count == 1)
    let attributes = "service calgw username alice"
    #expect(
      try world.calls() == ["lookup \(attributes)", "store --label=calgw home \(attributes)"])

    // What keeps two runs apart is one file, whatever their state directories.
    let locks = try FileManager.default.contentsOfDirectory(
      atPath: world.calgw.home + "/state/calgw/tokens")
    #expect(locks.count == 1 && locks[0].hasPrefix("keyring-"), "\(locks)")

    // The server has taken the old ones in exchange: the new ones serve this run.
    oauth.expireAccess()
    try await expectFailure(
      in: world, of: "test $1 = lookup && exec cat ~/keyring/service-*\nexit 3", status: 0,
      says: "signed in for this run alone", "the keyring did not take the tokens", "status 3")
    try await expectFailure(
      in: world, of: "echo 'the collection is locked' >&2\nexit 1",
      says: "the collection is locked",
      "unlock the keyring")
    try FileManager.default.removeItem(atPath: world.calgw.home + "/keyring")
    #expect(!world.calgw.holds("canary"), "the tokens were nowhere else")
  }
}
