import ICalendar
import SQLiteJournal
import SyncExecution
import SyncModel

/// Which of the deletions and new items of a collection are one half of a move.
extension OpenedPair {
  /// Tells of items that are gone from a collection which of them are in another one: they were
  /// moved there where they are in its folder alone as yet, or are known to be new to it, and are
  /// copies where both sides have them there.
  ///
  /// - Parameter new: What a run has brought to other collections, or is about to.
  func leaving(
    _ name: String, new: Set<ItemID>, _ finder: ItemFinder
  ) -> @Sendable (Set<ItemID>) async -> FoundElsewhere? {
    { gone in
      var moved = gone.intersection(new)
      let elsewhere = (try? await store.items(gone, sharedBesides: name)) ?? []
      for (folder, collection) in await folders(besides: name, finder) {
        let shared = await agreedFiles(of: collection)
        var found: Set<ItemID> = []
        try? await finder.forEachFile(of: folder, besides: shared) { _, data in
          let uids = CalendarObject(SyntaxTree(bytes: data.bytes)).uids.map { ItemID(bytes: $0) }
          found.formUnion(gone.intersection(uids))
        }
        for uid in found {
          // The file of a copy that somebody has edited came from nowhere.
          if elsewhere.contains(uid), await shares(uid, in: collection) { continue }
          moved.insert(uid)
        }
      }
      return FoundElsewhere(moved: moved, copied: elsewhere.subtracting(moved))
    }
  }

  private func shares(_ uid: ItemID, in name: String) async -> Bool {
    guard let journal = try? await store.journal(of: name) else { return false }
    return (try? await journal.agreement(of: uid)) != nil
  }

  /// The folders of the other collections with their names, of those as well that this run is not
  /// about.
  private func folders(
    besides name: String, _ finder: ItemFinder
  ) async -> [(folder: EventFolder, collection: String)] {
    var seen: Set<[UInt8]> = []
    var folders: [(folder: EventFolder, collection: String)] = []
    for collection in collections {
      guard case .present(let own) = collection.local,
        let folder = EventFolder(of: local, named: own.href.spelling)
      else { continue }
      seen.insert(folder.path)
      if collection.name != name { folders.append((folder, collection.name)) }
    }
    let records = (try? await store.collections()) ?? []
    for folder in (try? await finder.folders.folders(of: target.pair)) ?? []
    where seen.insert(folder.path).inserted {
      let record = records.first {
        EventFolder(of: local, named: $0.folder)?.path == folder.path
      }
      if record?.identity.name != name { folders.append((folder, record?.identity.name ?? "")) }
    }
    return folders
  }

  /// Tells of items that are new to a collection which of them another one has on both sides: it
  /// had them, and they were moved from it, or copied.
  func arriving(_ name: String) -> @Sendable (Set<ItemID>) async -> Set<ItemID> {
    { new in (try? await store.items(new, sharedBesides: name)) ?? [] }
  }

  /// The files whose items a collection shares with the other side, as they were then.
  private func agreedFiles(of name: String) async -> [Href: EntityTag] {
    guard let journal = try? await store.journal(of: name),
      let known = try? await journal.known(.local)
    else { return [:] }
    let agreed = known.filter(\.isAgreed)
    return Dictionary(
      agreed.compactMap { file in file.tag.map { (file.href, $0) } }, uniquingKeysWith: { $1 })
  }
}

extension PairReport {
  /// What is new to the collections of the run, and was not sent yet, since others have it.
  var arriving: Set<ItemID> {
    Set(collections.flatMap(\.arriving).compactMap(\.uid))
  }
}
