import SyncModel
import WebDAV

/// What a server failed with because of what else was under way.
extension CalDAVStorage {
  /// After so many that fail by themselves, too, it is not what was under way.
  private static let mostInVain = 3

  /// Sends what failed among others (500), and was not done, once more by itself: DAViCal fails
  /// with one of two items that are the first of a time zone, and a server on SQLite with what
  /// finds it locked.
  ///
  /// Nothing of which the server may have told others before it failed: no meeting, no deletion.
  /// And nothing that may be stored at an address of the server's choice.
  func sendAgainAlone(
    _ batch: [GuardedWrite], _ outcomes: inout [WriteOutcome], _ course: Course
  ) async {
    let failed = withRunMemory { run in
      defer { run.failedWrites = [] }
      return run.failedWrites
    }
    guard batch.count > 1 else { return }
    var inVain = 0
    for (index, write) in batch.enumerated() where failed.contains(write.href) {
      guard course.trouble == nil, !Patience.isStopped, inVain < Self.mostInVain else { return }
      guard write.data != nil, maySendAgain(write), let address = address(write.href),
        await isNowhere(write, address)
      else { continue }
      outcomes[index] = await carryOut(write, await lookBefore([write]), course)
      if withRunMemory({ $0.failedWrites.remove(write.href) }) != nil { inVain += 1 }
    }
  }
}
