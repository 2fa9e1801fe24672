import SyncModel
import SyncPlanning

/// A part of a split series whose occurrences are there twice.
public struct DoubledPart: Sendable, Hashable {
  public let title: String
  /// Both sides have split the series; else the version of it that holds is not split.
  public let isOfTwoSplits: Bool
}

/// A series that one side has split and that the other one has edited: where a policy or a person
/// lets the version hold that is not split, the new part goes its way all the same, since what
/// somebody wrote is not thrown away. So it does where both sides have split it. Its occurrences
/// are there twice then, and that is said.
extension SyncRun {
  /// Notes the new parts of series of which a plan takes the split back, or has two.
  mutating func noteDoubled(
    _ plan: Plan, _ items: [DifferingItem]
  ) async throws(SyncFailure) {
    let both = Set(items.filter(\.isChangedOnBoth).map(\.uid))
    var settled: [Settled] = []
    for action in plan.actions where both.contains(action.uid) {
      switch action {
      case .replace(let target, let old, let source, .whole, _):
        settled.append(
          Settled(lost: old, kept: source, partsGoTo: target.opposite, isMerge: false))
      case .merge(let merged):
        // Of two new parts, that which comes to the folder is told of.
        settled.append(
          Settled(lost: merged[.remote], kept: merged[.local], partsGoTo: .local, isMerge: true))
      case .create, .replace, .delete, .record, .forget: continue
      }
    }
    if settled.isEmpty { return }
    let lost = try await sync.siblings(of: settled.map { [$0.lost.version.digest] })
    let kept = try await sync.siblings(of: settled.map { [$0.kept.version.digest] })
    for (index, series) in settled.enumerated() {
      let parts = lost[index].subtracting(kept[index])
      let isOfTwoSplits = !kept[index].subtracting(lost[index]).isEmpty
      if series.isMerge, !isOfTwoSplits { continue }
      for case .create(series.partsGoTo, let part, _) in plan.actions
      where parts.contains(part.uid) {
        report.doubled[part.uid] = DoubledPart(
          title: part.summary, isOfTwoSplits: isOfTwoSplits)
      }
    }
  }

  /// What becomes of a series that both sides have changed.
  private struct Settled {
    /// The version that gives way; of a merge, the remote one.
    let lost: ItemVersion
    let kept: ItemVersion
    /// Where new parts of the first one are created.
    let partsGoTo: Side
    let isMerge: Bool
  }
}

extension DifferingItem {
  fileprivate var isChangedOnBoth: Bool {
    if case .agreed(_, .modified, .modified) = state { true } else { false }
  }
}
