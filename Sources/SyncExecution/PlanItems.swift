import SyncModel
import SyncPlanning

extension CollectionSync {
  /// What the items alone ask for, for a run and for a look at it: the table of docs/reconcile.md,
  /// then the merges that need no person, the window, and what is there already. What speaks
  /// against it from outside, a broken file or a person who is asked, comes after.
  func plan(
    for items: [DifferingItem], rules: ReconcileRules, mayPostpone: Bool = false
  ) async throws(SyncFailure) -> Plan {
    let merged = try await mergingConflicts(
      reconcile(items, rules: rules), rules: rules, mayPostpone: mayPostpone)
    return try await withoutEchoes(respectWindow(merged, items))
  }
}
