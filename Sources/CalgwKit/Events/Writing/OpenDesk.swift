import SQLiteJournal
import SyncModel
import VdirStorage

/// What event commands stand on: the configured folders, the finder of items, the desks.
struct EventOffice: Sendable {
  let configuration: Configuration
  let surroundings: Surroundings
  let finder: ItemFinder
  /// Tells a person something that is no error.
  let notice: @Sendable (String) -> Void
  /// Why the command was told to stop; nil as long as it was not.
  var stop: @Sendable () -> StopReason? = { nil }

  /// Opens a folder for writing and does something there. What a killed command left half done is
  /// settled first; replaced files are let go of in the end.
  func write<Value: Sendable>(
    to folder: EventFolder,
    _ work: (EditDesk) async throws(RunFailure) -> Value
  ) async throws(RunFailure) -> Value {
    let storage = try finder.folders.access.storage(folder)
    let memory = try await EditMemory.open(configuration, surroundings)
    do throws(RunFailure) {
      let journal = try await remembered { () throws(JournalError) in
        try await memory.journal(of: folder.path)
      }
      let desk = EditDesk(
        storage: storage, journal: journal, digest: liveDigest, surroundings: surroundings)
      let finished = try await remembered { () throws(JournalError) in try await desk.finish() }
      for edit in finished { notice(edit.text(in: folder)) }
      let value = try await work(desk)
      await tidy(folder, desk, journal)
      await memory.close()
      return value
    } catch {
      await memory.close()
      throw error
    }
  }

  /// Calls the memory of edits.
  func remembered<Value: Sendable>(_ call: () async throws(JournalError) -> Value)
    async throws(RunFailure) -> Value
  {
    do throws(JournalError) {
      return try await call()
    } catch {
      throw RunFailure(error, place: EditMemory.directory(in: configuration.stateDirectory))
    }
  }

  /// Lets go of replaced files and of old history. Whoever holds the folder's lock does it in our
  /// place, and what fails here the next command does.
  private func tidy(_ folder: EventFolder, _ desk: EditDesk, _ journal: SQLiteJournal) async {
    let limits = configuration.pairs.first { $0.name == folder.pair }
    try? await journal.prune(
      olderThan: surroundings.now(minus: limits?.historyKept ?? HistoryLimits.kept),
      versionsAnItem: limits?.historyVersions ?? HistoryLimits.versions)
    let access = finder.folders.access.vdir
    guard let root = try? VdirRoot.open(path: folder.path, access: access),
      let lock = try? root.lock()
    else { return }
    try? await desk.settleDisplaced()
    withExtendedLifetime(lock) {}
  }
}

extension EditDesk {
  /// Lets go of the files that were replaced or removed, after a last look: an editor may have had
  /// one open and written into it. Such bytes go to the history. Under the folder's lock only.
  func settleDisplaced() async throws {
    let files = try await storage.displaced()
    guard !files.isEmpty else { return }
    let known = try await journal.contents(files.map(\.digest))
    let late = files.filter { known[$0.digest] == nil && !$0.data.bytes.isEmpty }
    if !late.isEmpty {
      let time = surroundings.now()
      let history = late.map { file in
        let item = try? ItemText(file.data.bytes, file: "")
        return HistoryEntry(
          time: time, uid: item?.uid ?? ItemID(bytes: file.href.spelling), side: .local,
          action: .lateEdit, reason: "written into a file after calgw had taken it away",
          href: file.href, before: file.digest, after: nil)
      }
      let contents = late.map { StoredContent(digest: $0.digest, data: $0.data) }
      try await journal.keep(history, contents: contents)
    }
    try await storage.discard(files)
  }
}

extension FinishedEdit {
  /// For people.
  func text(in folder: EventFolder) -> String {
    switch self {
    case .finished(let uid):
      "finished an edit of \(uid.text) in \(folder.name) that was interrupted"
    case .undone(let uid):
      "took back an edit of \(uid.text) in \(folder.name) that was interrupted: the item was "
        + "changed since"
    case .leftAlone(let uid):
      "an edit of \(uid.text) in \(folder.name) was interrupted and its files were changed since: "
        + "look whether events are there twice"
    }
  }
}

extension Gateway {
  func office(_ notice: @escaping @Sendable (String) -> Void = { _ in }) -> EventOffice {
    let vdir = VdirAccess(
      digest: liveDigest, surroundings: surroundings, executor: opener.executor)
    let finder = FolderFinder(configuration: configuration, access: FolderAccess(vdir: vdir))
    return EventOffice(
      configuration: configuration, surroundings: surroundings,
      finder: ItemFinder(folders: finder), notice: notice,
      stop: { [signals] in signals?.reason })
  }
}

extension ChangeOutcome {
  /// Throws what kept it from being done; `what` says what failed, for people.
  func check(_ what: String, at place: String) throws(RunFailure) {
    switch self {
    case .done: return
    case .changedMeanwhile, .notBegun:
      throw RunFailure(
        .tryLater, code: "changed-meanwhile",
        message: "\(what): the file was changed in the same moment, and nothing was written",
        place: place, hint: "run the command again")
    case .refused(let problem): throw RunFailure(problem, place: place)
    case .failed(var error):
      error.message = "\(what): \(error.message)"
      throw RunFailure(error, place: place)
    case .unknown(var error):
      error.message = "\(what), and it may be written or not: \(error.message)"
      throw RunFailure(error, place: place)
    }
  }
}
