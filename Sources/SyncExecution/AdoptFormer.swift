import SyncModel

extension SyncRun {
  /// Takes over what another collection shared of items that both sides have here now. To meet them
  /// as strangers would make an edit of the same hour a conflict, and what a server drops an edit.
  mutating func adoptFormer() async throws(SyncFailure) {
    if sync.options.former.isEmpty { return }
    let differing = try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.differing()
    }
    let shared = Set(differing.agreements.map(\.uid))
    var adopted: [Agreement] = []
    for (uid, former) in sync.options.former.sorted(by: { $0.key < $1.key })
    where !shared.contains(uid) {
      guard let here = differing.only(uid, on: .local), let there = differing.only(uid, on: .remote)
      else { continue }
      adopted.append(
        Agreement(
          uid: uid, local: former.local.moved(to: here), remote: former.remote.moved(to: there)))
    }
    if adopted.isEmpty { return }
    try await recorded { [sync, adopted] () throws(JournalError) in
      try await sync.journal.agree(adopted)
    }
  }
}

extension Differing {
  /// The one resource of an item that a side has, as it was read.
  fileprivate func only(_ uid: ItemID, on side: Side) -> ItemVersion? {
    let found = observations.compactMap { seen -> ItemVersion? in
      guard seen.side == side, case .read(let version) = seen.state, version.uid == uid else {
        return nil
      }
      return version
    }
    return found.count == 1 ? found.first : nil
  }
}

extension ItemVersion {
  /// The version where the item is now: what is there, if it is that version.
  func moved(to now: ItemVersion) -> ItemVersion {
    version.digest == now.version.digest ? now : moved(to: now.href)
  }

  /// The version under another name, where it is not any more.
  func moved(to href: Href) -> ItemVersion {
    var moved = self
    moved.href = href
    moved.version.tag = nil
    return moved
  }
}
