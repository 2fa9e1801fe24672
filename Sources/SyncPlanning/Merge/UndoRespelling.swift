import ICalendar
import Recurrence
import SyncModel

/// Takes back what the text of a side only says in other words than its base, where the other side
/// changed that very thing: programs and servers respell what they store, and nobody edited it.
/// Elsewhere another spelling goes its way like any change.
struct RespellingUndo {
  private let parts: BothSides<BaseAndText<ItemParts>>
  /// Parts that one of the bases does not have.
  private let isNew: Set<PartKey>
  private let newer: Side
  private var edits = BothSides<[TreeEdit]>([], [])

  init(_ parts: BothSides<BaseAndText<ItemParts>>, isNew: Set<PartKey>, newer: Side) {
    self.parts = parts
    self.isNew = isNew
    self.newer = newer
  }

  /// The texts without it.
  mutating func texts(_ texts: BothSides<SyntaxTree>) throws(EditRefusal) -> BothSides<SyntaxTree> {
    for side in Side.allCases {
      for key in parts[side].text.partKeys {
        guard let base = parts[side].base[key], let text = parts[side].text[key] else { continue }
        undo(PartChange(base: base, text: text, key: key), on: side)
      }
    }
    var results: [SyntaxTree] = []
    for side in Side.allCases {
      var text = texts[side]
      for edit in edits[side] { try text.apply(edit) }
      if !edits[side].isEmpty {
        text = try withFormerZones(
          SyntaxTree(bytes: text.bytes), insteadOf: texts[side], of: parts[side].base.calendar)
      }
      results.append(text)
    }
    return BothSides(results[0], results[1])
  }

  private struct PartChange {
    let base: Component
    let text: Component
    let key: PartKey
  }

  private mutating func undo(_ own: PartChange, on side: Side) {
    let other = parts[side.opposite]
    guard let otherBase = other.base[own.key] else { return }
    guard let otherText = other.text[own.key] else {
      if isRespelt(own, on: side) {
        edits[side] += [
          .insert(own.base, in: parts[side].text.calendar.id, after: own.text.id),
          .remove(own.text.id),
        ]
      }
      return
    }
    let theirs = PartChange(base: otherBase, text: otherText, key: own.key)
    let (mine, there) = (versions(own), versions(theirs))
    guard !mine.groups.hasBrackets, !mine.baseGroups.hasBrackets else { return }
    undoSchedule(own, mine, theirs, there, on: side)
    let left = mine.baseGroups.names.filter { mine.groups[$0] == nil }
    for name in mine.groups.names + left
    where mine.changed(name) && !Self.frame.contains(name) && isMet(name, there, in: own.key) {
      undoLines(name, mine, there, on: side)
    }
  }

  private func versions(_ change: PartChange) -> MergeDraft.Versions {
    MergeDraft.Versions(base: change.base, text: change.text)
  }

  // MARK: Properties

  /// The other side has edited that very thing, or what says one thing together with it.
  private func isMet(_ name: [UInt8], _ there: MergeDraft.Versions, in key: PartKey) -> Bool {
    // Of an item that the sides never agreed on, nobody knows whether it was confirmed again.
    let isProgress = Self.progress.contains(name)
    if isProgress, isNew.contains(key) { return false }
    let names = isProgress && key.kind.elementsEqual("VTODO".utf8) ? Self.progress : [name]
    return names.contains {
      there.changed($0) && Meaning.of(there.baseGroups[$0]) != Meaning.of(there.groups[$0])
    }
  }

  private static let progress = PropertyBundle.progress.names

  /// The lines of a name that mean what lines of the base do, spelt as these; all of them as in the
  /// base where no other is left.
  private mutating func undoLines(
    _ name: [UInt8], _ mine: MergeDraft.Versions, _ there: MergeDraft.Versions, on side: Side
  ) {
    let old = mine.lines(name).map(\.id)
    let base = FormedLine.all(mine.baseGroups[name])
    var new = base.map(\.line.source)
    if Meaning.of(mine.baseGroups[name]) != Meaning.of(mine.groups[name]),
      !hasOldValue(name, mine, there)
    {
      let text = FormedLine.all(mine.groups[name])
      let (known, kept) = (Set(base.map(\.form)), Set(text.map(\.form)))
      var spare: [[[UInt8]]: [FormedLine]] = [:]
      for line in base.reversed() where !kept.contains(line.form) {
        spare[Meaning.of(line), default: []].append(line)
      }
      new = text.map { line in
        if known.contains(line.form) { return line.line.source }
        return (spare[Meaning.of(line)]?.popLast() ?? line).line.source
      }
    }
    if new != mine.lines(name).map(\.source) {
      edits[side].append(.lines(old, by: new.map { .source($0) }, in: mine.text.id))
    }
  }

  /// Of what stands once, the parameters alone were changed, and the value by the other side: a
  /// language, a rich text or a name that belongs to the old value says nothing of the new one.
  private func hasOldValue(
    _ name: [UInt8], _ mine: MergeDraft.Versions, _ there: MergeDraft.Versions
  ) -> Bool {
    ![mine, there].contains { $0.isRepeated(name) }
      && PropertyRule(name, isRepeated: false) == .newer
      && mine.hasOldValues(of: name) && !there.hasOldValues(of: name)
  }

  // MARK: The schedule

  private static let frame = Set(ScheduleSlot.allCases.filter(\.isFrame).flatMap(\.names))

  /// A start, end or rule in another spelling is no change that could meet the other side's.
  private mutating func undoSchedule(
    _ own: PartChange, _ mine: MergeDraft.Versions, _ theirs: PartChange,
    _ there: MergeDraft.Versions, on side: Side
  ) {
    let respelt = respeltSlots(own, mine, on: side)
    if respelt.isEmpty { return }
    let other = side.opposite
    let (all, respeltThere) = (
      MergeDraft.changedSlots(there), respeltSlots(theirs, there, on: other)
    )
    // Of two other spellings the newer one goes its way.
    let changed = side == newer ? all.subtracting(respeltThere) : all
    let hasOtherOverrides =
      !own.key.isOverride
      && (Set(parts[other].base.overrides) != Set(parts[other].text.overrides)
        || hasEditOfRemoved(on: side))
    guard !changed.isEmpty || hasOtherOverrides else { return }
    // Which of the two it repeats in only a person knows.
    if becameSeries(theirs, there, on: other), isOnAnotherWall(own, mine, on: side) { return }
    for slot in respelt {
      for name in slot.names {
        let (old, new) = (mine.lines(name), mine.baseLines(name))
        if old.map(\.source) == new.map(\.source) { continue }
        edits[side].append(
          .lines(old.map(\.id), by: new.map { .source($0.source) }, in: own.text.id))
      }
    }
  }

  private func timed(
    _ change: PartChange, _ versions: MergeDraft.Versions, on side: Side
  ) -> BaseAndText<TimedPart> {
    BaseAndText(
      base: TimedPart(change.base, versions.baseGroups, parts[side].base.times),
      text: TimedPart(change.text, versions.groups, parts[side].text.times))
  }

  private func becameSeries(
    _ change: PartChange, _ versions: MergeDraft.Versions, on side: Side
  ) -> Bool {
    let part = timed(change, versions, on: side)
    return part.text.recurs && !part.base.recurs
  }

  /// Its start is in a zone in which a series would be at other times than in the base, once the
  /// clock is changed. In UTC, as programs and servers write, it is in none.
  private func isOnAnotherWall(
    _ change: PartChange, _ versions: MergeDraft.Versions, on side: Side
  ) -> Bool {
    var part = timed(change, versions, on: side)
    guard case .zoned? = part.text.schedule.start else { return false }
    part.base.recurs = true
    part.text.recurs = true
    return !ScheduleSlot.start.isSame(part.base, part.text)
  }

  /// The other side edited an override that is none here any more: as an occurrence of the series
  /// as it was.
  private func hasEditOfRemoved(on side: Side) -> Bool {
    let (own, other) = (parts[side], parts[side.opposite])
    return other.text.overrides.contains { key in
      guard own.base[key] != nil, own.text[key] == nil, let old = other.base[key],
        let edited = other.text[key]
      else { return false }
      return !isRespelt(PartChange(base: old, text: edited, key: key), on: side.opposite)
    }
  }

  private func respeltSlots(
    _ change: PartChange, _ versions: MergeDraft.Versions, on side: Side
  ) -> [ScheduleSlot] {
    let part = timed(change, versions, on: side)
    return ScheduleSlot.allCases.filter { slot in
      slot.isFrame && slot.names.contains(where: versions.changed)
        && slot.isSame(part.base, part.text)
    }
  }

  /// All of a part is as in its base, but for the spelling and the fields that say that it was
  /// touched; of an override also but for what programs fill in.
  private func isRespelt(_ change: PartChange, on side: Side) -> Bool {
    let versions = versions(change)
    let changed = MergeDraft.changedSlots(versions).filter(\.isFrame)
    guard changed.isSubset(of: respeltSlots(change, versions, on: side)) else { return false }
    func isLeftOut(_ name: [UInt8]) -> Bool {
      // Whose occurrence it is the key has said.
      PropertyRule.isNoise(name) || Self.frame.contains(name)
        || name.elementsEqual("RECURRENCE-ID".utf8)
        || change.key.isOverride && PropertyRule.isFilledIn(name)
    }
    guard let base = withoutAlarms(change.base), let text = withoutAlarms(change.text) else {
      return false
    }
    func counts(_ parameter: [UInt8]) -> Bool {
      !change.key.isOverride || ParameterJoin.isSaid(parameter)
    }
    return Meaning.of(base, without: isLeftOut, counting: counts)
      == Meaning.of(text, without: isLeftOut, counting: counts)
      && AlarmMatch.haveSame(change.base, change.text)
  }

  private func withoutAlarms(_ component: Component) -> Component? {
    if !component.components.contains(where: { $0.isNamed("VALARM") }) { return component }
    var tree = SyntaxTree(bytes: component.bytes)
    guard let copy = tree.root.components.first else { return nil }
    do throws(EditRefusal) {
      for alarm in copy.components where alarm.isNamed("VALARM") { try tree.remove(alarm.id) }
    } catch {
      return nil
    }
    return SyntaxTree(bytes: tree.bytes).root.components.first
  }
}

extension MergeDraft.Versions {
  /// No more of a name was changed than what parameters say of its values.
  func hasOldValues(of name: [UInt8]) -> Bool {
    Meaning.values(of: baseGroups[name]) == Meaning.values(of: groups[name])
  }

  /// A name stands, or stood, more than once.
  func isRepeated(_ name: [UInt8]) -> Bool { max(lines(name).count, baseLines(name).count) > 1 }
}
