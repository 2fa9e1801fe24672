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
    let address = try resolve(href, from: source, near: collection)
    guard address.origin != collection.origin, trusts(address.origin) else { return address }
    let here = address.moved(to: collection)
    return collection.holds(here) ? here : address
  }

  /// Some servers leave out the slash at the beginning of a path: what names nothing in the
  /// collection as it stands, and does so with that slash, has it.
  private func resolve(
    _ href: [UInt8], from source: WebURL, near collection: WebURL
  ) throws(HrefError) -> WebURL {
    let slash = UInt8(ascii: "/")
    let address = try source.resolve(href: href)
    guard href.first != slash, !collection.holds(address),
      let rooted = try? source.resolve(href: [slash] + href), collection.holds(rooted)
    else { return address }
    return rooted
  }
}

extension WebURL {
  /// It is the collection itself, or directly in it.
  fileprivate func holds(_ other: WebURL) -> Bool {
    isParent(of: other) || isSameCollection(as: other)
  }
}
