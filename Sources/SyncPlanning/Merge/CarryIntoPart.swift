public import ICalendar
public import SyncModel

/// Gives a part that one side has split off a series what the other side changed meanwhile in the
/// whole of it: its place, its attendees, its alarms (docs/merge.md). When the part is, and what
/// makes it an item of its own, stays as the split has made it.
///
/// `bases` are the texts of the whole series that both sides shared, `changed` is the one that the
/// other side has now. Nil where there is nothing to carry, or the texts cannot be merged. The text
/// that comes out, given again, gives nil; what a server has made of it may not.
public func carryIntoPart(
  _ part: SyntaxTree, splitOn side: Side, since bases: BothSides<SyntaxTree>,
  changed: SyntaxTree, times: EditTimes, zones: ItemZones
) -> [UInt8]? {
  let context = TimeContext(zones, [part, changed, bases.local, bases.remote])
  guard let own = seriesAsPart(bases[side], part, context),
    let other = seriesAsPart(bases[side.opposite], part, context),
    let changed = seriesAsPart(changed, part, context)
  else { return nil }
  let outcome =
    side == .local
    ? merge(
      base: BothSides(own, other), local: part, remote: changed, times: times, zones: zones)
    : merge(
      base: BothSides(other, own), local: changed, remote: part, times: times, zones: zones)
  guard case .merged(let texts) = outcome else { return nil }
  let merged = side == .local ? texts.local : texts.remote
  return zones.isSameContent(SyntaxTree(bytes: merged), part) ? nil : merged
}

/// The part as it would be, had it been split off this version of the series without any edit: what
/// says when it is, which it is and when it was touched from the part, and so its overrides; all
/// else from the series.
private func seriesAsPart(
  _ series: SyntaxTree, _ part: SyntaxTree, _ context: TimeContext
) -> SyntaxTree? {
  guard let whole = mainComponent(of: series, context), let own = mainComponent(of: part, context),
    let calendar = part.calendars.first
  else { return nil }
  let kind = Array(String(decoding: own.name, as: UTF8.self).utf8)
  var text = Array("BEGIN:VCALENDAR\r\nBEGIN:".utf8) + kind + [0x0D, 0x0A]
  for line in whole.lines where !isOfThePart(line) { text += withLineEnds(line.source) }
  for line in own.lines where isOfThePart(line) { text += withLineEnds(line.source) }
  for child in whole.components { text += withLineEnds(child.bytes) }
  text += Array("END:".utf8) + kind + Array("\r\nEND:VCALENDAR\r\n".utf8)
  guard let made = SyntaxTree(bytes: text).calendars.first?.components.first else { return nil }
  var tree = part
  do throws(EditRefusal) {
    try tree.insert(made, in: calendar.id, after: own.id)
    try tree.remove(own.id)
  } catch {
    return nil
  }
  return SyntaxTree(bytes: tree.bytes)
}

private func mainComponent(of tree: SyntaxTree, _ context: TimeContext) -> Component? {
  guard let parts = ItemParts(tree, context) else { return nil }
  return parts.main.flatMap { parts[$0] }
}

private func isOfThePart(_ line: ContentLine) -> Bool {
  let name = line.name.uppercased
  return PropertyRule.isNoise(name) || partNames.contains(name)
}

private let partNames =
  PropertyRule.names("UID", "RELATED-TO") + ScheduleSlot.allCases.flatMap(\.names)

/// The last line of a text may have no end.
private func withLineEnds(_ source: [UInt8]) -> [UInt8] {
  source.last == 0x0A || source.last == 0x0D ? source : source + [0x0D, 0x0A]
}
