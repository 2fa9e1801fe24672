import Foundation
import TestSupport

/// Two folders that are kept the same, and what their owners do.
struct TwoFolders {
  let calgw: CommandLine

  init(_ keys: String = "") throws {
    calgw = try CommandLine()
    try configure(keys)
  }

  /// Writes the configuration anew, with these keys for the pair.
  func configure(_ keys: String) throws {
    try calgw.configure(
      """
      [pair.p]
      local = "~/one"
      remote = { local = "~/two" }
      \(keys)
      """)
  }

  func write(_ side: String, _ uid: String, at hour: Int, _ title: String) throws {
    let text = """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//calgw//test//EN
      BEGIN:VEVENT
      UID:\(uid)
      DTSTAMP:20260101T000000Z
      DTSTART:20260105T\(hour)0000Z
      SUMMARY:\(title)
      END:VEVENT
      END:VCALENDAR

      """
    try calgw.write(
      "\(side)/work/\(uid).ics", text.replacingOccurrences(of: "\n", with: "\r\n"))
  }

  /// Titles and hours of the items of a side, sorted.
  func items(_ side: String) throws -> [String] {
    let folder = "\(calgw.home)/\(side)/work"
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".ics") }
      .map { name in
        let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        func value(_ prefix: String) -> Substring {
          text.split(separator: "\r\n").first { $0.hasPrefix(prefix) }?.dropFirst(prefix.count)
            ?? ""
        }
        return "\(value("SUMMARY:")) \(value("DTSTART:20260105T").prefix(2))"
      }.sorted()
  }
}
