import Foundation
import TestSupport
import Testing

/// `init` with a server of one's own, whose certificate no system trusts.
@Suite(.enabled(if: TestCertificates.canBeMade)) struct InitAuthorityTests {
  @Test func `a server with an authority of its own is named with --ca-file`() async throws {
    let model = ModelServer(surroundings: ModelClock().surroundings)
    model.makeCalendar("work")
    let server = try ScriptedServer { model.steps(for: $0) }
    let certificates = try TestCertificates()
    let guarded = try GuardedTLSServer(
      certificates, version: "TLSv1_3", asksForCertificate: false, before: server)
    let calgw = try CommandLine()
    let words = [
      "init", "--config", calgw.home + "/own.toml", "--local", calgw.home + "/calendars",
      "https://localhost:\(guarded.port)/",
    ]

    let refused = try await calgw.run(words)
    #expect(refused.status == 69)
    #expect(refused.errors.contains("give --ca-file the certificate"), "\(refused.errors)")

    let missing = try await calgw.run(words + ["--ca-file", "none.pem"])
    #expect(missing.status == 66)
    #expect(missing.errors.contains("where: \(calgw.home)/none.pem"), "\(missing.errors)")

    let run = try await calgw.run(words + ["--ca-file", certificates.authority])
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    let goOn = run.errors.split(separator: "\n").last ?? ""
    #expect(goOn.contains("`calgw sync --config \(calgw.home)/own.toml"), "\(run.errors)")
    let written = try String(contentsOfFile: calgw.home + "/own.toml", encoding: .utf8)
    #expect(written.contains("ca_file = \"\(certificates.authority)\""))
    let listed = try await calgw.run(["discover", "--config", calgw.home + "/own.toml"])
    #expect(listed.status == 0 && listed.output.contains("work"))
  }
}
