import SQLiteJournal
import SyncModel

/// What the other collections of a pair have of an item, or had.
extension PairStore {
  /// The name of another collection of the pair that has an item of the UID on both sides.
  func collection(sharing uid: ItemID, besides name: String) async -> String? {
    for other in (try? collections()) ?? [] where other.identity.name != name {
      guard let journal = try? self.journal(of: other.identity.name) else { continue }
      if (try? await journal.agreement(of: uid)) != nil { return other.identity.name }
    }
    return nil
  }

  /// An item of the UID was deleted in another collection of the pair, on either side, at this time
  /// or later, and none has one now. The log tells it, so that it holds for a later run as well,
  /// where the one that deleted it was cut off.
  func hasLetGo(of uid: ItemID, since time: Instant, besides name: String) async -> Bool {
    guard await collection(sharing: uid, besides: name) == nil else { return false }
    return ((try? history(of: uid)) ?? []).contains { version in
      version.collection != name && version.recorded.entry.action == .deleted
        && version.recorded.entry.time >= time
    }
  }

  /// Those of some items that the local side has in another collection of the pair, or had until
  /// they were deleted there as on the remote side. The log tells that, too, for a later run.
  func items(_ uids: Set<ItemID>, onceHereBesides name: String) async -> Set<ItemID> {
    let shared = (try? items(uids, sharedBesides: name)) ?? []
    let deleted = uids.subtracting(shared).filter { uid in
      ((try? history(of: uid)) ?? []).contains { version in
        let entry = version.recorded.entry
        return version.collection != name && entry.side == .local && entry.action == .deleted
      }
    }
    return shared.union(deleted)
  }
}
