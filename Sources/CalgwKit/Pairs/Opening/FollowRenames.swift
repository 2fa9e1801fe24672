import Logging
import SQLiteJournal
import SyncModel
import VdirStorage

/// Finds known folders under new names: a directory keeps its device and inode number when it is
/// renamed. Since those numbers are given away again, the directory must also still hold one of the
/// items that were agreed on.
struct FollowRenames: Sendable {
  let root: VdirRoot
  let side: Side
  let store: PairStore
  let user: String
  let now: Instant

  private typealias Rename = (old: CollectionRecord, folder: CollectionDescription)

  /// Gives the records as they are after the renames, which the store then knows.
  func run(_ records: [CollectionRecord], among folders: [CollectionDescription])
    async throws(OpeningError) -> [CollectionRecord]
  {
    let places = Dictionary(
      folders.compactMap { folder in
        FolderIdentity(folder.journalIdentity(user: user)).map { ($0.number, folder) }
      },
      uniquingKeysWith: { first, _ in first })
    var renames: [Rename] = []
    for record in records {
      let name = side == .local ? record.folder : record.remoteHref
      guard let known = FolderIdentity(record.identity[side]), let folder = places[known.number],
        folder.href.spelling != name, try await holdsItems(record, folder)
      else { continue }
      renames.append((record, folder))
    }
    if renames.isEmpty { return records }
    switch side {
    case .local: try await renameLocal(renames, among: records)
    case .remote: try await renameRemote(renames)
    }
    return try await recorded { () throws(JournalError) in try await store.collections() }
  }

  /// A collection is called as its folder is.
  private func renameLocal(
    _ renames: [Rename], among records: [CollectionRecord]
  ) async throws(OpeningError) {
    let keeping = Self.keeping(renames.map { ($0.old.identity.name, $0.folder.name) }, records)
    let moves = renames.map { old, folder in
      var new = old
      new.folder = folder.href.spelling
      new.identity.local = folder.journalIdentity(user: user)
      if !keeping.contains(old.identity.name) { new.identity.name = folder.name }
      logger.info("the folder \(old.identity.name) is \(folder.name) now")
      return (old: old.identity.name, new: new)
    }
    try await recorded { () throws(JournalError) in
      try await store.rename(moves) { name in
        [
          MetadataSync.storeKey(name), MetadataSync.madeKey(name), HeldInvitations.storeKey(name),
          ToldConflicts.storeKey(name), CollectionMapping.storeKey(name),
          FolderBirths.storeKey(name),
        ]
      }
    }
  }

  /// The folder here keeps its name, and the collection with it.
  private func renameRemote(_ renames: [Rename]) async throws(OpeningError) {
    for (old, folder) in renames {
      var new = old
      new.remoteHref = folder.href.spelling
      new.remoteName = folder.displayName ?? ""
      new.identity.remote = folder.journalIdentity(user: user)
      logger.info("the folder of \(old.identity.name) on the remote side is \(folder.name) now")
      let current = new
      try await recorded { () throws(JournalError) in
        // Files are known by their names in the folder, whatever that is called.
        try await store.moveRemote(current, to: Href(""), at: now)
      }
    }
  }

  /// The names that stay, since what they were to become is the name of one that is not renamed, or
  /// stays in its turn: the name of one that goes is free, and two can exchange theirs.
  private static func keeping(
    _ renames: [(old: String, new: String)], _ records: [CollectionRecord]
  ) -> Set<String> {
    var taken = Set(records.map(\.identity.name)).subtracting(renames.map(\.old))
    var keeping: Set<String> = []
    while true {
      let blocked = renames.filter { !keeping.contains($0.old) && taken.contains($0.new) }
      if blocked.isEmpty { return keeping }
      keeping.formUnion(blocked.map(\.old))
      taken.formUnion(blocked.map(\.old))
    }
  }

  private func holdsItems(_ record: CollectionRecord, _ folder: CollectionDescription)
    async throws(OpeningError) -> Bool
  {
    let storage = try await reached(side) { () throws(StorageError) in
      try await root.open(folder)
    }
    return try await CalgwKit.holdsItems(.one, of: record, storage, on: side, store)
  }
}
