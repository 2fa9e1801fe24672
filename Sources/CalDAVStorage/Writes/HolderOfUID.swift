import SyncModel
import WebDAV

/// A server that refuses a second item of one UID may say where the first one is (RFC 4791
/// §5.3.2.1), also where its listings do not name that.
extension CalDAVStorage {
  /// What becomes of a new item whose UID one has that the server names, and with it the next
  /// listing of this run; nil where the server does not say where it is, that is no item of this
  /// calendar, or was named before in vain.
  func outcomeByHolder(
    _ write: GuardedWrite, _ address: WebURL, _ refused: Refused?
  ) async -> WriteOutcome? {
    guard case .create = write, let refused, refused.isUIDConflict,
      let named = try? client.resolve(refused.words.holder, from: address, of: url)
    else { return nil }
    let holder = known(named)
    guard url.isParent(of: holder), holder.pathKey != address.pathKey,
      withRunMemory({ $0.holders.insert(href(holder)).inserted }),
      case .found = await get(holder)
    else { return nil }
    withRunMemory { $0.unlistedHolders.append(href(holder)) }
    var outcome = WriteOutcome(href: write.href, result: .changedMeanwhile)
    outcome.isListedNext = true
    return outcome
  }

  /// The holders that no listing has named since they were seen.
  func takeUnlistedHolders(besides items: [ListedItem]) -> [ListedItem] {
    let holders = withRunMemory { run in
      defer { run.unlistedHolders = [] }
      return run.unlistedHolders
    }
    if holders.isEmpty { return [] }
    let listed = Set(items.map(\.href))
    return holders.filter { !listed.contains($0) }.map { ListedItem(href: $0, tag: nil) }
  }
}
