public import SyncModel

extension CalDAVAccount {
  /// A known calendar that no listing shows, as its own address describes it (PROPFIND, Depth 0):
  /// some servers list a new one only some time after they have made it. Nil where none is there,
  /// where the account may not look, and where the address leads to another one.
  ///
  /// - Parameter identity: as `CollectionDescription.identity` was.
  public func unlistedCalendar(
    at href: Href, known identity: String
  ) async throws(StorageError) -> CollectionDescription? {
    // On a server that is none of the account's any more it is not asked for.
    guard refusal(of: href) == nil, let address = try? resolve(href) else { return nil }
    do throws(StorageError) {
      let calendar = try await look(at: address)
      guard calendar.description.identity == identity else { return nil }
      keep([calendar])
      // Whenever a listing shows it, it is no new one.
      give(calendar.href)
      return calendar.description
    } catch {
      switch error.kind {
      case .vanished, .denied: return nil
      case .unreachable, .tryLater, .protocolBroken, .cannotCreate, .io, .stopped: throw error
      }
    }
  }
}
