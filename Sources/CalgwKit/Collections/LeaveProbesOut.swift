import CalDAVStorage
import SyncModel

extension CollectionRules {
  /// Without what `calgw doctor --write` had to leave on a server, and without folders of such
  /// names: `"*"` is no wish to have them. One that somebody names stays, and so does what was
  /// synced before.
  func withoutProbes(
    _ found: [CollectionDescription], _ known: [KnownCollection]
  ) -> [CollectionDescription] {
    let named = Set(asked(butNotIn: []))
    return found.filter { collection in
      !collection.isLeftByProbe || collection.names.contains { named.contains($0) }
        || maps.contains { $0.local == collection.name || collection.answers(to: $0.remote) }
        || known.contains {
          $0.local == collection.href || $0.remoteIdentity == collection.identity
        }
    }
  }
}
