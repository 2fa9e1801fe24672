import Logging
import SQLiteJournal
import SyncModel
import SyncPlanning

/// Finds known folders on a disk that has another device number than in the last run: loop devices,
/// sticks, and some network and overlay file systems get a new one at each mount. Path and inode
/// number must be what they were, and the time at which the folder was made; where nobody keeps
/// that, most of the items that were agreed on must be there.
struct FollowRemounts: Sendable {
  let store: PairStore
  let births: FolderBirths
  /// The command by which a person says that a folder is another one on purpose.
  let forget: String

  /// Tells the store of a collection's folders as they are now, where they are the known ones.
  /// Fails where one is but the empty folder onto which a disk was mounted.
  ///
  /// - Parameter record: what the collection is now.
  func run(_ record: CollectionRecord, _ storages: BothSides<any Storage>)
    async throws(OpeningError)
  {
    let name = record.identity.name
    guard
      let known = try await recorded({ () throws(JournalError) in
        try await store.collection(named: name)
      }), known.identity != record.identity
    else { return }
    var found = known.identity
    for side in Side.allCases {
      guard let before = FolderIdentity(known.identity[side]),
        let now = FolderIdentity(record.identity[side]), before.isElsewhere(than: now)
      else { continue }
      let isThatNumber = before.number.inode == now.number.inode
      if isThatNumber, try await isSame(known, storages[side], on: side) {
        logger.info("\(name), \(side.rawValue) side: the disk of the folder has another number now")
        found[side] = record.identity[side]
      } else {
        try await checkMounted(known, storages[side], on: side, path: now.path)
      }
    }
    if found == known.identity { return }
    let current = found
    try await recorded { () throws(JournalError) in try await store.identify(name, as: current) }
  }

  private func isSame(_ known: CollectionRecord, _ storage: any Storage, on side: Side)
    async throws(OpeningError) -> Bool
  {
    let former = try await recorded { () throws(JournalError) in
      try await FolderBirths.known(known.identity.name, in: store)
    }
    if let birth = births.times[side], let time = former?.times[side] { return birth == time }
    return try await holdsItems(.most, of: known, storage, on: side, store)
  }

  /// A disk that is not mounted leaves an empty folder in its place.
  private func checkMounted(
    _ known: CollectionRecord, _ storage: any Storage, on side: Side, path: [UInt8]
  ) async throws(OpeningError) {
    let agreed = try await recorded { () throws(JournalError) in
      try await store.journal(of: known.identity.name)?.agreementCount() ?? 0
    }
    if agreed == 0 { return }
    let page = try await reached(side) { () throws(StorageError) in
      try await storage.listChanges(since: nil)
    }
    guard page.present.isEmpty, page.isLast else { return }
    let items = agreed == 1 ? "the item" : "the \(agreed) items"
    throw .storage(
      side,
      StorageError(
        .vanished,
        "the folder \(String(decoding: path, as: UTF8.self)) is empty, and on another disk than"
          + " \(items) of the last run",
        hint: "mount the disk, or run \(forget) and sync to fill the folder anew"))
  }
}
