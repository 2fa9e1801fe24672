import SyncModel
import WebDAV

/// Comparing the tags of all items, where what a server says of changes cannot be the whole truth.
extension CalDAVStorage {
  /// What a server names as changed since a token.
  struct NamedChanges {
    var present: Set<Href> = []
    /// Nil where it did not say all.
    var gone: Set<Href>? = []
    /// The last token that came with them: what is named since it has not been named yet.
    var token: [UInt8]
  }

  /// A comparison after what the server names as changed, so that what changes in between is named
  /// by the next run.
  func compareTags(
    _ state: CalendarState, since known: SyncCursor, bySync: Bool
  ) async throws(StorageError) -> ChangePage {
    var changes = NamedChanges(token: known.token ?? [])
    if bySync, let token = known.token, !known.isUnchanged(in: state, bySync: true) {
      changes = try await named(since: token)
    }
    let told = bySync && !known.isFresh ? changes.gone : nil
    withRunMemory { $0.toldGone = told }
    let last = known.comparedAt ?? Instant(milliseconds: 0)
    return try await compareTags(
      state, token: known.token.map { _ in changes.token }, news: changes.present,
      last: bySync ? nil : last)
  }

  /// A server that refuses the token has nothing to name. What it names is looked at: an item that
  /// was made anew may have the tag of the former one.
  func named(since token: [UInt8]) async throws(StorageError) -> NamedChanges {
    var named = NamedChanges(token: token)
    for _ in 0..<Self.mostPages {
      switch try await askForChanges(since: named.token) {
      case .refused, .unusable, .silent:
        named.gone = nil
        return named
      case .multistatus(let multistatus, let source):
        let members = try await members(multistatus, from: source)
        learnDeletions(from: members)
        named.present.formUnion(members.present.map(\.href))
        if members.hasUnnamed || members.failure != nil { named.gone = nil }
        named.gone?.formUnion(members.gone)
        let next = multistatus.syncToken
        let isSame = next == named.token
        named.token = next ?? named.token
        guard members.isTruncated else { return named }
        if next == nil || isSame {
          named.gone = nil
          return named
        }
      }
    }
    named.gone = nil
    return named
  }

  /// A whole listing of tags. The tokens of the cursor were read before it: what changes in between
  /// is seen again by the next run.
  ///
  /// - Parameters:
  ///   - news: what is looked at, whatever its tag says.
  ///   - last: when that was done before, where nothing else tells of changes: tags that are times
  ///     (DavMail) are believed of what had not changed for a while by then.
  func compareTags(
    _ state: CalendarState?, token: [UInt8]?, news: Set<Href> = [], last: Instant? = nil
  ) async throws(StorageError) -> ChangePage {
    var before: CalendarState
    if let state { before = state } else { before = try await readState() }
    if before.token == nil, let token {
      before = CalendarState(token: token, tag: before.tag)
        .read(at: surroundings.now().milliseconds)
    }
    noteListing()
    let items = try await listTags(since: last)
    return await page(of: marked(items, asNews: news), at: before)
  }

  /// All that is in the calendar, at a state from before it was listed.
  func page(of items: [ListedItem], at state: CalendarState) async -> ChangePage {
    let cursor = SyncCursor(
      state: state, identity: identity, creation: creation,
      comparedAt: surroundings.now())
    return ChangePage(
      extent: .everything, present: await withoutRemoved(items), next: cursor.cursor,
      startsOver: true)
  }

  /// A tag that is the second of a change may be that of two versions. In milliseconds: some
  /// clocks, and dates in answers, are a second off as well.
  private static let coarsestTag: Int64 = 2_000

  /// All items with their tags (PROPFIND, Depth 1).
  ///
  /// - Parameter last: what changed since shortly before then, and has a tag that may be a time, is
  ///   news.
  func listTags(since last: Instant? = nil) async throws(StorageError) -> [ListedItem] {
    let names = last == nil ? PropertyRequests.listing : PropertyRequests.listingWithTimes
    let request = PropertyRequests.propfind(url, depth: 1, names)
    switch try await ask(request) {
    case .refused(let refusal):
      throw StorageError(refusal, doing: "listing the calendar")
    case .multistatus(let multistatus, let source):
      guard !multistatus.responses.isEmpty else {
        throw StorageError(
          .protocolBroken, "the listing of \(url.shown) names nothing, not even itself",
          hint: "tell the server's operator")
      }
      let members = try await members(multistatus, from: source)
      guard !members.collectionIsGone else { throw vanished("404 in its own listing") }
      if let status = members.failure {
        throw StorageError(ownStatus: status, of: url, doing: "listing the calendar")
      }
      guard !members.isTruncated else {
        throw StorageError(
          .protocolBroken, "the listing of \(url.shown) is not complete",
          why: "the server says that it holds items back (507)",
          hint: "tell the server's operator")
      }
      noteSharedTags(members.present, "PROPFIND")
      guard let last else { return members.present }
      let fresh = fresh(members, since: last, multistatus.date)
      return marked(members.present, asNews: Set(fresh.map(\.href)))
    }
  }

  /// The items that may have changed since shortly before a time under the tag that they have.
  ///
  /// - Parameter date: the server's clock, whose times those of its items are.
  private func fresh(_ members: Members, since last: Instant, _ date: Int64?) -> [ListedItem] {
    let now = surroundings.now()
    let age = now.milliseconds(since: last)
    // A clock that went back does not tell when that was on the server's: any of them may have.
    guard age >= 0 else {
      return members.present.filter { $0.tag?.mayBeTime ?? false }
    }
    let theirs = (date ?? now.milliseconds) &- age
    let earliest = theirs &- Self.coarsestTag
    // What lies in the future is no time, but a hash or a number.
    let latest = theirs &+ age &+ Self.coarsestTag
    return members.present.filter { item in
      guard let tag = item.tag, tag.mayBeTime else { return false }
      if let time = members.changed[item.href] { return time >= earliest }
      return tag.seconds.map { $0 * 1000 >= earliest && $0 * 1000 <= latest } ?? false
    }
  }

  /// The collection's token and CTag now (PROPFIND, Depth 0).
  func readState() async throws(StorageError) -> CalendarState {
    noteListing()
    let names: [XMLName] = [.dav("sync-token"), XMLName(.calendarServer, "getctag")]
    switch try await ask(PropertyRequests.propfind(url, depth: 0, names)) {
    case .refused(let refusal):
      throw StorageError(refusal, doing: "looking at the calendar")
    case .multistatus(let multistatus, _):
      guard let own = multistatus.responses.first, !own.isGone else {
        throw vanished("404 in an answer about it")
      }
      if let trouble = StorageError(own, of: url, doing: "looking at the calendar") {
        throw trouble
      }
      return CalendarState(token: own.properties.syncToken, tag: own.properties.calendarTag)
        .read(at: multistatus.date ?? surroundings.now().milliseconds)
    }
  }
}
