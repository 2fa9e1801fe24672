import ICalendar
import SyncModel

extension MergeDraft {
  /// Settles the alarms of a component that both sides changed. An alarm that one side alone
  /// changed, and that both had alike, is left for `carryChange`.
  mutating func settleAlarms(
    of parents: BothSides<BaseAndText<Component>>, occurrence: String?
  ) {
    let alarms = parents.map {
      BaseAndText(base: AlarmMatch.alarms(of: $0.base), text: AlarmMatch.alarms(of: $0.text))
    }
    if Side.allCases.allSatisfy({ alarms[$0].base.isEmpty && alarms[$0].text.isEmpty }) { return }
    let snoozed = Side.allCases.reduce(into: Set<[UInt8]>()) { names, side in
      for alarm in alarms[side].text {
        names.formUnion(alarm.component.lines(named: "RELATED-TO").map(\.value))
      }
    }
    for row in AlarmRow.rows(alarms) {
      let changed = Side.allCases.filter(row.isChanged)
      let isAlike = row.base.local?.content == row.base.remote?.content
      let isOneSided = changed.isEmpty || changed.count == 1 && isAlike
      if !row.isRepeated, isOneSided, !row.isRenamed(among: snoozed) { continue }
      let place = AlarmPlace(parents: parents, occurrence: occurrence, snoozed: snoozed)
      switch (row.text.local, row.text.remote) {
      case _ where row.isRepeated: settle(row, in: place, to: nil)
      case (nil, nil): settle(row, in: place, to: nil)
      case (_?, nil): settleLone(row, on: .local, in: place)
      case (nil, _?): settleLone(row, on: .remote, in: place)
      case (let here?, let there?): settleTwo(row, BothSides(here, there), in: place)
      }
    }
  }

  /// Where alarms are settled.
  struct AlarmPlace {
    let parents: BothSides<BaseAndText<Component>>
    let occurrence: String?
    /// The names that alarms give as those that they repeat (RFC 9074 §7).
    let snoozed: Set<[UInt8]>
  }

  /// An alarm that the text of one side alone has. An edit of it survives the removal, and nothing
  /// else does.
  private mutating func settleLone(_ row: AlarmRow, on side: Side, in place: AlarmPlace) {
    let isRemoved = row.base[side.opposite] != nil
    if row.isEdited(side) {
      settle(row, in: place, to: side)
      if isRemoved { loseAlarm(to: side, in: place, isByTime: false) }
    } else if isRemoved {
      settle(row, in: place, to: nil)
    } else {
      // The other side's server has dropped it.
      keep(row, on: side, in: place)
    }
  }

  /// An alarm that both texts have.
  private mutating func settleTwo(
    _ row: AlarmRow, _ text: BothSides<Sibling>, in place: AlarmPlace
  ) {
    if let local = row.base.local, let remote = row.base.remote,
      settleProperties(
        BothSides(
          BaseAndText(base: local.component, text: text.local.component),
          BaseAndText(base: remote.component, text: text.remote.component)), in: place)
    {
      return
    }
    let isSame = text.local.content == text.remote.content
    let isNew = row.base.local == nil && row.base.remote == nil
    let saysSame =
      LooseMeaning.of(alarm: text.local.component) == LooseMeaning.of(alarm: text.remote.component)
    if isSame || saysSame && !isNew {
      for side in Side.allCases { keep(row, on: side, in: place) }
      return
    }
    let changed = Side.allCases.filter(row.isChanged)
    let holder = changed.count == 1 ? changed[0] : newer
    settle(row, in: place, to: holder)
    if changed.count > 1, !saysSame { loseAlarm(to: holder, in: place, isByTime: true) }
  }

  mutating func loseAlarm(to winner: Side, in place: AlarmPlace, isByTime: Bool) {
    note(
      LostChange(
        name: "VALARM", winner: winner, occurrence: place.occurrence, isByTime: isByTime))
  }

  /// The alarm of one side becomes that of both; nil: it goes from both.
  private mutating func settle(_ row: AlarmRow, in place: AlarmPlace, to holder: Side?) {
    let winner = holder.flatMap { row.text[$0] }
    for side in Side.allCases {
      let text = place.parents[side].text
      let own = row.text[side]
      if let winner, side != holder, own?.content != winner.content {
        editText(of: side, .insert(winner.component, in: text.id, after: own?.component.id))
        if let own { editText(of: side, .remove(own.component.id)) }
      } else if winner == nil, let own {
        editText(of: side, .remove(own.component.id))
      }
      setBase(row, to: winner.map { own?.content == $0.content ? own ?? $0 : $0 }, side, in: place)
    }
  }

  /// An alarm stays as the text of a side has it.
  private mutating func keep(_ row: AlarmRow, on side: Side, in place: AlarmPlace) {
    setBase(row, to: row.text[side], side, in: place)
  }

  private mutating func setBase(
    _ row: AlarmRow, to new: Sibling?, _ side: Side, in place: AlarmPlace
  ) {
    let old = row.base[side]
    if let new {
      let parent = place.parents[side].base.id
      editBase(of: side, .insert(new.component, in: parent, after: old?.component.id))
    }
    if let old { editBase(of: side, .remove(old.component.id)) }
  }
}
