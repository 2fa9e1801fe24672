/// An event, or another component, as a part of a calendar.
func component(
  _ uid: String?, _ summary: String, kind: String = "VEVENT", zone: String? = nil,
  stamp: String = "20260101T000000Z"
) -> String {
  "BEGIN:\(kind)\r\n" + (uid.map { "UID:\($0)\r\n" } ?? "") + "DTSTAMP:\(stamp)\r\n"
    + (zone.map { "DTSTART;TZID=\($0):20260105T090000\r\n" } ?? "DTSTART:20260105T090000Z\r\n")
    + "SUMMARY:\(summary)\r\nEND:\(kind)\r\n"
}

/// A whole text.
func calendar(_ parts: String...) -> [UInt8] {
  Array(
    ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\n" + parts.joined()
      + "END:VCALENDAR\r\n").utf8)
}

/// A VTIMEZONE of about that length.
func zone(_ name: String, bytes: Int) -> String {
  "BEGIN:VTIMEZONE\r\nTZID:\(name)\r\n"
    + String(repeating: "X-PAD:\(String(repeating: "z", count: 62))\r\n", count: bytes / 70)
    + "END:VTIMEZONE\r\n"
}
