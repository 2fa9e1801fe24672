import SyncModel

extension CollectionSync {
  /// What a listing covered, and whether something in it was not there.
  struct Listing {
    var extent: ChangePage.Extent
    var isContradicted = false
    /// Items that a list of changes named as they were known.
    var repeated = 0
    /// What a list of changes named, as there or as gone.
    var named: Set<Href> = []
  }

  /// Some servers answer a token that they do not know any more with all that there is, and say
  /// nothing of what is gone (DAViCal, Stalwart, Purelymail): most of what they name has not
  /// changed then. What is told again by chance, as within the second of a token, is little; where
  /// it is not, the calendar is small.
  func isProbablyAll(_ listing: Listing, of side: Side) async throws(SyncFailure) -> Bool {
    guard storage(side).traits.listsDeltas, listing.extent == .changesOnly, listing.repeated > 0
    else { return false }
    let agreed = try await recorded { () throws(JournalError) in
      try await journal.agreementCount()
    }
    return listing.repeated >= agreed - agreed / 2
  }
}
