public import ICalendar
import Recurrence

extension ItemZones {
  /// Whether two texts mean the same: their canonical forms are equal without the redundant
  /// definitions of time zones (docs/decisions/0010-time-zone-definitions.md).
  ///
  /// The digest of an item's version is that of the canonical form with all definitions, since it
  /// must not change with the tzdata of a machine; so this is asked only where digests differ.
  public func isSameContent(_ one: SyntaxTree, _ other: SyntaxTree) -> Bool {
    contentForm(of: one) == contentForm(of: other)
  }

  /// A text without its redundant definitions of time zones. For comparison alone: programs want
  /// them, and no text is written without them.
  public func withoutRedundantDefinitions(_ tree: SyntaxTree) -> SyntaxTree {
    var result = tree
    for component in redundant.all(in: tree) {
      do throws(EditRefusal) {
        try result.remove(component.id)
      } catch {
        return tree
      }
    }
    return result
  }

  func contentForm(of tree: SyntaxTree) -> [UInt8] {
    let redundant = Set(redundant.all(in: tree).map(\.id))
    return canonicalForm(of: tree) { redundant.contains($0.id) }
  }
}
