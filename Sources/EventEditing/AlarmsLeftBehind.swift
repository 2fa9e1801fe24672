import ICalendar

/// The alarms of components with another start than before that go off at a time of their own (a
/// TRIGGER of a date-time, RFC 5545 §3.8.6.3): they do not follow it, as those do that say how long
/// before it. Each time once, in the order of the text.
func alarmsLeftBehind(by change: LinkedChange, of object: CalendarObject) -> [EditNote] {
  func starts(_ item: ItemComponent) -> [[UInt8]] {
    item.component.lines(named: "DTSTART").map(\.content)
  }
  let former = Set(object.components.map(starts))
  let texts = [change.item, change.created?.text].compactMap(\.self)
  let moved = texts.flatMap { CalendarObject(SyntaxTree(bytes: $0)).components }
    .filter { !former.contains(starts($0)) }
  let alarms = moved.flatMap(\.component.components)
    .filter { $0.isNamed("VALARM") && !$0.isSilent }
  var seen: Set<String> = []
  return alarms.compactMap { $0.line(named: "TRIGGER") }
    .compactMap { UTCDateTime($0.value)?.value }
    .filter { seen.insert($0).inserted }.map(EditNote.alarmStays)
}

extension Component {
  /// Apple's mark of an event without alarms, with a time in 1976 that means nothing.
  fileprivate var isSilent: Bool {
    line(named: "ACTION").map { String(decoding: $0.value, as: UTF8.self).uppercased() } == "NONE"
  }
}
