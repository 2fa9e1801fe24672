import SyncModel
import SyncPlanning

/// A series that a side has changed since both sides shared it: it may be split there.
struct ChangedSeries {
  let uid: ItemID
  /// The text of that side that both shared, and the one that it has now.
  let before: ContentDigest
  let now: ContentDigest
}

extension CollectionSync {
  /// The new items of a side that are parts of series which it has split since both sides shared
  /// these: a set for each series.
  func newParts(
    of series: [ChangedSeries], among new: [ItemID: ItemVersion]
  ) async throws(SyncFailure) -> [Set<ItemID>] {
    if series.isEmpty || new.isEmpty { return series.map { _ in [] } }
    let now = try await siblings(of: series.map { [$0.now] })
    let before = try await siblings(of: series.map { [$0.before] })
    let unnamed = try await unnamedParts(of: shortened(series), among: new)
    return zip(series, zip(now, before)).map { series, named in
      named.0.subtracting(named.1).union(unnamed[series.uid] ?? []).filter { new[$0] != nil }
    }
  }

  /// What each of some items names as parts of its series.
  func siblings(of parts: [[ContentDigest]]) async throws(SyncFailure) -> [Set<ItemID>] {
    try await related(parts, by: SyncPlanning.siblings(in:))
  }

  /// Those whose rule has changed, as who splits a series does.
  private func shortened(_ series: [ChangedSeries]) async throws(SyncFailure) -> [ChangedSeries] {
    let now = try await related(series.map { [$0.now] }, by: recurrenceRules(in:))
    let before = try await related(series.map { [$0.before] }, by: recurrenceRules(in:))
    return zip(series, zip(now, before)).filter { $1.0 != $1.1 }.map(\.0)
  }

  /// New parts of series that no series names: those that Google calls after it, and those of one
  /// set, as Apple's programs say.
  private func unnamedParts(
    of series: [ChangedSeries], among new: [ItemID: ItemVersion]
  ) async throws(SyncFailure) -> [ItemID: Set<ItemID>] {
    let uids = new.keys.sorted()
    var parts: [ItemID: Set<ItemID>] = [:]
    let split = Set(series.map(\.uid))
    for uid in uids {
      guard let whole = uid.seriesOfPart, split.contains(whole) else { continue }
      parts[whole, default: []].insert(uid)
    }
    let sets = try await related(series.map { [$0.now] }, by: recurrenceSets(in:))
    if sets.allSatisfy(\.isEmpty) { return parts }
    let own = try await related(
      uids.compactMap { new[$0].map { [$0.version.digest] } }, by: recurrenceSets(in:))
    var members: [ItemID: Set<ItemID>] = [:]
    for (uid, sets) in zip(uids, own) {
      for set in sets.sorted() { members[set, default: []].insert(uid) }
    }
    for (series, sets) in zip(series, sets) {
      for set in sets.sorted() {
        parts[series.uid, default: []].formUnion(members[set] ?? [])
      }
    }
    return parts
  }

  /// What each of some items says of others, in any of its texts. A text that the journal has lost
  /// says nothing.
  private func related<Name: Hashable>(
    _ parts: [[ContentDigest]], by names: (ItemData) -> Set<Name>
  ) async throws(SyncFailure) -> [Set<Name>] {
    var named: [Set<Name>] = []
    for group in try await groups(parts, of: Self.partsAtATime, texts: { $0 }) {
      let texts = try await recorded { () throws(JournalError) in
        try await journal.contents(Array(group.joined()))
      }
      named += group.map { digests in
        digests.reduce(into: []) { found, digest in
          if let text = texts[digest] { found.formUnion(names(text)) }
        }
      }
    }
    return named
  }

  private static let partsAtATime = 100
}
