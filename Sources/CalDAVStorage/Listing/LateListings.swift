import SyncModel
import WebDAV

/// Servers that move the calendar tag at once and list what changed some seconds later. Without
/// sync-collection nothing would tell of it before the tag moves again.
///
/// A listing that says under another tag what it said before is made anew by each run of the next
/// minutes: a part of what changed may show before the rest. So is any under another tag of a
/// server that is known to show late what was written.
extension CalDAVStorage {
  /// So long after the tag moved a listing is believed: five minutes, in milliseconds.
  private static let latestListing: Int64 = 300_000

  /// Notes in a cursor what a whole listing said, and whether it may be late.
  ///
  /// - Parameters:
  ///   - items: what the server itself listed.
  ///   - known: where the last run left off; nil where a listing in the middle of one begins anew.
  func noteLateness(
    _ next: inout SyncCursor, of page: ChangePage, _ items: [ListedItem], since known: SyncCursor?
  ) {
    let isWhole = page.extent == .everything && page.isLast && page.startsOver
    let listsDeltas = withRunMemory(\.listsDeltas)
    guard isWhole || listsDeltas else { return }
    (next.listed, next.lateSince) = (nil, nil)
    // What has no tag is read at each listing anyway.
    guard !listsDeltas, next.tag != nil, !items.contains(where: \.isUntagged) else { return }
    next.listed = Self.fingerprint(of: items)
    let former = known ?? withRunMemory(\.lastListing)
    next.lateSince = former.flatMap { lateness(of: next, since: $0) }
    withRunMemory { [next] in $0.lastListing = next }
  }

  /// Since when a listing may be late; nil where it is not.
  private func lateness(of next: SyncCursor, since known: SyncCursor) -> Instant? {
    guard known.tag != nil, let before = known.listed else { return nil }
    let now = surroundings.now()
    guard known.tag == next.tag else {
      // What was waited for of one change is not there by another one.
      let isLate = before == next.listed || known.lateSince != nil || memory.lacks(.promptWrites)
      return isLate ? now : nil
    }
    guard let since = known.lateSince else { return nil }
    let isYoung = (0..<Self.latestListing).contains(now.milliseconds(since: since))
    return isYoung ? since : nil
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

extension ListedItem {
  /// It has none, and nothing is wrong with it.
  fileprivate var isUntagged: Bool { tag == nil && problem == nil }
}
