import ICalendar
import SyncModel

/// One alarm in the four texts of a merge.
struct AlarmRow {
  var base: BothSides<Sibling?>
  var text: BothSides<Sibling?>
  /// A side added what the other one made of an alarm that both have: it is that one.
  private(set) var isRepeated = false

  private init(base: BothSides<Sibling?>, text: BothSides<Sibling?>) {
    (self.base, self.text) = (base, text)
  }

  func isChanged(_ side: Side) -> Bool { base[side]?.content != text[side]?.content }

  /// A side has it otherwise than in its base, for a person.
  func isEdited(_ side: Side) -> Bool {
    guard let old = base[side], let new = text[side] else { return isChanged(side) }
    return AlarmMatch.isEdited(old.component, new.component)
  }

  /// A side calls it otherwise than before, while others go by one of the names.
  func isRenamed(among snoozed: Set<[UInt8]>) -> Bool {
    let names = Side.allCases.compactMap { side in text[side].map { name(of: $0) } }
    return Set(names).count > 1 && names.contains { $0.map(snoozed.contains) ?? false }
  }

  private func name(of sibling: Sibling) -> [UInt8]? { AlarmMatch.name(of: sibling.component) }

  /// Every alarm of the four texts, once.
  static func rows(_ alarms: BothSides<BaseAndText<[Sibling]>>) -> [AlarmRow] {
    var rows = alarms.local.base.map { AlarmRow(base: BothSides($0, nil), text: none) }
    var ofBase = BothSides(Array(rows.indices), [Int]())
    let bases = AlarmMatch.match(alarms.local.base, to: alarms.remote.base)
    for (sibling, match) in zip(alarms.remote.base, bases) {
      ofBase.remote.append(match ?? rows.count)
      if let match {
        rows[match].base.remote = sibling
      } else {
        rows.append(AlarmRow(base: BothSides(nil, sibling), text: none))
      }
    }
    var added = BothSides<[Sibling]>([], [])
    for side in Side.allCases {
      let own = alarms[side]
      for (sibling, match) in zip(own.text, AlarmMatch.match(own.base, to: own.text)) {
        if let match {
          rows[ofBase[side][match]].text[side] = sibling
        } else {
          added[side].append(sibling)
        }
      }
    }
    for side in Side.allCases {
      join(&added, of: side, into: &rows, isStrict: false)
      join(&added, of: side, into: &rows, isStrict: true)
    }
    let twins = AlarmMatch.match(added.local, to: added.remote, isStrict: true)
    rows += added.local.map { AlarmRow(base: none, text: BothSides($0, nil)) }
    let first = rows.count - added.local.count
    for (sibling, match) in zip(added.remote, twins) {
      if let match {
        rows[first + match].text.remote = sibling
      } else {
        rows.append(AlarmRow(base: none, text: BothSides(nil, sibling)))
      }
    }
    markRepeated(in: &rows)
    return rows
  }

  private static func markRepeated(in rows: inout [AlarmRow]) {
    var made = BothSides<[[[UInt8]]: Int]>([:], [:])
    for row in rows where row.text.local != nil && row.text.remote != nil {
      for side in Side.allCases where row.base[side] != nil && !row.isEdited(side.opposite) {
        guard row.isEdited(side), let new = row.text[side] else { continue }
        made[side][LooseMeaning.of(alarm: new.component), default: 0] += 1
      }
    }
    for index in rows.indices where rows[index].base.local == nil && rows[index].base.remote == nil
    {
      for side in Side.allCases where rows[index].text[side.opposite] == nil {
        guard let new = rows[index].text[side] else { continue }
        let meaning = LooseMeaning.of(alarm: new.component)
        guard let left = made[side.opposite][meaning], left > 0 else { continue }
        made[side.opposite][meaning] = left - 1
        rows[index].isRepeated = true
      }
    }
  }

  /// What looks new on a side may be what the other side made of an alarm of the base: a merge that
  /// was stopped between its two writes has left it there. Strictly, it may be one that this side's
  /// server had dropped.
  private static func join(
    _ added: inout BothSides<[Sibling]>, of side: Side, into rows: inout [AlarmRow], isStrict: Bool
  ) {
    let other = side.opposite
    let open = rows.indices.filter { index in
      rows[index].text[side] == nil && rows[index].text[other] != nil
        && (isStrict ? rows[index].base[side] == nil : rows[index].isChanged(other))
        && (isStrict || rows[index].base[side] != nil)
    }
    if open.isEmpty || added[side].isEmpty { return }
    let matches = AlarmMatch.match(
      open.compactMap { rows[$0].text[other] }, to: added[side], isStrict: isStrict)
    var left: [Sibling] = []
    for (sibling, match) in zip(added[side], matches) {
      if let match {
        rows[open[match]].text[side] = sibling
      } else {
        left.append(sibling)
      }
    }
    added[side] = left
  }

  private static let none = BothSides<Sibling?>(nil, nil)
}
