import SQLiteJournal
import SyncModel

/// Where the journal of a pair is.
func journalPath(of name: String, in stateDirectory: String) -> String {
  "\(stateDirectory)/\(name).sqlite"
}

/// The file and the lock of a pair go by its name alone: its log outlives the configuration.
extension PairOpener {
  func databasePath(_ pair: PairConfiguration) -> String { databasePath(of: pair.name) }

  func databasePath(of name: String) -> String {
    journalPath(of: name, in: configuration.stateDirectory)
  }

  func lockPath(of name: String) -> String { "\(configuration.stateDirectory)/\(name).lock" }

  /// Opens the journal's file, or a copy of it; what was found goes to `notice`.
  func openStore(_ pair: PairConfiguration, _ mode: RunMode, notice: (StoreNotice) -> Void)
    throws(RunFailure) -> PairStore
  {
    try openStore(of: pair.name, mode, notice: notice)
  }

  func openStore(of name: String, _ mode: RunMode, notice: (StoreNotice) -> Void)
    throws(RunFailure) -> PairStore
  {
    do {
      let path = databasePath(of: name)
      let (store, notices) =
        switch mode {
        case .write: try PairStore.open(path: path, digest: liveDigest)
        case .look: try PairStore.openCopy(path: path, digest: liveDigest)
        }
      notices.forEach(notice)
      return store
    } catch {
      throw RunFailure(error, place: "pair \(name)")
    }
  }

  /// Opens it as above; what a person should know of it goes to `notices`.
  func openStore(
    of name: String, _ mode: RunMode, telling notices: inout [String]
  ) async throws(RunFailure) -> PairStore {
    var found: [StoreNotice] = []
    let store = try openStore(of: name, mode) { found.append($0) }
    notices += found.compactMap(\.text)
    // Why a damaged one has nothing in it is told already.
    guard !found.contains(where: \.isOfDamage) else { return store }
    let isGone = found.contains(.created)
    if let loss = try await lossOfJournal(of: name, in: store, isGone: isGone, mode) {
      notices.append(loss)
    }
    return store
  }

  package func lock(_ pair: PairConfiguration, _ wait: LockWait) async throws(RunFailure)
    -> PairLock
  {
    try await lock(of: pair.name, wait)
  }

  package func lock(of name: String, _ wait: LockWait) async throws(RunFailure) -> PairLock {
    try makePrivateDirectory(configuration.stateDirectory)
    return try await PairLock.take(
      lockPath(of: name), pair: name, wait, surroundings: surroundings)
  }
}
