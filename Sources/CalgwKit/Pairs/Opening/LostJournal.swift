import Glibc
import SQLiteJournal
import SyncModel

/// The journal of a pair that has synced may be gone, or empty: somebody took the file away. A run
/// without it is safe, but who counts on its history is to know. That the pair has synced stands in
/// its lock file, which nobody has a reason to touch; where the whole state directory is another
/// one, nothing tells it.
extension PairOpener {
  /// What a person should know of a pair's journal in which nothing is left of what was synced; nil
  /// where the pair has not synced. What a person had forgotten is not lost.
  ///
  /// - Parameter isGone: There is no file, or was none before this opening.
  func lossOfJournal(of name: String, isGone: Bool, _ mode: RunMode) -> String? {
    guard PairLock.hasSynced(lockPath(of: name)) else { return nil }
    let first =
      mode == .write
      ? "this is a first sync, which deletes nothing"
      : "the next run is a first sync, which deletes nothing"
    return "the journal \(databasePath(of: name)) \(isGone ? "is gone" : "is empty"), and what it"
      + " had with it: what both sides agreed on, and the log; \(first)"
  }

  /// The same for a store that was just opened.
  func lossOfJournal(
    of name: String, in store: PairStore, isGone: Bool, _ mode: RunMode
  ) async throws(RunFailure) -> String? {
    guard let loss = lossOfJournal(of: name, isGone: isGone, mode) else { return nil }
    do throws(JournalError) {
      return try await store.collections().isEmpty ? loss : nil
    } catch {
      throw RunFailure(error, place: "pair \(name)")
    }
  }
}
