import SyncModel

/// Mappings of which each means the same collection of the remote side. It goes to one folder only:
/// what is in two would be in it together.
struct Contest: Sendable, Hashable {
  /// All of them, as the configuration has them.
  var mappings: [CollectionMapping]
  /// The one that has it from earlier runs, and keeps it; nil where none has, or several have.
  var keeper: CollectionMapping?
  /// What they mean; nil where nothing is called so.
  var calendar: CollectionDescription?
}

/// What a mapping asks for, and what speaks for it.
private struct Demand {
  enum Object: Hashable {
    case collection(identity: String)
    /// To be made of this name.
    case new(name: String)
  }

  var mapping: CollectionMapping
  var object: Object
  /// 2: an earlier run joined it by this mapping. 1: the folder has had it. 0: nothing.
  var weight: Int
}

extension Matching {
  /// Finds out which mappings mean what another one means, too: by id, display name or path.
  ///
  /// - Parameter owners: the known collections by the names that their folders have today.
  mutating func findContests(
    _ known: [KnownCollection], _ owners: [String: KnownCollection], _ repointed: Set<Side>
  ) {
    let demands = rules.maps.compactMap { map in
      demand(of: map, own: holder(of: map, known, owners), repointed)
    }
    let rivals = Dictionary(grouping: demands, by: \.object)
    for demand in demands {
      let all = rivals[demand.object] ?? []
      let most = all.map(\.weight).max() ?? 0
      let first = all.filter { $0.weight == most }
      let keeper = most > 0 && first.count == 1 ? first.first?.mapping : nil
      if all.count == 1 || demand.mapping == keeper {
        if case .collection(let identity) = demand.object { claimed.insert(identity) }
        continue
      }
      contests[demand.mapping] = Contest(
        mappings: all.map(\.mapping), keeper: keeper,
        calendar: listed.first { Demand.Object.collection(identity: $0.identity) == demand.object })
    }
  }

  /// The known collection that a mapping is about: its folder's, or the one that it joined, unless
  /// that has a mapping of its own today.
  func holder(
    of map: CollectionMapping, _ known: [KnownCollection], _ owners: [String: KnownCollection]
  ) -> KnownCollection? {
    owners[map.local]
      ?? known.first { own in
        own.mapping == map && !rules.maps.contains { $0.local == localName(of: own) }
      }
  }

  /// Nil where the mapping may mean several: which, a person has to say first.
  private func demand(
    of map: CollectionMapping, own: KnownCollection?, _ repointed: Set<Side>
  ) -> Demand? {
    let meant = listed.meant(by: map.remote)
    if let own, !isElsewhere(own, repointed) {
      let isSame = meant.contains { $0.identity == own.remoteIdentity }
      if isSame || own.mapping == map {
        return Demand(
          mapping: map, object: .collection(identity: own.remoteIdentity),
          weight: own.mapping == map ? 2 : 1)
      }
    }
    guard let only = meant.first else {
      return Demand(mapping: map, object: .new(name: nameAsTyped(map.remote)), weight: 0)
    }
    guard meant.count == 1 else { return nil }
    return Demand(mapping: map, object: .collection(identity: only.identity), weight: 0)
  }
}
