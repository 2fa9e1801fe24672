import Foundation
import TestSupport
import Testing

/// Logins that a header cannot hold, and ways that others listen to (PITFALLS E3.19 and E3.20).
@Suite(.timeLimit(.minutes(20))) struct HostileSignInTests {
  private func program(
    _ url: String, username: String = "alice", password: String = "canary-51c3",
    beside neighbour: Neighbour, _ keys: String = ""
  ) throws -> Program {
    let sandbox = Sandbox()
    try sandbox.configureAccount(
      url, username: username, password: password,
      "\(keys)\n[pair.home]\nlocal = \"~/home\"\nremote = \"home\"")
    try neighbour.join(sandbox)
    return Program(sandbox: sandbox)
  }

  /// The user names as TOML spells them. Of a password one line end is the file's.
  @Test(arguments: [
    ("al:ice", "canary-51c3", 78, "user name with a colon"),
    ("alice\\r\\nX-Evil: 1", "canary-51c3", 78, "user name with a control character"),
    ("alice", "canary-51c3\r\nX-Evil: 1", 77, "the user name or the password cannot be sent"),
    ("alice", "canary-51c3\n\n", 77, "the user name or the password cannot be sent"),
  ])
  func `E3.19: a login that would be taken for another one, or for a header, is not sent`(
    username: String, password: String, status: Int32, words: String
  ) async throws {
    let server = try ScriptedServer { _ in
      [.answer(401, headers: ["WWW-Authenticate": "Basic realm=x"])]
    }
    let neighbour = try Neighbour()
    let calgw = try program(
      server.url, username: username, password: password, beside: neighbour)
    let run = try await calgw.withstand("sync", endingWith: [status])
    // A mistake in the configuration (78) is told before any of it is done.
    if status != 78 { neighbour.expectSynced(in: calgw.sandbox) }
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(!(run.output + run.errors).contains("canary"))
    #expect(server.logins.isEmpty)
    #expect(server.requests.allSatisfy { $0.header("X-Evil") == nil })
  }

  @Test(arguments: ["", "\n", "\r\n"])
  func `E3.19: any other login goes out as its bytes`(lineEnd: String) async throws {
    let server = try ScriptedServer { _ in
      [.answer(401, headers: ["WWW-Authenticate": "Basic realm=x"])]
    }
    let (username, password) = ("\u{E4}lice", " canary: \u{1F511} ")
    let neighbour = try Neighbour()
    let calgw = try program(
      server.url, username: username, password: password + lineEnd, beside: neighbour)
    _ = try await calgw.withstand("sync", endingWith: [77])
    neighbour.expectSynced(in: calgw.sandbox)
    let login = Data("\(username):\(password)".utf8).base64EncodedString()
    #expect(server.logins == ["Basic \(login)"])
  }

  @Test func `E3.20: over plain http nobody is asked, and then nobody is shown a password unasked`()
    async throws
  {
    let proxy = try ScriptedServer { _ in [.answer(404)] }
    let variables = ["http_proxy": "http://127.0.0.1:\(proxy.port)", "no_proxy": ""]
    // For documents (RFC 5737): nobody is there.
    let far = "http://192.0.2.1/"
    let neighbour = try Neighbour()
    let refused = try await program(far, beside: neighbour).withstand(
      "sync", endingWith: [78], environment: variables)
    #expect(refused.errors.contains("plain http"), "\(refused.errors)")
    #expect(proxy.requests.isEmpty)

    let calgw = try program(far, beside: neighbour, "allow_http = true")
    _ = try await calgw.withstand("sync", endingWith: [76], environment: variables)
    neighbour.expectSynced(in: calgw.sandbox)
    #expect(proxy.requests.first?.target.hasPrefix(far) == true)
    #expect(proxy.logins.isEmpty)
  }
}
