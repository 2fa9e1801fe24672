/// A line below a difference, of what its words only count or leave out.
public struct DetailLine: Sendable, Hashable {
  /// Which of the versions has it.
  public enum Mark: Sendable {
    case removed
    case added
    /// What was said of one thing, and what is said of it now.
    case changed
    /// Lines that both versions have.
    case alike
  }

  public var mark: Mark
  /// Without a line break; empty where lines are left out.
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

  /// Lines that are compared between those with which both texts begin and end; the time rises
  /// with the square of it. Of longer texts, which no person rewrites, all of these are shown.
  private static let comparedLines = 500

  /// The lines that only one of the texts has, in their order.
  static func changes(from before: String, to after: String) -> [DetailLine] {
    var (old, new) = (split(before)[...], split(after)[...])
    while let left = old.first, left == new.first {
      old = old.dropFirst()
      new = new.dropFirst()
    }
    while let left = old.last, left == new.last {
      old = old.dropLast()
      new = new.dropLast()
    }
    let (removed, added) = (Array(old), Array(new))
    guard max(removed.count, added.count) <= comparedLines else {
      return removed.map { Self(.removed, String($0)) } + added.map { Self(.added, String($0)) }
    }
    return changes(from: removed, to: added)
  }

  private static func changes(from old: [Substring], to new: [Substring]) -> [DetailLine] {
    var (removed, added): (Set<Int>, Set<Int>) = ([], [])
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var lines: [DetailLine] = []
    var (oldPlace, newPlace) = (0, 0)
    while oldPlace < old.count || newPlace < new.count {
      if removed.contains(oldPlace) {
        lines.append(Self(.removed, String(old[oldPlace])))
        oldPlace += 1
      } else if added.contains(newPlace) {
        lines.append(Self(.added, String(new[newPlace])))
        newPlace += 1
      } else {
        if lines.last?.mark != .alike { lines.append(Self(.alike, "")) }
        oldPlace += 1
        newPlace += 1
      }
    }
    return lines
  }
}
