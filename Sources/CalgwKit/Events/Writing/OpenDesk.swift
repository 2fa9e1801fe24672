import SQLiteJournal
import SyncExecution
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
      let journal = try await remembered { () throws(JournalError) -> SQLiteJournal in
        do throws(JournalError) { return try await memory.journal(of: folder.path) } catch {
          throw error.beforeAnything
        }
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
  /// Under the folder's lock only.
  func settleDisplaced() async throws {
    try await SyncExecution.settleDisplaced(
      in: storage, of: .local, journal: journal, now: surroundings.now())
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
      digest: liveDigest, surroundings: surroundings, takesAnyName: true,
      executor: opener.executor)
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
