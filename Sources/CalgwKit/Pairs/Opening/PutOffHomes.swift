import CalDAVStorage
import SyncModel

extension PairOpener {
  /// Calendar homes of the sides' accounts whose servers ask to be asked later: what they have is
  /// left out, and the rest is dealt with. They are none of a command's matter that is about
  /// collections which are all there.
  func putOff(
    _ chosen: [MatchedCollection], of target: PairTarget, _ local: OpenedSide,
    _ remote: OpenedSide, _ listing: PairListing
  ) -> [RunFailure] {
    var failures: [RunFailure] = []
    for (side, opened) in [(Side.local, local), (.remote, remote)] {
      guard case .account(let connection) = opened,
        target.isAboutAll || chosen.contains(where: { !$0.isPresent(on: side) })
      else { continue }
      let place = "pair \(target.pair.name), \(side.rawValue) side"
      failures += (listing.unseen[side] ?? []).compactMap {
        connection.failure(ofUnseen: $0, at: place)
      }
    }
    return failures
  }
}

extension PairTarget {
  fileprivate var isAboutAll: Bool {
    if case .calendar = pair.selection { return false }
    return collections == nil && origin == nil
  }
}

extension MatchedCollection {
  fileprivate func isPresent(on side: Side) -> Bool {
    let counterpart = side == .local ? local : remote
    return if case .present = counterpart { true } else { false }
  }
}
