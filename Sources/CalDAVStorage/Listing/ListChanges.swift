public import SyncModel
import WebDAV

extension CalDAVStorage {
  /// After so long all tags are compared anew: tokens of some servers forget deletions, or stay
  /// the same when a calendar is made anew. 24 hours in milliseconds.
  private static let comparisonInterval: Int64 = 24 * 3600 * 1000
  /// After so long one that the server could not do is tried again: an hour.
  private static let comparisonPause: Int64 = 3600 * 1000

  /// Lists what changed. Where the listing of calendars said that nothing did, no request is made.
  public func listChanges(since cursor: Cursor?) async throws(StorageError) -> ChangePage {
    let (shown, issued, bySync) = withRunMemory { run in
      defer { (run.advertised, run.toldGone, run.lastReport) = (nil, nil, nil) }
      return (run.advertised, run.issued, run.listsDeltas)
    }
    let advertised = believed(shown)
    let known = cursor.flatMap(SyncCursor.init)
    withRunMemory { $0.beginsAnew = $0.beginsAnew ?? known?.isListing ?? true }
    var page = try await list(
      since: known, isContinued: cursor != nil && cursor == issued, advertised, bySync: bySync)
    let listed = page.present
    if page.isLast { page.present += takeUnlistedHolders(besides: page.present) }
    if var next = SyncCursor(page.next) {
      if page.isLast, withRunMemory(\.isRefuted) { next.comparedAt = nil }
      next.rereadAt = markThorough(&page, since: known)
      next.isSilent = learnSilence(since: known)
      next.isUndated = isUndated(page, since: known)
      noteLateness(&next, of: page, listed, since: known)
      if identity == nil { next.keepWitness(of: page) }
      page.next = next.cursor
    }
    withRunMemory { [page] in $0.issued = page.next }
    return page
  }

  /// Once a day, where all is listed, what was of no use is to be read again. Gives when that was.
  private func markThorough(_ page: inout ChangePage, since known: SyncCursor?) -> Instant? {
    guard let known else { return surroundings.now() }
    page.isThorough = page.extent == .everything && isDayOld(known.rereadAt)
    return page.isThorough && page.isLast ? surroundings.now() : known.rereadAt
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
    let isDoubtful = bySync && mayBeOfAnother(known, advertised)
    if isDoubtful || isDayOld(known.comparedAt) {
      let state: CalendarState
      if let advertised { state = advertised } else { state = try await readState() }
      do throws(StorageError) {
        let page = try await compareTags(state, since: known, bySync: bySync)
        // Of what went with another calendar no list of changes tells.
        if isDoubtful { withRunMemory { $0.toldGone = nil } }
        return page
      } catch {
        guard bySync, known.token != nil, withRunMemory({ $0.lastReport?.silence == nil }) else {
          throw told(error)
        }
        // Until it can be done, what the server says of changes has to do.
        try await acceptNoWhole(error)
        known.comparedAt = triedInVain
        withRunMemory { $0.toldGone = nil }
      }
    }
    if let advertised, known.isUnchanged(in: advertised, bySync: bySync) {
      return unchanged(known, advertised)
    }
    if bySync {
      guard known.token != nil else { return try await listEverything(advertised, bySync: true) }
      guard memory.ignores(.deletionsInChanges) else {
        return try await listDelta(since: known, advertised)
      }
    }
    let state: CalendarState
    if let advertised { state = advertised } else { state = try await readState() }
    if known.isUnchanged(in: state, bySync: bySync) { return unchanged(known, state) }
    return try await compareTags(state, since: known, bySync: bySync)
  }

  /// When a comparison would have been made that is due again after the pause.
  var triedInVain: Instant {
    surroundings.now().advanced(by: Self.comparisonPause - Self.comparisonInterval)
  }

  /// What is done once a day is due again: it is a day old, or of a clock that was ahead by one.
  private func isDayOld(_ last: Instant?) -> Bool {
    guard let last else { return true }
    let age = surroundings.now().milliseconds(since: last)
    return age.magnitude >= Self.comparisonInterval.magnitude
  }

  /// The date stays as it was, too: some servers give the present one, and one that is another by
  /// now is for the next change to tell.
  private func unchanged(_ known: SyncCursor, _ state: CalendarState) -> ChangePage {
    var next = known
    next.creation = known.creation ?? creation
    next.tag = state.tag ?? known.tag
    return ChangePage(extent: .changesOnly, present: [], next: next.cursor)
  }

  // MARK: sync-collection

  /// Everything there is, for the first time or after a token was refused.
  func listEverything(
    _ advertised: CalendarState?, bySync: Bool
  ) async throws(StorageError) -> ChangePage {
    guard bySync else { return try await compareTags(advertised, token: nil) }
    var state = advertised
    // Xandikos makes the resource-id that it is asked for, which moves the state that came with it.
    if state?.tag != nil, identity != nil { state = try await readState() }
    var start = SyncCursor(
      state: CalendarState(token: [], tag: state?.tag), identity: identity, creation: creation,
      comparedAt: withRunMemory(\.beginsAnew) ?? true ? nil : surroundings.now())
    start.isListing = true
    return try await listDelta(since: start, state)
  }

  /// What is listed now is known as of now.
  func noteListing() {
    let now = surroundings.now()
    withRunMemory { $0.listedAt = now }
  }

  /// One page by the token, which is empty for a listing of everything.
  private func listDelta(
    since known: SyncCursor, _ advertised: CalendarState?
  ) async throws(StorageError) -> ChangePage {
    let token = known.token ?? []
    if known.page == 0 { noteListing() }
    switch try await askForChanges(since: token) {
    case .refused(let refusal):
      return try await recover(from: refusal, known, advertised)
    case .unusable(let answer):
      return try await recover(fromUnusable: answer, known, advertised)
    case .silent:
      return try await recoverFromSilence(advertised)
    case .multistatus(let multistatus, let source):
      let members = try await members(multistatus, from: source)
      if members.deniesCollection { try await checkCollection() }
      if multistatus.syncToken != nil {
        memory.learn(.syncCollection, true, "REPORT sync-collection", "207 with a token")
      }
      guard let newToken = multistatus.syncToken, !newToken.isEmpty else {
        guard members.isTruncated else { return try await compareTags(advertised, token: nil) }
        return try await listWithoutReport(advertised, since: "it gives no token for the rest")
      }
      // What denies its own calendar lists not all, and what fails at it not all changes.
      if members.deniesCollection, known.isListing || members.failure != nil {
        return try await compareTags(
          advertised, token: newToken,
          news: known.isListing ? [] : Set(members.present.map(\.href)))
      }
      var next = known
      next.creation = creation ?? known.creation
      next.token = newToken
      next.page = members.isTruncated ? known.page + 1 : 0
      // A CTag from before changes that the report names says nothing any more.
      if !known.isListing {
        next.tag = advertised?.tag ?? (newToken == token ? known.tag : nil)
      }
      if !members.isTruncated {
        next.isFresh =
          CalendarState(token: newToken, tag: next.tag)
          .read(at: multistatus.date ?? surroundings.now().milliseconds).isFresh
      }
      if let why = whyEndless(members, page: next.page, repeatsToken: newToken == token) {
        return try await listWithoutReport(advertised, since: why)
      }
      if !known.isListing { learnDeletions(from: members) }
      if await isPartial(known, advertised, members, newToken) {
        return try await compareTags(
          advertised, token: newToken, news: Set(members.present.map(\.href)))
      }
      if !members.isTruncated {
        if let whole = try await completed(members, since: known, &next, advertised) {
          return whole
        }
        next.isListing = false
      }
      return await page(members, since: known, next)
    }
  }

  private func page(
    _ members: Members, since known: SyncCursor, _ next: SyncCursor
  ) async -> ChangePage {
    noteSharedTags(members.present, "REPORT sync-collection")
    let present = await withoutRemoved(members.present)
    guard known.isListing else {
      var next = next
      // No report of changes names an item again that it named in a way that is of no use.
      if present.contains(where: { $0.problem != nil }) {
        next.comparedAt = next.comparedAt.map { min($0, triedInVain) }
      }
      return ChangePage(
        extent: .changesOnly, present: marked(present, asNews: Set(present.map(\.href))),
        gone: members.gone, next: next.cursor, isLast: !members.isTruncated)
    }
    // What the first page says to be gone was never named; a later one says it of what an earlier
    // one named.
    return ChangePage(
      extent: .everything, present: present, gone: known.page > 0 ? members.gone : [],
      next: next.cursor, isLast: !members.isTruncated, startsOver: known.page == 0)
  }

  /// Throws what went wrong with a listing as a whole, unless that alone is what the server does
  /// not do, or never comes to the end of: it answers a question about the calendar all the same.
  func acceptNoWhole(_ error: StorageError) async throws(StorageError) {
    if error.kind == .unreachable { return try await checkCollection() }
    guard error.isAboutOneAddress, error.kind != .vanished, !client.wasRefused else { throw error }
  }

  /// Whether a report of changes cannot be all that there is to tell. Takes down what it told to be
  /// gone, where that is to be compared with what is; of what went with another calendar no report
  /// tells.
  private func isPartial(
    _ known: SyncCursor, _ advertised: CalendarState?, _ members: Members, _ newToken: [UInt8]
  ) async -> Bool {
    let leavesOut = mayLeaveOut(known, members, newToken)
    if leavesOut || movedUnnoticed(known, advertised, members) {
      withRunMemory { $0.toldGone = leavesOut || members.hasUnnamed ? nil : [] }
      return true
    }
    return await isOfAnother(known, advertised, members, newToken)
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
    case 400...499, 500, 501, 507:
      // It may be said of the report, or of the token: the calendar itself is asked.
      if refusal.status == 404 { try await checkCollection() }
      // One of a listing's own pages: to begin it anew might never end.
      if isTokened, known.isListing { return try await compareTags(advertised, token: nil) }
      if isTokened { return try await listEverything(advertised, bySync: true) }
      return try await listWithoutReport(advertised, since: refusal.reason)
    case 502, 504:
      // A gateway that does not wait for the end of the report may have the other listing.
      return try await compareTags(advertised, token: nil)
    default:
      throw StorageError(refusal, doing: "listing changes")
    }
  }

  /// All there is, where the report of changes is of no use, or never comes to its end.
  func listWithoutReport(
    _ advertised: CalendarState?, since answer: String
  ) async throws(StorageError) -> ChangePage {
    withRunMemory { $0.listsDeltas = false }
    let page = try await compareTags(advertised, token: nil)
    // Where that fails, too, it is about the calendar, and says nothing of the report.
    memory.learn(.syncCollection, false, "REPORT sync-collection", answer)
    return page
  }
}
