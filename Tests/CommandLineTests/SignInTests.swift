import Foundation
import Glibc
import TestSupport
import Testing

/// The program before servers that want to know who it is, and the ways there.
@Suite struct SignInTests {
  /// The token of the model server.
  private static let token = "mF_9.B5f-4.1JqM"

  private func model(_ change: (inout ModelSwitches) -> Void = { _ in }) -> ModelServer {
    var switches = ModelSwitches()
    change(&switches)
    let model = ModelServer(switches, surroundings: ModelClock().surroundings)
    model.makeCalendar("work", displayName: "Work")
    return model
  }

  private func account(_ url: String, _ keys: String) throws -> CommandLine {
    let calgw = try CommandLine()
    try calgw.configure("[account.home]\nurl = \"\(url)\"\n\(keys)\n")
    return calgw
  }

  @Test(arguments: [
    (ModelSwitches.Authentication.bearer, "token = { env = \"SECRET\" }", token),
    (.bearer, "auth = \"bearer\"\ntoken = { env = \"SECRET\" }\nusername = \"alice\"", token),
    (.basic, "username = \"alice\"\npassword = { env = \"SECRET\" }", "secret"),
    (.silentBasic, "username = \"alice\"\npassword = { env = \"SECRET\" }", "secret"),
  ])
  func `each way to sign in leads to the calendars`(
    authentication: ModelSwitches.Authentication, keys: String, secret: String
  ) async throws {
    let model = model { $0.authentication = authentication }
    let server = try ScriptedServer { model.steps(for: $0) }
    let run = try await account(server.url, keys)("discover", environment: ["SECRET": secret])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("Work"))
  }

  @Test(arguments: [
    ("token = { env = \"SECRET\" }", "the server refused the token"),
    (
      "username = \"alice\"\npassword = { env = \"SECRET\" }",
      "the server refused the user name or the password"
    ),
  ])
  func `what a server refuses is 77 and shown nowhere`(keys: String, message: String)
    async throws
  {
    let model = model { $0.authentication = keys.contains("token") ? .bearer : .basic }
    let server = try ScriptedServer { model.steps(for: $0) }
    let calgw = try account(
      server.url, keys + "\n[pair.p]\nlocal = \"~/calendars\"\nremote = \"home\"")
    for arguments in [["discover"], ["sync", "--verbose", "--json"], ["sync", "--verbose"]] {
      let program = try calgw.start(arguments, environment: ["SECRET": "canary-51c3"])
      let run = await onOwnThread { program.finish() }
      #expect(run.status == 77)
      #expect((run.output + run.errors).contains(message))
      #expect(!(run.output + run.errors).contains("canary"))
    }
    #expect(!calgw.holds("canary-51c3"))
  }

  @Test func `a Unix socket leads to a server, without encryption and without a proxy`()
    async throws
  {
    let calgw = try CommandLine()
    let model = model()
    let server = try ScriptedServer(unixSocket: calgw.home + "/dav.sock") { model.steps(for: $0) }
    try calgw.configure(
      """
      [account.home]
      url = "http://radicale/"
      proxy = "unix:~/dav.sock"
      [pair.p]
      local = "~/calendars"
      remote = "home"
      """)
    try calgw.write("calendars/work/a.ics", event("a", "Dentist"))
    let run = try await calgw("sync", environment: ["http_proxy": "http://127.0.0.1:1"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(model.names(in: "/calendars/alice/work/").count == 1)
    #expect(server.requests.allSatisfy { $0.header("Host") == "radicale" })
  }

  @Test func `the environment's proxy is asked for other machines, and never for this one`()
    async throws
  {
    let proxy = try ScriptedServer { _ in [.answer(404)] }
    let environment = [
      "http_proxy": "http://127.0.0.1:\(proxy.port)", "no_proxy": "", "NO_PROXY": "",
    ]
    let model = model()
    let server = try ScriptedServer { model.steps(for: $0) }
    let near = try await account(server.url, "")("discover", environment: environment)
    #expect(near.status == 0, "\(near.errors)")
    #expect(proxy.requests.isEmpty)
    let far = try account("http://dav.example.org/", "allow_http = true")
    _ = try await far("discover", environment: environment)
    #expect(proxy.requests.first?.target == "http://dav.example.org/")
  }

  @Test func `a proxy's login is a secret of its own, and its refusal has its own words`()
    async throws
  {
    let proxy = try ScriptedServer { _ in [.answer(407)] }
    let calgw = try account(
      "http://dav.example.org/",
      """
      allow_http = true
      username = "alice"
      password = { env = "SECRET" }
      proxy = { file = "~/proxy" }
      """)
    try calgw.write("proxy", "http://bob:canary-proxy@127.0.0.1:\(proxy.port)\n")
    let run = try await calgw(
      "discover", "--verbose", environment: ["SECRET": "canary-51c3"])
    #expect(run.status == 77)
    #expect(run.errors.contains("the proxy on the way to http://dav.example.org wants"))
    #expect(!run.errors.contains("canary"))
    // "bob:canary-proxy" in Base64.
    #expect(
      proxy.requests.first?.header("Proxy-Authorization") == "Basic Ym9iOmNhbmFyeS1wcm94eQ==")
  }

  @Test(arguments: [301, 302, 307, 308])
  func `a redirect to another server takes no secret along`(status: Int) async throws {
    let model = model { $0.authentication = .bearer }
    let other = try ScriptedServer { model.steps(for: $0) }
    let location = other.url
    let server = try ScriptedServer { _ in [.answer(status, headers: ["Location": location])] }
    let calgw = try account(server.url, "token = { env = \"SECRET\" }")
    let run = try await calgw("discover", environment: ["SECRET": Self.token])
    #expect(run.status == 77)
    #expect(run.errors.contains("set url to \(other.url), or add this line to the account:"))
    #expect(run.errors.contains("trusted_hosts = [\"127.0.0.1:\(other.port)\"]"))
    #expect(!other.requests.isEmpty)
    #expect(other.requests.allSatisfy { $0.header("Authorization") == nil })
    #expect(server.requests.first?.header("Authorization") == "Bearer \(Self.token)")
  }
}

extension CommandLine {
  /// Some file below the home directory holds the text.
  func holds(_ text: String) -> Bool {
    let files = FileManager.default.enumerator(atPath: home)
    while let name = files?.nextObject() as? String {
      let data = FileManager.default.contents(atPath: home + "/" + name) ?? Data()
      if data.range(of: Data(text.utf8)) != nil { return true }
    }
    return false
  }
}
