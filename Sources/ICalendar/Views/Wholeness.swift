/// Whether a text is a calendar from its first line to its last. A file that an editor is writing
/// just now is not, and neither is what is left of one after a full disk.
public enum Wholeness: Sendable, Hashable {
  case whole
  /// There are no bytes, or only blanks.
  case empty
  /// A line in front of the first VCALENDAR is no content line, or something else than a VCALENDAR
  /// stands at the top.
  case notCalendar(line: Int)
  /// The BEGIN in that line has no END; of several, the first.
  case cutOff(line: Int)
  /// The line is one by which git and other tools of that kind mark two versions that they could
  /// not merge.
  case conflictMarker(line: Int)
  /// The END in that line closes nothing.
  case strayEnd(line: Int)
  /// The line is not UTF-8 once it is unfolded. Folds may cut characters.
  case notUTF8(line: Int)
  /// The text is larger than `SyntaxTree.sizeLimit`.
  case tooLarge
}

extension SyntaxTree {
  /// Whether the text is a calendar as a whole. Of several shortcomings it is the one that says
  /// most: a text that is cut off is so also where the cut lies inside a character.
  public var wholeness: Wholeness {
    // Numbers of lines are those of a text, so a changed tree is read anew.
    guard !storage.isEdited else { return SyntaxTree(bytes: bytes).wholeness }
    guard storage.source.count <= Self.sizeLimit else { return .tooLarge }
    guard storage.lines.contains(where: { $0.kind != .blank }) else { return .empty }
    if let line = conflictMarker { return .conflictMarker(line: line) }
    if let line = startOfBegin { return .cutOff(line: line) }
    if let line = firstForeignLine { return .notCalendar(line: line) }
    let unclosed = storage.components.first { $0.begin != .none && $0.end == .none }
    if let unclosed {
      return .cutOff(line: Int(storage.lines[Int(unclosed.begin)].number))
    }
    if let line = storage.strayEnd { return .strayEnd(line: line) }
    if let invalid = invalidUTF8(limit: 1).first { return .notUTF8(line: invalid.line) }
    return .whole
  }

  /// `<<<<<<< HEAD` or `>>>>>>> branch`.
  private var conflictMarker: Int? {
    let marked = storage.lines.first { line in
      guard line.kind == .malformed else { return false }
      return storage.withContent(of: line) { content in
        [UInt8(ascii: "<"), UInt8(ascii: ">")].contains { sign in
          content.count > 7 && content[7] == UInt8(ascii: " ")
            && content.prefix(7).allSatisfy { $0 == sign }
        }
      }
    }
    return marked.map { Int($0.number) }
  }

  /// The line of a text that ends within its `BEGIN:VCALENDAR`.
  private var startOfBegin: Int? {
    guard let index = storage.lines.firstIndex(where: { $0.kind != .blank }),
      storage.lines[(index + 1)...].allSatisfy({ $0.kind == .blank })
    else { return nil }
    let line = storage.lines[index]
    let isStart = storage.withContent(of: line) { content in
      content.count < 15 && sameName(content, String("BEGIN:VCALENDAR".prefix(content.count)))
    }
    return isStart ? Int(line.number) : nil
  }

  private var firstForeignLine: Int? {
    var hasCalendar = false
    for entry in root.entries {
      switch entry {
      case .component(let component):
        guard component.isNamed("VCALENDAR") else { return component.lineNumber }
        hasCalendar = true
      case .line(let line):
        if line.isMalformed, !hasCalendar { return line.lineNumber }
      }
    }
    return hasCalendar ? nil : root.lines.first?.lineNumber ?? 1
  }
}
