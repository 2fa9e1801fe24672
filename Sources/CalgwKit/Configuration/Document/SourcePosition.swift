/// A place in a text file.
public struct SourcePosition: Sendable, Hashable, Comparable {
  /// Counted from 1.
  public var line: Int
  /// Counted from 1, in bytes.
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
