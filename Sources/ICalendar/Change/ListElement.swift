/// One element of a line that holds a list, as a word of CATEGORIES or a moment of EXDATE.
package struct ListElement {
  package let line: ContentLine
  /// Of the line among its kind.
  package let number: Int
  /// As it is written.
  package var value: [UInt8]

  /// By what a word is the same one in two texts: whatever is escaped in it, and in any case.
  package var word: [UInt8] { LooseText.plain(value).uppercased }

  /// The elements of the lines of one name.
  package static func all(in lines: [ContentLine]) -> [ListElement] {
    lines.enumerated().flatMap { number, line in
      values(of: line).map { ListElement(line: line, number: number, value: $0) }
    }
  }

  /// Cuts at commas that are not escaped (RFC 5545 §3.3.11).
  package static func values(of line: ContentLine) -> [[UInt8]] {
    var values: [[UInt8]] = [[]]
    var isEscaped = false
    for byte in line.value {
      if byte == ASCII.comma, !isEscaped {
        values.append([])
      } else {
        values[values.count - 1].append(byte)
      }
      isEscaped = byte == ASCII.backslash && !isEscaped
    }
    return values.filter { !$0.isEmpty }
  }

  /// Writes elements as lines: own lines as they are, or without what fell away; then those of
  /// another text.
  ///
  /// - Parameters:
  ///   - kept: of the own lines.
  ///   - areWords: new ones join a line that is there already; else they get lines of their own.
  package static func lines(
    _ own: [ContentLine], keeping kept: [ListElement], adding added: [ListElement], areWords: Bool
  ) -> [SyntaxTree.NewLine] {
    var lines: [ListLine] = own.enumerated().compactMap { number, line in
      let elements = kept.filter { $0.number == number }
      return elements.isEmpty ? nil : ListLine(line, elements)
    }
    var groups: [[ListElement]] = []
    for element in added {
      if groups.last?.last?.number == element.number {
        groups[groups.count - 1].append(element)
      } else {
        groups.append([element])
      }
    }
    for group in groups {
      guard let donor = group.first?.line else { continue }
      let place = lines.lastIndex { areWords && $0.line.parameters == donor.parameters }
      if let place {
        lines[place].values += group.map(\.value)
      } else {
        lines.append(ListLine(donor, group))
      }
    }
    return lines.map(\.newLine)
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

  /// The line as it stands where it holds just these values, else at least what is in front of
  /// them: another program may have written parameters that calgw would not.
  var newLine: SyntaxTree.NewLine {
    if values == ListElement.values(of: line) { return .source(line.source) }
    let head = Array(line.content.dropLast(line.value.count))
    let content = head + Array(values.joined(separator: [ASCII.comma]))
    var text: [UInt8] = []
    content.withUnsafeBufferPointer {
      Folding.append($0, ending: [ASCII.carriageReturn, ASCII.lineFeed], to: &text)
    }
    return .source(text)
  }
}
