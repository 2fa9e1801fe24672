import ICalendar
import Recurrence
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
    for slot in ScheduleSlot.allCases where slot.isFrame {
      guard meanSame(slot, versions) else {
        // Without a base, nobody knows which of two frames is the newer one.
        if isNew.contains(key) { throw .schedule }
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
      throw .schedule
    }
  }

  static func changedSlots(_ versions: Versions) -> Set<ScheduleSlot> {
    Set(ScheduleSlot.allCases.filter { $0.names.contains(where: versions.changed) })
  }

  /// The dates of a side are those of its base, in another order or spelling.
  private func hasOldMoments(
    _ slot: ScheduleSlot, _ versions: Versions, on side: Side
  ) -> Bool {
    func moments(_ lines: [ContentLine], _ times: ItemTimes) -> Set<Moment> {
      Set(
        lines.flatMap { line in
          ListElement.values(of: line).map { times.occurrence(of: $0, in: line) }
        })
    }
    return slot.names.allSatisfy { name in
      moments(versions.lines(name), parts[side].text.times)
        == moments(versions.baseLines(name), parts[side].base.times)
    }
  }

  /// Whether each side has other overrides than in its base, and not the same as the other side.
  private var changedOverrides: BothSides<Bool> {
    let now = parts.map { Set($0.text.overrides) }
    if now.local == now.remote { return BothSides(false, false) }
    return BothSides(
      now.local != Set(parts.local.base.overrides), now.remote != Set(parts.remote.base.overrides))
  }

  /// Both sides' texts say the same in a slot, whatever the spelling.
  private func meanSame(_ slot: ScheduleSlot, _ versions: BothSides<Versions>) -> Bool {
    if slot.names.allSatisfy({ versions.local.form($0) == versions.remote.form($0) }) {
      return true
    }
    let schedules = BothSides(
      Self.schedule(versions.local.text), Self.schedule(versions.remote.text))
    let times = parts.map(\.text.times)
    switch slot {
    case .rule:
      let rules = BothSides(Self.rules(schedules.local), Self.rules(schedules.remote))
      return !schedules.local.rules.isEmpty && rules.local == rules.remote
    case .end where haveOneStart(versions) && Self.areAsLong(schedules.local, schedules.remote):
      return true
    case .start, .end:
      // Of a series, 09:00 in Vienna and 08:00 in UTC are two things.
      guard !Self.recurs(schedules.local), !Self.recurs(schedules.remote) else { return false }
      let local = Self.moment(slot, schedules.local, times.local)
      return local != nil && local == Self.moment(slot, schedules.remote, times.remote)
    case .additions, .exclusions: return false
    }
  }

  /// RRULE and EXRULE, with the default of WKST written out (RFC 5545 §3.3.10).
  private static func rules(_ schedule: Schedule) -> [[RecurrenceRule]] {
    [schedule.rules, schedule.exclusionRules].map { rules in
      rules.map { rule in
        var rule = rule
        rule.weekStart = rule.weekStart ?? .monday
        return rule
      }
    }
  }

  private func haveOneStart(_ versions: BothSides<Versions>) -> Bool {
    ScheduleSlot.start.names.allSatisfy { versions.local.form($0) == versions.remote.form($0) }
  }

  /// Two weeks are fourteen days; and of days on the calendar an end says as much as a duration.
  private static func areAsLong(_ one: Schedule, _ other: Schedule) -> Bool {
    if case .duration(let length) = one.ending, other.ending == .duration(length) { return true }
    let days = dayCount(one)
    return days != nil && days == dayCount(other)
  }

  /// The length of an event of days, in days: one, where nothing says its end (RFC 5545 §3.6.1).
  private static func dayCount(_ schedule: Schedule) -> Int? {
    guard schedule.kind == .event, case .date(let start) = schedule.start else { return nil }
    switch schedule.ending {
    case .none: return 1
    case .end(.date(let end)): return end.daysSince1970 - start.daysSince1970
    case .duration(let length) where length.seconds == 0: return length.days
    case .end, .duration: return nil
    }
  }

  private static func recurs(_ schedule: Schedule) -> Bool {
    !schedule.rules.isEmpty || !schedule.additions.isEmpty
  }

  private static func schedule(_ component: Component) -> Schedule {
    var findings: [ScheduleFinding] = []
    return Schedule.read(ItemComponent(component), findings: &findings)
  }

  /// The moment of a start or an end that is not said by days on the calendar.
  private static func moment(
    _ slot: ScheduleSlot, _ schedule: Schedule, _ times: ItemTimes
  ) -> Moment? {
    let start = schedule.start.map(times.moment)
    guard slot == .end else { return start }
    switch (schedule.ending, start) {
    case (.end(let end), _): return times.moment(end)
    case (.duration(let length), .instant(let start)) where length.days == 0:
      return .instant(start + length.seconds)
    case (.duration, _), (.none, _): return nil
    }
  }
}
