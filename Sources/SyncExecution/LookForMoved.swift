import SyncModel

extension CollectionSync {
  /// Has read what was moved here on the remote side, although no listing may name it: the one that
  /// told of that change may have come before the side showed the item.
  func lookForMoved() async throws(SyncFailure) {
    let places = options.movedTo
    if places.isEmpty { return }
    let known = try await recorded { () throws(JournalError) in
      try await journal.known(.remote, hrefs: places)
    }
    let read = Set(known.filter { $0.digest != nil && !$0.isGone }.map(\.href))
    let news = Set(places).subtracting(read).sorted().map { place in
      sighting(of: place, on: .remote, .unread(nil))
    }
    if news.isEmpty { return }
    try await recorded { () throws(JournalError) in
      try await journal.record(read: news, on: .remote, contents: [])
    }
  }
}
