import SyncModel
import SyncPlanning

extension CollectionSync {
  /// Reads every resource that was seen and not read yet, in batches, some at once.
  ///
  /// - Parameters:
  ///   - more: to be read besides.
  ///   - former: those that an earlier run could not read either; they are asked for last.
  /// - Returns: Something was listed and is not there, and another listing may say more.
  func readBodies(
    _ side: Side, besides more: Set<Href>, former: Set<Href>
  ) async throws(SyncFailure) -> Bool {
    var hrefs = try await recorded { () throws(JournalError) in try await journal.unread(side) }
    hrefs += more.subtracting(hrefs).sorted()
    if hrefs.isEmpty { return false }
    hrefs = hrefs.filter { !former.contains($0) } + turned(hrefs.filter { former.contains($0) })
    var isContradicted = false
    var waiting = hrefs.batches(of: storage(side).traits.readBatch)[...]
    var underWay = 0
    var failure: SyncFailure?
    var done = 0
    options.progress(.reading(side, done: 0, of: hrefs.count))
    // What a side did not give beside others.
    var left: [Href] = []
    await withTaskGroup(of: Result<Taken, SyncFailure>.self) { group in
      func beginMore() {
        while underWay < max(1, storage(side).traits.readsInFlight), let batch = waiting.popFirst()
        {
          group.addTask { await result(side, Array(batch), former: former) }
          underWay += 1
        }
      }
      beginMore()
      for await result in group {
        underWay -= 1
        switch result {
        case .success(let taken):
          done += taken.count
          left += taken.left
          isContradicted = isContradicted || taken.isContradicted
          options.progress(.reading(side, done: done, of: hrefs.count))
        case .failure(let error):
          failure = failure ?? error
        }
        if failure == nil { beginMore() }
      }
    }
    if let failure { throw failure }
    try await read(left, on: side) { (part) throws(SyncFailure) in
      if try await take(part, on: side, former: former) { isContradicted = true }
      done += part.count
      options.progress(.reading(side, done: done, of: hrefs.count))
    }
    return isContradicted
  }

  /// The same from another one on, by the time. A storage may have enough of items that it waits
  /// for in vain, and those after them are to have their turn in another run.
  private func turned(_ hrefs: [Href]) -> [Href] {
    guard hrefs.count > 1 else { return hrefs }
    let now = surroundings.now().milliseconds.magnitude
    let start = Int(now % UInt64(hrefs.count))
    return Array(hrefs[start...] + hrefs[..<start])
  }

  /// What became of a batch.
  private struct Taken: Sendable {
    var count: Int
    /// To be asked for again, when nothing else is under way.
    var left: [Href]
    var isContradicted: Bool
  }

  /// What could not be read, and whose entity tag would not show that it can be by now.
  ///
  /// - Parameter evenKnown: also what was of no use under the tag that it has.
  func unreadable(
    on sides: Set<Side>, evenKnown: Bool = false
  ) async throws(SyncFailure) -> [Href] {
    let differing = try await recorded { () throws(JournalError) in try await journal.differing() }
    return differing.observations.compactMap { seen in
      guard sides.contains(seen.side), case .obstructed(let tag, let problem) = seen.state,
        evenKnown || tag == nil, !problem.isUngiven
      else { return nil }
      return seen.href
    }
  }

  /// What the journal has as unreadable, and whose entity tag would not show that it can be read by
  /// now; what a side stored for us and does not give, too.
  func unreadBefore() async throws(SyncFailure) -> Set<Href> {
    let differing = try await recorded { () throws(JournalError) in try await journal.differing() }
    return Set(
      differing.observations.compactMap { seen in
        if case .obstructed(nil, _) = seen.state { seen.href } else { nil }
      })
  }

  private func result(
    _ side: Side, _ batch: [Href], former: Set<Href>
  ) async -> Result<Taken, SyncFailure> {
    do throws(SyncFailure) {
      try checkStop()
      let part = try await on(side) { () throws(StorageError) in
        try await storage(side).read(batch)
      }
      let isContradicted = try await take(part, on: side, former: former)
      return .success(
        Taken(
          count: part.count, left: batch.leftOut(of: part), isContradicted: isContradicted))
    } catch {
      return .failure(error)
    }
  }

  /// Writes down what was read. Gives whether something that was listed is not there, and another
  /// listing may say more.
  private func take(
    _ outcomes: [ReadOutcome], on side: Side, former: Set<Href>
  ) async throws(SyncFailure) -> Bool {
    if outcomes.isEmpty { return false }
    let resources = try await recorded { () throws(JournalError) in
      try await journal.known(side, hrefs: outcomes.map(\.href))
    }
    let known = Dictionary(resources.map { ($0.href, $0) }, uniquingKeysWith: { first, _ in first })
    let strange = try await answersOfOthers(outcomes, known, on: side).subtracting(former)
    var changes: [ObservedChange] = []
    var contents: [StoredContent] = []
    for outcome in outcomes {
      switch outcome.result {
      case .found where strange.contains(outcome.href):
        changes.append(
          sighting(
            of: outcome.href, on: side, .obstructed(nil, anotherThere(outcome.href, on: side)),
            wait: refusal(known[outcome.href]?.wait)))
      case .found(let version, let data, let modified):
        let item = readItem(
          data, at: outcome.href, version: version, modified: modified)
        switch item {
        case .success(let item):
          contents.append(StoredContent(digest: version.digest, data: data))
          changes.append(
            sighting(
              of: outcome.href, on: side, .read(item),
              wait: stillValid(known[outcome.href]?.wait, for: item)))
        case .failure(let problem):
          changes.append(
            sighting(
              of: outcome.href, on: side, .obstructed(version.tag, problem),
              wait: refusal(known[outcome.href]?.wait)))
        }
      case .missing:
        changes.append(listedAndMissing(outcome.href, known[outcome.href]?.wait, on: side))
      case .problem(let problem):
        let tag = outcome.isLasting ? known[outcome.href]?.tag : nil
        changes.append(
          sighting(
            of: outcome.href, on: side, .obstructed(tag, problem),
            wait: refusal(known[outcome.href]?.wait)))
      }
    }
    let news = try await askingAgain(for: changes, but: former, on: side)
    let texts = contents
    try await recorded { () throws(JournalError) in
      try await journal.record(read: news, on: side, contents: texts)
    }
    return try await wantsListing(missing: outcomes, former: former, on: side)
  }

  /// Google gives a calendar without its item now and then, under the tag that the item has. Where
  /// one was shared, it is asked for again by the next run, once.
  private func askingAgain(
    for changes: [ObservedChange], but former: Set<Href>, on side: Side
  ) async throws(SyncFailure) -> [ObservedChange] {
    guard storage(side).traits.keepsAddresses else { return changes }
    let hollow = changes.indices.filter { index in
      guard case .observed(let seen) = changes[index],
        case .obstructed(.some, let problem) = seen.state
      else { return false }
      return problem.code == .incomplete && problem.uids.isEmpty && !former.contains(seen.href)
    }
    if hollow.isEmpty { return changes }
    let differing = try await recorded { () throws(JournalError) in try await journal.differing() }
    let shared = Set(differing.agreements.map { $0[side].href })
    var changes = changes
    for index in hollow {
      guard case .observed(var seen) = changes[index], shared.contains(seen.href),
        case .obstructed(_, let problem) = seen.state
      else { continue }
      seen.state = .obstructed(nil, problem)
      changes[index] = .observed(seen)
    }
    return changes
  }

  /// Where an item was, and another one was read that is known at another place, under an entity
  /// tag that the listing did not name: it may have been moved there since, and something on the
  /// way may have mixed up two answers. To believe it at once would delete the item here.
  private func answersOfOthers(
    _ outcomes: [ReadOutcome], _ known: [Href: KnownResource], on side: Side
  ) async throws(SyncFailure) -> Set<Href> {
    guard storage(side).traits.keepsAddresses else { return [] }
    let unlike = outcomes.filter { outcome in
      guard case .found(let version, _, _) = outcome.result, let given = version.tag,
        let listed = known[outcome.href]?.tag
      else { return false }
      return !given.names(sameAs: listed)
    }
    if unlike.isEmpty { return [] }
    let agreed = try await recorded { () throws(JournalError) in
      try await journal.agreementCount()
    }
    // In a first sync there are no former places.
    if agreed == 0 { return [] }
    let differing = try await recorded { () throws(JournalError) in try await journal.differing() }
    let owners = Dictionary(
      differing.agreements.map { ($0[side].href, $0.uid) }, uniquingKeysWith: { first, _ in first })
    let read = outcomes.compactMap(item)
    var strange: Set<Href> = []
    for one in unlike.compactMap(item) where owners[one.href].map({ $0 != one.uid }) ?? false {
      let uid = one.uid
      let agreed = try await recorded { () throws(JournalError) in
        try await journal.agreement(of: uid)?[side].href
      }
      let isElsewhere = agreed.map { $0 != one.href } ?? false
      if isElsewhere || read.contains(where: { $0.uid == uid && $0.href != one.href }) {
        strange.insert(one.href)
      }
    }
    return strange
  }

  /// A look gave another item than was there.
  func anotherThere(_ href: Href, on side: Side) -> ItemProblem {
    ItemProblem(
      .brokenRemote, "the \(side.rawValue) side gave another item than it lists at \(href.text)",
      hint: "Run the sync again; what it gives then counts.")
  }

  /// Whether another listing is to say what became of the missing ones. Not of one that an earlier
  /// run looked for in vain, and that was never shared, nor sent: that is nothing to the other
  /// side.
  private func wantsListing(missing outcomes: [ReadOutcome], former: Set<Href>, on side: Side)
    async throws(SyncFailure) -> Bool
  {
    let missing = outcomes.filter { $0.result == .missing }.map(\.href)
    if missing.isEmpty { return false }
    let (differing, open) = try await recorded { () throws(JournalError) in
      (try await journal.differing(), try await journal.openIntents())
    }
    let created = open.filter { $0.intent.side == side }.map(\.intent.href)
    let ours = Set(differing.agreements.map { $0[side].href }).union(created)
    return missing.contains { !former.contains($0) || ours.contains($0) }
  }

  /// A listing names it, and a look does not find it.
  func listedAndMissing(_ href: Href, _ wait: Observation.Wait?, on side: Side) -> ObservedChange {
    sighting(of: href, on: side, .obstructed(nil, notThere(href, on: side)), wait: refusal(wait))
  }

  func notThere(_ href: Href, on side: Side) -> ItemProblem {
    ItemProblem(
      storage(side).traits.keepsAddresses ? .brokenRemote : .unreadable,
      "the \(side.rawValue) side lists \(href.text), and says that it is not there",
      hint: "look at it there; it counts as deleted once it is listed no more")
  }

  /// What was refused may be there unchanged behind what keeps it from being read now.
  func refusal(_ wait: Observation.Wait?) -> Observation.Wait? {
    if case .refused = wait { wait } else { nil }
  }

  /// A refusal holds for the content that was refused, and for no later one; what may be there
  /// already may be it in any version, and a twin is one.
  private func stillValid(_ wait: Observation.Wait?, for item: ItemVersion) -> Observation.Wait? {
    guard case .refused(let digest, let problem, _) = wait else { return nil }
    switch problem.cause {
    case .mayBeUnread, .twin: return wait
    case .uidIsTaken, .uidMayBeTaken, .outOfRoom, .tellsAttendees, .exceedsLimit, .unfitText,
      .keptFormer, nil:
      return digest == item.version.digest ? wait : nil
    }
  }
}
