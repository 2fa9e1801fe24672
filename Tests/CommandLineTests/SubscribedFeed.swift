import Foundation
import TestSupport

/// A server's feed `holidays.ics`, and the pair `p` of a folder that subscribes to it.
final class SubscribedFeed: Sendable {
  let calgw: CommandLine
  private let server: ScriptedServer

  init(_ answer: @escaping @Sendable (ReceivedRequest) -> [ServerStep]) throws {
    server = try ScriptedServer(answer)
    calgw = try CommandLine()
    try calgw.configure(
      "[pair.p]\nlocal = \"~/subscriptions\"\n"
        + "remote = { ics = \"\(server.url)holidays.ics\" }\n")
  }

  /// The files of the folder, by their names.
  func files() throws -> [String: Data] {
    let folder = calgw.home + "/subscriptions/holidays"
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where name.hasSuffix(".ics") {
      files[name] = try Data(contentsOf: URL(filePath: folder + "/" + name))
    }
    return files
  }

  /// What a feed begins with.
  static let head = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\n"

  static func event(
    _ uid: String, _ title: String, start: String = "20270101T090000Z",
    stamp: String = "20260101T000000Z"
  ) -> String {
    [
      "BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP:\(stamp)", "DTSTART:\(start)", "SUMMARY:\(title)",
      "END:VEVENT", "",
    ].joined(separator: "\r\n")
  }

  static func text(_ events: [String]) -> String { head + events.joined() + "END:VCALENDAR\r\n" }

  static func answer(_ events: [String]) -> [ServerStep] {
    [.answer(200, headers: ["Content-Type": "text/calendar"], body: text(events))]
  }
}
