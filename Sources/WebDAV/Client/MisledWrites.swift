/// Writes that a server leads to another address of its own.
///
/// An item and the calendar that it is in differ by little: a redirect that loses the end of an
/// address makes the deletion of an item that of a calendar.
extension DAVClient.Attempt {
  /// Goes on at another address of the same server; throws where a write could do there what it was
  /// not meant to.
  mutating func go(to target: WebURL, hiding secrets: KnownSecrets) throws(DAVError) {
    for own in [request.url, url] {
      guard let danger = request.danger(at: target, meantFor: own) else { continue }
      throw DAVError(
        .protocolBroken, "the server's redirect of \(secrets.shown(url)) is not followed",
        why: "it leads to \(secrets.shown(target)), which \(danger)",
        hint: "tell the server's operator; if the calendars have moved, set the account's url to "
          + "their new address", mayHaveActed: false)
    }
    url = target
  }
}

extension DAVRequest {
  /// What makes an address one to which a write must not go; nil where it may.
  fileprivate func danger(at target: WebURL, meantFor own: WebURL) -> String? {
    guard !isRead, target.pathKey != own.pathKey else { return nil }
    if target.isSameCollection(as: own) {
      let isUsual = own.isCollection || isOfCollection || !target.isCollection
      return isUsual ? nil : Self.wider
    }
    if target.holds(own) || target.isCollection && !own.isCollection { return Self.wider }
    guard takesAway, target.lastSegment != own.lastSegment else { return nil }
    // An item beside it is one that its tag does not fit.
    if !own.isCollection, isGuardedByTag, target.isBeside(own) { return nil }
    return "by its name is something else: that could be lost"
  }

  private static let wider = "may hold this and more: all of it could be changed or lost"

  /// It is never about an item.
  private var isOfCollection: Bool { makesCollection || method == "PROPPATCH" }

  /// What it is sent to is there no more.
  private var takesAway: Bool { ["DELETE", "MOVE"].contains(method) }

  private var isGuardedByTag: Bool { headers.contains { $0.name.lowercased() == "if-match" } }
}

extension WebURL {
  var isCollection: Bool { path.last == UInt8(ascii: "/") }

  /// Both are directly in one collection.
  fileprivate func isBeside(_ other: WebURL) -> Bool {
    let (here, there) = (PercentCoding.key(path), PercentCoding.key(other.path))
    guard let end = here.lastIndex(of: UInt8(ascii: "/")) else { return false }
    return there.lastIndex(of: UInt8(ascii: "/")) == end && there.starts(with: here[...end])
  }

  /// True if `other` is in this collection, directly or not, by any spelling; the root holds all
  /// that is on its server.
  package func holds(_ other: WebURL) -> Bool {
    guard origin == other.origin else { return false }
    let base = PercentCoding.key(asCollection.path)
    let key = PercentCoding.key(other.asCollection.path)
    return key.count > base.count && key.starts(with: base)
  }
}
