import SyncModel
import SyncPlanning

extension CollectionSync {
  /// Texts of so many items are held at a time.
  private static let itemsAtATime = 100

  /// Looks at the texts of items whose digests differ, and tells those that differ in nothing but
  /// definitions of time zones, between two servers in what one of them notes of attendees, in who
  /// tells them, or where that matters in that they were touched or hold what the other side did
  /// not take, from those that changed.
  func lookTwice(at items: [DifferingItem]) async throws(SyncFailure) -> [DifferingItem] {
    let isBetweenServers = Side.allCases.allSatisfy { storage($0).traits.actsOnMeetings }
    let silenced = rules.silenced
    // What a person has named he wants on both sides as it is.
    let spared =
      options.only == nil
      ? TouchesStay(notifying: rules.notifying, readOnly: rules.readOnly) : TouchesStay()
    var seen = items.map(\.withoutKeptEdit)
    let needed = seen.map { item -> [ContentDigest] in
      var texts = item.textsToCompare + item.textsOfEdit(sparing: spared)
      if isBetweenServers { texts += item.textsOfChanges }
      if !silenced.isEmpty { texts += item.textsOfStrangers }
      return texts
    }
    let doubtful = items.indices.filter { !needed[$0].isEmpty }
    let groups = try await groups(doubtful, of: Self.itemsAtATime) { needed[$0] }
    for batch in groups {
      let texts = try await recorded { () throws(JournalError) in
        try await journal.contents(batch.flatMap { needed[$0] })
      }
      for index in batch {
        seen[index] = seen[index].lookedAtTwice(texts, zones: options.zones)
        if isBetweenServers {
          seen[index] = seen[index].withoutAnswers(texts, zones: options.zones)
        }
        if !silenced.isEmpty {
          seen[index] = seen[index].withoutSilence(of: silenced, texts, zones: options.zones)
        }
        seen[index] = seen[index].withoutTouch(texts, zones: options.zones, sparing: spared)
      }
    }
    return seen
  }
}
