import ICalendar
import Recurrence
import SyncModel

/// Refuses a merged text that is no valid item: it is whole, has the UID that the two texts have,
/// is of one kind (RFC 4791 §4.1) where they are, and has no override outside of its series that
/// was not so in one of them. It defines its zones (RFC 5545 §3.6.5), but for those that one of
/// them, or of what both agreed on, refers to without a definition.
func check(
  _ merged: SyntaxTree, against texts: BothSides<SyntaxTree>, since base: BothSides<SyntaxTree>?,
  _ context: TimeContext
) throws(MergeObstacle) {
  guard let parts = ItemParts(merged, context) else { throw .unmergeable }
  let known = Set(Side.allCases.flatMap { CalendarObject(texts[$0]).uids })
  guard Set(CalendarObject(merged).uids).isSubset(of: known), !parts.partKeys.isEmpty else {
    throw .unmergeable
  }
  let isOfOneKind = Side.allCases.allSatisfy { CalendarObject(texts[$0]).kinds.count < 2 }
  if isOfOneKind, CalendarObject(merged).kinds.count > 1 { throw .kind }
  let sources = Side.allCases.compactMap { ItemParts(texts[$0], context) }
  for key in parts.partKeys {
    guard let component = parts[key] else { throw .unmergeable }
    guard isWellMade(component, madeOf: sources.compactMap { $0[key] }) else { throw .unmergeable }
  }
  var lacking = undefinedZones(of: merged)
  if !lacking.isEmpty {
    for side in Side.allCases {
      lacking.subtract(undefinedZones(of: texts[side]))
      if let base { lacking.subtract(undefinedZones(of: base[side])) }
    }
    guard lacking.isEmpty else { throw .unmergeable }
  }
  let outside = overridesOutside(merged, context)
  if outside.isEmpty { return }
  let before = Side.allCases.reduce(into: Set<PartKey>()) {
    $0.formUnion(overridesOutside(texts[$1], context))
  }
  guard outside.isSubset(of: before) else { throw .schedule }
}

/// Properties that may stand once do not stand twice (RFC 5545 §3.6), and an end is said in one
/// way, unless it was said in two before (Zimbra writes DTEND and DURATION).
private func isWellMade(_ component: Component, madeOf sources: [Component]) -> Bool {
  let groups = PropertyGroups(of: component)
  let isOnce = single.allSatisfy { (groups[$0]?.lines.count ?? 0) <= 1 }
  return isOnce
    && endCount(groups) <= max(1, sources.map { endCount(PropertyGroups(of: $0)) }.max() ?? 1)
}

/// In how many ways an end is said.
private func endCount(_ groups: PropertyGroups) -> Int {
  ScheduleSlot.end.names.count { groups[$0] != nil }
}

private let single = PropertyRule.names(
  "UID", "DTSTART", "DTEND", "DUE", "DURATION", "RECURRENCE-ID", "SEQUENCE", "LAST-MODIFIED",
  "CREATED", "STATUS")

/// The overrides that stand for no occurrence of their series; none where there is no series.
private func overridesOutside(_ tree: SyntaxTree, _ context: TimeContext) -> Set<PartKey> {
  guard let parts = ItemParts(tree, context), let main = parts.main.flatMap({ parts[$0] }),
    !parts.overrides.isEmpty
  else { return [] }
  var findings: [ScheduleFinding] = []
  let schedule = Schedule.read(ItemComponent(main), findings: &findings)
  let set = RecurrenceSet(main: schedule, zones: context.resolver(for: tree))
  return Set(
    parts.overrides.filter { key in
      let instant: Int
      switch key.occurrence {
      case .instant(let seconds), .wall(let seconds): instant = seconds
      case .day(let day): instant = day * 86_400
      case .unknown, .text, nil: return false
      }
      let window = OccurrenceWindow(from: instant, to: instant + 1)
      return !set.occurrences(in: window).prefix(overlapLimit).contains {
        $0.start.instant == instant
      }
    })
}

/// Occurrences that may run at one moment and are looked through: no person has more, and a series
/// that does is taken not to have the one that is looked for.
private let overlapLimit = 1000
