extension SyntaxTree {
  /// What is not as RFC 5545 wants it in the text that was read: its lines, properties and
  /// components. What takes time zones and rules to tell is for `Recurrence`.
  ///
  /// Takes time in proportion to the size; sorted by place, and bounded (`CheckFinding.limit`).
  public var findings: [CheckFinding] {
    guard !storage.isEdited else { return SyntaxTree(bytes: bytes).findings }
    var findings = TextCheck(tree: self).run()
    // In what is no calendar every line would be wrong.
    guard !findings.contains(where: { $0.code == .notICalendar || $0.code == .emptyFile }) else {
      return CheckFinding.listed(findings)
    }
    findings += diagnostics.compactMap { diagnostic in
      CheckCode(rawValue: diagnostic.code.rawValue).map {
        let place = TextPosition(line: diagnostic.line, column: diagnostic.column)
        return CheckFinding($0, message: diagnostic.message, at: place)
      }
    }
    findings += StructureCheck(tree: self).run()
    return CheckFinding.listed(findings)
  }
}

/// Looks at the physical lines of a text.
private struct TextCheck {
  let tree: SyntaxTree

  func run() -> [CheckFinding] {
    switch tree.wholeness {
    case .empty: return [CheckFinding(.emptyFile, at: TextPosition(startOf: 1))]
    case .notCalendar(let line):
      return [CheckFinding(.notICalendar, at: TextPosition(startOf: line))]
    case .tooLarge: return []
    case .whole, .cutOff, .conflictMarker, .strayEnd, .notUTF8: break
    }
    return tree.storage.source.withUnsafeBufferPointer { lines($0) }
  }

  private func lines(_ text: UnsafeBufferPointer<UInt8>) -> [CheckFinding] {
    var findings: [CheckFinding] = []
    /// These are told once a text: they are in every line, or in none.
    var once: Set<CheckCode> = []
    func note(_ code: CheckCode, _ line: Int, _ column: Int = 1, isOnce: Bool = false) {
      guard findings.count <= CheckFinding.limit, !isOnce || once.insert(code).inserted else {
        return
      }
      findings.append(CheckFinding(code, at: TextPosition(line: line, column: column)))
    }
    var start = 0
    if text.starts(with: [0xEF, 0xBB, 0xBF]) {
      note(.byteOrderMark, 1)
      start = 3
    }
    var number = 1
    while start < text.count {
      var end = start
      while end < text.count, !text[end].isLineBreak { end += 1 }
      let line = text.part(start, end)
      let next = Self.afterBreak(text, end)
      if line.allSatisfy(\.isBlank) { note(.blankLine, number) }
      if line.count > Folding.widthLimit { note(.longLine, number, Folding.widthLimit + 1) }
      if let place = line.firstIndex(where: { $0 < 0x20 && $0 != ASCII.tab || $0 == 0x7F }) {
        note(.controlCharacter, number, place + 1)
      }
      if end == text.count {
        note(.missingLineEnd, number, line.count + 1)
      } else if next - end == 1 {
        let code: CheckCode =
          text[end] == ASCII.lineFeed ? .bareLineFeed : .bareCarriageReturn
        note(code, number, line.count + 1, isOnce: true)
      }
      // A continuation that begins with a part of a character.
      if next + 1 < text.count, text[next].isBlank, text[next + 1] & 0xC0 == 0x80 {
        note(.cutCharacter, number, line.count + 1)
      }
      start = next
      number += 1
    }
    return findings
  }

  private static func afterBreak(_ text: UnsafeBufferPointer<UInt8>, _ end: Int) -> Int {
    let isPair =
      end + 1 < text.count && text[end] == ASCII.carriageReturn
      && text[end + 1] == ASCII.lineFeed
    return min(end + (isPair ? 2 : 1), text.count)
  }
}
