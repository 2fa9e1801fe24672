import SyncModel

/// An item that is gone from a side since a file came there that may be it.
struct Vanished {
  let file: Href
  /// What the other side had of it when both shared it.
  let other: ContentDigest
}

/// What is no item, as a file that an editor has renamed and failed to save, or a link.
private struct Remains {
  private static let codes: Set<ItemProblem.Code> = [
    .incomplete, .noUID, .notAFile, .unreadable, .tooLarge,
  ]

  let href: Href
  let since: Instant
  /// Those that stand in it all the same; none: it may be any item.
  let uids: Set<ItemID>

  init?(_ seen: Observation, naming known: Set<ItemID>) {
    guard case .obstructed(_, let problem) = seen.state, Self.codes.contains(problem.code),
      let since = seen.since
    else { return nil }
    href = seen.href
    self.since = since
    uids = known.union(problem.uids)
  }

  /// A text that is cut off may end amid its UID, and there amid what a backslash begins.
  func mayBe(_ uid: ItemID) -> Bool {
    uids.isEmpty
      || uids.contains { known in
        let isEscape = known.bytes.last == UInt8(ascii: "\\")
        return uid.bytes.starts(with: isEscape ? known.bytes.dropLast() : known.bytes[...])
      }
  }
}

extension CollectionSync.BrokenFiles {
  /// Notes the items of a side that are gone from their files since the run in which a file came of
  /// which nobody can say whose it is.
  mutating func noteVanished(on side: Side, _ differing: Differing) {
    let owners = CollectionSync.owners(of: side, differing)
    var gone: [Href: ClosedRange<Instant>] = [:]
    var here: Set<ItemID> = []
    var found: [Remains] = []
    // One of each run will do to name it.
    var runs: Set<Instant> = []
    for seen in differing.observations where seen.side == side {
      switch seen.state {
      case .gone:
        gone[seen.href] = seen.missed
      case .read(let item): here.insert(item.uid)
      case .obstructed:
        guard owners[seen.href] == nil,
          let remains = Remains(seen, naming: uidsAt[seen.href] ?? []),
          !remains.uids.isEmpty || runs.insert(remains.since).inserted
        else { continue }
        found.append(remains)
      case .unread: continue
      }
    }
    if found.isEmpty { return }
    for agreed in differing.agreements where !here.contains(agreed.uid) {
      guard let time = gone[agreed[side].href],
        let file = found.first(where: { time.contains($0.since) && $0.mayBe(agreed.uid) })
      else { continue }
      vanished[agreed.uid] = Vanished(
        file: file.href, other: agreed[side.opposite].version.digest)
    }
  }
}
