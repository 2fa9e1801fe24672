public import SyncModel

/// A change that has to stay on its side, since a read-only one has the item in another version:
/// a person can go back to that.
package func isReadOnly(_ target: Side) -> ItemProblem {
  stays(target, undo: "Undo the change (`calgw resolve UID --take \(target.rawValue)`)")
}

/// The same of what an action would carry over. What a read-only side does not have cannot be gone
/// back to, and an edit outlives a deletion: only to take the file away ends that.
package func isReadOnly(_ target: Side, against action: Action) -> ItemProblem {
  guard case .create = action else { return isReadOnly(target) }
  let undo =
    switch target {
    case .remote:
      "Delete it here (`calgw delete FILE --span all`) or move it to another calendar (`calgw move"
        + " FILE PAIR/COLLECTION`)"
    case .local: "Delete it on the remote side"
    }
  return stays(target, undo: undo)
}

private func stays(_ target: Side, undo: String) -> ItemProblem {
  ItemProblem(
    .readOnly, "the \(target.rawValue) side is read-only, so this change stays here",
    hint: undo + ItemProblem.orMakeWritable(target))
}

extension ItemProblem {
  /// How the mend of a change that a read-only side does not take ends; for who knows that nobody
  /// can make that side writable.
  public static func orMakeWritable(_ side: Side) -> String {
    ", or make the \(side.rawValue) side writable."
  }
}
