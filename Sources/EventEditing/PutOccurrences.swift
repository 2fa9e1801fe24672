public import ICalendar
import Recurrence

/// Puts single occurrences, as an invitation or a cancellation brings them, into the series that
/// they belong to, or beside others of it where nobody here has the series: each takes the place of
/// the override of that occurrence, or is added. One that was deleted here takes place again. What
/// is said of the others stays, byte for byte.
///
/// - Parameters:
///   - occurrences: Components with a RECURRENCE-ID each (RFC 5546 §3.2.2.1), and the time zones
///     that they name.
///   - whole: The series, of the same UID.
/// - Returns: The series' new text; nil where the first is not of occurrences alone, or the second
///   is no series of that kind.
public func putOccurrences(
  _ occurrences: CalendarObject, into whole: CalendarObject, context: EditContext
) throws(EditError) -> [UInt8]? {
  let news = try Series(occurrences, context: context)
  var series = try Series(whole, context: context)
  guard news.main == nil, !news.overrides.isEmpty, let first = series.members.first,
    series.recurs, news.overrides.allSatisfy({ $0.kind == first.kind }),
    let calendar = series.tree[first.id]?.parent?.id
  else { return nil }
  try series.checkReadable()
  try editing { () throws(EditRefusal) in
    for zone in series.zonesLacking(of: news.tree) {
      try series.tree.insertFirst(zone, in: calendar)
    }
    for member in news.overrides {
      guard let component = news.tree[member.id] else { throw .notFound }
      if let id = member.schedule.recurrenceID, let key = series.set.key(of: id),
        let index = series.set.override(of: key), series.tree[series.overrides[index].id] != nil
      {
        try series.tree.insert(component, in: calendar, after: series.overrides[index].id)
        try series.tree.remove(series.overrides[index].id)
      } else {
        try series.tree.insert(component, in: calendar)
      }
    }
  }
  try series.giveBack(news.overrides.filter { !news.tree.isCancelled($0.id) })
  return series.tree.bytes
}

extension Series {
  /// Takes the EXDATEs of these occurrences out of the main component: they would hide them.
  fileprivate mutating func giveBack(_ occurrences: [Member]) throws(EditError) {
    guard let main else { return }
    let keys = Set(occurrences.compactMap(\.schedule.recurrenceID).compactMap(set.key(of:)))
    guard keys.contains(where: set.isExcluded) else { return }
    let set = set
    try tree.filterTimes("EXDATE", in: main.id) { addition in
      guard case .start(let time) = addition, let key = set.key(of: time) else { return true }
      return !keys.contains(key)
    }
  }

  /// The time zones of another text whose names this one does not define.
  fileprivate func zonesLacking(of other: SyntaxTree) -> [Component] {
    func zones(_ tree: SyntaxTree) -> [(name: [UInt8], zone: Component)] {
      tree.calendars.flatMap(\.components).filter { $0.isNamed("VTIMEZONE") }
        .map { ($0.line(named: "TZID")?.value ?? [], $0) }
    }
    let known = Set(zones(tree).map(\.name))
    return zones(other).filter { !known.contains($0.name) }.map(\.zone)
  }
}
