import Logging
import SQLiteJournal
import SyncModel
import SyncPlanning
import VdirStorage

/// Finds known folders on a disk that has another device number than in the last run: loop devices,
/// sticks, and some network and overlay file systems get a new one at each mount. Path and inode
/// number must be what they were, and the time at which the folder was made; where nobody keeps
/// that, most of the items that were agreed on must be there.
///
/// And finds that a folder is the known one whose time alone is another: some file systems give it
/// the time of the first write to it.
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
      })
    else { return }
    try await keepBirths(known, record, storages)
    if known.identity == record.identity { return }
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

  /// Takes down when the folders were made that are in their places, and hold at least half of the
  /// files that were agreed on as they were: in a folder that was made anew no file has the time
  /// and number of a former one.
  private func keepBirths(
    _ known: CollectionRecord, _ record: CollectionRecord, _ storages: BothSides<any Storage>
  ) async throws(OpeningError) {
    let name = known.identity.name
    let former = try await recorded { () throws(JournalError) in
      try await FolderBirths.known(name, in: store)
    }
    guard let former else { return }
    var times = former.times
    for side in Side.allCases where known.identity[side] == record.identity[side] {
      guard let birth = births.times[side], let time = times[side], birth != time,
        let folder = storages[side] as? VdirStorage, try await holdsFiles(of: name, folder, side)
      else { continue }
      logger.info("\(name), \(side.rawValue) side: another time, and the files of the last run")
      times[side] = birth
    }
    if times == former.times { return }
    let found = FolderBirths(times: times)
    try await recorded { () throws(JournalError) in try await found.keep(name, in: store) }
  }

  private func holdsFiles(of name: String, _ folder: VdirStorage, _ side: Side)
    async throws(OpeningError) -> Bool
  {
    let known = try await recorded { () throws(JournalError) in
      try await store.journal(of: name)?.known(side) ?? []
    }
    let agreed = known.filter { $0.isAgreed || $0.isGone }
    if agreed.isEmpty { return false }
    let held = try await reached(side) { () throws(StorageError) in
      try await folder.countUntouched(agreed)
    }
    return held * 2 >= agreed.count
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
