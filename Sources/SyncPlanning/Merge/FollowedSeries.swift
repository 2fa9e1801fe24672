import ICalendar
import SyncModel

/// The bases and texts of a merge in which each override that one side alone made has a counterpart
/// on the other side: what the occurrence is in the series there. What that side changed of the
/// whole series, its place, its attendees or its alarms, meets what the override says like any two
/// changes of one component. As with an edit of all occurrences (docs/spans.md), it goes into the
/// override where this has it as the series had it, and else the override holds.
struct FollowedSeries {
  private(set) var bases: BothSides<SyntaxTree>
  private(set) var texts: BothSides<SyntaxTree>
  /// Who made the override, of those that got a counterpart.
  private(set) var makers: [PartKey: Side] = [:]

  init(
    _ bases: BothSides<SyntaxTree>, _ texts: BothSides<SyntaxTree>, _ context: TimeContext
  ) throws(MergeObstacle) {
    self.bases = bases
    self.texts = texts
    let parts = BothSides(
      BaseAndText(base: try read(bases.local, context), text: try read(texts.local, context)),
      BaseAndText(base: try read(bases.remote, context), text: try read(texts.remote, context)))
    let counterparts = Side.allCases.map { Self.counterparts(of: parts[$0], parts[$0.opposite]) }
    // Each is a copy of the whole series: of one with large attachments they would be too much.
    let size = counterparts.joined().reduce(0) { $0 + $1.after.count }
    guard size > 0, size <= ItemData.mostComparedBytes else { return }
    for (side, found) in zip(Side.allCases, counterparts) {
      for counterpart in found {
        try insert(counterpart.own, in: parts[side].base, \.bases[side])
        try insert(counterpart.before, in: parts[side.opposite].base, \.bases[side.opposite])
        try insert(counterpart.after, in: parts[side.opposite].text, \.texts[side.opposite])
        makers[counterpart.key] = side
      }
    }
    for side in Side.allCases where !makers.isEmpty {
      self.bases[side] = SyntaxTree(bytes: self.bases[side].bytes)
      self.texts[side] = SyntaxTree(bytes: self.texts[side].bytes)
    }
  }

  /// The outcomes of the merge with each such override laid out as its maker has it: the lines of
  /// the series nobody wrote into it.
  func asMade(
    _ merged: BothSides<SyntaxTree>, _ context: TimeContext
  ) throws(MergeObstacle) -> BothSides<SyntaxTree> {
    if makers.isEmpty { return merged }
    let parts = BothSides(try read(merged.local, context), try read(merged.remote, context))
    var result = merged
    for key in parts.local.overrides {
      guard let maker = makers[key], let made = parts[maker][key],
        let copy = parts[maker.opposite][key]
      else { continue }
      do throws(EditRefusal) {
        let calendar = parts[maker.opposite].calendar.id
        try result[maker.opposite].apply(.insert(made.bytes, in: calendar, after: copy.id))
        try result[maker.opposite].apply(.remove(copy.id))
      } catch {
        throw .unmergeable
      }
    }
    return result.map { SyntaxTree(bytes: $0.bytes) }
  }

  /// What an occurrence was in the base of who made the override, and in that of the other side;
  /// and what it is there by now.
  private struct Counterpart {
    let key: PartKey
    let own: [UInt8]
    let before: [UInt8]
    let after: [UInt8]
  }

  private mutating func insert(
    _ component: [UInt8], in parts: ItemParts, _ tree: WritableKeyPath<Self, SyntaxTree>
  ) throws(MergeObstacle) {
    do throws(EditRefusal) {
      try self[keyPath: tree].apply(.insert(component, in: parts.calendar.id, after: nil))
    } catch {
      throw .unmergeable
    }
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
    let excluded = other.text.exclusions
    return made.compactMap { key in
      guard let override = own.text[key], let moment = key.occurrence, !excluded.contains(moment),
        let was = own.base.occurrence(key, named: override),
        let before = other.base.occurrence(key, named: override),
        let now = other.text.occurrence(key, named: override),
        let after = change.after(before, now, madeOf: was, as: override)
      else { return nil }
      return Counterpart(key: key, own: was, before: before, after: after)
    }
  }
}

/// What one side changed of a whole series, and the other side left as it was.
private struct SeriesChange {
  /// What the other side changed of it as well: an override of its own that it left out of that is
  /// meant to be otherwise.
  private let shared: Set<[UInt8]>
  private let hasSharedChildren: Bool

  /// Nil where the series is at other times by now, or there is no telling.
  init?(of other: BaseAndText<ItemParts>, besides own: BaseAndText<ItemParts>) {
    guard let main = other.text.main, let text = other.text[main], let base = other.base[main],
      let ownText = own.text[main], let ownBase = own.base[main],
      ![own, other].contains(where: { $0.text.overrides.contains(where: \.isThisAndFuture) })
    else { return nil }
    let series = MergeDraft.Versions(base: base, text: text)
    let ownSeries = MergeDraft.Versions(base: ownBase, text: ownText)
    guard ![series, ownSeries].contains(where: { $0.groups.hasBrackets }),
      !MergeDraft.changedSlots(series).contains(where: \.isFrame),
      MergeDraft.differsBeyondNoise(base, text)
    else { return nil }
    let changed = Set(
      (ownSeries.groups.names + ownSeries.baseGroups.names).filter(ownSeries.changed))
    shared = changed.union(
      PropertyBundle.all(of: main.kind).map(\.names).filter { !changed.isDisjoint(with: $0) }
        .joined())
    hasSharedChildren = MergeDraft.children(of: ownBase) != MergeDraft.children(of: ownText)
  }

  /// An occurrence as it is by now, without what is not to go into the override; nil where nothing
  /// is left.
  ///
  /// - Parameters:
  ///   - before: what it was on the side of the change; `now`: what it is there.
  ///   - was: what it was on the side of the override.
  func after(
    _ before: [UInt8], _ now: [UInt8], madeOf was: [UInt8], as override: Component
  ) -> [UInt8]? {
    var tree = SyntaxTree(bytes: now)
    guard let old = SyntaxTree(bytes: before).root.components.first,
      let new = tree.root.components.first,
      let former = SyntaxTree(bytes: was).root.components.first
    else { return nil }
    let made = MergeDraft.Versions(base: former, text: override)
    if made.groups.hasBrackets { return nil }
    let versions = MergeDraft.Versions(base: old, text: new)
    let isMoved = MergeDraft.changedSlots(made).contains(where: \.isFrame)
    do throws(EditRefusal) {
      var handled: Set<[UInt8]> = []
      for name in versions.groups.names + versions.baseGroups.names
      where versions.changed(name) && handled.insert(name).inserted {
        // Who will come to an occurrence at another time is asked anew.
        let isAskedAnew = isMoved && name.elementsEqual("ATTENDEE".utf8)
        guard isAskedAnew || shared.contains(name) || name.elementsEqual("RELATED-TO".utf8) else {
          continue
        }
        try tree.apply(
          .lines(
            versions.lines(name).map(\.id),
            by: versions.baseLines(name).map { .source($0.source) }, in: new.id))
      }
      if hasSharedChildren {
        for child in new.components { try tree.apply(.remove(child.id)) }
        for child in old.components {
          try tree.apply(.insert(child.bytes, in: new.id, after: nil))
        }
      }
    } catch {
      return nil
    }
    let left = SyntaxTree(bytes: tree.bytes).root.components.first
    guard let left, MergeDraft.differsBeyondNoise(old, left) else { return nil }
    return tree.bytes
  }
}
