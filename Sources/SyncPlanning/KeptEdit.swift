public import SyncModel

/// An edit that a server stored, and put values back to what they were before it.
extension ItemProblem {
  /// - Parameter isTold: The server may tell people of the edit each time that it is sent.
  public static func kept(_ former: FormerValues, by side: Side, isTold: Bool) -> ItemProblem {
    let names = former.names.joined(separator: ", ")
    let what = former.isAll ? "took" : "stored"
    let again =
      " `--take \(side.opposite.rawValue)` sends it once more, with whatever mail that causes."
    return ItemProblem(
      .refused, "the \(side.rawValue) side \(what) it, and kept the former \(names)",
      hint: "Change it there; or take what is there with `calgw resolve UID --take"
        + " \(side.rawValue)`." + (isTold ? again : ""),
      cause: .keptFormer)
  }
}

extension DifferingItem {
  /// The item as it is where such values are no change: one side has nothing else that is new, and
  /// the other one, which did not take them, has deleted the item since. They are no edit that
  /// would outlive a deletion: a meeting that was called off would be made again, with mail to all.
  ///
  /// What a person edits later is another text, and outlives the deletion as any edit.
  public var withoutKeptEdit: DifferingItem {
    guard case .agreed(let base, let local, let remote) = state else { return self }
    var item = self
    switch (local, remote) {
    case (.modified(let seen), .deleted) where isKept(seen, on: .local):
      item.state = .agreed(base, local: .unchanged(seen), remote: remote)
      item.waits[.local] = nil
    case (.deleted, .modified(let seen)) where isKept(seen, on: .remote):
      item.state = .agreed(base, local: local, remote: .unchanged(seen))
      item.waits[.remote] = nil
    case (.modified, _), (.unchanged, _), (.deleted, _): return self
    }
    return item
  }

  private func isKept(_ seen: ItemVersion, on side: Side) -> Bool {
    guard case .refused(seen.version.digest, let problem, _) = waits[side] else { return false }
    return problem.cause == .keptFormer
  }
}
