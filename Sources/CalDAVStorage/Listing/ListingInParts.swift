import SyncModel

/// Listings of everything by sync-collection that come in parts, whether the server says so (507,
/// RFC 6578 §3.6) or not; and the first one of a calendar, which nothing else would show to be cut.
extension CalDAVStorage {
  /// All there is, listed as a whole, at the end of a listing whose parts may have left some of it
  /// out: some servers skip members between two parts (Stalwart), some cut a first listing, and
  /// some say of nothing that it went meanwhile. Nil where nothing was left out, and where the
  /// server does not list as a whole, so that the parts have to do.
  ///
  /// What the last part names and the whole does not is taken in, too: no report since that part's
  /// token would name it again. What earlier parts alone name is gone, or was left out; a look at
  /// each decides that, as of all that is missing.
  ///
  /// - Parameters:
  ///   - last: what the last part names.
  ///   - next: where the parts have to do, it has the next comparison of all tags come soon.
  func completed(
    _ last: Members, since known: SyncCursor, _ next: inout SyncCursor,
    _ advertised: CalendarState?
  ) async throws(StorageError) -> ChangePage? {
    guard let state = try await stateOfParts(known, next, last, advertised) else { return nil }
    let whole: [ListedItem]
    noteListing()
    do throws(StorageError) { whole = try await listTags() } catch {
      try await acceptNoWhole(error)
      // What the parts skip shows at that comparison.
      next.comparedAt = triedInVain
      return nil
    }
    let named = Set(whole.map(\.href))
    let told = Dictionary(
      last.present.map { ($0.href, $0) }, uniquingKeysWith: { first, _ in first })
    // Some servers give tags in reports alone.
    let tagged = whole.map { $0.tag == nil ? told[$0.href] ?? $0 : $0 }
    return await page(of: tagged + last.present.filter { !named.contains($0.href) }, at: state)
  }

  /// The state at which all is to be listed as a whole; nil where it was one answer, and that named
  /// all.
  ///
  /// Some servers cut an answer and say nothing of the rest. Mostly its token is not the one that
  /// the calendar had just shown then, and a report since that token names what the answer did not.
  /// A new item in between looks the same, and costs a listing. Where it is cut under the newest
  /// token nothing shows it, and what a first listing lacks would be sent there once more: that one
  /// is compared in any case. What a later one lacks was mostly known, and is looked at.
  private func stateOfParts(
    _ known: SyncCursor, _ next: SyncCursor, _ members: Members, _ advertised: CalendarState?
  ) async throws(StorageError) -> CalendarState? {
    guard known.isListing, let token = next.token else { return nil }
    var tag = next.tag
    if known.page == 0 {
      if let advertised, let shown = advertised.token, shown != token {
        let later = try await named(since: token).present
        // Reports since the token would bring the rest as changes, part by part.
        if !later.isSubset(of: members.present.map(\.href)) { return advertised }
        // The CTag that came with the older one says nothing of this state.
        tag = nil
      }
      guard known.isUncompared else { return nil }
    }
    var state = CalendarState(token: token, tag: tag)
    state.isFresh = next.isFresh
    return state
  }
}
