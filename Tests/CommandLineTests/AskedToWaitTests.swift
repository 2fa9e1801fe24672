import TestSupport
import Testing

/// A server that asks to wait for longer than a run may take.
@Suite struct AskedToWaitTests {
  @Test(arguments: [(429, "3600", "60 minutes"), (503, "172800", "2 days")])
  func `a run says who asked, and for how long`(
    status: Int, seconds: String, words: String
  ) async throws {
    let server = try ScriptedServer { _ in
      [.answer(status, headers: ["Retry-After": seconds])]
    }
    let calgw = try CommandLine()
    try calgw.configure(server: server.url, pair: "deadline = \"1m\"")
    try calgw.write("calendars/work/a.ics", event("a", "Dentist"))
    let run = try await calgw("sync")
    #expect(run.status == 75, "\(run.errors)")
    #expect(
      run.errors.contains("the server asks to wait (status \(status) of \(server.url)"),
      "\(run.errors)")
    #expect(run.errors.contains("try again in \(words)"), "\(run.errors)")
  }
}
