import ICalendar

/// The components without copies of one another: of those that say the same but for times and
/// counters of edits, the newest stays, in the place of the first.
func withoutCopies(_ components: [Component]) -> [Component] {
  guard components.count > 1 else { return components }
  var kept: [Component] = []
  var places: [[UInt8]: Int] = [:]
  for component in components {
    let text = meaning(of: component)
    guard let place = places[text] else {
      places[text] = kept.count
      kept.append(component)
      continue
    }
    if revision(of: kept[place]) < revision(of: component) { kept[place] = component }
  }
  return kept
}

/// Why components of one UID are no item, and what to do; nil where they are one: a main component
/// at most, and others of its kind with a RECURRENCE-ID (RFC 4791 §4.1), each with that UID alone.
func whyNoItem(_ components: [Component]) -> String? {
  let items = components.map { ItemComponent($0) }
    .filter { CalendarSplitter.itemKinds.contains($0.kind) }
  if items.contains(where: { !$0.otherUIDs.isEmpty }) {
    return "a part of it has another UID, too: give each its own BEGIN and END in the text, and "
      + "import it again"
  }
  let mains = items.filter { !$0.isOverride }
  guard mains.count > 1 || Set(items.map(\.kind)).count > 1 else { return nil }
  let unlike = mains.count > 1 ? mains : items
  let titles = unlike.prefix(3).map { "\"\($0.summary?.text ?? "")\"" }.joined(separator: ", ")
  return "\(unlike.count) different ones have this UID (\(titles)), and a UID is that of one; "
    + "give each its own in the text, and import it again"
}

/// What a component says by itself; its bytes where that cannot be told.
private func meaning(of component: Component) -> [UInt8] {
  var tree = SyntaxTree(bytes: Array("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n".utf8))
  guard let root = tree.calendars.first?.id,
    (try? tree.insert(component, in: root)) != nil
  else { return component.bytes }
  return essence(of: tree) ?? component.bytes
}

/// Which of two copies is the later one: first by SEQUENCE, then by time (RFC 5546 §2.1.5).
private func revision(of component: Component) -> (Int, Int64) {
  let item = ItemComponent(component)
  let times = [item.lastModified, item.stamp].compactMap { $0?.millisecondsSince1970 }
  return (item.sequence ?? 0, times.max() ?? .min)
}
