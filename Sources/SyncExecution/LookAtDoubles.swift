import SyncModel
import SyncPlanning

/// Two resources of one UID of which a list of changes named one: where the server does not tell
/// deletions (Bedework), or answered a token that it does not know with what there is (DAViCal),
/// the other one may be gone, and the item was moved. Told as a duplicate it would come with the
/// advice to delete the only copy.
extension CollectionSync {
  /// Looks at the places of such resources that the listing was silent about. Gives those places,
  /// if one of them may be gone: a whole listing decides that.
  ///
  /// - Parameter everywhere: also where the listing named none of a UID, as once a run: the run
  ///   that found the new one may have ended before it looked, and what was there may be gone now.
  func doubtfulDoubles(
    besides listing: Listing, on side: Side, everywhere: Bool
  ) async throws(SyncFailure) -> [Href] {
    guard listing.extent == .changesOnly else { return [] }
    let differing = try await recorded { () throws(JournalError) in try await journal.differing() }
    let doubles = differing.doubles(on: side).filter { places in
      everywhere || places.contains(where: listing.named.contains)
    }
    let silent = doubles.flatMap { $0 }.filter { !listing.named.contains($0) }
    if silent.isEmpty { return [] }
    // Of more than these one listing costs less than looks.
    if silent.count > max(1, storage(side).traits.readBatch) { return silent }
    let (news, isContradicted) = try await verify(Set(silent), on: side)
    if news.isEmpty { return [] }
    try await recorded { () throws(JournalError) in
      try await journal.record(read: news, on: side, contents: [])
    }
    if isContradicted { return silent }
    return try await readBodies(side, besides: [], former: []) ? silent : []
  }

  /// Lets a side know of those of these places that are gone.
  func noteUntold(_ places: [Href], on side: Side) async throws(SyncFailure) {
    if places.isEmpty { return }
    let known = try await recorded { () throws(JournalError) in
      try await journal.known(side, hrefs: places)
    }
    let gone = known.filter(\.isGone).map(\.href)
    if !gone.isEmpty { await storage(side).noteUntold(gone) }
  }
}
