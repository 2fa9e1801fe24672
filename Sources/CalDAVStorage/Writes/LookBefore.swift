import SyncModel
import WebDAV

/// What a look showed of the items that a batch takes away or writes over.
struct LookBefore: Sendable {
  /// When it was, or the listing by which those are known that it left out.
  var time: Instant
  fileprivate var tags: [Href: EntityTag] = [:]
  /// What it was to show, and did not name: gone, or left out.
  fileprivate var unseen: Set<Href> = []

  /// It showed something else than what a write expects. Of a deletion it is no news that nothing
  /// is there.
  func contradicts(_ write: GuardedWrite) -> Bool {
    guard let tag = write.expected?.tag, tag.isStrong else { return false }
    if let seen = tags[write.href] { return !seen.isSpelling(of: tag) }
    if case .delete = write { return false }
    return unseen.contains(write.href)
  }
}

/// A look at what is to be taken away or written over, where a guard may not hold.
extension CalDAVStorage {
  /// For so long, in milliseconds, a look is trusted that came before a write, while nobody knows
  /// whether the server keeps to `If-Match`.
  private static let trust: Int64 = 2_000

  /// Looks at what no guard may protect, by one multiget. Where that fails, the listing has to do.
  func lookBefore(_ batch: [GuardedWrite]) async -> LookBefore {
    var look = LookBefore(time: withRunMemory(\.listedAt))
    let isOld = isOld(look.time)
    let asked = batch.filter { mayBeUnguarded($0, isListingOld: isOld) }.map(\.href)
    let addresses = asked.compactMap(address)
    let now = surroundings.now()
    guard !addresses.isEmpty, let seen = await listed(addresses) else { return look }
    if isOld { look.time = now }
    look.unseen = Set(asked).subtracting(seen.map(\.href))
    look.tags = Dictionary(
      seen.compactMap { item in item.tag.map { (item.href, $0) } },
      uniquingKeysWith: { first, _ in first })
    return look
  }

  /// SOGo deletes whatever the guard says, and calls that a success. What is read before it is
  /// written in any case needs no other look.
  private func mayBeUnguarded(_ write: GuardedWrite, isListingOld: Bool) -> Bool {
    guard write.expected?.tag?.isStrong ?? false, !ignoresGuard(of: write),
      !memory.ignores(.ownTags)
    else { return false }
    if case .delete = write { return true }
    return isListingOld && isUntried(write)
  }

  /// A replacement that the server may carry out whatever its guard says: the first `412`, or a
  /// probe, tells that guards hold. What this run wrote itself, and what a late server shows some
  /// time later, a look may show as it was before, so there the guard has to do.
  func isUntried(_ write: GuardedWrite) -> Bool {
    guard case .replace(let href, _, _) = write else { return false }
    return memory.finding(.ifMatch) == nil && !memory.lacks(.promptWrites)
      && !withRunMemory { $0.written.contains(href) }
  }

  /// Whether somebody may have edited what a look showed then.
  func isOld(_ time: Instant) -> Bool {
    surroundings.now().milliseconds(since: time).magnitude >= Self.trust.magnitude
  }

  /// Those of some items that are there, with their tags, by one multiget; nil where it fails.
  func listed(_ addresses: [WebURL]) async -> [ListedItem]? {
    guard withRunMemory({ $0.hasMultiget }) else { return nil }
    let request = PropertyRequests.multiget(url, hrefs: addresses.map(target), withData: false)
    guard case .multistatus(let multistatus, let source) = try? await ask(request) else {
      return nil
    }
    guard let members = try? await members(multistatus, from: source), !members.deniesCollection
    else { return nil }
    return members.present
  }
}
