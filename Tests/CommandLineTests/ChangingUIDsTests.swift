import Foundation
import Synchronization
import TestSupport
import Testing

/// A subscription whose server gives every event a new UID, each time or once.
@Suite struct ChangingUIDsTests {
  /// The files of a folder, by their names.
  private func files(_ calgw: CommandLine) throws -> [String: Data] {
    let folder = calgw.home + "/subscriptions/holidays"
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where name.hasSuffix(".ics") {
      files[name] = try Data(contentsOf: URL(filePath: folder + "/" + name))
    }
    return files
  }

  /// The files are what tells the UIDs once the pair is forgotten.
  @Test(arguments: [false, true])
  func `its events stay the same ones where the new UIDs stay`(isForgotten: Bool) async throws {
    let count = 8
    let titles = Mutex("Event")
    let prefix = Mutex("old")
    let server = try ScriptedServer { _ in
      let (title, prefix) = (titles.withLock { $0 }, prefix.withLock { $0 })
      let events = (0..<count).map { number in
        [
          "BEGIN:VEVENT", "UID:\(prefix)\(number)", "DTSTAMP:20260101T000000Z",
          "DTSTART:2027010\(number + 1)T090000Z", "SUMMARY:\(title) \(number)", "END:VEVENT", "",
        ].joined(separator: "\r\n")
      }
      let text =
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\n" + events.joined()
        + "END:VCALENDAR\r\n"
      return [.answer(200, headers: ["Content-Type": "text/calendar"], body: text)]
    }
    let calgw = try CommandLine()
    try calgw.configure(
      "[pair.p]\nlocal = \"~/subscriptions\"\n"
        + "remote = { ics = \"\(server.url)holidays.ics\" }\n")
    #expect(try await calgw("sync").status == 0)
    let before = try files(calgw)
    #expect(before.count == count)

    prefix.withLock { $0 = "new" }
    let anew = try await calgw("sync")
    #expect(anew.output == "p/holidays: nothing to do\n", "\(anew.errors)")
    if isForgotten {
      #expect(try await calgw("forget", "p/holidays").status == 0)
      let first = try await calgw("sync")
      #expect(first.status == 0, "\(first.output) \(first.errors)")
      #expect(try files(calgw) == before)
    }
    titles.withLock { $0 = "New title" }
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(run.output.contains("8 changed"), "\(run.output)")
    let after = try files(calgw)
    #expect(Set(after.keys) == Set(before.keys))
    for text in after.values.map({ String(decoding: $0, as: UTF8.self) }) {
      #expect(text.contains("SUMMARY:New title"))
      #expect(text.contains("UID:old"))
    }
    #expect(try await calgw("sync").output == "p/holidays: nothing to do\n")
  }

  @Test(arguments: [2, 20])
  func `its events stay the same ones`(count: Int) async throws {
    let titles = Mutex((0..<count).map { "Event \($0)" })
    let server = try ScriptedServer { request in
      let events = titles.withLock { $0 }.enumerated().map { number, title in
        [
          "BEGIN:VEVENT", "UID:\(request.number)-\(number)@example.org",
          "DTSTAMP:20260101T00000\(request.number % 10)Z", "DTSTART:20270101T090000Z",
          "SUMMARY:\(title)", "END:VEVENT", "",
        ].joined(separator: "\r\n")
      }
      let text =
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\n" + events.joined()
        + "END:VCALENDAR\r\n"
      return [.answer(200, headers: ["Content-Type": "text/calendar"], body: text)]
    }
    let calgw = try CommandLine()
    try calgw.configure(
      "[pair.p]\nlocal = \"~/subscriptions\"\n"
        + "remote = { ics = \"\(server.url)holidays.ics\" }\n")
    let first = try await calgw("sync")
    #expect(first.status == 0, "\(first.output) \(first.errors)")
    let before = try files(calgw)
    #expect(before.count == count)

    for _ in 0..<2 {
      let status = try await calgw("status")
      #expect(status.status == 0, "\(status.output) \(status.errors)")
      let run = try await calgw("sync")
      #expect(run.status == 0, "\(run.output) \(run.errors)")
      #expect(run.output == "p/holidays: nothing to do\n", "\(run.errors)")
      #expect(try files(calgw) == before)
    }

    titles.withLock { $0[1] = "Another title" }
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    let after = try files(calgw)
    #expect(after.count == count)
    let stayed = after.filter { before[$0.key] == $0.value }
    #expect(stayed.count == count - 1)
    let new = after.filter { before[$0.key] != $0.value }.values.map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(new.count == 1)
    #expect(new.first?.contains("SUMMARY:Another title") == true)
    let last = try await calgw("sync")
    #expect(last.output == "p/holidays: nothing to do\n", "\(last.errors)")
  }
}
