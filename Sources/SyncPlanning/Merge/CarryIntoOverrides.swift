import ICalendar
import SyncModel

/// Gives the overrides that one side made what the other side changed meanwhile in the whole
/// series: its place, its attendees, its alarms. As with an edit of all occurrences
/// (docs/spans.md), that goes into an override where this has it like the series.
func carriedIntoOverrides(
  _ texts: BothSides<SyntaxTree>, since bases: BothSides<SyntaxTree>, _ context: TimeContext
) throws(MergeObstacle) -> BothSides<SyntaxTree> {
  let parts = BothSides(
    BaseAndText(base: try read(bases.local, context), text: try read(texts.local, context)),
    BaseAndText(base: try read(bases.remote, context), text: try read(texts.remote, context)))
  var carried: [SyntaxTree] = []
  for side in Side.allCases {
    var text = texts[side]
    let edits = editsOfOverrides(parts[side], series: parts[side.opposite])
    do throws(EditRefusal) {
      for edit in edits { try text.apply(edit) }
    } catch {
      throw .unmergeable
    }
    carried.append(edits.isEmpty ? text : SyntaxTree(bytes: text.bytes))
  }
  return BothSides(carried[0], carried[1])
}

/// - Parameters:
///   - own: a side that may have made overrides.
///   - other: the side that may have changed the series.
private func editsOfOverrides(
  _ own: BaseAndText<ItemParts>, series other: BaseAndText<ItemParts>
) -> [TreeEdit] {
  guard let main = own.base.main, let before = own.base[main], let otherBase = other.base[main],
    let otherText = other.text[main]
  else { return [] }
  let series = MergeDraft.Versions(base: otherBase, text: otherText)
  let isMoved = MergeDraft.changedSlots(series).contains(where: \.isFrame)
  if isMoved || series.groups.hasBrackets { return [] }
  let isNew = own.text.overrides.filter { key in
    own.base[key] == nil && other.base[key] == nil && other.text[key] == nil
  }
  return isNew.compactMap { own.text[$0] }.flatMap { override in
    edits(of: MergeDraft.Versions(base: before, text: override), after: series)
  }
}

/// - Parameters:
///   - made: an override, and the series that it was made from.
///   - series: what was changed of that.
private func edits(of made: MergeDraft.Versions, after series: MergeDraft.Versions) -> [TreeEdit] {
  if made.groups.hasBrackets { return [] }
  var edits: [TreeEdit] = []
  var handled: Set<[UInt8]> = []
  for name in series.groups.names + series.baseGroups.names
  where series.changed(name) && !made.changed(name) && !isOfThePart(name) {
    guard handled.insert(name).inserted else { continue }
    edits.append(
      .lines(made.lines(name).map(\.id), by: series.sources(name), in: made.text.id))
  }
  let children = MergeDraft.children(of: made.text)
  if children == MergeDraft.children(of: made.base),
    MergeDraft.children(of: series.text) != MergeDraft.children(of: series.base)
  {
    edits += made.text.components.map { .remove($0.id) }
    edits += series.text.components.map { .insert($0.bytes, in: made.text.id, after: nil) }
  }
  return edits
}
