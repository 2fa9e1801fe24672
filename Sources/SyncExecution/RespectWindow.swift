import SyncModel
import SyncPlanning

extension CollectionSync {
  /// Texts that are looked at together.
  private static let textsAtOnce = 200

  /// Takes items out of a plan that would come to the local side and have no occurrence in the
  /// window. What the local side has, or had, in whichever collection, is kept in step whatever its
  /// time, and so are the parts into which the remote side splits that.
  func respectWindow(_ plan: Plan, _ items: [DifferingItem]) async throws(SyncFailure) -> Plan {
    guard let window = options.window else { return plan }
    var waits: [ItemID: Observation.Wait?] = [:]
    for item in items {
      if case .unmet(nil, .some) = item.state { waits[item.uid] = .some(item.waits[.remote]) }
    }
    let parts = try await partsOfKnown(items, among: plan)
    var outside: Set<ItemID> = []
    var unsure: [ItemVersion] = []
    for case .create(.local, let source, _) in plan.actions {
      guard let wait = waits[source.uid], !parts.contains(source.uid) else { continue }
      // That goes nowhere, whenever it is, and what it waits for is to be known.
      if wait?.cause == .twin { continue }
      if window.isOutside(wait) { outside.insert(source.uid) } else { unsure.append(source) }
    }
    let groups = try await groups(unsure, of: Self.textsAtOnce) { [$0.version.digest] }
    for batch in groups {
      let texts = try await recorded { () throws(JournalError) in
        try await journal.contents(batch.map(\.version.digest))
      }
      var news: [ItemID: WaitChange] = [:]
      for source in batch {
        guard let text = texts[source.version.digest], let wait = window.wait(of: text) else {
          continue
        }
        news[source.uid] = WaitChange(side: .remote, href: source.href, wait: wait)
      }
      if let wasHere = options.wasHere, !news.isEmpty {
        for uid in await wasHere(Set(news.keys)).sorted() { news[uid] = nil }
      }
      outside.formUnion(news.keys)
      let changes = news.values.sorted { $0.href < $1.href }
      if changes.isEmpty { continue }
      try await recorded { () throws(JournalError) in
        try await journal.setWaits(changes, history: [], contents: [])
      }
    }
    guard !outside.isEmpty else { return plan }
    var plan = plan
    plan.actions.removeAll { action in
      if case .create(.local, let source, _) = action {
        outside.contains(source.uid)
      } else {
        false
      }
    }
    return plan
  }

  /// What a plan brings to the local side of series that this side has, or had, whole, and that the
  /// remote side has split since: cut short without its new parts, a series would lose what was
  /// here of it.
  private func partsOfKnown(
    _ items: [DifferingItem], among plan: Plan
  ) async throws(SyncFailure) -> Set<ItemID> {
    var new: [ItemID: ItemVersion] = [:]
    for case .create(.local, let source, _) in plan.actions { new[source.uid] = source }
    var series: [ChangedSeries] = []
    for item in items {
      guard case .agreed(let agreement, _, .modified(let now)) = item.state else { continue }
      series.append(
        ChangedSeries(
          uid: item.uid, before: agreement.remote.version.digest, now: now.version.digest))
    }
    return try await newParts(of: series, among: new).reduce(into: []) { $0.formUnion($1) }
  }
}
