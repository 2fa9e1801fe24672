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
    for (old, _) in renames {
      try await rename(old, to: Self.passing(old))
    }
    for (old, folder) in renames {
      var new = old
      new.folder = folder.href.spelling
      new.identity.local = Array((folder.identity + "\n" + user).utf8)
      let name = names.contains(folder.name) ? old.identity.name : folder.name
      names.insert(name)
      new.identity.name = name
      logger.info("the folder \(old.identity.name) is \(folder.name) now")
      try await rename(Self.passing(old), to: new)
      try await moveMetadata(from: old.identity.name, to: name)
    }
    return try await recorded { () throws(JournalError) in try await store.collections() }
  }

  /// A name that no folder can have.
  private static func passing(_ record: CollectionRecord) -> CollectionRecord {
    var record = record
    record.identity.name = "/" + record.identity.name
    return record
  }

  private func rename(_ old: CollectionRecord, to new: CollectionRecord)
    async throws(OpeningError)
  {
    try await recorded { () throws(JournalError) in
      try await store.rename(old.identity.name, to: new)
    }
  }

  private func moveMetadata(from old: String, to new: String) async throws(OpeningError) {
    guard old != new else { return }
    try await recorded { () throws(JournalError) in
      let bases = try await store.value(MetadataSync.storeKey(old))
      try await store.setValue(bases, for: MetadataSync.storeKey(new))
    }
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
