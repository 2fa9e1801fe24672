public import ICalendar
import SyncModel

/// Joins what both sides changed in an item, property by property, by the rules of docs/merge.md.
///
/// Each side is compared with its own base, the last text that it had when both agreed. What one
/// side alone changed is kept from both; what both changed is settled by the rules, and where a
/// schedule cannot be, it is a conflict. Without a base, what both agree on is kept and what only
/// one has is united.
///
/// Where both bases mean the same, one text comes out for both sides; where a server keeps an item
/// in another form, or writes defaults out, one for each. Laws: `m(b, a, b) = a`, `m(b, b, c) = c`
/// and `m(b, a, a) = a`, byte for byte; merging again what came out with what went in gives the
/// same.
public func merge(
  base: BothSides<SyntaxTree>?, local: SyntaxTree, remote: SyntaxTree, times: EditTimes,
  zones: ItemZones = .ownDefinitions
) -> MergeOutcome {
  let forms = BothSides(canonicalForm(of: local), canonicalForm(of: remote))
  if forms.local == forms.remote || zones.isSameContent(local, remote) {
    return .merged(MergedTexts(local: local.bytes, remote: remote.bytes))
  }
  let baseForms = base.map { BothSides(canonicalForm(of: $0.local), canonicalForm(of: $0.remote)) }
  let isOneText = baseForms.map { $0.local == $0.remote } ?? true
  if isOneText, let agreed = baseForms?.local {
    if forms.local == agreed {
      return .merged(MergedTexts(local: remote.bytes, remote: remote.bytes))
    }
    if forms.remote == agreed {
      return .merged(MergedTexts(local: local.bytes, remote: local.bytes))
    }
  }
  do throws(MergeObstacle) {
    return .merged(try join(base, BothSides(local, remote), times, zones, asOne: isOneText))
  } catch {
    return .conflict(error)
  }
}

private func join(
  _ base: BothSides<SyntaxTree>?, _ texts: BothSides<SyntaxTree>, _ times: EditTimes,
  _ zones: ItemZones, asOne isOneText: Bool
) throws(MergeObstacle) -> MergedTexts {
  let context = TimeContext(
    zones, [texts.local, texts.remote] + (base.map { [$0.local, $0.remote] } ?? []))
  let nothing = SyntaxTree(bytes: Array("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n".utf8))
  let aligned = BothSides(
    zones.aligned(base?.local ?? nothing, to: texts.local, for: texts.remote),
    zones.aligned(base?.remote ?? nothing, to: texts.remote, for: texts.local))
  let (completed, isNew) = try completed(aligned, for: texts, context)
  let followed = try FollowedSeries(completed, texts, context)
  let bases = followed.bases
  let spelled = try withoutRespelling(
    followed.texts, bases, isNew, context, newer: times.newer)
  let parts = BothSides(
    BaseAndText(
      base: try read(bases.local, context), text: try read(spelled.local, context)),
    BaseAndText(
      base: try read(bases.remote, context), text: try read(spelled.remote, context)))
  var draft = MergeDraft(parts, isNew: isNew, makers: followed.makers, newer: times.newer)
  try draft.settleParts()
  var results: [SyntaxTree] = []
  do throws(EditRefusal) {
    let settled = try draft.applied(to: bases, spelled)
    for side in Side.allCases {
      let (own, other) = (settled[side], settled[side.opposite])
      let change = try respelling(other, as: own.text, context)
      let moments = CarriedMoments([change.base, change.text, own.text], context)
      guard
        let bytes = carryChange(
          from: change.base, to: change.text, onto: own.text, moments: moments.key)
      else { throw EditRefusal.notWhole }
      results.append(SyntaxTree(bytes: bytes))
    }
  } catch {
    throw .unmergeable
  }
  var merged = try followed.asMade(BothSides(results[0], results[1]), context)
  for side in Side.allCases {
    do throws(EditRefusal) {
      merged[side] = try withDefinitions(
        merged[side], from: [spelled[side.opposite], spelled[side]])
    } catch {
      throw .unmergeable
    }
    try check(merged[side], against: texts, since: base, context)
  }
  let isOneText = isOneText && !draft.leavesSidesUnlike
  return MergedTexts(
    local: merged.local.bytes, remote: (isOneText ? merged.local : merged.remote).bytes,
    lost: draft.lost)
}

private func withoutRespelling(
  _ texts: BothSides<SyntaxTree>, _ bases: BothSides<SyntaxTree>, _ isNew: Set<PartKey>,
  _ context: TimeContext, newer: Side
) throws(MergeObstacle) -> BothSides<SyntaxTree> {
  var undo = RespellingUndo(
    BothSides(
      BaseAndText(base: try read(bases.local, context), text: try read(texts.local, context)),
      BaseAndText(base: try read(bases.remote, context), text: try read(texts.remote, context))),
    isNew: isNew, newer: newer)
  do throws(EditRefusal) { return try undo.texts(texts) } catch { throw .unmergeable }
}

func read(_ tree: SyntaxTree, _ context: TimeContext) throws(MergeObstacle) -> ItemParts {
  guard let parts = ItemParts(tree, context) else { throw .unmergeable }
  return parts
}

/// Gives each base a counterpart of the parts that both texts have, so that what both added can be
/// compared line by line: of an override what the occurrence was in the series, else an empty one.
/// Gives also which are empty.
private func completed(
  _ bases: BothSides<SyntaxTree>, for texts: BothSides<SyntaxTree>, _ context: TimeContext
) throws(MergeObstacle) -> (BothSides<SyntaxTree>, Set<PartKey>) {
  let textParts = BothSides(try read(texts.local, context), try read(texts.remote, context))
  let parts = BothSides(try read(bases.local, context), try read(bases.remote, context))
  var completed = bases
  var isNew: Set<PartKey> = []
  for key in textParts.local.partKeys {
    guard let local = textParts.local[key], let remote = textParts.remote[key] else { continue }
    let versions = BothSides(local, remote)
    let lacking = Side.allCases.filter { parts[$0][key] == nil }
    let known = lacking.compactMap { parts[$0].occurrence(key, named: versions[$0]) }
    if known.count < lacking.count { isNew.insert(key) }
    for (index, side) in lacking.enumerated() {
      let counterpart =
        known.count == lacking.count ? known[index] : emptyCounterpart(of: versions[side], key)
      guard let counterpart else { throw .unmergeable }
      do throws(EditRefusal) {
        try completed[side].apply(.insert(counterpart, in: parts[side].calendar.id, after: nil))
      } catch {
        throw .unmergeable
      }
    }
  }
  for side in Side.allCases { completed[side] = SyntaxTree(bytes: completed[side].bytes) }
  return (completed, isNew)
}

private func emptyCounterpart(of part: Component, _ key: PartKey) -> Component? {
  let kind = String(decoding: key.kind, as: UTF8.self)
  var text = Array("BEGIN:\(kind)\r\n".utf8)
  for name in ["UID", "RECURRENCE-ID"] {
    for line in part.lines(named: name) { text += line.content + [0x0D, 0x0A] }
  }
  text += Array("END:\(kind)\r\n".utf8)
  return SyntaxTree(bytes: text).root.components.first
}

/// Spells the RECURRENCE-IDs of a base and its text as another text does, so that overrides of one
/// moment are one.
func respelling(
  _ change: BaseAndText<SyntaxTree>, as model: SyntaxTree, _ context: TimeContext
) throws(EditRefusal) -> BaseAndText<SyntaxTree> {
  guard let wanted = ItemParts(model, context), let text = ItemParts(change.text, context),
    let base = ItemParts(change.base, context)
  else { throw .notWhole }
  var result = change
  for key in text.overrides + base.overrides.filter({ text[$0] == nil }) {
    guard let line = (wanted[key] ?? text[key])?.line(named: "RECURRENCE-ID") else { continue }
    let spelling = [SyntaxTree.NewLine.source(line.source)]
    if let part = text[key], let old = part.line(named: "RECURRENCE-ID"),
      old.content != line.content
    {
      try result.text.apply(.lines([old.id], by: spelling, in: part.id))
    }
    if let part = base[key], let old = part.line(named: "RECURRENCE-ID"),
      old.content != line.content
    {
      try result.base.apply(.lines([old.id], by: spelling, in: part.id))
    }
  }
  return BaseAndText(
    base: SyntaxTree(bytes: result.base.bytes), text: SyntaxTree(bytes: result.text.bytes))
}
