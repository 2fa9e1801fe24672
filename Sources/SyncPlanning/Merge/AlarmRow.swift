import ICalendar
import SyncModel

/// One alarm in the four texts of a merge.
struct AlarmRow {
  var base: BothSides<Sibling?>
  var text: BothSides<Sibling?>

  func isChanged(_ side: Side) -> Bool { base[side]?.content != text[side]?.content }

  /// A side has it otherwise than in its base, for a person.
  func isEdited(_ side: Side) -> Bool {
    guard let old = base[side], let new = text[side] else { return isChanged(side) }
    return AlarmMatch.isEdited(old.component, new.component)
  }

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
    return rows
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
