import SyncModel

extension CollectionSync {
  /// Looks on the remote side at what a deletion in another collection may have taken along. A
  /// listing might not tell: what the calendar says of its state may be older than that deletion.
  func lookForTakenAlong() async throws(SyncFailure) {
    var places: [Href] = []
    for uid in options.takenAlong.sorted() where options.only?.contains(uid) ?? true {
      let agreement = try await recorded { () throws(JournalError) in
        try await journal.agreement(of: uid)
      }
      if let place = agreement?.remote.href, !place.isVacated { places.append(place) }
    }
    if places.isEmpty { return }
    let looks = try await on(.remote) { [places] () throws(StorageError) in
      try await remote.readAll(places)
    }
    let news = looks.compactMap { look -> ObservedChange? in
      let state: Observation.State
      switch look.result {
      case .found: return nil
      case .missing: state = .gone
      // It is read again, and named where that fails, too.
      case .problem: state = .unread(nil)
      }
      return sighting(of: look.href, on: .remote, state)
    }
    if news.isEmpty { return }
    try await recorded { () throws(JournalError) in
      try await journal.record(read: news, on: .remote, contents: [])
    }
  }
}
