public import ICalendar
import Recurrence

/// Cancels what an organizer's message cancels (METHOD:CANCEL, RFC 5546 §3.2.5): the whole item, or
/// the occurrences that it names. Such a message need not say what is cancelled, nor when that is,
/// so what is there keeps all that it says. A component that does say when its occurrence is takes
/// the place of that occurrence.
///
/// - Parameters:
///   - message: The components of one UID.
///   - whole: What is there of it.
/// - Returns: The item's new text; nil where the message cancels nothing of it: it takes somebody
///   off the list of attendees (no STATUS:CANCELLED), or is of another kind.
public func cancel(
  _ whole: CalendarObject, by message: CalendarObject, context: EditContext
) throws(EditError) -> [UInt8]? {
  let news = try Series(message, context: context)
  if let main = news.main {
    guard news.tree.isCancelled(main.id) else { return nil }
    return try cancelled(Series(whole, context: context), by: news, now: context.now)
  }
  guard news.overrides.allSatisfy({ news.tree.isCancelled($0.id) }) else { return nil }
  var tree = whole.tree
  var rest = news.tree
  for member in news.overrides where member.schedule.start == nil {
    guard let id = member.schedule.recurrenceID else { return nil }
    var edit = EventEdit()
    edit.properties = [PropertyChange("STATUS", text: "CANCELLED")]
    let change = try editEvent(
      CalendarObject(tree), edit, span: .thisEvent, occurrence: .exactly(id), context: context)
    guard let item = change.item else { return nil }
    tree = SyntaxTree(bytes: item)
    try editing { () throws(EditRefusal) in try rest.remove(member.id) }
  }
  let others = CalendarObject(rest)
  if others.components.isEmpty { return tree.bytes }
  return try putOccurrences(others, into: CalendarObject(tree), context: context)
}

/// All components are off, the changed occurrences too; the revision is the message's where that is
/// the later one.
private func cancelled(
  _ whole: Series, by news: Series, now: UTCDateTime
) throws(EditError) -> [UInt8]? {
  var series = whole
  guard let first = series.members.first, first.kind == news.members.first?.kind else {
    return nil
  }
  let sequence = news.main.flatMap { news.tree[$0.id].map(ItemComponent.init)?.sequence } ?? 0
  for member in series.members where !series.tree.isCancelled(member.id) {
    let revision = Revision(of: member.id, in: series.tree)
    try series.tree.apply(PropertyChange("STATUS", text: "CANCELLED"), to: member.id)
    let own = series.tree[member.id].map(ItemComponent.init)?.sequence ?? 0
    if sequence > own {
      try series.tree.apply(
        PropertyChange("SEQUENCE", value: Array(String(sequence).utf8)), to: member.id)
    }
    try revision.finish(in: &series.tree, now: now)
  }
  return series.tree.bytes
}

extension SyntaxTree {
  fileprivate func isCancelled(_ component: Component.ID) -> Bool {
    self[component]?.line(named: "STATUS").map {
      String(decoding: $0.value, as: UTF8.self).uppercased() == "CANCELLED"
    } ?? false
  }
}
