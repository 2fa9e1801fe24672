/// A line below a difference, of what its words only count or leave out.
public struct DetailLine: Sendable, Hashable {
  /// Which of the versions has it.
  public enum Mark: Sendable {
    case removed
    case added
    /// What was said of one thing, and what is said of it now.
    case changed
  }

  public var mark: Mark
  /// Without a line break.
  public var text: String

  public init(_ mark: Mark, _ text: String) {
    self.mark = mark
    self.text = text
  }

  static func lines(of text: String, _ mark: Mark) -> [DetailLine] {
    split(text).map { DetailLine(mark, String($0)) }
  }

  private static func split(_ text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  static func changes(from before: String, to after: String) -> [DetailLine] {
    lines(of: before, .removed) + lines(of: after, .added)
  }
}
