public import ICalendar

/// Names the properties that two versions differ in and that only say that somebody has touched the
/// item, for one whose change `describeChange` has no words for. Nil: they differ in none.
public func describeTouch(from old: SyntaxTree, to new: SyntaxTree) -> PropertyDifference? {
  var names = ["SEQUENCE", "LAST-MODIFIED", "CREATED", "DTSTAMP", "PRODID"].filter {
    values(of: $0, in: old) != values(of: $0, in: new)
  }
  if alarmNames(in: old) != alarmNames(in: new) { names.append("UID of an alarm") }
  if names.isEmpty { return nil }
  return PropertyDifference(
    component: CalendarObject(new).kinds.first ?? "VCALENDAR", property: "", before: nil,
    after: nil, words: "only its revision data (\(names.joined(separator: ", ")))")
}

/// What all properties of a name say that stand in calendars and their components, in order.
func values(of name: String, in tree: SyntaxTree) -> [[UInt8]] {
  tree.calendars.flatMap { [$0] + $0.components }.flatMap { $0.lines(named: name) }
    .map(\.value).sorted { $0.lexicographicallyPrecedes($1) }
}

private func alarmNames(in tree: SyntaxTree) -> [[UInt8]] {
  tree.calendars.flatMap(\.components).flatMap { AlarmMatch.alarms(of: $0) }
    .compactMap { AlarmMatch.name(of: $0.component) }
    .sorted { $0.lexicographicallyPrecedes($1) }
}
