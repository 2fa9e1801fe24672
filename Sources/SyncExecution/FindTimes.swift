import SyncModel
public import SyncPlanning

extension SyncRun {
  /// In milliseconds: less is no matter for a person.
  private static let farthestUntold: Int64 = 120_000

  /// How far a side's clock is ahead, where that is a matter for a person: it is minutes, and which
  /// of two edits is the newer one counts.
  func farClock(_ rules: ReconcileRules, _ items: [DifferingItem]) -> Int64? {
    guard [.merge, .newest].contains(rules.policy), items.contains(where: \.isContested) else {
      return nil
    }
    return Side.allCases.compactMap { rules.clocks.ahead[$0] }
      .first { $0.magnitude > Self.farthestUntold.magnitude }
  }
}

extension DifferingItem {
  /// Both sides have it, in unlike versions that are new to the other one.
  fileprivate var isContested: Bool {
    switch state {
    case .agreed(_, .modified(let here), .modified(let there)), .unmet(let here?, let there?):
      !isSameOnBoth && here.canonical != there.canonical
    case .agreed, .unmet: false
    }
  }
}

extension CollectionSync {
  /// When the two versions of a conflict were edited, as the run that merges them will have it. A
  /// side is asked where it says that of few items at a time alone; without an answer its time is
  /// not known.
  public func editTimes(of pending: PendingItem) async -> EditTimes {
    guard let uid = pending.item.uid, let local = pending.versions[.local],
      let remote = pending.versions[.remote]
    else { return EditTimes(local: nil, remote: nil) }
    let state: DifferingItem.State =
      pending.base.map { .agreed($0, local: .modified(local), remote: .modified(remote)) }
      ?? .unmet(local: local, remote: remote)
    let item = DifferingItem(uid: uid, state: state)
    let found = (try? await findTimes(of: [item]))?.first ?? item
    return EditTimes(
      found.version(on: .local) ?? local, found.version(on: .remote) ?? remote,
      since: pending.base, by: clocks)
  }

  /// Finds out when items changed that both sides have changed, where a side says that of few items
  /// at a time alone (Radicale). Of what waits already it was asked before.
  func findTimes(of items: [DifferingItem]) async throws(SyncFailure) -> [DifferingItem] {
    var items = items
    for side in Side.allCases {
      guard let few = storage(side).traits.timesOfFew else { continue }
      let asked = items.indices.filter { items[$0].lacksTime(of: side) }
      for batch in asked.batches(of: few) {
        try checkStop()
        try await findTimes(of: &items, at: Array(batch), on: side)
      }
    }
    return items
  }

  private func findTimes(
    of items: inout [DifferingItem], at indices: [Int], on side: Side
  ) async throws(SyncFailure) {
    let places = Dictionary(
      indices.compactMap { index in items[index].version(on: side).map { ($0.href, index) } },
      uniquingKeysWith: { first, _ in first })
    let outcomes = try await on(side) { () throws(StorageError) in
      try await storage(side).readAll(places.keys.sorted())
    }
    var news: [ObservedChange] = []
    for outcome in outcomes {
      guard let index = places[outcome.href], var version = items[index].version(on: side),
        case .found(let found, _, let modified?) = outcome.result,
        found.digest == version.version.digest
      else { continue }
      version.modified = modified
      items[index].show(version, on: side)
      news.append(
        sighting(of: outcome.href, on: side, .read(version)))
    }
    if news.isEmpty { return }
    let seen = news
    try await recorded { () throws(JournalError) in
      try await journal.record(read: seen, on: side, contents: [])
    }
  }
}
