import SyncModel
import SyncPlanning

extension SyncRun {
  /// Takes what the side made of the first half of a merge for what it has now, and lets the other
  /// half follow: taken for an edit there, it would be merged once more, in each run. Where
  /// somebody was quicker, the merge is made anew. False where nothing shows.
  mutating func compareHalf(
    _ outcome: ReadOutcome, with place: Place, _ ours: SentText, _ stored: inout Stored
  ) -> Bool {
    let (uid, side) = (place.stored.uid, place.write.intent.side)
    guard let half = halfMerged.firstIndex(where: { $0.local.uid == uid }) else { return true }
    stale.insert(side)
    // One wrong answer would make what the server keeps of it somebody's there.
    if case .missing = outcome.result { return false }
    guard denial(of: place, ours, by: outcome) == nil,
      case .found(_, let data, _) = outcome.result, var item = sync.item(outcome), item.uid == uid,
      isRewriting(item, data, of: place, ours)
    else {
      halfMerged.remove(at: half)
      let id = stored.closed[place.index].id
      stored.closed[place.index] = ClosedIntent(id: id, outcome: .lookAgain)
      return true
    }
    stored.contents.append(StoredContent(digest: item.version.digest, data: data))
    item.modified = place.stored.modified
    halfMerged[half][side] = item
    return true
  }

  /// What is there is what the side made of ours, and nobody's edit of it.
  func isRewriting(
    _ item: ItemVersion, _ data: ItemData, of place: Place, _ ours: SentText
  ) -> Bool {
    item.version.hasTag(of: place.stored.version) || item.canonical == place.stored.canonical
      || ours.isOfOneSubstance(with: data)
      || place.write.isCreate && ours.isAllSaid(in: data)
  }
}

extension Version {
  /// It was found with the tag that a write got. One that got none (RFC 4791 §5.3.4) tells nothing.
  func hasTag(of stored: Version) -> Bool {
    stored.tag.map { own in tag.map(own.names) ?? false } ?? true
  }
}
