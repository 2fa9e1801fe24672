/// A stream may hold lines that are not UTF-8: only the items that have them are none.
extension CalendarStream {
  /// A line that is not UTF-8 once it is unfolded.
  struct OddLine: Sendable {
    /// Where it starts in the text.
    let place: Int
    /// The physical line of the first such byte, from 1.
    let number: Int
  }

  /// It could be taken apart: it is whole, but for bytes that are not UTF-8.
  public var isTakenApart: Bool {
    switch wholeness {
    case .whole, .notUTF8: true
    case .empty, .notCalendar, .cutOff, .conflictMarker, .strayEnd, .tooLarge: false
    }
  }

  /// The physical lines of an item, and of the time zones that it names, that are not UTF-8, from
  /// 1: nobody can tell what their bytes mean, and no other program may be sent them.
  public func linesNotUTF8(of uid: [UInt8]) -> [Int] {
    guard !oddLines.isEmpty, let parts = members[uid] else { return [] }
    let ranges = zonesNamed(in: parts).map(\.range) + parts.map(\.range)
    return ranges.flatMap(linesNotUTF8).sorted()
  }

  func linesNotUTF8(in range: Range<Int>) -> [Int] {
    var (low, high) = (0, oddLines.count)
    while low < high {
      let middle = (low + high) / 2
      if oddLines[middle].place < range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return oddLines[low...].prefix { $0.place < range.upperBound }.map(\.number)
  }

  /// In the order of the text.
  static func oddLines(in tree: SyntaxTree) -> [OddLine] {
    tree.storage.lines.compactMap { line in
      guard line.number > 0, line.kind != .blank, let odd = tree.invalidUTF8(in: line) else {
        return nil
      }
      return OddLine(place: Int(line.start), number: odd.line)
    }
  }
}

/// Whether bytes are UTF-8 from first to last.
func isUTF8(_ bytes: [UInt8]) -> Bool {
  bytes.withUnsafeBufferPointer { firstInvalidUTF8($0) == nil }
}
