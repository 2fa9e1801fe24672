import SyncModel

extension CollectionSync {
  /// Has what both sides shared of an item go along to the name that a side showed it under last.
  ///
  /// A run does so when it settles the item. One that waits for a person or the other side, that
  /// the run was not about, or whose run was killed keeps its former name in the journal: what is
  /// broken under the new one by now would be nobody's, and the item be taken for deleted. So this
  /// is done before a side is looked at again, and by then forgets what it had.
  func followRenamed() async throws(SyncFailure) {
    let differing = try await recorded { () throws(JournalError) in
      try await journal.differing()
    }
    let moved = differing.renamed()
    if moved.isEmpty { return }
    try await recorded { () throws(JournalError) in try await journal.agree(moved) }
  }
}

extension Differing {
  /// The agreements of the items that have another name on a side, with that name, in an order in
  /// which none has the place of one that is still to leave it.
  ///
  /// None goes where another agreement stays, even if its item is gone: that one would be dropped,
  /// and a deletion that is not carried out yet be forgotten.
  fileprivate func renamed() -> [Agreement] {
    var agreements = agreements
    var moved: [Agreement] = []
    for side in Side.allCases {
      let taken = Set(agreements.map { $0[side].href })
      var waiting = renamedItems(on: side)
      var free = waiting.keys.filter { !taken.contains($0) }.sorted()
      while let place = free.popLast() {
        guard let (index, version) = waiting.removeValue(forKey: place) else { continue }
        let former = agreements[index][side]
        agreements[index][side] = former.moved(to: version)
        moved.append(agreements[index])
        if waiting[former.href] != nil { free.append(former.href) }
      }
    }
    return moved
  }

  /// By its new place each item that a side shows there alone, and of which it has said that it is
  /// not where it was: that it is gone from there, or that another one is there.
  private func renamedItems(on side: Side) -> [Href: (agreement: Int, version: ItemVersion)] {
    var states: [Href: Observation.State] = [:]
    var versions: [ItemID: [ItemVersion]] = [:]
    for seen in observations where seen.side == side {
      states[seen.href] = seen.state
      if case .read(let version) = seen.state { versions[version.uid, default: []].append(version) }
    }
    var found: [Href: (agreement: Int, version: ItemVersion)] = [:]
    for (index, agreed) in agreements.enumerated() {
      let former = agreed[side].href
      guard let places = versions[agreed.uid], places.count == 1, places[0].href != former else {
        continue
      }
      switch states[former] {
      case .gone, .read: found[places[0].href] = (index, places[0])
      case .unread, .obstructed, nil: continue
      }
    }
    return found
  }
}
