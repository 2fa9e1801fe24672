import Synchronization
import TestSupport
import Testing

/// A subscription whose text ends too early within its compression, which libcurl does not tell.
@Suite struct CutFeedTests {
  @Test func `a feed that is cut off as it was compressed deletes nothing`() async throws {
    let events = ["a", "b", "c"].map { uid in
      [
        "BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP:20260101T000000Z", "DTSTART:20270101T090000Z",
        "SUMMARY:\(uid)", "END:VEVENT", "",
      ].joined(separator: "\r\n")
    }
    let head = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\n"
    let text = head + events.joined() + "END:VCALENDAR\r\n"
    let isCut = Mutex(false)
    let server = try ScriptedServer { _ in
      guard isCut.withLock({ $0 }) else {
        return [.answer(200, headers: ["Content-Type": "text/calendar"], body: text)]
      }
      // Between two events.
      let bytes = (head + events[0]).utf8.count
      return [
        .answer(
          200, headers: ["Content-Type": "text/calendar", "Content-Encoding": "gzip"],
          body: CutGzip.beginning(of: text, bytes: bytes))
      ]
    }
    let calgw = try CommandLine()
    try calgw.configure(
      "[pair.p]\nlocal = \"~/subscriptions\"\n"
        + "remote = { ics = \"\(server.url)holidays.ics\" }\n")
    #expect(try await calgw("sync").status == 0)
    isCut.withLock { $0 = true }
    let run = try await calgw("sync")
    #expect(run.status == 76, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("is no whole calendar"), "\(run.errors)")
    for uid in ["a", "b", "c"] { #expect(calgw.exists("subscriptions/holidays/\(uid).ics")) }
  }
}
