/// Texts that a calendar in one file, or a feed, holds.
enum StreamText {
  /// - Parameter uid: nil: it has none.
  static func event(
    _ uid: String?, _ summary: String, zone: String? = nil, stamp: String = "20260101T000000Z"
  ) -> String {
    "BEGIN:VEVENT\r\n" + (uid.map { "UID:\($0)\r\n" } ?? "") + "DTSTAMP:\(stamp)\r\n"
      + (zone.map { "DTSTART;TZID=\($0):20260105T090000\r\n" } ?? "DTSTART:20260105T090000Z\r\n")
      + "SUMMARY:\(summary)\r\nEND:VEVENT\r\n"
  }

  /// - Parameter parts: components, and lines of the calendar itself.
  static func calendar(_ parts: [String]) -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\n" + parts.joined()
      + "END:VCALENDAR\r\n"
  }
}
