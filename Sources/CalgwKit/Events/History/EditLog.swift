import Glibc
import ICalendar
import SQLiteJournal
import SyncExecution
import SyncModel
import SyncPlanning
import VdirStorage

/// What event commands replaced, in `log` and `restore`.
extension Gateway {
  /// The ids of such versions: no pair is needed to find them.
  private static let idPrefix = "edit-"

  /// Event commands have replaced something in this state directory.
  public var hasEditHistory: Bool {
    access(EditMemory.file(in: configuration.stateDirectory), F_OK) == 0
  }

  /// The versions that event commands replaced, newest first. Nothing is written, and no lock is
  /// needed.
  func editVersions(uid: ItemID?, _ texts: LogTexts) async throws(RunFailure) -> [KeptVersion] {
    guard hasEditHistory else { return [] }
    let store = try openEditCopy()
    let office = office()
    let found = try await office.remembered { () throws(JournalError) in
      try await Self.read(store, uid: uid, texts)
    }
    let folders = Dictionary(
      found.records.map { ($0.identity.name, $0.folder) }, uniquingKeysWith: { first, _ in first })
    var versions: [KeptVersion] = []
    for var version in found.versions {
      let folder = await office.folder(known: folders[version.collection] ?? [])
      // A pair without a configuration has its own folders alone.
      guard folder.pair != nil || !configuration.isAdhoc else { continue }
      (version.pair, version.collection) = folder.place
      versions.append(version)
    }
    return versions
  }

  private static func read(_ store: PairStore, uid: ItemID?, _ texts: LogTexts)
    async throws(JournalError) -> (records: [CollectionRecord], versions: [KeptVersion])
  {
    var versions: [KeptVersion] = []
    for entry in try await store.history(of: uid) {
      let version = KeptVersion(
        id: idPrefix + String(entry.recorded.number), pair: "", collection: entry.collection,
        entry: entry.recorded.entry)
      versions.append(try await texts.added(to: version, from: store))
    }
    return (try await store.collections(), versions)
  }

  func openEditCopy() throws(RunFailure) -> PairStore {
    do throws(JournalError) {
      let path = EditMemory.file(in: configuration.stateDirectory)
      return try PairStore.openCopy(path: path, digest: liveDigest).store
    } catch {
      throw RunFailure(error, place: EditMemory.directory(in: configuration.stateDirectory))
    }
  }

  // MARK: Restoring

  /// The number of a version that an event command replaced; nil for a sync's.
  func editNumber(_ id: String) -> Int64? {
    id.hasPrefix(Self.idPrefix) ? Int64(id.dropFirst(Self.idPrefix.count)) : nil
  }

  /// Puts such a version back into its folder; what it replaces is kept too. The next sync carries
  /// it to the other side.
  func restoreEdit(_ number: Int64, id: String, isDryRun: Bool) async throws(RunFailure)
    -> PairReport
  {
    let missing = RunFailure(
      .missingInput, code: "no-such-version", message: "there is no version \"\(id)\" in the log",
      hint: "run `calgw log` to see what there is")
    guard hasEditHistory else { throw missing }
    let store = try openEditCopy()
    let office = office()
    let kept = try await office.remembered { () throws(JournalError) -> KeptEdit? in
      guard let entry = try await store.historyEntry(number),
        let digest = entry.recorded.entry.before ?? entry.recorded.entry.after,
        let text = try await store.contents([digest])[digest],
        let record = try await store.collection(named: entry.collection)
      else { return nil }
      let after = entry.recorded.entry.after
      let next = try await store.contents([after].compactMap { $0 }).values.first
      return KeptEdit(
        entry: entry.recorded.entry, text: text, path: record.folder,
        laterParts: next.map(siblings(in:)) ?? [])
    }
    guard let kept else { throw missing }
    let folder = try await office.finder.folders.folder(atPath: kept.path)
    let parts = try await office.partsLeft(by: kept, in: folder)
    let action = try await office.restore(kept, to: folder, isDryRun: isDryRun)
    var report = report(kept, action, folder, isDryRun: isDryRun)
    for file in parts {
      let command = shellCommand("delete", options: ["--span", "all"], argument: file)
      report.notices += [
        "the series was split since, and what \(file) has of it is there twice",
        "to remove that part: `\(command)`",
      ]
    }
    return report
  }

  private func report(
    _ kept: KeptEdit, _ action: ReportedAction.Kind?, _ folder: EventFolder, isDryRun: Bool
  ) -> PairReport {
    let (pair, name) = folder.place
    var report = PairReport(pair: pair, direction: .both, isDryRun: isDryRun)
    var collection = CollectionReport(name: name)
    if let action {
      var summary = ""
      do throws(RunFailure) {
        summary = try ItemText(kept.text.bytes, file: folder.pathText(of: kept.entry.href))
          .object.summary
      } catch {
        report.notices.append("what comes back is no whole item: \(error.message)")
      }
      let item = ReportedItem(
        uid: kept.entry.uid, file: kept.entry.href, href: nil, summary: summary)
      collection.actions = [ReportedAction(kind: action, side: .local, item: item)]
      collection.pulled.created = action == .create ? 1 : 0
      collection.pulled.updated = action == .update ? 1 : 0
      if folder.pair != nil, !isDryRun, report.notices.isEmpty {
        report.notices = ["`calgw sync` carries it to the other side"]
      }
    }
    report.collections = [collection]
    return report
  }
}

/// A version that an event command replaced, and where it was.
private struct KeptEdit: Sendable {
  var entry: HistoryEntry
  var text: ItemData
  var path: [UInt8]
  /// The items that its successor names as other parts of its series.
  var laterParts: Set<ItemID>
}

extension EventOffice {
  /// The folder of a path that was one once.
  func folder(known path: [UInt8]) async -> EventFolder {
    let there = try? await finder.folders.folder(atPath: path)
    return there ?? EventFolder(path: path, pair: nil, collection: nil)
  }

  /// The files of other parts of the series that splits have made since that version: it has their
  /// occurrences itself.
  fileprivate func partsLeft(by kept: KeptEdit, in folder: EventFolder)
    async throws(RunFailure) -> [String]
  {
    var parts = kept.laterParts
    for file in try await finder.files(of: kept.entry.uid, in: folder) {
      // What cannot be read the restore itself tells of.
      if let now = try? await finder.item(named: file, in: folder) {
        parts.formUnion(siblings(in: now.data))
      }
    }
    parts.subtract(siblings(in: kept.text))
    var files: [String] = []
    for part in parts.sorted() {
      files += try await finder.files(of: part, in: folder).map { folder.pathText(of: $0) }
    }
    return files
  }

  /// Gives what is done for it; nil where the item is so already.
  fileprivate func restore(_ kept: KeptEdit, to folder: EventFolder, isDryRun: Bool)
    async throws(RunFailure) -> ReportedAction.Kind?
  {
    let uid = kept.entry.uid
    let replaced = try await fileToReplace(by: kept, in: folder)
    if replaced?.data == kept.text { return nil }
    let action: ReportedAction.Kind = replaced == nil ? .create : .update
    if isDryRun { return action }
    try await write(to: folder) { desk async throws(RunFailure) in
      var outcome = ChangeOutcome.changedMeanwhile
      for attempt in 0..<Self.nameAttempts where outcome == .changedMeanwhile {
        let change: ItemChange
        if let replaced {
          change = ItemChange(
            uid,
            .replace(
              replaced.href, expecting: replaced.version, old: replaced.data, new: kept.text),
            reason: "restored an earlier version")
        } else {
          let href =
            attempt == 0
            ? kept.entry.href : desk.storage.freshHref(for: uid, attempt: attempt - 1)
          change = ItemChange(uid, .create(href, kept.text), reason: "restored")
        }
        outcome =
          try await remembered { () throws(JournalError) in
            try await desk.carryOut([change])
          }.first ?? outcome
        if replaced != nil { break }
      }
      try outcome.check("the version cannot be restored", at: folder.name)
    }
    return action
  }

  /// The item's file, also where it is broken by now, or one under its former name that has no UID:
  /// it was the item before it got one, or lost it since. Nil where there is none.
  private func fileToReplace(by kept: KeptEdit, in folder: EventFolder)
    async throws(RunFailure) -> FileToReplace?
  {
    let uid = kept.entry.uid
    let files = try await finder.files(of: uid, in: folder)
    guard files.count < 2 else {
      throw .badItem(
        "duplicate-uid", "\(files.count) files in \(folder.name) have the UID \(uid.text)",
        hint: "delete all but one of them first")
    }
    let href = files.first ?? kept.entry.href
    let storage = try finder.folders.access.storage(folder)
    let found: ReadOutcome.Result?
    do throws(StorageError) {
      found = try await storage.read([href]).first?.result
    } catch {
      throw RunFailure(error, place: folder.name)
    }
    switch found {
    case .found(let version, let data, _):
      let tree = SyntaxTree(bytes: data.bytes)
      let uids = CalendarObject(tree).uids
      if files.isEmpty {
        // What is no calendar at all is somebody's, and never was the item.
        if case .notCalendar = tree.wholeness { return nil }
        guard uids.isEmpty else { return nil }
      } else if let other = uids.first(where: { $0 != uid.bytes }) {
        throw .badItem(
          "several-uids",
          "'\(href.text)' holds another item, too, '\(ItemID(bytes: other).text)'",
          hint: "take that one out of the file (`calgw import` makes a file of each) first")
      }
      return FileToReplace(href: href, version: version, data: data)
    case .problem(let problem) where problem.code == .incomplete:
      // It is empty.
      let nothing = Version(tag: nil, digest: liveDigest([]))
      return FileToReplace(href: href, version: nothing, data: ItemData(bytes: []))
    case .problem(let problem):
      if files.isEmpty { return nil }
      throw RunFailure(problem, place: folder.name)
    case .missing, nil: return nil
    }
  }

  /// Names are tried until one is free.
  private static let nameAttempts = 4
}

/// What a version is put in the place of, as it was read.
private struct FileToReplace: Sendable {
  var href: Href
  var version: Version
  var data: ItemData
}

extension EventFolder {
  /// The pair and the collection, or for another folder the directory above it and its name: what
  /// `PAIR/COLLECTION` is made of in `log`.
  var place: (String, String) {
    if let pair, let collection { return (pair, collection) }
    let text = pathText
    guard let slash = text.lastIndex(of: "/"), slash != text.startIndex else { return ("", text) }
    return (String(text[..<slash]), String(text[text.index(after: slash)...]))
  }
}

extension Configuration {
  /// It is that of a pair on the command line.
  var isAdhoc: Bool { pairs.contains { $0.name.hasPrefix("adhoc-") } }
}
