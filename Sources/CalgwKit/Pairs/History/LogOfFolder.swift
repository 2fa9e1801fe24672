import ICalendar
import SQLiteJournal
import SyncModel

/// What the journal of a pair has of the collections in one place, where a folder of it lies or
/// lay. Another pair may have had the journal's name before: its items are none of them.
struct LogOfFolder: Sendable {
  let pair: String
  let store: PairStore
  /// The side that the folder is on.
  private let side: Side
  /// What the folder is, and was.
  private let own: Set<CollectionIdentity>
  private let records: [CollectionRecord]
  /// Of the item and of all others in that place, newest first.
  private let entries: [PairHistoryEntry]

  /// Nil where the folder is in the pair on neither side.
  init?(_ folder: EventFolder, pair: String, _ store: PairStore) async throws(JournalError) {
    let all = try await store.collections()
    let history = try await store.history(of: nil)
    let known = Set(all.map(\.identity) + history.map(\.identity))
    let place = RememberedPlace(folder: folder.path)
    let sides = Side.allCases.filter { side in known.contains { $0.place(side) == place } }
    guard let side = sides.first ?? (folder.pair == pair ? Side.local : nil) else { return nil }
    // A folder that was renamed since the last sync is known by what holds it.
    let own = known.filter {
      sides.isEmpty ? $0.place(side).parent == place.parent : $0.place(side) == place
    }
    // Items move between the collections of a pair.
    let roots = Side.allCases.map { side in (side, Set(own.map { $0.place(side).parent })) }
    let related = known.filter { identity in
      roots.contains { side, parents in parents.contains(identity.place(side).parent) }
    }
    self.pair = pair
    self.store = store
    self.side = side
    self.own = own
    records = all.filter { related.contains($0.identity) }
    entries = history.filter { related.contains($0.identity) }
  }

  /// The item that has a file of the folder, or else had it last.
  func item(at file: Href) async throws(JournalError) -> ItemID? {
    for record in records where own.contains(record.identity) {
      let journal = try await store.journal(of: record.identity.name)
      let agreements = try await journal?.allAgreements() ?? []
      if let found = agreements.first(where: { $0[side].href == file }) { return found.uid }
    }
    return itemsOnce(at: file).first
  }

  /// The items of which versions were in a file of the folder, the last one first.
  func itemsOnce(at file: Href) -> [ItemID] { entriesOnce(at: file).map(\.recorded.entry.uid) }

  private func entriesOnce(at file: Href) -> [PairHistoryEntry] {
    entries.filter { found in
      let entry = found.recorded.entry
      let href = entry.side == side ? entry.href : found.counterpart
      return href == file && own.contains(found.identity)
    }
  }

  /// The newest whole version of an item that was in a file, by default of the one that was there
  /// last: what `restore` takes. Nil where there is none, and of an item that both sides share: it
  /// is in another file by now.
  func wholeVersion(of uid: ItemID?, at file: Href) async throws(JournalError) -> String? {
    let found = entriesOnce(at: file).map(\.recorded)
    guard let uid = uid ?? found.first?.entry.uid else { return nil }
    if try await knows(uid) { return nil }
    for version in found where version.entry.uid == uid {
      if try await isWhole(version.entry) { return "\(pair)/\(version.number)" }
    }
    return nil
  }

  private func isWhole(_ entry: HistoryEntry) async throws(JournalError) -> Bool {
    guard [.replaced, .deleted, .conflict].contains(entry.action),
      let digest = entry.before ?? entry.after,
      let text = try await store.contents([digest])[digest]
    else { return false }
    let tree = SyntaxTree(bytes: text.bytes)
    guard case .whole = tree.wholeness else { return false }
    return CalendarObject(tree).uids == [entry.uid.bytes]
  }

  /// Both sides share such an item.
  func knows(_ uid: ItemID) async throws(JournalError) -> Bool {
    try await store.shares(uid, in: records)
  }

  /// The other collections, by name, that have an item of this UID while this one does: that is
  /// another item. One that they had may have moved here, or from here to there.
  func namesakes(of uid: ItemID) async throws(JournalError) -> Set<String> {
    let here = records.filter { own.contains($0.identity) }
    guard try await store.shares(uid, in: here) else { return [] }
    var names: Set<String> = []
    for record in records where !own.contains(record.identity) {
      if try await store.shares(uid, in: [record]) { names.insert(record.identity.name) }
    }
    return names
  }

  /// The versions of an item, newest first, without those of `namesakes`.
  func versions(of uid: ItemID, without namesakes: Set<String>, _ texts: LogTexts)
    async throws(JournalError) -> [KeptVersion]
  {
    var versions: [KeptVersion] = []
    for entry in entries where entry.recorded.entry.uid == uid {
      if namesakes.contains(entry.collection), !own.contains(entry.identity) { continue }
      versions.append(try await texts.added(to: KeptVersion(entry, of: pair), from: store))
    }
    return versions
  }
}

extension PairStore {
  /// Both sides share an item of this UID in one of the collections.
  func shares(_ uid: ItemID, in records: [CollectionRecord]) async throws(JournalError) -> Bool {
    for record in records {
      if try await journal(of: record.identity.name)?.agreement(of: uid) != nil { return true }
    }
    return false
  }
}

extension Gateway {
  /// The history of the item that a file is, or else was when it was there last, from the logs of
  /// its folder alone: an item of another pair may have the same UID, or the same name.
  ///
  /// - Returns: the history, and whether a pair has the folder, or had it.
  func log(of file: NamedFile, _ texts: LogTexts) async -> (report: HistoryReport, isSynced: Bool) {
    var report = HistoryReport()
    var logs: [LogOfFolder] = []
    for name in loggedPairs {
      do throws(RunFailure) {
        let store = try await openToLook(at: name, telling: &report.notices)
        let log = try await journaled(name) { () throws(JournalError) in
          try await LogOfFolder(file.folder, pair: name, store)
        }
        if let log { logs.append(log) }
      } catch {
        report.failures.append(error)
      }
    }
    do throws(RunFailure) {
      if let uid = try await item(of: file, logs) {
        var others: Set<String> = []
        for log in logs {
          let found = try await journaled(log.pair) { () throws(JournalError) in
            let namesakes = try await log.namesakes(of: uid)
            return (
              versions: try await log.versions(of: uid, without: namesakes, texts),
              isKnown: try await log.knows(uid), namesakes: namesakes
            )
          }
          report.versions += found.versions
          if found.isKnown { report.isKnown = true }
          if log.pair == file.folder.pair { others = found.namesakes }
        }
        report.versions += try await editVersions(uid: uid, texts).filter {
          file.folder.has($0) && !others.contains($0.collection)
        }
        let former = logs.flatMap { $0.itemsOnce(at: file.href) }.first { $0 != uid }
        if report.versions.isEmpty, let former {
          report.notices.append(
            "the file held another item before: `calgw log \(shellWord(former.text))` shows it")
        }
      }
    } catch {
      report.failures.append(error)
    }
    report.sort()
    return (report, file.folder.pair != nil || !logs.isEmpty)
  }

  /// The item of a file: what it holds, or else the last one that had it.
  private func item(of file: NamedFile, _ logs: [LogOfFolder]) async throws(RunFailure) -> ItemID? {
    if let item = try? await office().finder.item(named: file.href, in: file.folder) {
      return item.uid
    }
    for log in logs {
      let uid = try await journaled(log.pair) { () throws(JournalError) in
        try await log.item(at: file.href)
      }
      if let uid { return uid }
    }
    let noTexts = LogTexts(areWanted: false, areTitlesWanted: false)
    return try await editVersions(uid: nil, noTexts).first {
      ($0.pair, $0.collection) == file.folder.place && $0.entry.href == file.href
    }?.entry.uid
  }
}

extension EventFolder {
  /// A version that an edit replaced is of this folder, or of another one of its pair.
  fileprivate func has(_ version: KeptVersion) -> Bool {
    pair == nil ? (version.pair, version.collection) == place : version.pair == pair
  }
}

extension KeptVersion {
  init(_ entry: PairHistoryEntry, of pair: String) {
    self.init(
      id: "\(pair)/\(entry.recorded.number)", pair: pair, collection: entry.collection,
      entry: entry.recorded.entry)
  }
}
