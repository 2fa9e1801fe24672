/// Something in a calendar text that is not as RFC 5545 wants it, or that programs trip over, and
/// where it is.
public struct CheckFinding: Sendable, Hashable {
  public var code: CheckCode
  public var severity: Diagnostic.Severity
  /// What is wrong, without a full stop. Never holds a part of the text.
  public var message: String
  /// The physical line, from 1.
  public var line: Int
  /// The byte in the physical line, from 1.
  public var column: Int

  /// - Parameters:
  ///   - severity: Nil: what the code has.
  ///   - message: Nil: what the code has.
  public init(
    _ code: CheckCode, severity: Diagnostic.Severity? = nil, message: String? = nil,
    at place: TextPosition
  ) {
    self.code = code
    self.severity = severity ?? code.severity
    self.message = message ?? code.message
    line = place.line
    column = place.column
  }

  /// So many findings of one text are listed; more would tell a person nothing.
  public static let limit = SyntaxTree.diagnosticLimit

  /// Sorted by place, and no more than `limit`: then one of the code `more` comes last.
  public static func listed(_ findings: [CheckFinding]) -> [CheckFinding] {
    var sorted = findings.sorted {
      ($0.line, $0.column, $0.code.rawValue) < ($1.line, $1.column, $1.code.rawValue)
    }
    if sorted.count > limit, let last = sorted.last {
      let place = TextPosition(line: last.line, column: last.column)
      sorted.removeSubrange(limit...)
      sorted.append(CheckFinding(.more, at: place))
    }
    return sorted
  }
}

/// A place in a text, both from 1.
public struct TextPosition: Sendable, Hashable {
  /// The physical line.
  public var line: Int
  /// The byte in the line.
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The first byte of a line; the first line of the text for what has none.
  public init(startOf line: Int?) { self.init(line: line ?? 1, column: 1) }
}

extension ContentLine {
  /// Where its value starts, or a byte of it, in the text that was read.
  public func position(inValue offset: Int = 0) -> TextPosition {
    position(unfolded: Int(record.colon) + 1 + offset)
  }

  /// Where a byte of its unfolded content is.
  func position(unfolded place: Int) -> TextPosition {
    guard let first = lineNumber else { return TextPosition(startOf: nil) }
    let found = storage.withSource(of: record) { raw in
      SourcePlace.find(unfolded: place, in: raw, firstLine: first)
    }
    return TextPosition(line: found.line, column: found.column)
  }

  /// Where it starts.
  public var position: TextPosition { TextPosition(startOf: lineNumber) }
}
