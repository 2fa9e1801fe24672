import ICalendar
import SyncModel

extension MergeDraft {
  /// Settles everything that both sides changed.
  mutating func settleParts() throws(MergeObstacle) {
    try settleSchedules()
    try checkRanges()
    let survivors = try settleRemovals()
    let calendars = parts.map { BaseAndText(base: $0.base.calendar, text: $0.text.calendar) }
    try settleProperties(
      calendars.map { Versions(base: $0.base, text: $0.text) }, occurrence: nil)
    settleChildren(of: calendars, occurrence: nil, isCalendar: true)
    let remote = Set(parts.remote.text.partKeys)
    for key in parts.local.text.partKeys where remote.contains(key) {
      guard let versions = versions(of: key) else { continue }
      let line = versions.local.text.line(named: "RECURRENCE-ID")
      let occurrence = line.map { String(decoding: $0.value, as: UTF8.self) }
      let isNew = isNew.contains(key)
      try settling(key) { draft throws(MergeObstacle) in
        try draft.settleProperties(
          versions, occurrence: occurrence, isNew: isNew,
          without: key.isOverride ? [] : survivors)
        draft.settleChildren(
          of: versions.map { BaseAndText(base: $0.base, text: $0.text) }, occurrence: occurrence,
          isNew: isNew)
      }
    }
  }

  /// One side made an occurrence another one, and the other side it and all later ones: two times
  /// or titles for one occurrence, of which only a person can say what was meant.
  private func checkRanges() throws(MergeObstacle) {
    func added(_ side: Side) -> [PartKey] {
      parts[side].text.overrides.filter { parts[side].base[$0] == nil }
    }
    let there = Set(added(.remote))
    for key in added(.local) {
      let twin = PartKey(
        kind: key.kind, name: key.name, occurrence: key.occurrence,
        isThisAndFuture: !key.isThisAndFuture)
      if there.contains(twin) { throw obstacle(in: key) }
    }
  }

  /// Overrides that one side edited or added, and the other removed or excluded: the edit survives
  /// the deletion, as it does with whole items. Gives the occurrences that are not to be excluded.
  private mutating func settleRemovals() throws(MergeObstacle) -> Set<Moment> {
    var survivors: Set<Moment> = []
    for side in Side.allCases {
      let (own, other) = (parts[side], parts[side.opposite])
      for key in other.text.partKeys where own.text[key] == nil {
        guard let edited = other.text[key] else { continue }
        let old = other.base[key]
        if let old, !Self.differsBeyondNoise(old, edited) {
          // A mere touch: carried over, it would bring back on one side what goes on the other.
          let calendar = other.base.calendar.id
          editBase(of: side.opposite, .insert(edited, in: calendar, after: old.id))
          editBase(of: side.opposite, .remove(old.id))
          continue
        }
        if own.base[key] != nil {
          guard let moment = key.occurrence, !hasNewFrame(side) else {
            throw isOfAnotherKind(side, than: key) ? .kind : .schedule
          }
          survive(key, edited, on: side)
          let isExcluded = newExclusions(side).contains(moment)
          if isExcluded { survivors.insert(moment) }
          noteSurvivor(edited, of: side.opposite, isExcluded: isExcluded)
        } else if let moment = key.occurrence, newExclusions(side).contains(moment) {
          if isAsSeries(edited, key, on: side.opposite) {
            editText(of: side.opposite, .remove(edited.id))
          } else {
            survivors.insert(moment)
            noteSurvivor(edited, of: side.opposite, isExcluded: true)
          }
        }
      }
    }
    return survivors
  }

  /// A new override says what the series says at its time, as programs make them that write out
  /// what they show: nobody edited anything.
  private func isAsSeries(_ override: Component, _ key: PartKey, on side: Side) -> Bool {
    func said(_ component: Component) -> [[UInt8]] {
      Meaning.of(component, without: PropertyRule.isFilledIn, counting: ParameterJoin.isSaid)
    }
    return [parts[side].base, parts[side].text].contains { series in
      series.occurrence(key, named: override).map(said) == said(override)
    }
  }

  /// That an occurrence was cancelled gave way to an edit of it.
  private mutating func noteSurvivor(_ override: Component, of side: Side, isExcluded: Bool) {
    let line = override.line(named: "RECURRENCE-ID")
    note(
      LostChange(
        name: isExcluded ? "EXDATE" : String(decoding: override.name, as: UTF8.self).uppercased(),
        winner: side, occurrence: line.map { String(decoding: $0.value, as: UTF8.self) },
        isByTime: false))
  }

  /// Puts an edited part back where it was removed.
  private mutating func survive(_ key: PartKey, _ edited: Component, on side: Side) {
    editText(of: side, .insert(edited, in: parts[side].text.calendar.id, after: nil))
    for each in Side.allCases {
      guard let old = parts[each].base[key] else { continue }
      editBase(of: each, .insert(edited, in: parts[each].base.calendar.id, after: old.id))
      editBase(of: each, .remove(old.id))
    }
    if parts[side.opposite].base[key] == nil {
      let other = side.opposite
      editBase(of: other, .insert(edited, in: parts[other].base.calendar.id, after: nil))
    }
  }

  /// A side made it an item of another kind: a task of an event.
  private func isOfAnotherKind(_ side: Side, than key: PartKey) -> Bool {
    let kinds = parts[side].text.partKeys.map(\.kind)
    return !kinds.isEmpty && !kinds.contains(key.kind)
  }

  /// A side changed the start, end or rule of the item.
  private func hasNewFrame(_ side: Side) -> Bool {
    guard let key = parts[side].text.main, let base = parts[side].base[key],
      let text = parts[side].text[key]
    else { return parts[side].base.main != nil }
    return Self.changedSlots(Versions(base: base, text: text)).contains(where: \.isFrame)
  }

  /// The occurrences that a side has excluded since its base.
  private func newExclusions(_ side: Side) -> Set<Moment> {
    parts[side].text.exclusions.subtracting(parts[side].base.exclusions)
  }

  /// Two versions of a component differ in more than the fields that say that it was touched.
  static func differsBeyondNoise(_ old: Component, _ new: Component) -> Bool {
    let oldGroups = PropertyGroups(of: old)
    let newGroups = PropertyGroups(of: new)
    let names = Set(oldGroups.names + newGroups.names)
    let isChanged = names.contains { name in
      !PropertyRule.isNoise(name)
        && (oldGroups[name]?.canonical ?? []) != (newGroups[name]?.canonical ?? [])
    }
    return isChanged || children(of: old) != children(of: new)
  }

  static func children(of component: Component) -> [[UInt8]] {
    component.components.map { canonicalForm(of: $0) }
  }
}
