import SyncModel
import SyncPlanning

/// A series that one side has split and that the other one has edited: where a policy or a person
/// lets the version hold that is not split, the new part goes its way all the same, since what
/// somebody wrote is not thrown away. Its occurrences are there twice then, and that is said.
extension SyncRun {
  /// Notes the new parts of series of which a plan takes the split back.
  mutating func noteDoubled(
    _ plan: Plan, _ items: [DifferingItem]
  ) async throws(SyncFailure) {
    let both = Set(items.filter(\.isChangedOnBoth).map(\.uid))
    var settled: [(target: Side, old: ItemVersion, source: ItemVersion)] = []
    for case .replace(let target, let old, let source, .whole, _) in plan.actions
    where both.contains(source.uid) {
      settled.append((target, old, source))
    }
    if settled.isEmpty { return }
    let lost = try await siblings(of: settled.map { [$0.old.version.digest] })
    let kept = try await siblings(of: settled.map { [$0.source.version.digest] })
    for (index, series) in settled.enumerated() {
      let parts = lost[index].subtracting(kept[index])
      for case .create(series.target.opposite, let part, _) in plan.actions
      where parts.contains(part.uid) {
        report.doubled[part.uid] = part.summary
      }
    }
  }
}

extension DifferingItem {
  fileprivate var isChangedOnBoth: Bool {
    if case .agreed(_, .modified, .modified) = state { true } else { false }
  }
}
