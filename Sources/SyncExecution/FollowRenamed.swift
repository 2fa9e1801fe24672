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
    _ = try await move(differing.moved(.whole))
  }

  /// What differs, where no item is agreed on at a place that another one has by now; and what is
  /// known of the broken files.
  ///
  /// Once that other one is agreed on, the place is its own. What both sides shared of the first
  /// goes along before that, since the item may not be settled in this run: it waits for a person
  /// or the other side, the run may not write it, or is killed. An item whose file is broken and
  /// has another name at once has that in the journal, too, as far as its UID can be made out.
  ///
  /// - Parameter unread: what the journal had as unreadable when the run began (`unreadBefore`).
  func differingAndBroken(
    unreadBefore unread: Set<Href> = []
  ) async throws(SyncFailure) -> (Differing, [Side: BrokenFiles]) {
    var differing = try await recorded { () throws(JournalError) in
      try await journal.differing()
    }
    if try await move(differing.moved(.overtaken)) {
      differing = try await recorded { () throws(JournalError) in try await journal.differing() }
    }
    var broken = try await withNeverShared(
      brokenFiles(differing, known: unread), differing)
    if try await move(differing.moved(.broken(broken.mapValues(\.uidsAt)))) {
      differing = try await recorded { () throws(JournalError) in try await journal.differing() }
    }
    for side in Side.allCases where !storage(side).traits.keepsAddresses {
      broken[side]?.noteVanished(on: side, differing)
    }
    return (differing, broken)
  }

  private func move(_ agreements: [Agreement]) async throws(SyncFailure) -> Bool {
    if agreements.isEmpty { return false }
    try await recorded { () throws(JournalError) in try await journal.agree(agreements) }
    return true
  }
}

/// Items whose agreements go along to where they are.
private enum Movers {
  /// Those that a side shows whole, in one resource, and says that they are not where they were;
  /// and those that have lost their place.
  case whole
  /// Those alone that have lost their place to another item. Nothing says of what the side does not
  /// show any more where it is: its place is vacated.
  case overtaken
  /// Those in broken files and nowhere else, by the UIDs that can be made out in each.
  case broken([Side: [Href: Set<ItemID>]])
}

extension Differing {
  /// Agreements with the places that the items have now, in an order in which none goes where
  /// another one still is. Of items that exchanged their places one leaves its own before it goes
  /// to its new one.
  ///
  /// A broken file takes no place at which another agreement stays.
  fileprivate func moved(_ movers: Movers) -> [Agreement] {
    if agreements.isEmpty { return [] }
    var agreements = agreements
    var moved: [Agreement] = []
    for side in Side.allCases {
      var waiting = newPlaces(of: movers, on: side)
      if waiting.isEmpty { continue }
      let held = Set(agreements.map { $0[side].href })
      let order = waiting.sorted { $0.key < $1.key }
      let heirs = Dictionary(
        order.map { ($0.value.href, $0.key) }, uniquingKeysWith: { first, _ in first })
      var free = order.filter { !held.contains($0.value.href) }.map(\.key)
      func leave(_ index: Int, for version: ItemVersion) {
        let former = agreements[index][side].href
        agreements[index][side] = version
        moved.append(agreements[index])
        if let heir = heirs[former] { free.append(heir) }
      }
      while !waiting.isEmpty {
        if let index = free.popLast() {
          if let version = waiting.removeValue(forKey: index) { leave(index, for: version) }
        } else if case .broken = movers {
          break
        } else if let index = waiting.keys.min() {
          leave(index, for: agreements[index].vacated(on: side))
        }
      }
    }
    return moved
  }

  /// What was agreed on of items that are not where it says, by their indices, where they are.
  private func newPlaces(of movers: Movers, on side: Side) -> [Int: ItemVersion] {
    var states: [Href: Observation.State] = [:]
    var whole: [ItemID: [ItemVersion]] = [:]
    for seen in observations where seen.side == side {
      states[seen.href] = seen.state
      if case .read(let version) = seen.state { whole[version.uid, default: []].append(version) }
    }
    let broken: [ItemID: Href]
    if case .broken(let uidsAt) = movers {
      broken = only(uidsAt[side] ?? [:])
    } else {
      broken = [:]
    }
    // What nothing was seen of since is where it was.
    let unseen = Set(agreements.filter { states[$0[side].href] == nil }.map(\.uid))
    var found: [Int: ItemVersion] = [:]
    for (index, agreed) in agreements.enumerated() {
      let former = agreed[side]
      let own = whole[agreed.uid] ?? []
      let now = own.count == 1 ? own.first : nil
      if now?.href == former.href { continue }
      switch (movers, states[former.href]) {
      case (.broken, .gone), (.broken, .read):
        if own.isEmpty, let file = broken[agreed.uid], file != former.href {
          found[index] = former.moved(to: file)
        }
      case (.whole, .gone):
        if let now { found[index] = former.moved(to: now) }
      case (.whole, .read(let other)), (.overtaken, .read(let other)):
        if let now {
          found[index] = former.moved(to: now)
        } else if other.uid != agreed.uid, whole[other.uid]?.count == 1,
          !unseen.contains(other.uid)
        {
          found[index] = agreed.vacated(on: side)
        }
      case (_, .unread), (_, .obstructed), (_, nil), (.overtaken, .gone): continue
      }
    }
    return found
  }

  /// The files of items that are in one alone. Of a file of several nobody knows whose it is.
  private func only(_ uidsAt: [Href: Set<ItemID>]) -> [ItemID: Href] {
    var files: [ItemID: [Href]] = [:]
    for (href, uids) in uidsAt.sorted(by: { $0.key < $1.key }) {
      for uid in uids { files[uid, default: []].append(href) }
    }
    return files.compactMapValues { $0.count == 1 && uidsAt[$0[0]]?.count == 1 ? $0[0] : nil }
  }
}

extension Agreement {
  /// What was agreed on with a side of which the item has left its place.
  fileprivate func vacated(on side: Side) -> ItemVersion {
    self[side].moved(to: self[side].href.vacated(by: uid))
  }
}
