import CalgwKit
import Testing

/// A text that is to be one item.
@Suite struct ItemTextTests {
  @Test(
    arguments: [
      (["BEGIN:VEVENT", "SUMMARY:A", "END:VEVENT"], "no-uid", "line 4"),
      (
        ["BEGIN:VTODO", "UID:a", "END:VTODO", "BEGIN:VEVENT", "SUMMARY:B", "UID:b", "END:VEVENT"],
        "several-uids", "line 9"
      ),
    ] as [([String], String, String)])
  func `what is not one item says in which line`(lines: [String], code: String, place: String) {
    let head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//"]
    let text = (head + lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
    let failure = #expect(throws: RunFailure.self) {
      try ItemText(Array(text.utf8), file: "a.ics")
    }
    #expect(failure?.code == code)
    #expect(failure?.place == place)
  }
}
