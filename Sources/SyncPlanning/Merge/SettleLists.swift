import ICalendar
import SyncModel

extension MergeDraft {
  /// Unites words in lists (CATEGORIES, RESOURCES). New ones join a line that is there already.
  mutating func settleWords(_ name: [UInt8], _ versions: BothSides<Versions>) {
    settleList(name, versions, areWords: true) { _, element in element.word }
  }

  /// Unites the moments of EXDATE or RDATE, whatever their spelling, but for those dropped. New
  /// ones get a line of their own.
  mutating func settleMoments(
    _ name: [UInt8], _ versions: BothSides<Versions>, without dropped: Set<Moment>
  ) {
    let times = parts.map(\.text.times)
    let baseTimes = parts.map(\.base.times)
    var numbers: [ListedMoment: Int] = [:]
    // A moment as the key of an element; elements that name a dropped one fall away.
    func key(_ element: ListElement, _ times: ItemTimes) -> [UInt8]? {
      let moment = times.listed(element.value, in: element.line)
      if dropped.contains(moment.start) { return nil }
      let number = numbers[moment] ?? numbers.count
      numbers[moment] = number
      return Array("\(number)".utf8)
    }
    settleList(name, versions, areWords: false) { place, element in
      key(element, place.isBase ? baseTimes[place.side] : times[place.side])
    }
  }

  private struct ListPlace {
    let side: Side
    let isBase: Bool
  }

  private mutating func settleList(
    _ name: [UInt8], _ versions: BothSides<Versions>, areWords: Bool,
    key: (ListPlace, ListElement) -> [UInt8]?
  ) {
    func elements(_ side: Side, isBase: Bool) -> [KeyedElement] {
      let lines = isBase ? versions[side].baseLines(name) : versions[side].lines(name)
      return ListElement.all(in: lines).compactMap { element in
        key(ListPlace(side: side, isBase: isBase), element).map {
          KeyedElement(element: element, side: side, key: $0)
        }
      }
    }
    let lists = BothSides(
      BaseAndText(
        base: elements(.local, isBase: true), text: elements(.local, isBase: false)),
      BaseAndText(
        base: elements(.remote, isBase: true), text: elements(.remote, isBase: false)))
    let newer = self.newer
    let merge = SetMerge<KeyedElement>(
      key: \.key, isSame: { !areWords || $0.element.value == $1.element.value },
      isEdit: { _, _ in false }, join: { KeyedElement.join($0, $1, newer: newer) })
    let merged = merge.merge(lists)
    func lines(_ side: Side) -> [SyntaxTree.NewLine] {
      ListElement.lines(
        versions[side].lines(name),
        keeping: merged[side].filter { $0.side == side }.map(\.element),
        adding: merged[side].filter { $0.side != side }.map(\.element), areWords: areWords)
    }
    settle(name, versions, as: BothSides(lines(.local), lines(.remote)))
  }
}

/// An element of a list on a side, with what makes it the same one on the other.
private struct KeyedElement {
  var element: ListElement
  let side: Side
  let key: [UInt8]

  /// One word in two spellings, as in another case.
  static func join(
    _ local: SetMerge<KeyedElement>.Version, _ remote: SetMerge<KeyedElement>.Version, newer: Side
  ) -> BothSides<KeyedElement> {
    var result = BothSides(local.text, remote.text)
    let speller = SetMerge<KeyedElement>.speller(local, remote, newer: newer) {
      $0.element.value == $1.element.value
    }
    if let speller { result[speller.opposite].element.value = result[speller].element.value }
    return result
  }
}
