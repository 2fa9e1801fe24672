import WebDAV

extension CalDAVAccount {
  /// What the properties of the calendars show of their server: of all together, since a calendar
  /// without one, as one of birthdays, says nothing of the others.
  func learn(from calendars: [RemoteCalendar]) {
    if calendars.isEmpty { return }
    let request = "PROPFIND of the calendars"
    let hasTags = calendars.contains { $0.state.tag != nil }
    memory.learn(.calendarTag, hasTags, request, hasTags ? "a getctag" : "no getctag")
    let kinds = calendars.compactMap(\.components).reduce(into: Set<String>()) { $0.formUnion($1) }
    memory.learn(
      .componentSets, !kinds.isEmpty, request,
      kinds.isEmpty
        ? "no supported-calendar-component-set"
        : "supported-calendar-component-set of \(kinds.sorted().joined(separator: ", "))")
    // Who names no limit may have one all the same: that shows in a refusal.
    if let size = calendars.compactMap(\.properties.maxResourceSize).min() {
      memory.learn(.sizeLimit, true, request, "max-resource-size \(size)")
    }
  }
}
