import ICalendar
import SyncModel

extension MergeDraft {
  /// Settles an alarm property by property, but for those that say one thing together. Gives false
  /// where its lines cannot be told apart.
  mutating func settleProperties(
    _ alarm: BothSides<BaseAndText<Component>>, in place: AlarmPlace
  ) -> Bool {
    let versions = alarm.map { Versions(base: $0.base, text: $0.text) }
    let isOdd = Side.allCases.contains {
      versions[$0].groups.hasBrackets || versions[$0].baseGroups.hasBrackets
    }
    if isOdd { return false }
    var handled: Set<[UInt8]> = []
    // What is shown, sent or played wants other properties (RFC 5545 §3.6.6).
    let isOneAction =
      versions.local.form(Self.actionNames[0]) == versions.remote.form(Self.actionNames[0])
    let action =
      isOneAction ? Self.actionNames : Self.actionNames + PropertyRule.names("DESCRIPTION")
    for names in [AlarmMatch.identityNames, AlarmMatch.triggerNames, action] {
      handled.formUnion(names)
      settle(names, versions, in: place)
    }
    for side in Side.allCases {
      for name in versions[side].groups.names + versions[side].baseGroups.names
      where handled.insert(name).inserted {
        settle([name], versions, in: place)
      }
    }
    settleChildren(of: alarm, occurrence: place.occurrence)
    return true
  }

  /// What an alarm does.
  private static let actionNames = PropertyRule.names("ACTION", "ATTACH", "SUMMARY", "ATTENDEE")
  private static let seen = PropertyRule.names("ACKNOWLEDGED", "X-MOZ-LASTACK")

  /// Properties that say one thing together come from one side, once both changed any of them.
  private mutating func settle(
    _ names: [[UInt8]], _ versions: BothSides<Versions>, in place: AlarmPlace
  ) {
    let changed = Side.allCases.filter { names.contains(where: versions[$0].changed) }
    if changed.isEmpty { return }
    let edited = changed.filter { side in
      names.contains {
        Meaning.of(versions[side].baseGroups[$0]) != Meaning.of(versions[side].groups[$0])
      }
    }
    // Who only spells it otherwise gives way.
    let editor = edited.count == 1 ? edited[0] : newer
    let usual = changed.count == 1 ? changed[0] : editor
    let known = holder(of: names, versions, in: place)
    let holder = known ?? usual
    for name in names where Side.allCases.contains(where: { versions[$0].changed(name) }) {
      if versions.local.form(name) == versions.remote.form(name) {
        settleAsIs(name, versions)
      } else {
        settle(name, versions, to: holder)
      }
    }
    let isLost = names.contains { name in
      !LooseMeaning.isPrograms(name)
        && Meaning.of(versions.local.groups[name]) != Meaning.of(versions.remote.groups[name])
    }
    if edited.count > 1, isLost { loseAlarm(to: holder, in: place, isByTime: known == nil) }
  }

  /// The side that holds, whoever was edited last; nil where that decides.
  private func holder(
    of names: [[UInt8]], _ versions: BothSides<Versions>, in place: AlarmPlace
  ) -> Side? {
    if names == AlarmMatch.identityNames {
      // An alarm that another one repeats keeps the name by which that one calls it.
      let isSnoozed = versions.map { version in
        AlarmMatch.name(of: version.text).map(place.snoozed.contains) ?? false
      }
      if isSnoozed.local == isSnoozed.remote { return nil }
      return isSnoozed.local ? .local : .remote
    }
    // Who has seen it has seen it: the later time holds (RFC 9074 §6).
    let isTwoSided = Side.allCases.allSatisfy { versions[$0].changed(names[0]) }
    guard isTwoSided, Self.seen.contains(names[0]) else { return nil }
    let times = versions.map { $0.lines(names[0]).first.flatMap { UTCDateTime($0.value) } }
    guard let local = times.local else { return times.remote == nil ? nil : .remote }
    guard let remote = times.remote else { return .local }
    return local > remote ? .local : .remote
  }
}
