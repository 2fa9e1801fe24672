import SyncModel

extension CollectionSync {
  /// Reads every resource that was seen and not read yet, in batches, some at once.
  ///
  /// - Parameter retries: also those that an earlier run could not read and whose entity tag would
  ///   not show that they can be read by now.
  func readBodies(_ side: Side, retries: Bool) async throws(SyncFailure) {
    var hrefs = try await recorded { () throws(JournalError) in try await journal.unread(side) }
    if retries { hrefs += try await unreadable(side) }
    if hrefs.isEmpty { return }
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
          group.addTask { await result(side, Array(batch)) }
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
          options.progress(.reading(side, done: done, of: hrefs.count))
        case .failure(let error):
          failure = failure ?? error
        }
        if failure == nil { beginMore() }
      }
    }
    if let failure { throw failure }
    try await read(left, on: side) { (part) throws(SyncFailure) in
      try await take(part, on: side)
      done += part.count
      options.progress(.reading(side, done: done, of: hrefs.count))
    }
  }

  /// What became of a batch.
  private struct Taken: Sendable {
    var count: Int
    /// To be asked for again, when nothing else is under way.
    var left: [Href]
  }

  private func unreadable(_ side: Side) async throws(SyncFailure) -> [Href] {
    let differing = try await recorded { () throws(JournalError) in try await journal.differing() }
    return differing.observations.compactMap { seen in
      if seen.side == side, case .obstructed(nil, _) = seen.state { seen.href } else { nil }
    }
  }

  private func result(_ side: Side, _ batch: [Href]) async -> Result<Taken, SyncFailure> {
    do throws(SyncFailure) {
      try checkStop()
      let part = try await on(side) { () throws(StorageError) in
        try await storage(side).read(batch)
      }
      try await take(part, on: side)
      return .success(Taken(count: part.count, left: batch.leftOut(of: part)))
    } catch {
      return .failure(error)
    }
  }

  /// Writes down what was read.
  private func take(_ outcomes: [ReadOutcome], on side: Side) async throws(SyncFailure) {
    if outcomes.isEmpty { return }
    let resources = try await recorded { () throws(JournalError) in
      try await journal.known(side, hrefs: outcomes.map(\.href))
    }
    let known = Dictionary(resources.map { ($0.href, $0) }, uniquingKeysWith: { first, _ in first })
    var changes: [ObservedChange] = []
    var contents: [StoredContent] = []
    // A server that does not say when an item changed: it was by the time it was seen.
    let firstSeen = side == .remote ? surroundings.now() : nil
    for outcome in outcomes {
      switch outcome.result {
      case .found(let version, let data, let modified):
        let item = readItem(
          data, at: outcome.href, version: version, modified: modified ?? firstSeen)
        switch item {
        case .success(let item):
          contents.append(StoredContent(digest: version.digest, data: data))
          changes.append(
            .observed(
              Observation(
                side: side, href: outcome.href, state: .read(item),
                wait: stillValid(known[outcome.href]?.wait, for: item))))
        case .failure(let problem):
          changes.append(
            .observed(
              Observation(
                side: side, href: outcome.href, state: .obstructed(version.tag, problem),
                wait: refusal(known[outcome.href]?.wait))))
        }
      case .missing:
        changes.append(.observed(Observation(side: side, href: outcome.href, state: .gone)))
      case .problem(let problem):
        let tag = outcome.isLasting ? known[outcome.href]?.tag : nil
        changes.append(
          .observed(
            Observation(
              side: side, href: outcome.href, state: .obstructed(tag, problem),
              wait: refusal(known[outcome.href]?.wait))))
      }
    }
    let news = changes
    let texts = contents
    try await recorded { () throws(JournalError) in
      try await journal.record(read: news, on: side, contents: texts)
    }
  }

  /// What was refused may be there unchanged behind what keeps it from being read now.
  private func refusal(_ wait: Observation.Wait?) -> Observation.Wait? {
    if case .refused = wait { wait } else { nil }
  }

  /// A refusal holds for the content that was refused, and for no later one.
  private func stillValid(_ wait: Observation.Wait?, for item: ItemVersion) -> Observation.Wait? {
    if case .refused(item.version.digest, _, _) = wait { return wait }
    return nil
  }
}
