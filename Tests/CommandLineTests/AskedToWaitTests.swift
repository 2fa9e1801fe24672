import TestSupport
import Testing

/// A server that asks to wait, for longer than a run may take or nearly as long.
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

  @Test(arguments: ["sync", "status"])
  func `a run whose time was over after a wait says that it was asked for`(
    command: String
  ) async throws {
    let server = try ScriptedServer { request in
      request.number == 0 ? [.answer(503, headers: ["Retry-After": "1"])] : [.silence]
    }
    let calgw = try CommandLine()
    try calgw.configure(server: server.url, pair: "deadline = \"3s\"")
    let run = try await calgw(command)
    #expect(run.status == 75, "\(run.errors)")
    #expect(run.errors.contains("longer than its deadline"), "\(run.errors)")
    #expect(
      run.errors.contains(
        "the server asked to wait for 1 second (status 503 of \(server.url.dropLast()))"),
      "\(run.errors)")
  }
}
