import Glibc
import TestSupport
import Testing

/// What variables of the environment may change on the way to a server, and what not (PITFALLS
/// E3.21 and E3.24).
@Suite(.timeLimit(.minutes(20))) struct EnvironmentTests {
  private func program(_ url: String, _ keys: String = "") throws -> Program {
    let sandbox = Sandbox()
    try sandbox.write(
      "config/calgw/config.toml",
      "[account.home]\nurl = \"\(url)\"\ntimeout = \"2s\"\n\(keys)\n")
    return Program(sandbox: sandbox)
  }

  @Test(.enabled(if: TestCertificates.canBeMade))
  func `no variable makes a certificate trusted, only ca_file does`() async throws {
    let certificates = try TestCertificates()
    let server = try TLSServer(certificates.valid, arguments: ["-www"])
    let url = "https://localhost:\(server.port)/"
    let untrusted = "the certificate of localhost is not trusted"
    let variables = [
      "CURL_CA_BUNDLE": certificates.authority, "SSL_CERT_FILE": certificates.authority,
      "CURL_INSECURE": "1", "GIT_SSL_NO_VERIFY": "1", "NODE_TLS_REJECT_UNAUTHORIZED": "0",
      "PYTHONHTTPSVERIFY": "0",
    ]
    let run = try await program(url).withstand(
      "discover", endingWith: [69], environment: variables)
    #expect(run.errors.contains(untrusted), "\(run.errors)")
    let trusting = try program(url, "ca_file = \"\(certificates.authority)\"")
    #expect(try await !trusting("discover").errors.contains(untrusted))
  }

  @Test(.enabled(if: TestCertificates.canBeMade))
  func `no variable has the keys of a connection written into a file`() async throws {
    let certificates = try TestCertificates()
    let server = try TLSServer(certificates.valid, arguments: ["-www"])
    let calgw = try program(
      "https://localhost:\(server.port)/", "ca_file = \"\(certificates.authority)\"")
    let file = calgw.sandbox.path + "/keys"
    let run = try await calgw("discover", environment: ["SSLKEYLOGFILE": file])
    // There was a connection: what answers is no calendar server.
    #expect(run.status != 0 && !run.errors.contains("not trusted"), "\(run.errors)")
    #expect(access(file, F_OK) != 0)
  }

  @Test func `the environment's proxy is asked only where the account names no other way`()
    async throws
  {
    let proxy = try ScriptedServer { _ in [.answer(404)] }
    let other = try ScriptedServer { _ in [.answer(404)] }
    let near = try ScriptedServer { _ in [.answer(404)] }
    let address = "http://127.0.0.1:\(proxy.port)"
    let variables = [
      "http_proxy": address, "all_proxy": address, "ALL_PROXY": address, "no_proxy": "",
    ]
    func discover(_ url: String, _ keys: String) async throws {
      // Nobody there, or one who has no calendars.
      _ = try await program(url, keys).withstand(
        "discover", endingWith: [69, 76], environment: variables)
    }
    // For documents (RFC 5737): nobody is there.
    let far = "http://192.0.2.1/"
    try await discover(near.url, "")
    #expect(!near.requests.isEmpty)
    try await discover(far, "allow_http = true\nproxy = \"none\"")
    try await discover(far, "allow_http = true\nproxy = \"http://127.0.0.1:\(other.port)\"")
    #expect(other.requests.first?.target == far)
    try await discover(far, "allow_http = true")
    // Connections are counted in the order in which they came: none came before this one.
    #expect(proxy.requests.first?.target == far && proxy.requests.first?.connection == 0)
  }

  @Test func `the environment leads around no proxy that the account names`() async throws {
    let proxy = try ScriptedServer { _ in [.answer(404)] }
    // For documents (RFC 5737): nobody is there.
    let far = "http://192.0.2.1/"
    let calgw = try program(
      far, "allow_http = true\nproxy = \"http://127.0.0.1:\(proxy.port)\"")
    _ = try await calgw.withstand(
      "discover", endingWith: [76], environment: ["no_proxy": "192.0.2.1", "NO_PROXY": "*"])
    #expect(proxy.requests.first?.target == far)
  }
}
