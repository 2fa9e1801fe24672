import Synchronization
import WebDAV

extension CalDAVAccount {
  /// Servers beside the URL's own that the account lives on as far as is known by now, and that get
  /// its user name and password although nobody wrote them out among the trusted hosts: a person
  /// should see them. None where nobody signs in.
  public var otherServers: [String] {
    if client.isAnonymous { return [] }
    let places = known.withLock { known -> [String] in
      (known.found?.location.addresses ?? []) + known.otherOrigins
        + known.calendars.map(\.value.url.origin)
    }
    var servers: Set<String> = []
    for case let address? in places.map({ try? WebURL(absolute: $0) })
    where !isOwn(address) && !options.trustedHosts.writeOut(address) {
      servers.insert(address.origin)
    }
    return servers.sorted()
  }
  /// The URL's server, or the same one by TLS.
  private func isOwn(_ address: WebURL) -> Bool {
    if address.origin == url.origin { return true }
    return address.host == url.host && url.scheme == .http && url.port == 80
      && address.scheme == .https && address.port == 443
  }
}
