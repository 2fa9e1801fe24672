import SyncModel

/// Listings of everything by sync-collection that come in parts, whether the server says so (507,
/// RFC 6578 §3.6) or not.
extension CalDAVStorage {
  /// The state at which all is to be listed as a whole, at the end of a listing whose parts may
  /// have left some of it out; nil where it was one answer, and that named all.
  ///
  /// Some servers cut an answer and say nothing of the rest. Then its token is not the one that the
  /// calendar had just shown, and a report since that token names what the answer did not. A new
  /// item in between looks the same, and costs a listing.
  func stateOfParts(
    _ known: SyncCursor, _ next: SyncCursor, _ members: Members, _ advertised: CalendarState?
  ) async throws(StorageError) -> CalendarState? {
    guard known.isListing, let token = next.token else { return nil }
    guard known.page == 0 else {
      var state = CalendarState(token: token, tag: next.tag)
      state.isFresh = next.isFresh
      return state
    }
    guard let advertised, let shown = advertised.token, shown != token else { return nil }
    let later = try await named(since: token).present
    // Reports since the token would bring the rest as changes, part by part.
    return later.isSubset(of: members.present.map(\.href)) ? nil : advertised
  }

  /// All there is, listed as a whole: some servers skip members between two parts (Stalwart), and
  /// some say of nothing that it went meanwhile. Nil where the server does not list as a whole, so
  /// that the parts have to do.
  ///
  /// What the last part names and the whole does not is taken in, too: no report since that part's
  /// token would name it again. What earlier parts alone name is gone, or was left out; a look at
  /// each decides that, as of all that is missing.
  func completed(
    _ last: [ListedItem], at state: CalendarState
  ) async throws(StorageError) -> ChangePage? {
    let whole: [ListedItem]
    do throws(StorageError) { whole = try await listTags() } catch {
      try await acceptNoWhole(error)
      return nil
    }
    let named = Set(whole.map(\.href))
    return await page(of: whole + last.filter { !named.contains($0.href) }, at: state)
  }
}
