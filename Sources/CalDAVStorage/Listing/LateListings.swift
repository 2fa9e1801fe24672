import SyncModel
import WebDAV

/// Servers that move the calendar tag at once and list what changed some seconds later. Without
/// sync-collection nothing would tell of it before the tag moves again.
///
/// A listing that says under another tag what it said before is made once more by the next run, and
/// so is one of a server that is known to show late what was written.
extension CalDAVStorage {
  /// A listing that still says the same so long after the tag moved is believed: five minutes, in
  /// milliseconds.
  private static let latestListing: Int64 = 300_000

  /// Notes in a cursor what a whole listing said, and whether it may be late.
  func noteLateness(_ next: inout SyncCursor, of page: ChangePage, since known: SyncCursor?) {
    guard page.extent == .everything, page.isLast, page.startsOver, next.tag != nil,
      !withRunMemory(\.listsDeltas)
    else { return }
    let now = surroundings.now().milliseconds
    next.listed = Self.fingerprint(of: page.present)
    next.lateSince = nil
    guard let known, known.tag != nil, let before = known.listed,
      before == next.listed || memory.lacks(.promptWrites)
    else { return }
    guard known.tag == next.tag else {
      next.lateSince = now
      return
    }
    guard let since = known.lateSince else { return }
    let age = now.subtractingReportingOverflow(since)
    let isYoung = !age.overflow && (0..<Self.latestListing).contains(age.partialValue)
    next.lateSince = isYoung ? since : nil
  }

  /// The same for the same names and tags, in whatever order they come (a sum of FNV-1a hashes).
  private static func fingerprint(of items: [ListedItem]) -> Int64 {
    var sum: UInt64 = 0
    for item in items {
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in item.href.key + [0] + (item.tag?.bytes ?? []) {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
      }
      sum &+= hash
    }
    return Int64(bitPattern: sum)
  }
}
