import Foundation
import Synchronization
import TestSupport
import Testing

/// A calendar in one text of which a part is lost, though it begins and ends as it is to.
@Suite struct DamagedCalendarTests {
  /// In bytes, of an event.
  private static let size = 512
  private static let head = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\n"

  private static func event(_ number: Int) -> String {
    let begin =
      "BEGIN:VEVENT\r\nUID:\(100 + number)\r\nDTSTAMP:20260101T000000Z\r\n"
      + "DTSTART:20270101T090000Z\r\nSUMMARY:Event \(100 + number)\r\nDESCRIPTION:"
    let end = "\r\nEND:VEVENT\r\n"
    let room = size - begin.utf8.count - end.utf8.count
    return begin + String(repeating: "x", count: room) + end
  }

  /// 60 events of half a KiB.
  private static let text = head + (0..<60).map(event).joined() + "END:VCALENDAR\r\n"

  /// The texts of a folder's files, by their names.
  private func files(_ calgw: CommandLine) throws -> [String: String] {
    var files: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: calgw.home + "/calendars/all")
    where name.hasSuffix(".ics") {
      files[name] = try String(
        contentsOfFile: "\(calgw.home)/calendars/all/\(name)", encoding: .utf8)
    }
    return files
  }

  @Test func `a page of the disk that is lost deletes nothing`() async throws {
    let calgw = try CommandLine()
    try calgw.configure(
      "[pair.p]\nlocal = \"~/calendars\"\nremote = { file = \"~/all.ics\" }\n")
    try calgw.write("all.ics", Self.text)
    #expect(try await calgw("sync").status == 0)
    let before = try files(calgw)
    #expect(before.count == 60)

    // The third page of 4 KiB: from within event 115 to within event 123.
    var bytes = Array(Self.text.utf8)
    bytes.replaceSubrange(8192..<12288, with: repeatElement(0, count: 4096))
    let damaged = String(decoding: bytes, as: UTF8.self)
    try calgw.write("all.ics", damaged)
    // What is whole is synced on.
    let name = try #require(before.first { $0.value.contains("SUMMARY:Event 159") }?.key)
    let edited = try #require(before[name]).replacing("Event 159", with: "Moved 159")
    try calgw.write("calendars/all/\(name)", edited)
    var expected = before
    expected[name] = edited
    for _ in 0..<2 {
      let run = try await calgw("sync")
      #expect(run.status == 1, "\(run.output) \(run.errors)")
      #expect(!run.output.contains("deleted"), "\(run.output)")
      #expect(run.errors.contains("is damaged: line 114 has bytes of value zero"), "\(run.errors)")
      #expect(run.errors.contains("Until then nothing counts as deleted there"), "\(run.errors)")
      #expect(try files(calgw) == expected)
      let file = try String(contentsOfFile: calgw.home + "/all.ics", encoding: .utf8)
      #expect(file == damaged.replacing("Event 159", with: "Moved 159"))
    }

    try calgw.write("all.ics", Self.text.replacing("Event 159", with: "Moved 159"))
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(try files(calgw) == expected)
    try calgw.write(
      "all.ics",
      Self.text.replacing(Self.event(20), with: "").replacing("Event 159", with: "Moved 159")
    )
    #expect(try await calgw("sync").status == 0)
    #expect(try files(calgw).count == 59, "what is gone from a whole text is gone")
  }

  @Test func `a feed that ends in a message of its server deletes nothing`() async throws {
    let calendars = ["a", "b"].map { SubscribedFeed.text([SubscribedFeed.event($0, $0)]) }
    let end = Mutex(calendars[1])
    let feed = try SubscribedFeed { _ in
      let body = calendars[0] + end.withLock { $0 }
      return [.answer(200, headers: ["Content-Type": "text/calendar"], body: body)]
    }
    #expect(try await feed.calgw("sync").status == 0)
    let before = try feed.files()
    #expect(before.count == 2)
    end.withLock { $0 = "<br />\n<b>Fatal error</b>: Maximum execution time exceeded\n" }
    let run = try await feed.calgw("sync")
    #expect(run.status == 1, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("is damaged: line 11 is no line of a calendar"), "\(run.errors)")
    #expect(try feed.files() == before)
    end.withLock { $0 = "" }
    #expect(try await feed.calgw("sync").status == 0)
    #expect(try feed.files().count == 1)
  }
}
