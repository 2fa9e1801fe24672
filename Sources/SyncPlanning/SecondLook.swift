import ICalendar
public import SyncModel

extension DifferingItem {
  /// The texts that a second look needs; none where it can find nothing.
  public var textsToCompare: [ContentDigest] {
    var texts: [ContentDigest] = []
    for pair in pairsToCompare where pair.mayMeanTheSame {
      texts += [pair.one.version.digest, pair.other.version.digest]
    }
    return texts
  }

  /// Two versions whose canonical forms differ.
  private struct Pair {
    var one: ItemVersion
    var other: ItemVersion

    /// Where the items themselves are dated or made otherwise, it is no matter of time zones.
    var mayMeanTheSame: Bool {
      one.canonical != other.canonical && one.lastModified == other.lastModified
        && one.components == other.components
    }
  }

  private var pairsToCompare: [Pair] {
    switch state {
    case .agreed(let base, .modified(let here), .modified(let there)):
      [
        Pair(one: base.local, other: here), Pair(one: base.remote, other: there),
        Pair(one: here, other: there),
      ]
    case .agreed(let base, .modified(let here), .unchanged),
      .agreed(let base, .modified(let here), .deleted):
      [Pair(one: base.local, other: here)]
    case .agreed(let base, .unchanged, .modified(let there)),
      .agreed(let base, .deleted, .modified(let there)):
      [Pair(one: base.remote, other: there)]
    case .agreed(_, .unchanged, .unchanged), .agreed(_, .unchanged, .deleted),
      .agreed(_, .deleted, .unchanged), .agreed(_, .deleted, .deleted):
      []
    case .unmet(let here?, let there?):
      [Pair(one: here, other: there)]
    case .unmet(_?, nil), .unmet(nil, _?), .unmet(nil, nil):
      []
    }
  }

  /// The item as a second look shows it: a version that differs from another one in nothing but
  /// definitions of time zones that say the same is no change of it
  /// (docs/decisions/0010-time-zone-definitions.md).
  ///
  /// `texts` are those of `textsToCompare`, by digest; a version whose text is not there stays as
  /// it is.
  public func lookedAtTwice(
    _ texts: [ContentDigest: ItemData], zones: ItemZones
  ) -> DifferingItem {
    func isSame(_ one: ItemVersion, _ other: ItemVersion) -> Bool {
      guard Pair(one: one, other: other).mayMeanTheSame,
        let first = texts[one.version.digest], let second = texts[other.version.digest]
      else { return false }
      let trees = [first, second].map { SyntaxTree(bytes: $0.bytes) }
      guard trees.contains(where: \.definesZones) else { return false }
      return zones.isSameContent(trees[0], trees[1])
    }
    func look(_ change: Change, from agreed: ItemVersion) -> Change {
      guard case .modified(let seen) = change, isSame(agreed, seen) else { return change }
      return .unchanged(seen)
    }
    var item = self
    switch state {
    case .agreed(let base, let local, let remote):
      let (here, there) = (look(local, from: base.local), look(remote, from: base.remote))
      item.state = .agreed(base, local: here, remote: there)
      if case .modified(let one) = here, case .modified(let other) = there {
        item.isSameOnBoth = isSame(one, other)
      }
    case .unmet(let here?, let there?):
      item.isSameOnBoth = isSame(here, there)
    case .unmet(_?, nil), .unmet(nil, _?), .unmet(nil, nil):
      break
    }
    return item
  }
}

extension SyntaxTree {
  fileprivate var definesZones: Bool {
    calendars.contains { $0.components.contains { $0.isNamed("VTIMEZONE") } }
  }
}
