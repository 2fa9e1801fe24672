import Foundation
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

  /// Listing the calendars is answered, and the report of what changed is not.
  @Test(arguments: [["sync"], ["sync", "--json"], ["status"], ["doctor"]])
  func `an answer to a report says from which time of day on to come again`(
    arguments: [String]
  ) async throws {
    let model = ModelServer(surroundings: ModelClock().surroundings)
    model.makeCalendar("work")
    let server = try ScriptedServer { request in
      request.method == "REPORT"
        ? [.answer(429, headers: ["Retry-After": "172800"])] : model.steps(for: request)
    }
    let calgw = try CommandLine()
    try calgw.configure(server: server.url, pair: "deadline = \"1m\"")
    try calgw.write("calendars/work/a.ics", event("a", "Dentist"))
    let before = Date(timeIntervalSinceNow: 172_800)
    let zone = "Asia/Tokyo"
    let program = try calgw.start(arguments, environment: ["TZ": zone])
    let run = await onOwnThread { program.finish() }
    let after = Date(timeIntervalSinceNow: 172_860)
    #expect(run.status == 75, "\(run.output) \(run.errors)")
    let text = run.output + run.errors
    let form = /try again in 2 days, at (\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d) or later/
    let hint = try #require(text.firstMatch(of: form), "\(text)").output
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    let time = try #require(
      calendar.date(
        from: DateComponents(
          year: Int(hint.1), month: Int(hint.2), day: Int(hint.3), hour: Int(hint.4),
          minute: Int(hint.5))))
    #expect(time >= before && time <= after, "\(text)")
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
