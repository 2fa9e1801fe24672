import Glibc
import Logging
package import SQLiteJournal
import SyncModel
import VdirStorage

/// The memory of the event commands in the state directory: what they replaced, and what they have
/// begun. It is a journal of its own, so that no edit waits for a sync or gets in its way.
///
/// Held by one command at a time, for as long as it writes.
package struct EditMemory: Sendable {
  let store: PairStore
  let surroundings: Surroundings
  /// Until the command is done.
  let lock: PairLock

  /// Below the state directory. A pair's files lie beside this directory, so no pair's name is in
  /// its way.
  static func directory(in state: String) -> String { state + "/edits" }
  static func file(in state: String) -> String { directory(in: state) + "/history.sqlite" }

  /// Makes the directory, if need be. Without a home directory and a configuration there is no
  /// place for it: status 78.
  static func makeDirectory(in state: String) throws(RunFailure) -> String {
    if state.isEmpty { throw RunFailure(Configuration.noStateDirectory) }
    let path = directory(in: state)
    try makePrivateDirectory(path)
    return path
  }

  /// Other event commands take so long at most, a large import aside.
  private static let patience = Duration.seconds(10)

  /// Opens it, making it if need be.
  package static func open(_ configuration: Configuration, _ surroundings: Surroundings)
    async throws(RunFailure) -> EditMemory
  {
    let directory = try makeDirectory(in: configuration.stateDirectory)
    let lock: PairLock
    do throws(RunFailure) {
      lock = try await PairLock.take(
        directory + "/lock", pair: "edits", LockWait(patience, from: surroundings.now()),
        surroundings: surroundings)
    } catch {
      guard error.status == .tryLater else { throw error }
      throw RunFailure(
        .tryLater, code: "locked", message: "another calgw is editing events", why: error.why,
        hint: "wait for it to end, then run the command again")
    }
    do throws(JournalError) {
      let path = file(in: configuration.stateDirectory)
      let (store, notices) = try PairStore.open(path: path, digest: liveDigest)
      for case .damaged(let reason, let moved) in notices {
        logger.warning(
          "the history of edits was damaged (\(reason)) and begun anew: \(moved ?? "")")
      }
      return EditMemory(store: store, surroundings: surroundings, lock: lock)
    } catch {
      throw RunFailure(error.beforeAnything, place: directory)
    }
  }

  /// Opens it only where it is there and no other command holds it.
  static func openIfFree(_ configuration: Configuration, _ surroundings: Surroundings)
    async -> EditMemory?
  {
    let path = file(in: configuration.stateDirectory)
    guard access(path, F_OK) == 0 else { return nil }
    let lock = try? await PairLock.take(
      directory(in: configuration.stateDirectory) + "/lock", pair: "edits",
      surroundings: surroundings)
    guard let lock, let store = try? PairStore.open(path: path, digest: liveDigest).store else {
      return nil
    }
    return EditMemory(store: store, surroundings: surroundings, lock: lock)
  }

  /// The journal of a folder. A folder is known by its path alone: its history stays of use when
  /// it was moved away and back.
  package func journal(of path: [UInt8]) async throws(JournalError) -> SQLiteJournal {
    let record = CollectionRecord(
      identity: CollectionIdentity(name: nameText(path).text, local: [], remote: []),
      folder: path, remoteHref: [], remoteName: "", canonicalVersion: 0)
    return try await store.openCollection(record, at: surroundings.now()).journal
  }

  /// The folders that it knows, by their names in the history.
  func folders() async throws(JournalError) -> [String: [UInt8]] {
    var folders: [String: [UInt8]] = [:]
    for record in try await store.collections() { folders[record.identity.name] = record.folder }
    return folders
  }

  /// Lets go of it. What could not be closed is only slower to open.
  package func close() async {
    try? await store.close()
    withExtendedLifetime(lock) {}
  }
}
