import SyncModel

extension CollectionSync {
  /// Has what both sides shared of an item go along to the name that a side showed it under last.
  ///
  /// A run does so when it settles the item. One that waits for a person or the other side, that
  /// the run was not about, or whose run was killed keeps its former name in the journal: what is
  /// broken under the new one by now would be nobody's, and the item be taken for deleted. So this
  /// is done at the end of a run, and before a side is looked at again.
  func followRenamed() async throws(SyncFailure) {
    let differing = try await recorded { () throws(JournalError) in
      try await journal.differing()
    }
    _ = try await move(differing.renamed())
  }

  /// What differs, where an item whose file is broken and has another name at once has that in the
  /// journal, too, as far as its UID can be made out; and what is known of the broken files.
  ///
  /// - Parameter before: what was known when the run began.
  func differingAndBroken(
    since before: SeenBefore
  ) async throws(SyncFailure) -> (Differing, [Side: BrokenFiles]) {
    var differing = try await recorded { () throws(JournalError) in
      try await journal.differing()
    }
    var broken = try await withNeverShared(
      brokenFiles(differing, known: before.unread), differing)
    if try await move(differing.renamed(broken.mapValues(\.uidsAt))) {
      differing = try await recorded { () throws(JournalError) in try await journal.differing() }
    }
    for side in Side.allCases where !storage(side).traits.keepsAddresses {
      broken[side]?.noteVanished(on: side, differing, since: before)
    }
    return (differing, broken)
  }

  private func move(_ agreements: [Agreement]) async throws(SyncFailure) -> Bool {
    if agreements.isEmpty { return false }
    try await recorded { () throws(JournalError) in try await journal.agree(agreements) }
    return true
  }
}

extension Differing {
  /// The agreements of the items that have another name on a side, with that name, in an order in
  /// which none has the place of one that is still to leave it.
  ///
  /// None goes where another agreement stays, even if its item is gone: that one would be dropped,
  /// and a deletion that is not carried out yet be forgotten.
  ///
  /// - Parameter broken: the UIDs in broken files, of which those are meant that are nowhere else;
  ///   nil: those of whole items are.
  fileprivate func renamed(_ broken: [Side: [Href: Set<ItemID>]]? = nil) -> [Agreement] {
    var agreements = agreements
    var moved: [Agreement] = []
    for side in Side.allCases {
      let taken = Set(agreements.map { $0[side].href })
      var waiting = newPlaces(on: side, broken?[side, default: [:]])
      var free = waiting.keys.filter { !taken.contains($0) }.sorted()
      while let place = free.popLast() {
        guard let new = waiting.removeValue(forKey: place) else { continue }
        let former = agreements[new.agreement][side]
        agreements[new.agreement][side] =
          new.version.map(former.moved(to:)) ?? former.moved(to: place)
        moved.append(agreements[new.agreement])
        if waiting[former.href] != nil { free.append(former.href) }
      }
    }
    return moved
  }

  /// Where an item is now.
  private struct NewPlace {
    /// Its agreement's index.
    var agreement: Int
    /// What is there; nil where that is broken.
    var version: ItemVersion?
  }

  /// By its name the new place of each item that a side shows there alone, and of which it has said
  /// that it is not where it was: that it is gone from there, or that another one is there.
  private func newPlaces(on side: Side, _ broken: [Href: Set<ItemID>]?) -> [Href: NewPlace] {
    var states: [Href: Observation.State] = [:]
    var whole: [ItemID: [ItemVersion]] = [:]
    for seen in observations where seen.side == side {
      states[seen.href] = seen.state
      if case .read(let version) = seen.state { whole[version.uid, default: []].append(version) }
    }
    var cut: [ItemID: [Href]] = [:]
    for (href, uids) in (broken ?? [:]).sorted(by: { $0.key < $1.key }) {
      for uid in uids { cut[uid, default: []].append(href) }
    }
    var found: [Href: NewPlace] = [:]
    for (index, agreed) in agreements.enumerated() {
      let versions = whole[agreed.uid] ?? []
      let names = broken == nil ? versions.map(\.href) : cut[agreed.uid] ?? []
      let former = agreed[side].href
      guard names.count == 1, names[0] != former, broken == nil || versions.isEmpty else {
        continue
      }
      // Of a file of several items nobody knows whose it is.
      if let uids = broken?[names[0]], uids.count > 1 { continue }
      switch states[former] {
      case .gone, .read: found[names[0]] = NewPlace(agreement: index, version: versions.first)
      case .unread, .obstructed, nil: continue
      }
    }
    return found
  }
}
