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
    guard let cancelled = try cancelled(tree, by: member, of: news, context) else { return nil }
    tree = cancelled
    try editing { () throws(EditRefusal) in try rest.remove(member.id) }
  }
  let others = CalendarObject(rest)
  if others.components.isEmpty { return tree.bytes }
  return try putOccurrences(others, into: CalendarObject(tree), context: context)
}

/// An occurrence is off, or that and all later ones (RANGE=THISANDFUTURE), those among them, too,
/// that somebody has changed.
private func cancelled(
  _ tree: SyntaxTree, by member: Series.Member, of news: Series, _ context: EditContext
) throws(EditError) -> SyntaxTree? {
  guard let id = member.schedule.recurrenceID else { return nil }
  var series = try Series(CalendarObject(tree), context: context)
  // The same message once more: an override that holds for the later ones takes no edit.
  if !series.isOffFrom(id) {
    var edit = EventEdit()
    edit.properties = [PropertyChange("STATUS", text: "CANCELLED")]
    let change = try editEvent(
      CalendarObject(tree), edit, span: .thisEvent, occurrence: .exactly(id), context: context)
    guard let item = change.item else { return nil }
    series = try Series(CalendarObject(SyntaxTree(bytes: item)), context: context)
  }
  guard let key = series.set.key(of: id), let override = series.override(of: id) else {
    return nil
  }
  let own = override.id
  let sequence = news.sequence(of: member.id)
  try series.raiseSequence(of: own, to: sequence)
  guard member.schedule.isThisAndFuture else { return series.tree }
  if !override.schedule.isThisAndFuture {
    guard var name = series.tree[own]?.line(named: "RECURRENCE-ID")?.property else { return nil }
    name.parameters.append(Parameter("RANGE", text: "THISANDFUTURE"))
    try series.tree.setProperty(name, in: own, after: "UID")
  }
  for later in series.overrides {
    guard let place = later.schedule.recurrenceID.flatMap(series.set.key(of:)), place > key else {
      continue
    }
    try series.cancel(later.id, sequence: sequence, now: context.now)
  }
  return series.tree
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
  let sequence = news.main.map { news.sequence(of: $0.id) } ?? 0
  for member in series.members {
    try series.cancel(member.id, sequence: sequence, now: now)
  }
  return series.tree.bytes
}

extension Series {
  fileprivate func override(of id: DateTime) -> Member? {
    set.key(of: id).flatMap(set.override(of:)).map { overrides[$0] }
  }

  /// That occurrence and the later ones are cancelled already.
  fileprivate func isOffFrom(_ id: DateTime) -> Bool {
    override(of: id).map { $0.schedule.isThisAndFuture && tree.isCancelled($0.id) } ?? false
  }

  fileprivate func sequence(of component: Component.ID) -> Int {
    tree[component].map(ItemComponent.init)?.sequence ?? 0
  }

  /// Takes over a revision that is later than a component's own.
  fileprivate mutating func raiseSequence(
    of component: Component.ID, to sequence: Int
  ) throws(EditError) {
    guard sequence > self.sequence(of: component) else { return }
    try tree.apply(
      PropertyChange("SEQUENCE", value: Array(String(sequence).utf8)), to: component)
  }

  fileprivate mutating func cancel(
    _ component: Component.ID, sequence: Int, now: UTCDateTime
  ) throws(EditError) {
    guard !tree.isCancelled(component) else { return }
    let revision = Revision(of: component, in: tree)
    try tree.apply(PropertyChange("STATUS", text: "CANCELLED"), to: component)
    try raiseSequence(of: component, to: sequence)
    try revision.finish(in: &tree, now: now)
  }
}

extension SyntaxTree {
  func isCancelled(_ component: Component.ID) -> Bool {
    self[component]?.line(named: "STATUS").map {
      String(decoding: $0.value, as: UTF8.self).uppercased() == "CANCELLED"
    } ?? false
  }
}
