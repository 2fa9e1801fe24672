import Logging
import SQLiteJournal
import SyncModel
import VdirStorage

/// Finds known folders under new names: a directory keeps its device and inode number when it is
/// renamed. Since those numbers are given away again, the directory must also still hold one of the
/// items that were agreed on.
struct FollowRenames: Sendable {
  let root: VdirRoot
  let store: PairStore
  let user: String

  /// Gives the records as they are after the renames, which the store then knows.
  func run(_ records: [CollectionRecord], among folders: [CollectionDescription])
    async throws(OpeningError) -> [CollectionRecord]
  {
    let places = Dictionary(
      folders.compactMap { folder in mark(of: folder.identity).map { ($0, folder) } },
      uniquingKeysWith: { first, _ in first })
    var renames: [(old: CollectionRecord, folder: CollectionDescription)] = []
    for record in records {
      let known = String(decoding: record.identity.local, as: UTF8.self)
      guard let mark = mark(of: String(known.prefix { $0 != "\n" })), let folder = places[mark],
        folder.href.spelling != record.folder, try await holdsItems(record, folder)
      else { continue }
      renames.append((record, folder))
    }
    if renames.isEmpty { return records }
    // Two that exchanged their names: each name is free only once the other has moved away.
    var names = Set(records.map(\.identity.name)).subtracting(renames.map(\.old.identity.name))
    let moves = renames.map { old, folder in
      var new = old
      new.folder = folder.href.spelling
      new.identity.local = Array((folder.identity + "\n" + user).utf8)
      let name = names.contains(folder.name) ? old.identity.name : folder.name
      names.insert(name)
      new.identity.name = name
      logger.info("the folder \(old.identity.name) is \(folder.name) now")
      return (old: old.identity.name, new: new)
    }
    try await recorded { () throws(JournalError) in
      try await store.rename(moves) { name in
        [MetadataSync.storeKey(name), HeldInvitations.storeKey(name), ToldConflicts.storeKey(name)]
      }
    }
    return try await recorded { () throws(JournalError) in try await store.collections() }
  }

  private func holdsItems(_ record: CollectionRecord, _ folder: CollectionDescription)
    async throws(OpeningError) -> Bool
  {
    let storage = try await reached(.local) { () throws(StorageError) in
      try await root.open(folder)
    }
    return try await CalgwKit.holdsItems(of: record, storage, on: .local, store)
  }

  /// Device and inode: the last two words of a folder's identity.
  private func mark(of identity: String) -> String? {
    let words = identity.split(separator: " ")
    guard words.count >= 3, words.suffix(2).allSatisfy({ UInt64($0) != nil }) else { return nil }
    return words.suffix(2).joined(separator: " ")
  }
}
