import SyncModel

extension CollectionSync {
  /// A listing of more pages than this does not end by itself, whatever its storage thinks of it.
  static let maximumPages = 20_000
  /// Items that a server may list in a run: what differs takes up to two kilobytes each.
  private static let mostItems = 100_000

  /// Finds out what changed on the sides and reads what is not known, both at once.
  ///
  /// - Parameters:
  ///   - retries: reads also what could not be read before and no listing of changes will name
  ///     again, as a run does once.
  ///   - isAsked: a person asks about an item: all that could not be taken is read again.
  ///   - seen: what this run has read although whole listings leave it out; it is not gone.
  ///   - own: what this run wrote since it listed a side.
  func observe(
    _ sides: Set<Side>, retries: Bool = false, isAsked: Bool = false,
    sparing seen: [Side: Set<Href>] = [:], after own: [Side: OwnWrites] = [:]
  ) async throws(SyncFailure) {
    try await followRenamed()
    let results = await withTaskGroup(
      of: (Side, Result<Void, SyncFailure>).self, returning: [Side: Result<Void, SyncFailure>].self
    ) { group in
      for side in Side.allCases {
        group.addTask {
          do throws(SyncFailure) {
            if sides.contains(side) {
              try await observe(
                side, retries: retries, isAsked: isAsked, sparing: seen[side] ?? [],
                after: own[side])
            }
            return (side, .success(()))
          } catch {
            return (side, .failure(error))
          }
        }
      }
      var results: [Side: Result<Void, SyncFailure>] = [:]
      for await (side, result) in group { results[side] = result }
      return results
    }
    for side in Side.allCases { try results[side]?.get() }
  }

  /// What a listing names and a look does not find was deleted in between, and a whole listing says
  /// so; or it was not, and then it is a problem and no deletion. The same goes for what it is
  /// silent about, and would make an item one of several.
  private func observe(
    _ side: Side, retries: Bool, isAsked: Bool, sparing seen: Set<Href>, after own: OwnWrites?
  ) async throws(SyncFailure) {
    let former = retries || isAsked ? Set(try await unreadable(on: [side], evenKnown: isAsked)) : []
    var listing = try await list(side, sparing: seen, after: own)
    // What a listing of changes is silent about, and not what it says is gone.
    let silent =
      isAsked || listing.extent == .changesOnly
      ? Set(try await unreadable(on: [side], evenKnown: isAsked)) : []
    let waiting = silent.intersection(former)
    // After any change there each of them is asked for.
    let isNothingNew = !isAsked && listing.named.isEmpty
    if retries { await storage(side).noteUnread(isNothingNew ? waiting.sorted() : []) }
    if try await readBodies(side, besides: waiting, former: former) {
      listing.isContradicted = true
    }
    var doubtful: [Href] = []
    if !listing.isContradicted, try await !isProbablyAll(listing, of: side) {
      doubtful = try await doubtfulDoubles(besides: listing, on: side, everywhere: own == nil)
      if doubtful.isEmpty { return }
    }
    _ = try await list(side, whole: true, sparing: seen)
    _ = try await readBodies(side, besides: [], former: [])
    try await noteUntold(doubtful, on: side)
  }

  /// Turns a listing into observations, a page with its cursor at a time.
  private func list(
    _ side: Side, whole: Bool = false, sparing seen: Set<Href> = [], after own: OwnWrites? = nil
  ) async throws(SyncFailure) -> Listing {
    options.progress(.listing(side))
    var cursor = whole ? nil : try await cursor(side, after: own)
    var silent = own?.places ?? []
    var everything: [Href: KnownResource]?
    var (listed, named) = (Set<Href>(), Set<Href>())
    var isContradicted = false
    var (count, repeated) = (0, 0)
    for _ in 0..<Self.maximumPages {
      try checkStop()
      let since = cursor
      let page = try await on(side) { () throws(StorageError) in
        try await storage(side).listChanges(since: since)
      }
      count = (page.startsOver ? 0 : count) + page.present.count
      if count > Self.mostItems, storage(side).traits.keepsAddresses { throw tooMany(on: side) }
      let known: [Href: KnownResource]
      switch page.extent {
      case .everything:
        known = try await loadKnown(side, everything)
        everything = known
        if page.startsOver { listed = [] }
        listed.formUnion(page.present.map(\.href))
      case .changesOnly:
        let hrefs = page.present.map(\.href) + page.gone
        named.formUnion(hrefs)
        known = try await loadKnown(side, hrefs: hrefs)
        if own == nil { repeated += page.present.count { known[$0.href]?.isAsKnown($0) ?? false } }
      }
      var (changes, contradicted) = try await compare(page, with: known, on: side)
      isContradicted = isContradicted || contradicted
      silent.subtract(page.present.map(\.href) + page.gone)
      if page.isLast {
        switch page.extent {
        case .everything: changes += absences(known, listed: listed.union(seen), on: side)
        case .changesOnly:
          let (news, isGone) = try await verify(silent, on: side)
          changes += news
          isContradicted = isContradicted || isGone
        }
      }
      try await record(page, changes, on: side, movedFrom: cursor, after: own)
      cursor = page.next
      if page.isLast {
        return Listing(
          extent: page.extent, isContradicted: isContradicted, repeated: repeated, named: named)
      }
    }
    throw .storage(
      side,
      StorageError(
        .protocolBroken, "the listing does not end",
        why: "\(Self.maximumPages) pages came and none was the last",
        hint: "Run again; if it stays, tell the server's operator."))
  }

  /// After writes of the run's own the journal has no cursor before all is listed: the pages before
  /// the last one are not the whole of what is to be known of them.
  private func record(
    _ page: ChangePage, _ news: [ObservedChange], on side: Side, movedFrom cursor: Cursor?,
    after own: OwnWrites?
  ) async throws(SyncFailure) {
    let isWhole = own == nil || page.isLast
    if news.isEmpty, !isWhole || own == nil && page.next == cursor { return }
    try await recorded { () throws(JournalError) in
      if isWhole {
        try await journal.record(page: news, on: side, cursor: page.next)
      } else {
        try await journal.record(read: news, on: side, contents: [])
      }
    }
  }

  /// Where the listing goes on.
  private func cursor(_ side: Side, after own: OwnWrites?) async throws(SyncFailure) -> Cursor? {
    if let own { return own.since }
    return try await recorded { () throws(JournalError) in try await journal.cursor(side) }
  }

  private func tooMany(on side: Side) -> SyncFailure {
    .storage(
      side,
      StorageError(
        .protocolBroken, "the calendar has more than \(Self.mostItems) items",
        hint: "split it into several calendars"))
  }

  private func loadKnown(_ side: Side, _ loaded: [Href: KnownResource]?)
    async throws(SyncFailure) -> [Href: KnownResource]
  {
    if let loaded { return loaded }
    let known = try await recorded { () throws(JournalError) in try await journal.known(side) }
    return Dictionary(known.map { ($0.href, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func loadKnown(_ side: Side, hrefs: [Href])
    async throws(SyncFailure) -> [Href: KnownResource]
  {
    if hrefs.isEmpty { return [:] }
    let known = try await recorded { () throws(JournalError) in
      try await journal.known(side, hrefs: hrefs)
    }
    return Dictionary(known.map { ($0.href, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// What a page says that was not known, and whether a look said otherwise.
  private func compare(
    _ page: ChangePage, with known: [Href: KnownResource], on side: Side
  ) async throws(SyncFailure) -> ([ObservedChange], isContradicted: Bool) {
    var changes: [ObservedChange] = []
    var doubtful: [Href] = []
    let ungiven = page.isThorough ? try await placesOfUngiven()[side] ?? [] : []
    for item in page.present {
      let before = known[item.href]
      if let problem = item.problem {
        changes.append(
          sighting(
            of: item.href, on: side, .obstructed(item.tag, problem), wait: refusal(before?.wait)))
      } else if let tag = item.tag {
        if let before, before.tag == tag, !before.isGone {
          // Made anew under its address, it may have its old tag.
          if item.isNews, before.digest != nil {
            doubtful.append(item.href)
          } else if item.isNews
            || page.isThorough && before.digest == nil && !ungiven.contains(item.href)
          {
            changes.append(unread(item.href, tag, before, on: side))
          }
          continue
        }
        changes.append(unread(item.href, tag, before, on: side))
      } else if let before, before.digest != nil, !before.isGone {
        doubtful.append(item.href)
      } else {
        changes.append(unread(item.href, nil, before, on: side))
      }
    }
    for href in page.gone where known[href].map({ !$0.isGone }) ?? false {
      changes.append(sighting(of: href, on: side, .gone))
    }
    let (news, isContradicted) = try await verify(doubtful, known, on: side)
    return (changes + news, isContradicted)
  }

  private func unread(_ href: Href, _ tag: EntityTag?, _ before: KnownResource?, on side: Side)
    -> ObservedChange
  {
    sighting(of: href, on: side, .unread(tag), wait: before?.wait)
  }

  /// Reads at once what is known and shows no version that can be trusted: mostly nothing changed,
  /// and then nothing needs to be written down.
  func verify(
    _ hrefs: [Href], _ known: [Href: KnownResource], on side: Side
  ) async throws(SyncFailure) -> ([ObservedChange], isContradicted: Bool) {
    var changes: [ObservedChange] = []
    var isContradicted = false
    try await read(hrefs, on: side) { (part) throws(SyncFailure) in
      for outcome in part {
        guard let before = known[outcome.href] else { continue }
        if let change = news(outcome, before, on: side) { changes.append(change) }
        isContradicted = isContradicted || outcome.result == .missing
      }
    }
    return (changes, isContradicted)
  }

  private func news(_ outcome: ReadOutcome, _ before: KnownResource, on side: Side)
    -> ObservedChange?
  {
    switch outcome.result {
    case .found(let version, let data, let modified):
      guard version.digest == before.digest else {
        return unread(outcome.href, version.tag, before, on: side)
      }
      guard version.tag != before.tag,
        case .success(let item) = readItem(
          data, at: outcome.href, version: version, modified: modified)
      else { return nil }
      if before.isAgreed { return .refreshed(item) }
      return sighting(of: item.href, on: side, .read(item), wait: before.wait)
    case .missing: return listedAndMissing(outcome.href, before.wait, on: side)
    case .problem(let problem):
      return sighting(
        of: outcome.href, on: side, .obstructed(outcome.isLasting ? before.tag : nil, problem),
        wait: refusal(before.wait))
    }
  }

  /// What was known and a whole listing did not name.
  private func absences(_ known: [Href: KnownResource], listed: Set<Href>, on side: Side)
    -> [ObservedChange]
  {
    known.values.filter { !$0.isGone && !listed.contains($0.href) }.map(\.href).sorted().map {
      sighting(of: $0, on: side, .gone)
    }
  }
}

extension KnownResource {
  /// A listing says nothing new of it.
  fileprivate func isAsKnown(_ item: ListedItem) -> Bool {
    !isGone && item.problem == nil && item.tag != nil && item.tag == tag
  }
}
