import Foundation
import TestSupport
import Testing

/// A server, or a proxy before it, that sends back what it was sent.
@Suite struct EchoTests {
  private static let password = "canary pw"

  /// What came in a request's header, as it is and decoded.
  private static func login(_ request: ReceivedRequest) -> String {
    let value = request.header("Authorization") ?? ""
    let blob = value.split(separator: " ").last.map(String.init) ?? ""
    let pair = Data(base64Encoded: blob).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return "you sent \(value) which is \(pair)"
  }

  private func program(_ answer: @escaping ScriptedServer.Answer) throws -> (
    server: ScriptedServer, calgw: CommandLine
  ) {
    let server = try ScriptedServer(answer)
    let calgw = try CommandLine()
    try calgw.configure(
      server: server.url, account: "username = \"alice\"\npassword = { env = \"SECRET\" }")
    return (server, calgw)
  }

  /// Neither the password nor what Basic makes of it.
  private func isSilent(_ run: CommandLine.Run) -> Bool {
    let said = (run.output + run.errors).lowercased()
    // "alice:" in Base64, in lower case.
    return !said.contains("canary") && !said.contains("ywxpy2u6")
  }

  @Test(arguments: [["sync"], ["sync", "--json"], ["discover"], ["doctor"]])
  func `what a server sends back of a sign-in is not printed`(arguments: [String]) async throws {
    let (server, calgw) = try program { request in
      [.answer(500, headers: ["Content-Type": "text/plain"], body: Self.login(request))]
    }
    let running = try calgw.start(
      arguments + ["--verbose"], environment: ["SECRET": Self.password])
    let run = await onOwnThread { running.finish() }
    #expect(isSilent(run), "\(run.output) \(run.errors)")
    #expect((run.output + run.errors).contains("you sent Basic [secret]"))
    #expect(server.requests.contains { $0.header("Authorization") != nil })
    #expect(!calgw.holds("canary"))
  }

  @Test(arguments: [400, 403])
  func `what a server sends back of a write is in no report and no journal`(
    status: Int
  ) async throws {
    let model = ModelServer(surroundings: ModelClock().surroundings)
    model.makeCalendar("work", displayName: "Work")
    let (server, calgw) = try program { request in
      request.method == "PUT"
        ? [.answer(status, headers: ["Content-Type": "text/plain"], body: Self.login(request))]
        : model.steps(for: request)
    }
    try calgw.write("calendars/work/a.ics", event("a", "Dentist"))
    for arguments in [["sync", "--verbose"], ["sync", "--json"], ["status", "--offline"]] {
      let running = try calgw.start(arguments, environment: ["SECRET": Self.password])
      let run = await onOwnThread { running.finish() }
      #expect(isSilent(run), "\(run.output) \(run.errors)")
    }
    #expect(server.requests.contains { $0.method == "PUT" })
    #expect(!calgw.holds("canary") && !calgw.holds("YWxpY2U6"))
    #expect(calgw.holds("you sent Basic [secret]"))
  }
}
