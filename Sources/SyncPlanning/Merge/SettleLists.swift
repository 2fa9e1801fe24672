import ICalendar
import SyncModel

extension MergeDraft {
  /// Unites words in lists (CATEGORIES, RESOURCES). New ones join a line that is there already.
  mutating func settleWords(_ name: [UInt8], _ versions: BothSides<Versions>) {
    settleList(name, versions, .words) { _, element in element.value }
  }

  /// Unites the moments of EXDATE or RDATE, whatever their spelling, but for those dropped. New
  /// ones get a line of their own.
  mutating func settleMoments(
    _ name: [UInt8], _ versions: BothSides<Versions>, without dropped: Set<Moment>
  ) {
    let times = parts.map(\.text.times)
    let baseTimes = parts.map(\.base.times)
    var numbers: [Moment: Int] = [:]
    // A moment as the key of an element; elements that name a dropped one fall away.
    func key(_ element: ListElement, _ times: ItemTimes) -> [UInt8]? {
      let moment = times.occurrence(of: element.value, in: element.line)
      if dropped.contains(moment) { return nil }
      let number = numbers[moment] ?? numbers.count
      numbers[moment] = number
      return Array("\(number)".utf8)
    }
    settleList(name, versions, .moments) { place, element in
      key(element, place.isBase ? baseTimes[place.side] : times[place.side])
    }
  }

  private enum ListKind { case words, moments }

  private struct ListPlace {
    let side: Side
    let isBase: Bool
  }

  private mutating func settleList(
    _ name: [UInt8], _ versions: BothSides<Versions>, _ kind: ListKind,
    key: (ListPlace, ListElement) -> [UInt8]?
  ) {
    func elements(_ side: Side, isBase: Bool) -> [ListElement] {
      let lines = isBase ? versions[side].baseLines(name) : versions[side].lines(name)
      return lines.enumerated().flatMap { ListElement.all(in: $1, number: $0, of: side) }
        .compactMap { element in
          var keyed = element
          guard let key = key(ListPlace(side: side, isBase: isBase), element) else { return nil }
          keyed.key = key
          return keyed
        }
    }
    let lists = BothSides(
      BaseAndText(
        base: elements(.local, isBase: true), text: elements(.local, isBase: false)),
      BaseAndText(
        base: elements(.remote, isBase: true), text: elements(.remote, isBase: false)))
    let merge = SetMerge<ListElement>(
      key: \.key, isSame: { $0.key == $1.key }, isEdit: { $0.key != $1.key },
      join: { BothSides($0.text, $1.text) })
    let merged = merge.merge(lists)
    settle(
      name, versions,
      as: BothSides(
        lines(of: merged.local, for: .local, versions.local.lines(name), kind),
        lines(of: merged.remote, for: .remote, versions.remote.lines(name), kind)))
  }

  /// Writes elements as lines: own lines as they are, or without what fell away; then the others'.
  private func lines(
    of elements: [ListElement], for side: Side, _ own: [ContentLine], _ kind: ListKind
  ) -> [SyntaxTree.NewLine] {
    var lines: [ListLine] = own.enumerated().compactMap { number, line in
      let kept = elements.filter { $0.side == side && $0.number == number }
      return kept.isEmpty ? nil : ListLine(line, kept)
    }
    var groups: [[ListElement]] = []
    for element in elements where element.side != side {
      if groups.last?.last?.number == element.number {
        groups[groups.count - 1].append(element)
      } else {
        groups.append([element])
      }
    }
    for group in groups {
      guard let donor = group.first?.line else { continue }
      let place = lines.lastIndex { kind == .words && $0.line.parameters == donor.parameters }
      if let place {
        lines[place].values += group.map(\.value)
      } else {
        lines.append(ListLine(donor, group))
      }
    }
    return lines.compactMap(\.newLine)
  }
}

/// One element of a line that holds a list.
struct ListElement {
  let line: ContentLine
  /// Of the line among its kind.
  let number: Int
  let side: Side
  let value: [UInt8]
  var key: [UInt8] = []

  static func all(in line: ContentLine, number: Int, of side: Side) -> [ListElement] {
    values(of: line).map { ListElement(line: line, number: number, side: side, value: $0) }
  }

  /// Cuts at commas that are not escaped (RFC 5545 §3.3.11).
  static func values(of line: ContentLine) -> [[UInt8]] {
    var values: [[UInt8]] = [[]]
    var isEscaped = false
    for byte in line.value {
      if byte == 0x2C, !isEscaped {
        values.append([])
      } else {
        values[values.count - 1].append(byte)
      }
      isEscaped = byte == 0x5C && !isEscaped
    }
    return values.filter { !$0.isEmpty }
  }
}

/// A line that is to hold a list.
private struct ListLine {
  let line: ContentLine
  var values: [[UInt8]]

  init(_ line: ContentLine, _ elements: [ListElement]) {
    self.line = line
    values = elements.map(\.value)
  }

  /// The line as it stands where it holds just these values.
  var newLine: SyntaxTree.NewLine? {
    if values == ListElement.values(of: line) { return .source(line.source) }
    guard var property = line.property else { return nil }
    property.value = Array(values.joined(separator: [0x2C]))
    return .property(property)
  }
}
