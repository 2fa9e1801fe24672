import ICalendar
public import SyncModel

/// A server that is kept from sending mail has meetings with SCHEDULE-AGENT=CLIENT that the other
/// side has without it. Where the journal was lost, nothing says whose word that is: it is no
/// difference, and stays where it is.
extension DifferingItem {
  /// The texts that telling that word from other differences needs.
  public var textsOfStrangers: [ContentDigest] {
    guard case .unmet(let here?, let there?) = state, here.canonical != there.canonical else {
      return []
    }
    return [here.version.digest, there.version.digest]
  }

  /// The item as it is where that word is no difference: the same on both sides, if a side would
  /// have been sent what it has.
  ///
  /// `texts` are those of `textsOfStrangers`, by digest.
  public func withoutSilence(
    of silenced: Set<Side>, _ texts: [ContentDigest: ItemData], zones: ItemZones
  ) -> DifferingItem {
    guard case .unmet(let here?, let there?) = state, let local = texts[here.version.digest],
      let remote = texts[there.version.digest]
    else { return self }
    var item = self
    for side in Side.allCases where silenced.contains(side) && !item.isSameOnBoth {
      let (sent, found) = side == .local ? (remote, local) : (local, remote)
      let quiet = SchedulingAgent.quieted(sent.bytes)
      item.isSameOnBoth =
        quiet != sent.bytes
        && zones.isSameContent(SyntaxTree(bytes: quiet), SyntaxTree(bytes: found.bytes))
    }
    return item
  }
}
