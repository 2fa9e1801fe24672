import SyncModel
import SyncPlanning

extension CollectionSync {
  /// Texts of so many resources are held at a time.
  private static let textsAtATime = 100

  /// These, with the mend where a series and single occurrences of it have a resource each: what of
  /// that one is, its text alone tells.
  func withSeriesMended(_ problems: [ItemTrouble]) async throws(SyncFailure) -> [ItemTrouble] {
    let digests = problems.compactMap(\.textOfDuplicate)
    if digests.isEmpty { return problems }
    var shares: [ContentDigest: SeriesShare] = [:]
    for batch in try await groups(digests, of: Self.textsAtATime, texts: { [$0] }) {
      let texts = try await recorded { () throws(JournalError) in
        try await journal.contents(Array(batch))
      }
      shares.merge(texts.compactMapValues(\.seriesShare)) { known, _ in known }
    }
    return shares.isEmpty ? problems : problems.map { $0.mended(shares) }
  }
}
