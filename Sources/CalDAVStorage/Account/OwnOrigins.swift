import WebDAV

extension DAVClient {
  /// Resolves what an answer names of a collection. A provider that spreads its accounts over many
  /// hosts (iCloud) names members now at one of them, now at another: at those that get the
  /// credentials one path below the collection's own is one resource, and has the collection's
  /// origin.
  ///
  /// - Parameter source: the address that answered.
  func resolve(
    _ href: [UInt8], from source: WebURL, of collection: WebURL
  ) throws(HrefError) -> WebURL {
    let address = try source.resolve(href: href)
    guard address.origin != collection.origin, trusts(address.origin) else { return address }
    let here = address.moved(to: collection)
    return collection.isParent(of: here) || collection.isSameCollection(as: here) ? here : address
  }
}
