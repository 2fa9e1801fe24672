import Logging
import SQLiteJournal
import SyncModel
import VdirStorage

/// Finds known folders under new names: a directory keeps its device and inode number when it is
/// renamed. Since those numbers are given away again, the directory must also still hold one of the
/// items that were agreed on.
///
/// A new folder that holds most of the items of one that is gone is a copy that took its place, as
/// after a move to another disk. It is the same collection, and met as for the first time: what it
/// lacks was not deleted. One that was there when the one that is gone was there last
/// (`FormerStrangers`), or that the pair's rules leave out, is none.
struct FollowRenames: Sendable {
  let root: VdirRoot
  let side: Side
  let store: PairStore
  let user: String
  let now: Instant
  let rules: CollectionRules

  private struct Rename {
    let old: CollectionRecord
    let folder: CollectionDescription
    /// It is not the folder that was agreed on with.
    var isCopy = false
  }

  /// Gives the records as they are after the renames, which the store then knows.
  func run(_ records: [CollectionRecord], among folders: [CollectionDescription])
    async throws(OpeningError) -> FollowedCollections
  {
    let current = try await followNumbers(records, folders)
    let former = try await FormerStrangers.read(.folders, on: side, in: store)
    let followed = try await followCopies(current, folders, former)
    try await former.remember(folders, beside: followed.records, in: store)
    return followed
  }

  private func followNumbers(_ records: [CollectionRecord], _ folders: [CollectionDescription])
    async throws(OpeningError) -> [CollectionRecord]
  {
    let places = Dictionary(
      folders.compactMap { folder in
        FolderIdentity(folder.journalIdentity(user: user)).map { ($0.number, folder) }
      },
      uniquingKeysWith: { first, _ in first })
    var renames: [Rename] = []
    for record in records {
      guard let known = FolderIdentity(record.identity[side]), let folder = places[known.number],
        folder.href != address(of: record), try await holdsItems(.one, of: record, folder)
      else { continue }
      renames.append(Rename(old: record, folder: folder))
    }
    return try await follow(renames, among: records)
  }

  private func followCopies(
    _ records: [CollectionRecord], _ folders: [CollectionDescription], _ former: FormerStrangers
  ) async throws(OpeningError) -> FollowedCollections {
    let known = Set(records.map(address(of:)))
    let lost = Set(records.map(address(of:))).subtracting(folders.map(\.href))
    var strangers = folders.filter { !known.contains($0.href) }
    var lookalikes: [String: Lookalike] = [:]
    var renames: [Rename] = []
    for record in records
    where lost.contains(address(of: record)) && !records.hasSuccessor(of: record, on: side) {
      var found: [CollectionDescription] = []
      let news = former.newcomers(among: strangers, since: record).filter { mayBe($0, record) }
      for stranger in news.prefix(FollowMoves.mostLooks)
      where try await holdsItems(.most, of: record, stranger) {
        found.append(stranger)
      }
      // Nobody can say which of two it is, or whether it was there before: a person has to.
      guard found.count == 1, let folder = found.first, former.isKnown else {
        for one in found {
          lookalikes[one.identity] = Lookalike(name: one.name, former: record.known)
        }
        continue
      }
      renames.append(Rename(old: record, folder: folder, isCopy: true))
      strangers.removeAll { $0.href == folder.href }
    }
    return FollowedCollections(
      records: try await follow(renames, among: records), lookalikes: lookalikes)
  }

  /// The rules ask for the collection with the folder as its own: here it gets the folder's name.
  private func mayBe(_ folder: CollectionDescription, _ record: CollectionRecord) -> Bool {
    switch side {
    case .local: rules.select(folder.names)
    case .remote: rules.keep(record.known.names, with: folder.names)
    }
  }

  private func address(of record: CollectionRecord) -> Href {
    Href(side == .local ? record.folder : record.remoteHref)
  }

  private func follow(_ renames: [Rename], among records: [CollectionRecord])
    async throws(OpeningError) -> [CollectionRecord]
  {
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
    let moves = renames.map { rename in
      let (old, folder) = (rename.old, rename.folder)
      var new = old
      new.folder = folder.href.spelling
      if !rename.isCopy { new.identity.local = folder.journalIdentity(user: user) }
      if !keeping.contains(old.identity.name) { new.identity.name = folder.name }
      logger.info("the folder \(old.identity.name) is \(folder.name) now")
      return (old: old.identity.name, new: new)
    }
    try await recorded { () throws(JournalError) in
      try await store.rename(moves) { name in
        [
          MetadataSync.storeKey(name), MetadataSync.madeKey(name),
          ToldConflicts.storeKey(name), CollectionMapping.storeKey(name),
          FolderBirths.storeKey(name), CollectionKinds.storeKey(name),
          HeldMeetings.storeKey(name), GoneCalendars.storeKey(name),
          Destinations.storeKey(name), CollectionRun.putBackKey(name),
          RefusedMaking.storeKey(name, .local), RefusedMaking.storeKey(name, .remote),
          PairStore.formerKey(name, .local), PairStore.formerKey(name, .remote),
        ] + HeldItems.allCases.map { $0.storeKey(name) }
      }
      try await RenamedFolder.note(
        renames.map { ($0.old.folder, $0.folder.href.spelling) }, at: now, in: store)
    }
  }

  /// The folder here keeps its name, and the collection with it.
  private func renameRemote(_ renames: [Rename]) async throws(OpeningError) {
    for rename in renames {
      let (old, folder) = (rename.old, rename.folder)
      var new = old
      new.remoteHref = folder.href.spelling
      new.remoteName = folder.displayName ?? ""
      if !rename.isCopy { new.identity.remote = folder.journalIdentity(user: user) }
      logger.info("the folder of \(old.identity.name) on the remote side is \(folder.name) now")
      let current = new
      try await recorded { () throws(JournalError) in
        // Files are known by their names in the folder, whatever that is called.
        try await store.move(.remote, of: current, to: Href(""), at: now)
      }
    }
  }

  /// The names that stay, since what they were to become is the name of one that is not renamed, or
  /// stays in its turn, or that another one gets: the name of one that goes is free, and two can
  /// exchange theirs.
  private static func keeping(
    _ renames: [(old: String, new: String)], _ records: [CollectionRecord]
  ) -> Set<String> {
    var taken = Set(records.map(\.identity.name)).subtracting(renames.map(\.old))
    var keeping: Set<String> = []
    while true {
      var given = taken
      let blocked = renames.filter {
        !keeping.contains($0.old) && !given.insert($0.new).inserted
      }
      if blocked.isEmpty { return keeping }
      keeping.formUnion(blocked.map(\.old))
      taken.formUnion(blocked.map(\.old))
    }
  }

  private func holdsItems(
    _ share: ItemShare, of record: CollectionRecord, _ folder: CollectionDescription
  ) async throws(OpeningError) -> Bool {
    let storage = try await reached(side) { () throws(StorageError) in
      try await root.open(folder)
    }
    return try await CalgwKit.holdsItems(share, of: record, storage, on: side, store)
  }
}
