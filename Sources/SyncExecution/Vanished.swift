import SyncModel

/// What a run finds in the journal before it looks at a side.
struct SeenBefore {
  /// What could not be read, and whose entity tag would not show that it can be by now.
  var unread: Set<Href> = []
  var gone: [Side: Set<Href>] = [:]
  /// What is there and no item, or cannot be read.
  var broken: [Side: Set<Href>] = [:]

  init() {}

  init(_ differing: Differing) {
    for seen in differing.observations {
      switch seen.state {
      case .obstructed(let tag, _):
        if tag == nil { unread.insert(seen.href) }
        broken[seen.side, default: []].insert(seen.href)
      case .gone: gone[seen.side, default: []].insert(seen.href)
      case .read, .unread: continue
      }
    }
  }
}

extension CollectionSync {
  func seenBefore() async throws(SyncFailure) -> SeenBefore {
    SeenBefore(
      try await recorded { () throws(JournalError) in try await journal.differing() })
  }
}

extension CollectionSync.BrokenFiles {
  /// Notes the items of a side that are gone from their files since a file came of which nobody can
  /// say whose it is: both were found by this run, or by a run before it that left both so.
  mutating func noteVanished(on side: Side, _ differing: Differing, since before: SeenBefore) {
    let owners = CollectionSync.owners(of: side, differing)
    var gone: Set<Href> = []
    var here: Set<ItemID> = []
    // One of each kind will do to name it.
    var nameless: (former: Href?, new: Href?)
    for seen in differing.observations where seen.side == side {
      switch seen.state {
      case .gone: gone.insert(seen.href)
      case .read(let item): here.insert(item.uid)
      case .obstructed where uidsAt[seen.href] == nil && owners[seen.href] == nil:
        if before.broken[side]?.contains(seen.href) ?? false {
          nameless.former = nameless.former ?? seen.href
        } else {
          nameless.new = nameless.new ?? seen.href
        }
      case .obstructed, .unread: continue
      }
    }
    for agreed in differing.agreements where gone.contains(agreed[side].href) {
      if here.contains(agreed.uid) { continue }
      let isFormer = before.gone[side]?.contains(agreed[side].href) ?? false
      if let file = isFormer ? nameless.former : nameless.new { vanished[agreed.uid] = file }
    }
  }
}
