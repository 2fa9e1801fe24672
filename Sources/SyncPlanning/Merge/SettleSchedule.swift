import ICalendar
import SyncModel

extension MergeDraft {
  /// Settles the parts of the schedule that both sides changed to the same, and refuses where both
  /// changed the schedule and one of them its frame: start, end or rule.
  mutating func settleSchedules() throws(MergeObstacle) {
    let remote = Set(parts.remote.text.partKeys)
    for key in parts.local.text.partKeys where remote.contains(key) {
      guard let versions = versions(of: key) else { continue }
      try settleSchedule(of: key, versions)
    }
  }

  private mutating func settleSchedule(
    of key: PartKey, _ versions: BothSides<Versions>
  ) throws(MergeObstacle) {
    var changes = versions.map { Self.changedSlots($0) }
    if !isNew.contains(key), movedUnlike(versions, changes) { throw obstacle(in: key) }
    if haveUnlikeLengths(versions) { throw obstacle(in: key) }
    for slot in ScheduleSlot.allCases where slot.isFrame {
      guard isSame(slot, versions) else {
        // Without a base, nobody knows which of two frames is the newer one.
        if isNew.contains(key) { throw obstacle(in: key) }
        continue
      }
      let isAlike = slot.names.allSatisfy { versions.local.form($0) == versions.remote.form($0) }
      if isNew.contains(key), !isAlike {
        // Nobody asked for the spelling of the one in the other.
        for name in slot.names { leaveAsIs(name, versions) }
      } else if changes.local.contains(slot), changes.remote.contains(slot) {
        for name in slot.names { settleAsIs(name, versions) }
        changes.local.remove(slot)
        changes.remote.remove(slot)
      }
    }
    for slot in [ScheduleSlot.additions, .exclusions] {
      for side in Side.allCases where hasOldMoments(slot, versions[side], on: side) {
        changes[side].remove(slot)
      }
      let isSame = slot.names.allSatisfy { versions.local.form($0) == versions.remote.form($0) }
      guard isSame else { continue }
      changes.local.remove(slot)
      changes.remote.remove(slot)
    }
    if isNew.contains(key) { return }
    let series = key.isOverride ? BothSides(false, false) : changedOverrides
    let isLocal = !changes.local.isEmpty || series.local
    let isRemote = !changes.remote.isEmpty || series.remote
    if isLocal, isRemote, changes.local.union(changes.remote).contains(where: \.isFrame) {
      throw obstacle(in: key)
    }
  }

  /// The sides say otherwise when a part is.
  func obstacle(in key: PartKey) -> MergeObstacle {
    parts.local.text.words(for: key).map { .occurrence($0) } ?? .schedule
  }

  /// Both sides changed when it is, and not to the same: that one of its ends is the same by chance
  /// makes no half of one time fit the half of another.
  private func movedUnlike(
    _ versions: BothSides<Versions>, _ changes: BothSides<Set<ScheduleSlot>>
  ) -> Bool {
    let ends: Set<ScheduleSlot> = [.start, .end]
    let isMoved = changes.map { !$0.isDisjoint(with: ends) }
    return isMoved.local && isMoved.remote && !ends.allSatisfy { isSame($0, versions) }
  }

  private func isSame(_ slot: ScheduleSlot, _ versions: BothSides<Versions>) -> Bool {
    slot.isSame(
      TimedPart(versions.local.text, versions.local.groups, parts.local.text.times),
      TimedPart(versions.remote.text, versions.remote.groups, parts.remote.text.times))
  }

  static func changedSlots(_ versions: Versions) -> Set<ScheduleSlot> {
    Set(ScheduleSlot.allCases.filter { $0.names.contains(where: versions.changed) })
  }

  /// The dates of a side are those of its base, in another order or spelling.
  private func hasOldMoments(
    _ slot: ScheduleSlot, _ versions: Versions, on side: Side
  ) -> Bool {
    slot.names.allSatisfy { name in
      Set(Self.listed(versions.lines(name), parts[side].text.times))
        == Set(Self.listed(versions.baseLines(name), parts[side].base.times))
    }
  }

  private static func listed(_ lines: [ContentLine], _ times: ItemTimes) -> [ListedMoment] {
    lines.flatMap { line in ListElement.values(of: line).map { times.listed($0, in: line) } }
  }

  /// Each side gave an extra date a length, and not the same one: that would be one occurrence with
  /// two ends.
  private func haveUnlikeLengths(_ versions: BothSides<Versions>) -> Bool {
    let name = ScheduleSlot.additions.names[0]
    guard versions.local.changed(name), versions.remote.changed(name) else { return false }
    func ends(_ lines: [ContentLine], _ times: ItemTimes) -> [Moment: Set<Moment?>] {
      var ends: [Moment: Set<Moment?>] = [:]
      for one in Self.listed(lines, times) { ends[one.start, default: []].insert(one.end) }
      return ends
    }
    func own(_ side: Side) -> BaseAndText<[Moment: Set<Moment?>]> {
      BaseAndText(
        base: ends(versions[side].baseLines(name), parts[side].base.times),
        text: ends(versions[side].lines(name), parts[side].text.times))
    }
    let (local, remote) = (own(.local), own(.remote))
    return local.text.contains { start, here in
      guard let there = remote.text[start], here != there else { return false }
      return here != local.base[start] && there != remote.base[start]
    }
  }

  /// Whether each side has other overrides than in its base, and not the same as the other side.
  private var changedOverrides: BothSides<Bool> {
    let now = parts.map { Set($0.text.overrides) }
    if now.local == now.remote { return BothSides(false, false) }
    return BothSides(
      now.local != Set(parts.local.base.overrides), now.remote != Set(parts.remote.base.overrides))
  }
}
