import ICalendar
import SyncModel

extension MergeDraft {
  /// Settles the sub-components of a component that both sides changed. Alarms go property by
  /// property; others are kept, replaced or removed as a whole, and matched by UID, else by content
  /// and place. So are alarms on which the sides never agreed.
  ///
  /// Of the calendar itself, only what is no part is looked at: time zones, and what has no UID.
  mutating func settleChildren(
    of parents: BothSides<BaseAndText<Component>>, occurrence: String?, isCalendar: Bool = false,
    isNew: Bool = false
  ) {
    var settled = BothSides<Set<Component.ID>>([], [])
    var former = settled
    if isNew {
      for twin in twinAlarms(in: parents) {
        leaveAsIs(twin, in: parents.map(\.base))
        for side in Side.allCases { settled[side].insert(twin[side].id) }
      }
    } else if !isCalendar {
      settleAlarms(of: parents, occurrence: occurrence)
      for side in Side.allCases {
        settled[side].formUnion(Self.alarms(of: parents[side].text))
        former[side].formUnion(Self.alarms(of: parents[side].base))
      }
    }
    let groups = Side.allCases.map { side in
      BaseAndText(
        base: SiblingGroups(of: parents[side].base, without: former[side]),
        text: SiblingGroups(of: parents[side].text, without: settled[side]))
    }
    settle(
      BothSides(groups[0].base, groups[1].base), BothSides(groups[0].text, groups[1].text),
      of: parents, occurrence, isCalendar: isCalendar)
  }

  private static func alarms(of component: Component) -> [Component.ID] {
    component.components.filter { $0.isNamed("VALARM") }.map(\.id)
  }

  /// Alarms that both sides have without ever having agreed on them, spelt otherwise or with
  /// another UID: they are one. What both have alike needs no look.
  private func twinAlarms(
    in parents: BothSides<BaseAndText<Component>>
  ) -> [BothSides<Component>] {
    let added = parents.map { parent in
      let former = Set(AlarmMatch.alarms(of: parent.base).map(\.content))
      return AlarmMatch.alarms(of: parent.text).filter { !former.contains($0.content) }
    }
    let contents = added.map { Set($0.map(\.content)) }
    var spare: [[[UInt8]]: [Component]] = [:]
    for sibling in added.remote.reversed() where !contents.local.contains(sibling.content) {
      spare[LooseMeaning.of(alarm: sibling.component), default: []].append(sibling.component)
    }
    return added.local.filter { !contents.remote.contains($0.content) }.compactMap { sibling in
      spare[LooseMeaning.of(alarm: sibling.component)]?.popLast().map {
        BothSides(sibling.component, $0)
      }
    }
  }

  private mutating func settle(
    _ bases: BothSides<SiblingGroups>, _ texts: BothSides<SiblingGroups>,
    of parents: BothSides<BaseAndText<Component>>, _ occurrence: String?, isCalendar: Bool
  ) {
    var identities: [ComponentIdentity] = []
    for side in Side.allCases {
      identities += texts[side].identities + bases[side].identities
    }
    var seen: Set<ComponentIdentity> = []
    for identity in identities where seen.insert(identity).inserted {
      let siblings = BothSides(
        BaseAndText(base: bases.local[identity], text: texts.local[identity]),
        BaseAndText(base: bases.remote[identity], text: texts.remote[identity]))
      let all = Side.allCases.flatMap { siblings[$0].base + siblings[$0].text }
      if isCalendar, all.contains(where: { ItemParts.isPart($0.component) }) { continue }
      guard siblings.local.isChanged, siblings.remote.isChanged else { continue }
      settle(siblings, in: parents, occurrence)
    }
  }

  private mutating func settle(
    _ siblings: BothSides<BaseAndText<[Sibling]>>, in parents: BothSides<BaseAndText<Component>>,
    _ occurrence: String?
  ) {
    var merge = SiblingMerge(newer: newer)
    let isSame = siblings.local.text.map(\.content) == siblings.remote.text.map(\.content)
    let merged =
      isSame ? BothSides(siblings.local.text, siblings.remote.text) : merge.merge(siblings)
    for side in Side.allCases {
      let old = siblings[side]
      let new = merged[side].map(\.component)
      let parent = parents[side]
      let kept = zip(old.text, new).prefix { $0.component.bytes == $1.bytes }.count
      var after = kept > 0 ? old.text[kept - 1].component.id : nil
      if kept == 0, let first = old.text.first { after = first.component.id }
      // Inserted from the last to the first, all behind the same one.
      for child in new[kept...].reversed() {
        editText(of: side, .insert(child, in: parent.text.id, after: after))
      }
      for gone in old.text[kept...] { editText(of: side, .remove(gone.component.id)) }
      for gone in old.base { editBase(of: side, .remove(gone.component.id)) }
      for child in new { editBase(of: side, .insert(child, in: parent.base.id, after: nil)) }
    }
    for (name, winner, isByTime) in merge.lost {
      note(LostChange(name: name, winner: winner, occurrence: occurrence, isByTime: isByTime))
    }
  }
}

extension BaseAndText<[Sibling]> {
  /// The sub-components of one identity are not what they were.
  fileprivate var isChanged: Bool { base.map(\.content) != text.map(\.content) }
}

/// Unites sub-components of one identity, each as a whole.
private struct SiblingMerge {
  let newer: Side
  var lost: [(name: String, winner: Side, isByTime: Bool)] = []

  /// One sub-component in the four texts.
  private struct Row {
    var base: BothSides<Sibling?>
    var text: BothSides<Sibling?>

    func isChanged(_ side: Side) -> Bool { base[side]?.content != text[side]?.content }
  }

  mutating func merge(_ siblings: BothSides<BaseAndText<[Sibling]>>) -> BothSides<[Sibling]> {
    let rows = Self.rows(siblings)
    let outcomes = rows.map { outcome(of: $0) }
    func list(_ side: Side) -> [Sibling] {
      // Own ones in their order, then what came from the other side.
      let order = siblings[side].text.map(\.component.id)
      var own: [Component.ID: Sibling] = [:]
      var others: [Sibling] = []
      for (row, outcome) in zip(rows, outcomes) {
        guard let sibling = outcome[side] else { continue }
        if let mine = row.text[side] {
          own[mine.component.id] = sibling
        } else {
          others.append(sibling)
        }
      }
      return order.compactMap { own[$0] } + others
    }
    return BothSides(list(.local), list(.remote))
  }

  private mutating func outcome(of row: Row) -> BothSides<Sibling?> {
    switch (row.isChanged(.local), row.isChanged(.remote)) {
    case (false, false): return row.text
    case (true, false): return BothSides(row.text.local, row.text.local)
    case (false, true): return BothSides(row.text.remote, row.text.remote)
    case (true, true):
      if row.text.local?.content == row.text.remote?.content { return row.text }
      // An edit survives the removal.
      let winner: Side =
        row.text.local == nil ? .remote : row.text.remote == nil ? .local : newer
      guard let holder = row.text[winner] else { return row.text }
      if !Self.areOneZone(row.text.local?.component, row.text.remote?.component) {
        let isByTime = row.text.local != nil && row.text.remote != nil
        lost.append((String(decoding: holder.identity.kind, as: UTF8.self), winner, isByTime))
      }
      return BothSides(holder, holder)
    }
  }

  /// Two definitions of a time zone have the same offsets in the same words, and differ in what is
  /// said beside these, as the names of its times: no clock shows another time.
  private static func areOneZone(_ one: Component?, _ other: Component?) -> Bool {
    guard let one, let other, one.isNamed("VTIMEZONE"), other.isNamed("VTIMEZONE") else {
      return false
    }
    return Meaning.of(one, without: isBesideOffsets) == Meaning.of(other, without: isBesideOffsets)
  }

  private static func isBesideOffsets(_ name: [UInt8]) -> Bool {
    besideOffsets.contains(name) || name.starts(with: "X-".utf8) || PropertyRule.isNoise(name)
  }

  private static let besideOffsets = PropertyRule.names("TZNAME", "TZURL", "COMMENT")

  private static func rows(_ siblings: BothSides<BaseAndText<[Sibling]>>) -> [Row] {
    let (local, remote) = (siblings.local, siblings.remote)
    var rows = local.base.map { Row(base: BothSides($0, nil), text: BothSides(nil, nil)) }
    var rowOfRemoteBase: [Int] = []
    for (index, match) in Alignment.match(local.base, to: remote.base).enumerated() {
      if let match {
        rows[match].base.remote = remote.base[index]
        rowOfRemoteBase.append(match)
      } else {
        rowOfRemoteBase.append(rows.count)
        rows.append(
          Row(base: BothSides(nil, remote.base[index]), text: BothSides(nil, nil)))
      }
    }
    var added: [Int] = []
    for (index, match) in Alignment.match(local.base, to: local.text).enumerated() {
      if let match {
        rows[match].text.local = local.text[index]
      } else {
        added.append(rows.count)
        rows.append(Row(base: BothSides(nil, nil), text: BothSides(local.text[index], nil)))
      }
    }
    for (index, match) in Alignment.match(remote.base, to: remote.text).enumerated() {
      let sibling = remote.text[index]
      if let match {
        rows[rowOfRemoteBase[match]].text.remote = sibling
      } else if let twin = added.firstIndex(where: {
        rows[$0].text.local?.content == sibling.content
          || (!sibling.identity.isAnonymous && rows[$0].text.remote == nil)
      }) {
        rows[added.remove(at: twin)].text.remote = sibling
      } else {
        rows.append(Row(base: BothSides(nil, nil), text: BothSides(nil, sibling)))
      }
    }
    for side in Side.allCases { pairAdditions(of: side, in: &rows) }
    return rows
  }

  /// What a side added and the other seems to have made of an old one is the same one on both: the
  /// old one was removed.
  private static func pairAdditions(of side: Side, in rows: inout [Row]) {
    let other = side.opposite
    for added in rows.indices where rows[added].base[side] == nil && rows[added].base[other] == nil
    {
      guard let new = rows[added].text[side], rows[added].text[other] == nil else { continue }
      let twin = rows.indices.first { index in
        index != added && rows[index].text[other]?.content == new.content
          && rows[index].isChanged(other)
          && rows[index].text[side]?.content != new.content
      }
      guard let twin else { continue }
      rows[added].text[other] = rows[twin].text[other]
      rows[twin].text[other] = nil
    }
  }
}
