import Foundation
import TestSupport
import Testing

/// Logins that a header cannot hold, and ways that others listen to (PITFALLS E3.19 and E3.20).
@Suite(.timeLimit(.minutes(20))) struct HostileSignInTests {
  private func program(
    _ url: String, username: String = "alice", password: String = "canary-51c3", _ keys: String = ""
  ) throws -> Program {
    let sandbox = Sandbox()
    try sandbox.configureAccount(url, username: username, password: password, keys)
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
    let run = try await program(server.url, username: username, password: password)("discover")
    #expect(run.status == status, "\(run.errors)")
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(!(run.output + run.errors).contains("canary"))
    #expect(server.requests.allSatisfy { $0.header("Authorization") == nil })
    #expect(server.requests.allSatisfy { $0.header("X-Evil") == nil })
  }

  @Test(arguments: ["", "\n", "\r\n"])
  func `E3.19: any other login goes out as its bytes`(lineEnd: String) async throws {
    let server = try ScriptedServer { _ in
      [.answer(401, headers: ["WWW-Authenticate": "Basic realm=x"])]
    }
    let (username, password) = ("\u{E4}lice", " canary: \u{1F511} ")
    let run = try await program(server.url, username: username, password: password + lineEnd)(
      "discover")
    #expect(run.status == 77, "\(run.errors)")
    let shown = server.requests.compactMap { $0.header("Authorization") }
    let login = Data("\(username):\(password)".utf8).base64EncodedString()
    #expect(Set(shown) == ["Basic \(login)"])
  }

  @Test func `E3.20: over plain http nobody is asked, and then nobody is shown a password unasked`()
    async throws
  {
    let proxy = try ScriptedServer { _ in [.answer(404)] }
    let variables = ["http_proxy": "http://127.0.0.1:\(proxy.port)", "no_proxy": ""]
    // For documents (RFC 5737): nobody is there.
    let far = "http://192.0.2.1/"
    let refused = try await program(far)("discover", environment: variables)
    #expect(refused.status == 78)
    #expect(refused.errors.contains("plain http"), "\(refused.errors)")
    #expect(proxy.requests.isEmpty)

    _ = try await program(far, "allow_http = true")("discover", environment: variables)
    #expect(proxy.requests.first?.target.hasPrefix(far) == true)
    #expect(proxy.requests.allSatisfy { $0.header("Authorization") == nil })
  }
}
