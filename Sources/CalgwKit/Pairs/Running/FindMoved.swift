import ICalendar
import SQLiteJournal
import SyncExecution
import SyncModel

/// Which of the deletions and new items of a collection are one half of a move.
extension CollectionRun {
  /// Tells of items that are gone from a collection which of them are in another one: both sides
  /// have them there, they arrived there in this run or are about to, or they are in its folder
  /// alone as yet.
  func leaving(
    _ name: String, _ report: PairReport
  ) -> @Sendable (Set<ItemID>) async -> Set<ItemID> {
    let (run, finder) = (self, gateway.office().finder)
    let moved = report.arrived.union(report.arriving)
    return { gone in
      var found = gone.intersection(moved)
      let elsewhere = try? await run.opened.store.items(gone, sharedBesides: name)
      found.formUnion(elsewhere ?? [])
      for (folder, collection) in await run.folders(besides: name, finder) {
        let shared = await run.agreedFiles(of: collection)
        try? await finder.forEachFile(of: folder, besides: shared) { _, data in
          let uids = CalendarObject(SyntaxTree(bytes: data.bytes)).uids.map { ItemID(bytes: $0) }
          found.formUnion(gone.intersection(uids))
        }
      }
      return found
    }
  }

  /// The folders of the other collections with their names, of those as well that this run is not
  /// about.
  private func folders(
    besides name: String, _ finder: ItemFinder
  ) async -> [(folder: EventFolder, collection: String)] {
    var seen: Set<[UInt8]> = []
    var folders: [(folder: EventFolder, collection: String)] = []
    for collection in opened.collections {
      guard case .present(let own) = collection.local,
        let folder = EventFolder(of: opened.local, named: own.href.spelling)
      else { continue }
      seen.insert(folder.path)
      if collection.name != name { folders.append((folder, collection.name)) }
    }
    let records = (try? await opened.store.collections()) ?? []
    for folder in (try? await finder.folders.folders(of: opened.target.pair)) ?? []
    where seen.insert(folder.path).inserted {
      let record = records.first {
        EventFolder(of: opened.local, named: $0.folder)?.path == folder.path
      }
      if record?.identity.name != name { folders.append((folder, record?.identity.name ?? "")) }
    }
    return folders
  }

  /// Tells of items that are new to a collection which of them another one has on both sides: it
  /// had them, and they were moved from it, or copied.
  func arriving(_ name: String) -> @Sendable (Set<ItemID>) async -> Set<ItemID> {
    let store = opened.store
    return { new in (try? await store.items(new, sharedBesides: name)) ?? [] }
  }

  /// The files whose items a collection shares with the other side, as they were then.
  private func agreedFiles(of name: String) async -> [Href: EntityTag] {
    guard let journal = try? await opened.store.journal(of: name),
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
