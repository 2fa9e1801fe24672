import SyncModel
import WebDAV

/// A look at what a batch is to take away or to write over, where a guard may not hold.
extension CalDAVStorage {
  /// For so long after a listing, in milliseconds, nothing is looked at again before it is written
  /// over, as long as nobody knows whether the server keeps to `If-Match`: all that are known do.
  private static let listingTrust: Int64 = 2_000

  /// The tags of what no guard may protect, by one multiget. Where that fails, the guards have to
  /// do.
  func tagsBefore(_ batch: [GuardedWrite]) async -> [Href: EntityTag] {
    let addresses = batch.filter(mayBeUnguarded).compactMap { address($0.href) }
    guard !addresses.isEmpty, let listed = await listed(addresses) else { return [:] }
    return Dictionary(
      listed.compactMap { item in item.tag.map { (item.href, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// SOGo deletes whatever the guard says, and calls that a success. Of a replacement the first
  /// `412` of the server, or a probe, tells that the guard holds. What this run wrote itself, or
  /// what a late server shows some time later, a look may show as it was before.
  private func mayBeUnguarded(_ write: GuardedWrite) -> Bool {
    guard write.expected?.tag?.isStrong ?? false else { return false }
    if case .delete = write { return true }
    return memory.finding(.ifMatch) == nil && !memory.lacks(.promptWrites) && isListingOld
      && !withRunMemory { $0.written.contains(write.href) }
  }

  private var isListingOld: Bool {
    let age = surroundings.now().milliseconds(since: withRunMemory(\.listedAt))
    return age.magnitude >= Self.listingTrust.magnitude
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
