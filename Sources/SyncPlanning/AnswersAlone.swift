import ICalendar
public import SyncModel

/// Between two servers what the one notes of attendees is no business of the other: to store it
/// there would be a change of the meeting, and that one might tell everybody of it.
extension DifferingItem {
  /// The texts that telling answers from edits needs.
  public var textsOfChanges: [ContentDigest] {
    switch state {
    case .agreed(let base, let local, let remote):
      var texts: [ContentDigest] = []
      for case (let agreed, .modified(let seen)) in [(base.local, local), (base.remote, remote)] {
        texts += [agreed.version.digest, seen.version.digest]
      }
      return texts
    case .unmet(let here?, let there?):
      return here.canonical == there.canonical
        ? [] : [here.version.digest, there.version.digest]
    case .unmet(_?, nil), .unmet(nil, _?), .unmet(nil, nil):
      return []
    }
  }

  /// The item as it is where a server's notes are no change: a version of a meeting that differs
  /// from what was agreed in answers alone (`SchedulingAgent.withoutAnswers`), and in the fields
  /// that say that somebody has touched it. Where the two never agreed, as after a lost journal,
  /// they are the same on both sides then.
  ///
  /// `texts` are those of `textsOfChanges`, by digest; a version whose text is not there stays as
  /// it is.
  public func withoutAnswers(
    _ texts: [ContentDigest: ItemData], zones: ItemZones
  ) -> DifferingItem {
    func differInAnswersAlone(_ one: ItemVersion, _ other: ItemVersion) -> Bool {
      guard let first = texts[one.version.digest], let second = texts[other.version.digest] else {
        return false
      }
      return zones.differInAnswersAlone(first, second)
    }
    func look(_ change: Change, from agreed: ItemVersion) -> Change {
      guard case .modified(let seen) = change, differInAnswersAlone(agreed, seen) else {
        return change
      }
      return .unchanged(seen)
    }
    var item = self
    switch state {
    case .agreed(let base, let local, let remote):
      item.state = .agreed(
        base, local: look(local, from: base.local), remote: look(remote, from: base.remote))
    case .unmet(let here?, let there?):
      item.isSameOnBoth = isSameOnBoth || differInAnswersAlone(here, there)
    case .unmet(_?, nil), .unmet(nil, _?), .unmet(nil, nil):
      break
    }
    return item
  }
}

extension ItemZones {
  fileprivate func differInAnswersAlone(_ one: ItemData, _ other: ItemData) -> Bool {
    guard SchedulingAgent.isScheduled(one.bytes), SchedulingAgent.isScheduled(other.bytes) else {
      return false
    }
    func view(_ data: ItemData) -> SyntaxTree {
      SyntaxTree(bytes: SchedulingAgent.withoutAnswers(data.bytes))
    }
    return haveOneEssence(view(one), view(other))
  }
}
