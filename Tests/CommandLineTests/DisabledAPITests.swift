import TestSupport
import Testing

/// Google, where nobody has enabled the CalDAV API for the client: its words have the address that
/// does it, behind more than 200 characters.
@Suite struct DisabledAPITests {
  private static let address =
    "https://console.developers.google.com/apis/api/caldav.googleapis.com/overview?"
    + "project=123456789012"

  private static let words =
    "CalDAV API has not been used in project 123456789012 before or it is disabled. Enable it by "
    + "visiting \(address) then retry. If you enabled this API recently, wait a few minutes for "
    + "the action to propagate to our systems and retry."

  /// - Parameter words: what the message says.
  private func run(_ command: String, _ words: String) async throws -> CommandLine.Run {
    let body = """
      {"error": {"code": 403, "message": "\(words)", "errors": [{"message": "\(words)",
      "domain": "usageLimits", "reason": "accessNotConfigured"}], "status": "PERMISSION_DENIED"}}
      """
    let server = try ScriptedServer { _ in
      [.answer(403, headers: ["Content-Type": "application/json"], body: body)]
    }
    let calgw = try CommandLine()
    try calgw.configure(server: server.url)
    return try await calgw(command)
  }

  @Test(arguments: ["sync", "discover", "doctor"])
  func `Google's words are shown to their end, with what to do`(command: String) async throws {
    let run = try await run(command, Self.words)
    #expect(run.status == 77, "\(run.output) \(run.errors)")
    let said = run.output + run.errors
    #expect(said.contains("why:   the server answered 403 (\(Self.words))\n"), "\(said)")
    #expect(
      said.contains(
        "do:    open the address that Google names, enable the CalDAV API there, and try again some"
          + " minutes later\n"), "\(said)")
  }

  @Test func `words without an end have one on the terminal`() async throws {
    let run = try await run("sync", String(repeating: "x", count: 5000))
    #expect(run.status == 77)
    let line = run.errors.split(separator: "\n").first { $0.contains("why:   ") } ?? ""
    #expect(line.hasSuffix("x…)"), "\(line)")
    #expect((500..<1000).contains(line.count))
  }
}
