import SyncModel
import WebDAV

/// A calendar that is listed under one path and answers under another, as Synology's `/caldav/` and
/// `/caldav.php/` do, with a redirect or without.
///
/// Its items are known by the path under which the calendar is listed, so that each stays one item
/// whichever spelling the server gives.
extension CalDAVStorage {
  /// The items that a multistatus about the calendar names. Where some are beside it on its own
  /// server, the calendar is asked once a run where it is.
  func members(
    _ multistatus: Multistatus, from source: WebURL
  ) async throws(StorageError) -> Members {
    func members() -> Members {
      Members(
        multistatus.responses, of: url, alias: alias, from: source, home: home, client: client)
    }
    let seen = members()
    guard seen.hasNeighbours, withRunMemory(\.place) == nil else { return seen }
    let place = try await askForPlace()
    withRunMemory { $0.place = place }
    return members()
  }

  /// The calendar's address in the server's own words; that under which it is listed where these
  /// name no calendar of the same server.
  private func askForPlace() async throws(StorageError) -> WebURL {
    let request = PropertyRequests.propfind(url, depth: 0, [.dav("resourcetype")])
    guard case .multistatus(let multistatus, let source) = try await ask(request),
      let own = multistatus.responses.first, own.isSuccess,
      own.properties.resourceType?.contains(.calendar) ?? false,
      let place = try? client.resolve(own.href, from: source, of: url), place.origin == url.origin
    else { return url }
    return place.asCollection
  }

  /// The other path, once it is known.
  private var alias: WebURL? {
    withRunMemory(\.place).flatMap { $0.isSameCollection(as: url) ? nil : $0 }
  }

  /// Whether an address is that of the calendar, by either path.
  func isOwn(_ address: WebURL) -> Bool {
    address.isSameCollection(as: url) || alias.map(address.isSameCollection) ?? false
  }

  /// An item by the path by which it is known.
  func known(_ address: WebURL) -> WebURL {
    alias.flatMap { address.moved(from: $0, to: url) } ?? address
  }

  /// An item by the path that the server gives it, for the body of a request: there nothing
  /// redirects.
  func target(_ address: WebURL) -> [UInt8] {
    (alias.flatMap { address.moved(from: url, to: $0) } ?? address).target
  }
}

extension WebURL {
  /// The same member of another collection, in the same spelling; nil for what is no member.
  func moved(from collection: WebURL, to other: WebURL) -> WebURL? {
    guard collection.isParent(of: self) else { return nil }
    let slash = path.dropLast().lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    return WebURL(
      scheme: other.scheme, host: other.host, port: other.port,
      path: other.asCollection.path + path[(slash + 1)...], query: query)
  }
}
