import Foundation
import TestSupport
import Testing

/// `doctor` before servers with certificates of all kinds.
@Suite(.serialized, .enabled(if: TestCertificates.canBeMade)) struct DoctorCertificateTests {
  private let calgw: CommandLine
  private let certificates: TestCertificates

  init() throws {
    calgw = try CommandLine()
    certificates = try TestCertificates()
  }

  /// What is found about the certificate of a server, and what comes of the rest.
  private func certificate(
    _ identity: TestCertificates.Identity, _ keys: String, showing chain: String? = nil
  ) async throws -> (result: String, message: String, hint: String, status: Int32) {
    let server = try TLSServer(
      identity, arguments: ["-www"] + (chain.map { ["-cert_chain", $0] } ?? []))
    try calgw.configure(
      """
      [account.home]
      url = "https://localhost:\(server.port)/"
      timeout = "4s"
      \(keys)
      """)
    let run = try await calgw("doctor", "--json")
    for text in run.output.split(separator: "\n") {
      let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      guard object?["step"] as? String == "certificate" else { continue }
      return (
        object?["result"] as? String ?? "", object?["message"] as? String ?? "",
        object?["hint"] as? String ?? "", run.status
      )
    }
    Issue.record("no finding: \(run.output) \(run.errors)")
    return ("", "", "", run.status)
  }

  private var trusted: String { "ca_file = \"\(certificates.authority)\"" }

  @Test func `one that runs out within two weeks is told with its days`() async throws {
    let found = try await certificate(certificates.valid, trusted)
    #expect(found.result == "warning")
    #expect(found.message.contains("(1 day)") || found.message.contains("(2 days)"))
    #expect(found.message.contains("issued by CN=authority"))
    #expect(found.status == 69, "the server itself answers no question of DAV")
  }

  @Test func `one whose authority runs out within two weeks is told with that one's name`()
    async throws
  {
    let found = try await certificate(
      certificates.underIntermediate, trusted, showing: certificates.intermediate)
    #expect(found.result == "warning", "\(found.message)")
    #expect(found.message.contains("(399 days)") || found.message.contains("(400 days)"))
    #expect(found.message.contains("but CN=intermediate, which stands for it"))
    #expect(found.hint.contains("renew the chain"))
  }

  @Test func `one that is over is 69, with the mend`() async throws {
    let found = try await certificate(certificates.expired, trusted)
    #expect(found.result == "failed" && found.status == 69)
    #expect(found.message.contains("expired"))
    #expect(found.hint.contains("renew"))
  }

  @Test func `one of another host is 69, with the mend`() async throws {
    let found = try await certificate(certificates.wrongHost, trusted)
    #expect(found.result == "failed" && found.status == 69)
    #expect(
      found.hint.hasSuffix("the certificate is for: calendar.example"),
      "\(found.message) \(found.hint)")
  }

  @Test func `one of an unknown authority is 69, with the mend`() async throws {
    let found = try await certificate(certificates.valid, "")
    #expect(found.result == "failed" && found.status == 69)
    #expect(found.hint.contains("ca_file"), "\(found.message) \(found.hint)")
  }

  @Test func `a key that is pinned is named, and another one is 69`() async throws {
    func digits(_ bytes: [UInt8]) -> String {
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    let key = digits(try certificates.valid.publicKeyDigest())
    let pinned = try await certificate(
      certificates.valid, trusted + "\npin_sha256 = \"\(key)\"")
    #expect(pinned.message.contains("its key is the pinned one"))
    let other = digits([UInt8](repeating: 7, count: 32))
    let found = try await certificate(
      certificates.valid, trusted + "\npin_sha256 = \"\(other)\"")
    #expect(found.result == "failed" && found.status == 69)
    #expect(found.message.contains(key), "the new pin is named")
  }
}
