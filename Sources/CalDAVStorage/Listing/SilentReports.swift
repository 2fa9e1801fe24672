import SyncModel
import WebDAV

/// Reports of changes that get no answer: nothing comes in time, the connection breaks, or the
/// server asks to wait again and again. The calendar itself may well be listed.
extension CalDAVStorage {
  /// How a report of changes ended.
  enum ReportEnd: Sendable {
    case answered
    /// What went wrong instead.
    case silent(StorageError)

    var silence: StorageError? { if case .silent(let trouble) = self { trouble } else { nil } }
  }

  /// After so many calendars in a row that could not be listed either it is the server that is
  /// away: the others are not asked twice, each for as long as a silent server is waited for.
  private static let mostInVain = 2

  /// Whether a report that failed leaves it open that the calendar can be listed in another way. A
  /// server that nothing could be sent to is away.
  func mayBeListed(after error: DAVError) -> Bool {
    (error.isBrokenOff || error.isAskedAgain)
      && Patience.leaves(0, at: surroundings.now()) && memory.listingsInVain < Self.mostInVain
  }

  /// The listing in the place of such a report.
  func recoverFromSilence(
    _ advertised: CalendarState?
  ) async throws(StorageError) -> ChangePage {
    do throws(StorageError) { return try await compareTags(advertised, token: nil) } catch {
      throw told(error)
    }
  }

  /// What is told of a listing that failed. Where it stood in the place of a silent report, that is
  /// the trouble, unless the run was stopped, or the calendar is not there.
  func told(_ error: StorageError) -> StorageError {
    guard let silence = withRunMemory(\.lastReport)?.silence else { return error }
    if !error.isAboutOneAddress { memory.noteListing(isInVain: true) }
    return [.stopped, .vanished, .denied].contains(error.kind) ? error : silence
  }

  /// Of a listing that went well: whether the last report of changes was silent. One may be so by
  /// chance, or for its token's sake; what two in a row show, each in a run of its own, is kept.
  func learnSilence(since known: SyncCursor?) -> Bool {
    let before = known?.isSilent ?? false
    switch withRunMemory(\.lastReport) {
    case nil: return before
    case .answered: return false
    case .silent(let trouble):
      memory.noteListing(isInVain: false)
      if before { memory.learn(.syncCollection, false, "REPORT sync-collection", trouble.message) }
      return true
    }
  }
}
