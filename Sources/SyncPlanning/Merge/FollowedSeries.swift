import ICalendar
import SyncModel

/// The bases and texts of a merge in which each override that one side alone made has a counterpart
/// on the other side: what the occurrence is in the series there. What that side changed of the
/// whole series, its place, its attendees or its alarms, meets what the override says like any two
/// changes of one component. As with an edit of all occurrences (docs/spans.md), it goes into the
/// override where this has it as the series had it, and else the override holds.
struct FollowedSeries {
  let bases: BothSides<SyntaxTree>
  let texts: BothSides<SyntaxTree>
  /// Who made the override, of those that got a counterpart.
  let makers: [PartKey: Side]

  init(
    _ bases: BothSides<SyntaxTree>, _ texts: BothSides<SyntaxTree>, _ context: TimeContext
  ) throws(MergeObstacle) {
    let parts = BothSides(
      BaseAndText(base: try read(bases.local, context), text: try read(texts.local, context)),
      BaseAndText(base: try read(bases.remote, context), text: try read(texts.remote, context)))
    var makers: [PartKey: Side] = [:]
    var edits = [Side.local: Edits(), .remote: Edits()]
    for side in Side.allCases {
      let (own, other) = (parts[side], parts[side.opposite])
      for found in Self.counterparts(of: own, other) {
        makers[found.key] = side
        edits[side]?.base.append(.insert(found.own, in: own.base.calendar.id, after: nil))
        edits[side.opposite]?.base.append(
          .insert(found.before, in: other.base.calendar.id, after: nil))
        edits[side.opposite]?.text.append(
          .insert(found.after, in: other.text.calendar.id, after: nil))
      }
    }
    self.makers = makers
    self.bases = BothSides(
      try edited(bases.local, edits[.local]?.base), try edited(bases.remote, edits[.remote]?.base))
    self.texts = BothSides(
      try edited(texts.local, edits[.local]?.text), try edited(texts.remote, edits[.remote]?.text))
  }

  private struct Edits {
    var base: [TreeEdit] = []
    var text: [TreeEdit] = []
  }

  /// The outcomes of the merge with each such override laid out as its maker has it: the lines of
  /// the series nobody wrote into it.
  func asMade(
    _ merged: BothSides<SyntaxTree>, _ context: TimeContext
  ) throws(MergeObstacle) -> BothSides<SyntaxTree> {
    if makers.isEmpty { return merged }
    let parts = BothSides(try read(merged.local, context), try read(merged.remote, context))
    var edits: [Side: [TreeEdit]] = [:]
    for key in parts.local.overrides {
      guard let maker = makers[key], let made = parts[maker][key],
        let copy = parts[maker.opposite][key]
      else { continue }
      let calendar = parts[maker.opposite].calendar.id
      edits[maker.opposite, default: []] += [
        .insert(made, in: calendar, after: copy.id), .remove(copy.id),
      ]
    }
    return BothSides(
      try edited(merged.local, edits[.local]), try edited(merged.remote, edits[.remote]))
  }

  /// What an occurrence was in the base of who made the override, and in that of the other side;
  /// and what it is there by now.
  private struct Counterpart {
    let key: PartKey
    let own: Component
    let before: Component
    let after: Component
  }

  /// - Parameters:
  ///   - own: a side that may have made overrides.
  ///   - other: the side that may have changed the series.
  private static func counterparts(
    of own: BaseAndText<ItemParts>, _ other: BaseAndText<ItemParts>
  ) -> [Counterpart] {
    let made = own.text.overrides.filter { key in
      own.base[key] == nil && other.base[key] == nil && other.text[key] == nil
    }
    guard !made.isEmpty, let change = SeriesChange(of: other, besides: own) else { return [] }
    // Each is a copy of the whole series: of one with large attachments they would be too much.
    let size = change.size.multipliedReportingOverflow(by: made.count)
    if size.overflow || size.partialValue > ItemData.mostComparedBytes { return [] }
    let excluded = other.text.exclusions
    let moved = MovedOverrides(from: own.base, to: own.text)
    return made.compactMap { key in
      // One that went along with a moved series is the one that both had.
      guard moved.former(key) == nil,
        let override = own.text[key], let moment = key.occurrence, !excluded.contains(moment),
        let was = own.base.occurrence(key, named: override),
        let before = other.base.occurrence(key, named: override),
        let now = other.text.occurrence(key, named: override),
        let after = change.after(before, now, madeOf: was, as: override)
      else { return nil }
      return Counterpart(key: key, own: was, before: before, after: after)
    }
  }
}

/// A tree with edits made in it, whole again.
private func edited(
  _ tree: SyntaxTree, _ edits: [TreeEdit]?
) throws(MergeObstacle) -> SyntaxTree {
  guard let edits, !edits.isEmpty else { return tree }
  var copy = tree
  do throws(EditRefusal) {
    for edit in edits { try copy.apply(edit) }
  } catch {
    throw .unmergeable
  }
  return SyntaxTree(bytes: copy.bytes)
}

/// What one side changed of a whole series, and the other side left as it was.
private struct SeriesChange {
  /// Of the series as it is by now, in bytes.
  let size: Int
  /// What the other side changed of it as well: an override of its own that it left out of that is
  /// meant to be otherwise.
  private let shared: Set<[UInt8]>
  private let hasSharedChildren: Bool
  /// Of the other side.
  private let times: BaseAndText<ItemTimes>

  /// Nil where the series is at other times by now, or there is no telling.
  init?(of other: BaseAndText<ItemParts>, besides own: BaseAndText<ItemParts>) {
    guard let main = other.text.main, let text = other.text[main], let base = other.base[main],
      let ownText = own.text[main], let ownBase = own.base[main],
      ![own, other].contains(where: { $0.text.overrides.contains(where: \.isThisAndFuture) })
    else { return nil }
    let series = MergeDraft.Versions(base: base, text: text)
    let ownSeries = MergeDraft.Versions(base: ownBase, text: ownText)
    let before = TimedPart(base, series.baseGroups, other.base.times)
    let now = TimedPart(text, series.groups, other.text.times)
    guard ![series, ownSeries].contains(where: { $0.groups.hasBrackets }),
      ScheduleSlot.allCases.allSatisfy({ !$0.isFrame || $0.isSame(before, now) }),
      MergeDraft.differsBeyondNoise(base, text)
    else { return nil }
    size = text.bytes.count
    times = BaseAndText(base: own.base.times, text: own.text.times)
    let changed = Set(
      (ownSeries.groups.names + ownSeries.baseGroups.names).filter {
        Self.isEdited($0, in: ownSeries, beside: series)
      })
    shared = changed.union(
      PropertyBundle.all(of: main.kind).map(\.names).filter { !changed.isDisjoint(with: $0) }
        .joined())
    hasSharedChildren = !Self.haveSameChildren(ownBase, ownText)
  }

  /// A property says something else, for a person. What is but spelt otherwise or filled in by
  /// programs is as it was; so is an old value of which something was said, where the other side
  /// has put another one in its place.
  private static func isEdited(
    _ name: [UInt8], in own: MergeDraft.Versions, beside other: MergeDraft.Versions
  ) -> Bool {
    let (base, text) = (own.baseGroups[name], own.groups[name])
    if said(base) == said(text) { return false }
    let isRepeated = [own, other].contains { $0.isRepeated(name) }
    let isToldByValue =
      PropertySet.isToldByValue(name) || PropertyRule(name, isRepeated: isRepeated) == .newer
    return !isToldByValue || !own.hasOldValues(of: name) || other.hasOldValues(of: name)
  }

  /// What a person says by lines of one name.
  private static func said(_ group: PropertyGroups.Group?) -> [[UInt8]] {
    Meaning.of(group, counting: ParameterJoin.isSaid)
  }

  /// An occurrence as it is by now, without what is not to go into the override; nil where nothing
  /// is left.
  ///
  /// - Parameters:
  ///   - old: what it was on the side of the change; `now`: what it is there.
  ///   - former: what it was on the side of the override.
  func after(
    _ old: Component, _ now: Component, madeOf former: Component, as override: Component
  ) -> Component? {
    var tree = SyntaxTree(bytes: now.bytes)
    guard let new = tree.root.components.first else { return nil }
    let made = MergeDraft.Versions(base: former, text: override)
    if made.groups.hasBrackets { return nil }
    let versions = MergeDraft.Versions(base: old, text: new)
    do throws(EditRefusal) {
      var handled: Set<[UInt8]> = []
      for name in versions.groups.names + versions.baseGroups.names
      where versions.changed(name) && handled.insert(name).inserted {
        guard let lines = lines(of: name, versions, made) else { continue }
        try tree.apply(.lines(versions.lines(name).map(\.id), by: lines, in: new.id))
      }
      if hasSharedChildren || !Self.haveSameChildren(former, override) {
        for child in new.components { try tree.apply(.remove(child.id)) }
        for child in old.components {
          try tree.apply(.insert(child, in: new.id, after: nil))
        }
      }
    } catch {
      return nil
    }
    guard let left = SyntaxTree(bytes: tree.bytes).root.components.first,
      MergeDraft.differsBeyondNoise(old, left)
    else { return nil }
    return left
  }

  /// The lines of a name that the counterpart is to have; nil: those of the series.
  private func lines(
    of name: [UInt8], _ versions: MergeDraft.Versions, _ made: MergeDraft.Versions
  ) -> [SyntaxTree.NewLine]? {
    if Self.ofTheOccurrence.contains(name) || shared.contains(name) {
      return versions.baseLines(name).map { .source($0.source) }
    }
    guard name.elementsEqual("ATTENDEE".utf8) else { return nil }
    // What the override says of somebody holds, that he does not come, too; and who comes to an
    // occurrence at another time is asked anew.
    let isMoved = isMoved(made)
    let (was, says) = (
      Self.saidOfEach(in: made.baseGroups[name]), Self.saidOfEach(in: made.groups[name])
    )
    func isOwn(_ person: [UInt8]) -> Bool { was[person] != says[person] }
    let before = Dictionary(
      versions.baseLines(name).map { ($0.attendeeAddress, $0) }, uniquingKeysWith: { one, _ in one }
    )
    let there = Set(versions.lines(name).map(\.attendeeAddress))
    var lines = versions.lines(name).compactMap { line in
      let person = line.attendeeAddress
      return isOwn(person) || isMoved && before[person] != nil ? before[person] : line
    }
    lines += versions.baseLines(name).filter { line in
      let person = line.attendeeAddress
      return !there.contains(person) && isOwn(person)
    }
    return lines.map { .source($0.source) }
  }

  /// The override is at another time than the occurrence was, and not only says it otherwise.
  private func isMoved(_ made: MergeDraft.Versions) -> Bool {
    let was = TimedPart(made.base, made.baseGroups, times.base)
    let now = TimedPart(made.text, made.groups, times.text)
    return ScheduleSlot.allCases.contains { $0.isFrame && !$0.isSame(was, now) }
  }

  /// What a person says of each attendee, whatever the spelling.
  private static func saidOfEach(in group: PropertyGroups.Group?) -> [[UInt8]: [[UInt8]]] {
    Dictionary(
      FormedLine.all(group).map { formed in
        (formed.line.attendeeAddress, Meaning.of(formed, counting: ParameterJoin.isSaid))
      },
      uniquingKeysWith: { one, _ in one })
  }

  private static func haveSameChildren(_ one: Component, _ other: Component) -> Bool {
    func others(_ component: Component) -> [[[UInt8]]] {
      component.components.filter { !$0.isNamed("VALARM") }.map { LooseMeaning.of(alarm: $0) }
        .sorted { $0.joined().lexicographicallyPrecedes($1.joined()) }
    }
    return AlarmMatch.haveSame(one, other) && others(one) == others(other)
  }

  /// When an occurrence is, and of which series it is a part, it has of its own.
  private static let ofTheOccurrence = Set(
    PropertyRule.names("RELATED-TO") + ScheduleSlot.allCases.flatMap(\.names))
}
