import ICalendar
import SQLiteJournal
import SyncExecution
import SyncModel
import SyncPlanning
import VdirStorage

/// What event commands replaced, put back.
extension Gateway {
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
    let found = try await office.remembered {
      () throws(JournalError) -> (kept: KeptEdit?, isLost: Bool) in
      guard let entry = try await store.historyEntry(number),
        let digest = entry.recorded.entry.before ?? entry.recorded.entry.after,
        let record = try await store.collection(named: entry.collection)
      else { return (nil, false) }
      guard let text = try await store.contents([digest])[digest] else { return (nil, true) }
      let after = entry.recorded.entry.after
      let next = try await store.contents([after].compactMap { $0 }).values.first
      let kept = KeptEdit(
        entry: entry.recorded.entry, text: text, path: record.folder,
        laterParts: next.map(siblings(in:)) ?? [])
      return (kept, false)
    }
    if found.isLost {
      throw .textLost(of: id, place: EditMemory.directory(in: configuration.stateDirectory))
    }
    guard let kept = found.kept else { throw missing }
    let folder = try await folder(onceAt: kept.path, at: kept.entry.time, office)
    if kept.isOfItem { try await refuseMoved(kept.entry, in: folder, id: id) }
    let parts = try await office.partsLeft(
      by: kept.text, of: kept.entry.uid, naming: kept.laterParts, in: folder)
    let restored = try await office.restore(kept, to: folder, isDryRun: isDryRun)
    var report = report(kept, restored, folder, isDryRun: isDryRun)
    report.note(partsLeft: parts)
    // What is no whole item goes back as it was, and no event command works on it.
    if kept.isOfItem, (try? ItemText(kept.text.bytes, file: "")) != nil {
      report.noteMadeByRestore()
    }
    if restored?.kind == .create, kept.entry.reason.hasPrefix(MoveReport.reason) {
      report.note(movedTo: await office.filesElsewhere(of: kept.entry.uid, than: folder))
    }
    return report
  }

  private func report(
    _ kept: KeptEdit, _ restored: RestoredFile?, _ folder: EventFolder, isDryRun: Bool
  ) -> PairReport {
    let (pair, name) = folder.place
    var report = PairReport(pair: pair, direction: .both, isDryRun: isDryRun)
    var collection = CollectionReport(name: name)
    if let restored {
      var item = ReportedItem(uid: kept.entry.uid, file: restored.href, href: nil, summary: "")
      do throws(RunFailure) {
        item.summary = try ItemText(kept.text.bytes, file: folder.pathText(of: restored.href))
          .object.summary
      } catch {
        let problem = ItemProblem(noWholeItem: error)
        if kept.isOfItem {
          collection.problems = [ReportedProblem(item: item, problem: problem)]
        } else {
          // Nobody syncs it.
          report.notices.append(problem.message)
        }
      }
      collection.actions = [ReportedAction(kind: restored.kind, side: .local, item: item)]
      collection.pulled.created = restored.kind == .create ? 1 : 0
      collection.pulled.updated = restored.kind == .update ? 1 : 0
      if folder.pair != nil, kept.isOfItem, !isDryRun, collection.problems.isEmpty {
        report.notices = [
          "`calgw sync` carries it to the other side; a change that was made there since then holds"
            + " beside it, or instead, as in any sync"
        ]
      }
    }
    report.collections = [collection]
    report.folders = [name: folder]
    return report
  }
}

extension ItemProblem {
  /// What is wrong in a text that comes back as it was, for that is what the log has.
  fileprivate init(noWholeItem failure: RunFailure) {
    let line = failure.place.isEmpty ? "" : " (\(failure.place))"
    // What is no calendar, or in no encoding of one, has codes of its own in event commands.
    self.init(
      Code(rawValue: failure.code) ?? .unreadable,
      "what comes back is no whole item: \(failure.message)\(line)", hint: failure.hint)
  }
}

/// A version that an event command replaced, and where it was.
private struct KeptEdit: Sendable {
  var entry: HistoryEntry
  var text: ItemData
  var path: [UInt8]
  /// The items that its successor names as other parts of its series.
  var laterParts: Set<ItemID>

  /// It was in a file that a folder counts as an item.
  var isOfItem: Bool { FileName(entry.href.spelling)?.isItem ?? false }
}

extension EventOffice {
  /// Gives what is done for it, and in which file; nil where the item is so already.
  fileprivate func restore(_ kept: KeptEdit, to folder: EventFolder, isDryRun: Bool)
    async throws(RunFailure) -> RestoredFile?
  {
    if let replaced = try await fileToReplace(by: kept, in: folder) {
      if replaced.data == kept.text { return nil }
      let change = ItemChange(
        kept.entry.uid,
        .replace(replaced.href, expecting: replaced.version, old: replaced.data, new: kept.text),
        reason: "restored an earlier version")
      if !isDryRun { try await tryInTurn([change], in: folder) }
      return RestoredFile(kind: .update, href: replaced.href)
    }
    let names = try names(for: kept, in: folder)
    if isDryRun {
      return RestoredFile(kind: .create, href: try await freeName(among: names, in: folder))
    }
    let changes = names.map {
      ItemChange(kept.entry.uid, .create($0, kept.text), reason: "restored")
    }
    return RestoredFile(kind: .create, href: try await tryInTurn(changes, in: folder))
  }

  /// Carries out the first of several changes that nothing stands in the way of; gives its file.
  @discardableResult
  private func tryInTurn(_ changes: [ItemChange], in folder: EventFolder)
    async throws(RunFailure) -> Href
  {
    try await write(to: folder) { desk async throws(RunFailure) in
      var outcome = ChangeOutcome.changedMeanwhile
      var file = Href("")
      for change in changes where outcome == .changedMeanwhile {
        file = change.href
        outcome =
          try await remembered { () throws(JournalError) in
            try await desk.carryOut([change])
          }.first ?? outcome
      }
      try outcome.check("the version cannot be restored", at: folder.name)
      return file
    }
  }

  /// Names are tried until one is free.
  private static let nameAttempts = 4

  /// The name that the version had, and others for where that is taken. What a folder does not
  /// count as an item, which only its name told from another one, has that alone.
  private func names(for kept: KeptEdit, in folder: EventFolder) throws(RunFailure) -> [Href] {
    if !kept.isOfItem { return [kept.entry.href] }
    let storage = try finder.folders.access.storage(folder)
    let fresh = (0..<(Self.nameAttempts - 1)).map {
      storage.freshHref(for: kept.entry.uid, attempt: $0)
    }
    return [kept.entry.href] + fresh
  }

  /// The name that a run would take now.
  private func freeName(among names: [Href], in folder: EventFolder)
    async throws(RunFailure) -> Href
  {
    let storage = try finder.folders.access.storage(folder)
    do throws(StorageError) {
      let taken = Set(
        try await storage.read(names).filter { outcome in
          if case .missing = outcome.result { false } else { true }
        }.map(\.href))
      return names.first { !taken.contains($0) } ?? names[0]
    } catch {
      throw RunFailure(error, place: folder.name)
    }
  }

  /// The item's file, also where it is broken by now, or one under its former name that has no UID:
  /// it was the item before it got one, or lost it since. Nil where there is none.
  private func fileToReplace(by kept: KeptEdit, in folder: EventFolder)
    async throws(RunFailure) -> FileToReplace?
  {
    let uid = kept.entry.uid
    let files = kept.isOfItem ? try await finder.files(of: uid, in: folder) : []
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
      switch FormerFile(data.bytes, of: uid, isAgreed: false) {
      case .foreign: return nil
      case .own(let others):
        guard let other = others.first else {
          return FileToReplace(href: href, version: version, data: data)
        }
        throw .badItem(
          "several-uids", "'\(href.text)' holds another item, too, '\(other.text)'",
          hint: "take that one out of the file first, by hand or so: \(ItemProblem.splitFile)")
      }
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
}

/// What became of a version that a person wanted back: the file that has it now.
private struct RestoredFile: Sendable {
  var kind: ReportedAction.Kind
  var href: Href
}

/// What a version is put in the place of, as it was read.
private struct FileToReplace: Sendable {
  var href: Href
  var version: Version
  var data: ItemData
}
