import EventEditing
import ICalendar

/// The text of an item with an event `old`.
///
/// - Parameters:
///   - lines: the content lines of the event.
///   - others: those of the components beside it.
func itemText(_ lines: [String], beside others: [String] = []) -> [UInt8] {
  let all =
    ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:old"] + lines + ["END:VEVENT"] + others
    + ["END:VCALENDAR", ""]
  return Array(all.joined(separator: "\r\n").utf8)
}

/// The content lines of a series: its start, and its rule.
///
/// - Parameter start: as `20260105T090000`, with a `Z` for UTC, or a day alone.
func seriesLines(_ rule: String, from start: String) -> [String] {
  [start.contains("T") ? "DTSTART:\(start)" : "DTSTART;VALUE=DATE:\(start)", "RRULE:\(rule)"]
}

/// What becomes of an item whose whole series gets another start.
func moveSeries(_ text: [UInt8], to start: String) throws(EditError) -> LinkedChange {
  var edit = EventEdit()
  edit.start = try GivenTime(start)
  return try editEvent(
    CalendarObject(SyntaxTree(bytes: text)), edit, span: .allEvents, context: .forTests)
}

extension LinkedChange {
  /// The rule that the item has now.
  var rule: String? {
    CalendarObject(SyntaxTree(bytes: item ?? [])).mainComponents.first?.component
      .line(named: "RRULE").map { String(decoding: $0.value, as: UTF8.self) }
  }

  /// How often it is said that a rule stays.
  var rulesKept: Int { notes.count { if case .ruleKept = $0 { true } else { false } } }
}
