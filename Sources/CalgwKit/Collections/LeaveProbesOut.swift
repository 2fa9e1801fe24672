import CalDAVStorage
import SyncModel

extension CollectionRules {
  /// Without what `calgw doctor --write` had to leave on a server, and without folders of such
  /// names: `"*"` is no wish to have them. One that somebody names stays, and so does what was
  /// synced before.
  func withoutProbes(
    _ found: [CollectionDescription], _ known: [KnownCollection]
  ) -> [CollectionDescription] {
    found.filter { !leavesOut(probe: $0, known) }
  }

  /// It is one of these.
  func leavesOut(probe collection: CollectionDescription, _ known: [KnownCollection]) -> Bool {
    collection.isLeftByProbe && !asksByName(for: collection)
      && !known.contains {
        $0.local == collection.href || $0.remoteIdentity == collection.identity
      }
  }

  /// A name of it is written out, and not a pattern alone.
  func asksByName(for collection: CollectionDescription) -> Bool {
    let named = Set(asked(butNotIn: []))
    return collection.names.contains { named.contains($0) }
      || maps.contains { $0.local == collection.name || collection.answers(to: $0.remote) }
  }
}
