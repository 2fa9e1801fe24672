public import SyncModel
import WebDAV

extension CalDAVStorage {
  /// After so long all tags are compared anew: tokens of some servers forget deletions, or stay
  /// the same when a calendar is made anew. 24 hours in milliseconds.
  private static let comparisonInterval: Int64 = 24 * 3600 * 1000
  /// Pages of one listing: 10,000 are a million items on servers that page by a hundred.
  private static let mostPages = 10_000

  /// Lists what changed. Where the listing of calendars said that nothing did, no request is made.
  public func listChanges(since cursor: Cursor?) async throws(StorageError) -> ChangePage {
    let (advertised, issued, bySync) = withRunMemory { run in
      defer { run.advertised = nil }
      return (run.advertised, run.issued, run.listsDeltas)
    }
    let page = try await list(
      since: cursor.flatMap(SyncCursor.init), isContinued: cursor != nil && cursor == issued,
      advertised, bySync: bySync)
    withRunMemory { $0.issued = page.next }
    return page
  }

  private func list(
    since known: SyncCursor?, isContinued: Bool, _ advertised: CalendarState?, bySync: Bool
  ) async throws(StorageError) -> ChangePage {
    // Half a listing of everything that another run began proves no absence: begin again.
    guard var known, isContinued || !known.isListing else {
      return try await listEverything(advertised, bySync: bySync)
    }
    // Some servers take a token of the calendar that was at this address before.
    if isMadeAnew(since: known, advertised) { return try await compareTags(advertised, token: nil) }
    known.identity = known.identity ?? identity
    if known.page > 0, bySync { return try await listDelta(since: known, advertised) }
    let age = surroundings.now().milliseconds.subtractingReportingOverflow(known.comparedAt)
    if age.overflow || age.partialValue.magnitude >= Self.comparisonInterval.magnitude {
      // Before anything is named, so that what changes in between is named by the next run.
      let state: CalendarState
      if let advertised { state = advertised } else { state = try await readState() }
      var news: Set<Href> = []
      if bySync, let token = known.token, !known.isUnchanged(in: state, bySync: true) {
        news = try await named(since: token)
      }
      return try await compareTags(state, token: known.token, news: news)
    }
    if let advertised, known.isUnchanged(in: advertised, bySync: bySync) {
      return unchanged(known, advertised)
    }
    if bySync {
      guard known.token != nil else { return try await listEverything(advertised, bySync: true) }
      return try await listDelta(since: known, advertised)
    }
    let state: CalendarState
    if let advertised { state = advertised } else { state = try await readState() }
    if known.isUnchanged(in: state, bySync: false) { return unchanged(known, state) }
    return try await compareTags(state, token: known.token)
  }

  private func isMadeAnew(since known: SyncCursor, _ advertised: CalendarState?) -> Bool {
    if let before = known.identity, let identity { return before != identity }
    return known.page == 0 && advertised?.isBehind(known) ?? false
  }

  private func unchanged(_ known: SyncCursor, _ state: CalendarState) -> ChangePage {
    var next = known
    next.tag = state.tag ?? known.tag
    return ChangePage(extent: .changesOnly, present: [], next: next.cursor)
  }

  // MARK: sync-collection

  /// Everything there is, for the first time or after a token was refused.
  private func listEverything(
    _ advertised: CalendarState?, bySync: Bool
  ) async throws(StorageError) -> ChangePage {
    guard bySync else { return try await compareTags(advertised, token: nil) }
    var tag = advertised?.tag
    // Xandikos makes the resource-id that it is asked for, which moves the CTag that came with it.
    if tag != nil, identity != nil { tag = try await readState().tag }
    var start = SyncCursor(
      state: CalendarState(token: [], tag: tag), identity: identity,
      comparedAt: surroundings.now().milliseconds)
    start.isListing = true
    return try await listDelta(since: start, advertised)
  }

  /// One page by the token, which is empty for a listing of everything.
  private func listDelta(
    since known: SyncCursor, _ advertised: CalendarState?
  ) async throws(StorageError) -> ChangePage {
    let token = known.token ?? []
    let answer = try await ask(PropertyRequests.syncCollection(url, token: token))
    switch answer {
    case .refused(let refusal):
      return try await recover(from: refusal, known, advertised)
    case .multistatus(let multistatus, let source):
      let members = members(multistatus, from: source)
      guard !members.collectionIsGone else { throw vanished("404 in a report on it") }
      if multistatus.syncToken != nil {
        memory.learn(.syncCollection, true, "REPORT sync-collection", "207 with a token")
      }
      guard let newToken = multistatus.syncToken, !newToken.isEmpty else {
        guard !members.isTruncated else { throw brokenPaging("it gives no token for the rest") }
        return try await compareTags(advertised, token: nil)
      }
      var next = known
      next.token = newToken
      next.page = members.isTruncated ? known.page + 1 : 0
      // A CTag from before changes that the report names says nothing any more.
      if !known.isListing {
        next.tag = advertised?.tag ?? (newToken == token ? known.tag : nil)
      }
      guard !members.isTruncated || newToken != token else {
        throw brokenPaging("it gives the same token again")
      }
      guard next.page <= Self.mostPages else {
        throw brokenPaging("there are more than \(Self.mostPages) pages")
      }
      if movedUnnoticed(known, advertised, members) {
        return try await compareTags(
          advertised, token: newToken, news: Set(members.present.map(\.href)))
      }
      if !members.isTruncated {
        if known.isListing, known.page > 0, let whole = try await confirmed(next) { return whole }
        next.isListing = false
      }
      noteSharedTags(members.present, "REPORT sync-collection")
      return ChangePage(
        extent: known.isListing ? .everything : .changesOnly,
        present: known.isListing
          ? members.present
          : marked(members.present, asNews: Set(members.present.map(\.href))),
        gone: known.isListing ? [] : members.gone,
        next: next.cursor, isLast: !members.isTruncated,
        startsOver: known.isListing && known.page == 0)
    }
  }

  /// All tags, after a listing in parts: some servers skip members between two (Stalwart). Nil
  /// where the server lists nothing as a whole.
  private func confirmed(_ cursor: SyncCursor) async throws(StorageError) -> ChangePage? {
    let state = CalendarState(token: cursor.token, tag: cursor.tag)
    do throws(StorageError) { return try await compareTags(state, token: nil) } catch {
      switch error.kind {
      case .vanished, .stopped: throw error
      default: return nil
      }
    }
  }

  /// The CTag says that something changed, and the report names nothing; or it does not say what.
  private func movedUnnoticed(
    _ known: SyncCursor, _ advertised: CalendarState?, _ members: Members
  ) -> Bool {
    guard !known.isListing else { return false }
    if members.hasUnnamed { return true }
    guard known.page == 0, !members.isTruncated, members.present.isEmpty, members.gone.isEmpty,
      let before = known.tag, let now = advertised?.tag
    else { return false }
    return before != now
  }

  /// A token that is not known any more, in any of the ways in which servers say so: everything is
  /// listed once. If that fails too, the failure is real.
  private func recover(
    from refusal: DAVRefusal, _ known: SyncCursor, _ advertised: CalendarState?
  ) async throws(StorageError) -> ChangePage {
    let isTokened = !(known.token ?? []).isEmpty
    switch refusal.status {
    case 404:
      throw StorageError(refusal, doing: "listing changes")
    case 400...499, 500, 501, 507:
      // One of a listing's own pages: to begin it anew might never end.
      if isTokened, known.isListing { return try await compareTags(advertised, token: nil) }
      if isTokened { return try await listEverything(advertised, bySync: true) }
      withRunMemory { $0.listsDeltas = false }
      memory.learn(.syncCollection, false, "REPORT sync-collection", refusal.reason)
      return try await compareTags(advertised, token: nil)
    default:
      throw StorageError(refusal, doing: "listing changes")
    }
  }

  private func brokenPaging(_ why: String) -> StorageError {
    StorageError(
      .protocolBroken, "the server's listing of \(url.text) does not end", why: why,
      hint: "tell the server's operator")
  }

  // MARK: Tags

  /// What the server names as changed, besides a comparison of all tags: an item that was made anew
  /// may have the tag of the former one. A server that refuses the token has none to name.
  private func named(since token: [UInt8]) async throws(StorageError) -> Set<Href> {
    var named: Set<Href> = []
    var token = token
    for _ in 0..<Self.mostPages {
      switch try await ask(PropertyRequests.syncCollection(url, token: token)) {
      case .refused: return named
      case .multistatus(let multistatus, let source):
        let members = members(multistatus, from: source)
        named.formUnion(members.present.map(\.href))
        guard members.isTruncated, let next = multistatus.syncToken, next != token else {
          return named
        }
        token = next
      }
    }
    return named
  }

  /// A whole listing of tags (PROPFIND, Depth 1). The tokens of the cursor were read before it:
  /// what changes in between is seen again by the next run.
  ///
  /// - Parameter news: what is looked at, whatever its tag says.
  private func compareTags(
    _ state: CalendarState?, token: [UInt8]?, news: Set<Href> = []
  ) async throws(StorageError) -> ChangePage {
    var before: CalendarState
    if let state { before = state } else { before = try await readState() }
    before.token = before.token ?? token
    let request = PropertyRequests.propfind(url, depth: 1, PropertyRequests.listing)
    switch try await ask(request) {
    case .refused(let refusal):
      throw StorageError(refusal, doing: "listing the calendar")
    case .multistatus(let multistatus, let source):
      guard !multistatus.responses.isEmpty else {
        throw StorageError(
          .protocolBroken, "the listing of \(url.text) names nothing, not even itself",
          hint: "tell the server's operator")
      }
      let members = members(multistatus, from: source)
      guard !members.collectionIsGone else { throw vanished("404 in its own listing") }
      guard !members.isTruncated else {
        throw StorageError(
          .protocolBroken, "the listing of \(url.text) is not complete",
          why: "the server says that it holds items back (507)",
          hint: "tell the server's operator")
      }
      noteSharedTags(members.present, "PROPFIND")
      let cursor = SyncCursor(
        state: before, identity: identity, comparedAt: surroundings.now().milliseconds)
      return ChangePage(
        extent: .everything, present: marked(members.present, asNews: news), next: cursor.cursor,
        startsOver: true)
    }
  }

  /// The collection's token and CTag now (PROPFIND, Depth 0).
  private func readState() async throws(StorageError) -> CalendarState {
    let names: [XMLName] = [.dav("sync-token"), XMLName(.calendarServer, "getctag")]
    switch try await ask(PropertyRequests.propfind(url, depth: 0, names)) {
    case .refused(let refusal):
      throw StorageError(refusal, doing: "looking at the calendar")
    case .multistatus(let multistatus, _):
      guard let own = multistatus.responses.first, !own.isGone else {
        throw vanished("404 in an answer about it")
      }
      return CalendarState(
        token: own.properties.syncToken, tag: own.properties.calendarTag)
    }
  }
}
