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
}
