import SQLiteJournal
import SyncExecution
import SyncModel
import VdirStorage

/// The folders of all pairs, for whoever names the items of several collections: listed once, and
/// only where there is an item to be named.
struct MendFolders: Sendable {
  private var listed: [EventFolder]?

  mutating func all(of gateway: Gateway) async -> [EventFolder] {
    if let listed { return listed }
    let folders = (try? await gateway.office().finder.folders.allFolders()) ?? []
    listed = folders
    return folders
  }
}

extension Gateway {
  /// So many items of a collection are named for their mends: a first sync may have a hundred
  /// thousand conflicts, and nobody pastes that many commands.
  private static let namedItems = 1000

  /// How mends name items of a collection. Those that the journal gives no names for go by their
  /// UIDs: a report is worth more than the words in it.
  func mendNames(
    of items: [ReportedItem], in collection: String, of opened: OpenedPair,
    among folders: inout MendFolders
  ) async -> [ReportedItem: MendNames] {
    if items.isEmpty { return [:] }
    let all = await folders.all(of: self)
    guard var naming = await ItemNaming(collection, of: opened, among: all) else { return [:] }
    var names: [ReportedItem: MendNames] = [:]
    for item in items.prefix(Self.namedItems) { names[item] = await naming.names(of: item) }
    return names
  }

  /// The same for all that a run left for a person to do.
  func nameItems(in report: inout PairReport, of opened: OpenedPair) async {
    var folders = MendFolders()
    for place in report.collections.indices {
      let collection = report.collections[place]
      // What is about the whole collection has its address, and no file in it.
      let problems = collection.problems.filter { $0.problem.code != .collectionGone }
      let returned = collection.actions.filter { tellsOfOutlivedDeletion($0.reason) }
      let items =
        collection.conflicts.map(\.item) + problems.map(\.item) + returned.map(\.item)
      let names = await mendNames(
        of: items, in: collection.name, of: opened, among: &folders)
      report.mendNames[collection.name] = names
      for index in collection.problems.indices {
        let item = collection.problems[index].item
        report.collections[place].problems[index].suit(names[item] ?? MendNames(item.uid))
        guard let own = names[item] else { continue }
        report.mendNames[collection.name]?[report.collections[place].problems[index].item] = own
      }
    }
  }
}

/// Where the items of a collection are, and where others of the same UIDs may be.
private struct ItemNaming: Sendable {
  private let pair: String
  /// Nil for a side that is no directory.
  private let local: EventFolder?
  private let remote: EventFolder?
  private let journal: SQLiteJournal
  /// Where the folder is, as the log has it.
  private let place: [UInt8]
  private let store: PairStore
  /// Read where an item asks for it, and then once.
  private var log: LogOfFolder?
  private var isLogRead = false
  /// Of the pair's other collections.
  private var otherJournals: [SQLiteJournal] = []
  /// Of all pairs.
  private let otherFolders: [EventFolder]

  /// Nil where the journal does not know the collection.
  init?(_ name: String, of opened: OpenedPair, among folders: [EventFolder]) async {
    let store = opened.store
    guard let records = try? await store.collections(),
      let own = records.first(where: { $0.identity.name == name }),
      let journal = try? await store.journal(of: name)
    else { return nil }
    pair = opened.target.pair.name
    local = EventFolder(of: opened.local, named: own.folder)
    // A command that does not look at the remote side knows from the configuration where it is.
    remote =
      EventFolder(of: opened.remote, named: own.remoteHref)
      ?? EventFolder(of: opened.target.pair.remote, named: own.remoteHref)
    self.journal = journal
    self.store = store
    place = own.identity.place(.local).path
    let here = local?.path
    otherFolders = folders.filter { $0.path != here }
    for record in records where record.identity.name != name {
      guard let other = try? await store.journal(of: record.identity.name) else { continue }
      otherJournals.append(other)
    }
  }

  mutating func names(of item: ReportedItem) async -> MendNames {
    var names = MendNames(item.uid)
    var agreement: Agreement?
    if let uid = item.uid { agreement = try? await journal.agreement(of: uid) }
    let known = item.file ?? agreement?.local.href
    names.wasHere = known != nil
    // At its address another item is.
    let file = known.flatMap { $0.isVacated ? nil : $0 }
    names.file = path(of: file, in: local)
    names.isFileThere = if let file, let local { isThere(local.filePath(of: file)) } else { false }
    // What is deleted here is called as it was.
    if item.file == nil, local != nil { names.agreedFile = file }
    names.otherFile = path(
      of: (item.href ?? agreement?.remote.href).flatMap { $0.isVacated ? nil : $0 }, in: remote)
    if let uid = item.uid, let own = names.file, await !isName(uid, file) { names.item = own }
    if let uid = item.uid { names.version = await version(of: uid, agreed: agreement) }
    if agreement == nil, names.version == nil, local != nil, let file = item.file {
      names.version = await formerVersion(of: item.uid, at: file)
    }
    names.hasLog = agreement != nil || names.version != nil
    return names
  }

  /// The version that the log has of a file of which both sides share nothing, as after a `forget`.
  private mutating func formerVersion(of uid: ItemID?, at file: Href) async -> String? {
    if !isLogRead {
      isLogRead = true
      let folder = EventFolder(path: place, pair: pair, collection: nil)
      log = try? await LogOfFolder(folder, pair: pair, store)
    }
    return try? await log?.wholeVersion(of: uid, at: file)
  }

  /// Nil where there is none, or its bytes are no text that can be pasted.
  private func path(of file: Href?, in folder: EventFolder?) -> String? {
    guard let file, let folder else { return nil }
    return String(validating: folder.filePath(of: file), as: UTF8.self)
  }

  /// Nothing is known of another item of this UID, and a person can paste it.
  private func isName(_ uid: ItemID, _ file: Href?) async -> Bool {
    guard let text = String(validating: uid.bytes, as: UTF8.self), isPlainArgument(text) else {
      return false
    }
    for other in otherJournals {
      let agreement = try? await other.agreement(of: uid)
      if agreement != nil { return false }
    }
    // Of what was never synced nothing but the name tells without reading every file.
    guard let file else { return true }
    return !otherFolders.contains { isThere($0.filePath(of: file)) }
  }

  /// The newest entry of the log from which `calgw restore` brings back what was agreed last; or,
  /// where the log has nothing of that, since the item waits in conflict, its local version.
  private func version(of uid: ItemID, agreed: Agreement?) async -> String? {
    guard let history = try? await journal.history(of: uid) else { return nil }
    let digests = [agreed?.local.version.digest, agreed?.remote.version.digest].compactMap { $0 }
    let last = history.first { kept in
      (kept.entry.before ?? kept.entry.after).map { digests.contains($0) } ?? false
    }
    let newest = history.first { $0.entry.side == .local }
    let waiting = newest?.entry.action == .conflict ? newest : nil
    return (last ?? waiting).map { "\(pair)/\($0.number)" }
  }
}

extension EventFolder {
  /// The folder of a collection on a side; nil where that is no directory.
  package init?(of side: OpenedSide, named name: [UInt8]) {
    if side.path.isEmpty { return nil }
    self.init(in: side.path, named: name)
  }

  fileprivate init?(of side: SideConfiguration, named name: [UInt8]) {
    guard case .directory(let path) = side else { return nil }
    self.init(in: path, named: name)
  }

  private init(in path: String, named name: [UInt8]) {
    let root = EventFolder(path: Array(path.utf8), pair: nil, collection: nil)
    guard Href(name) != VdirRoot.itself else {
      self = root
      return
    }
    self.init(path: root.filePath(of: Href(name)), pair: nil, collection: nil)
  }
}
