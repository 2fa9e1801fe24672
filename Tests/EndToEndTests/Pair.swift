import Foundation
import TestSupport

/// A folder and a calendar of a real server, with a configuration of one pair.
struct Pair {
  let server: RealServer
  let sandbox = Sandbox()
  let calgw: Program
  let calendar: String

  /// A server with an empty calendar, and an empty folder.
  static func make(
    _ kind: RealServer.Kind, calendar: String = "work", options: String = ""
  ) async throws -> Pair {
    let server = try await RealServer.start(kind)
    let made = try await server.otherClient.makeCalendar(server.path(of: calendar))
    guard made.status == 201 else { throw MakeFailed(status: made.status) }
    return try Pair(server: server, calendar: calendar, options: options)
  }

  struct MakeFailed: Error { let status: Int }

  init(server: RealServer, calendar: String, options: String = "") throws {
    self.server = server
    self.calendar = calendar
    calgw = Program(sandbox: sandbox)
    try sandbox.configureAccount(
      server.url, username: RealServer.username, password: RealServer.password, timeout: "5m",
      """
      [pair.test]
      local = "~/calendars"
      remote = "home"
      collections = ["\(calendar)"]
      \(options)
      """)
  }

  var folder: String { "calendars/\(calendar)" }
  var path: String { server.path(of: calendar) }

  func write(_ name: String, _ text: String) throws {
    try sandbox.write("\(folder)/\(name)", text, mode: 0o644)
  }

  func read(_ name: String) throws -> String { try sandbox.read("\(folder)/\(name)") }

  /// The texts on the server by UID.
  func remoteTexts() async throws -> [String: String] {
    var texts: [String: String] = [:]
    for href in try await server.otherClient.list(path).keys.sorted() {
      let text = String(decoding: try await server.otherClient.get(href).body, as: UTF8.self)
      texts[Event.uid(of: text)] = text
    }
    return texts
  }

  /// The path of an item on the server.
  func remotePath(of uid: String) async throws -> String? {
    for href in try await server.otherClient.list(path).keys.sorted() {
      let text = String(decoding: try await server.otherClient.get(href).body, as: UTF8.self)
      if Event.uid(of: text) == uid { return href }
    }
    return nil
  }

  /// The texts in the folder by UID.
  func localTexts() throws -> [String: String] {
    var texts: [String: String] = [:]
    for name in sandbox.items(in: folder) {
      let text = try read(name)
      texts[Event.uid(of: text)] = text
    }
    return texts
  }

  /// UID and summary of every item on a side, to compare the two.
  static func summaries(_ texts: [String: String]) -> [String: String] {
    texts.mapValues { Event.line("SUMMARY", of: $0) }
  }
}

/// Events as a person would write them.
enum Event {
  static func make(_ uid: String, _ summary: String, extra: String = "") -> String {
    """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//Example//Written by hand//EN
    BEGIN:VEVENT
    UID:\(uid)
    DTSTAMP:20260101T000000Z
    DTSTART:20260105T100000Z
    DTEND:20260105T110000Z
    SUMMARY:\(summary)
    \(extra.isEmpty ? "" : extra + "\n")END:VEVENT
    END:VCALENDAR

    """.replacingOccurrences(of: "\n", with: "\r\n")
  }

  static func uid(of text: String) -> String { line("UID", of: text) }

  static func line(_ name: String, of text: String) -> String {
    text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("\(name):") }
      .map { String($0.dropFirst(name.count + 1)) } ?? ""
  }
}
