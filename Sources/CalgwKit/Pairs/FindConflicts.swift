import SyncExecution
import SyncModel
import SyncPlanning

extension Gateway {
  /// The conflict of an item that a command line names; nil where it is in none. A name that no
  /// pair knows is status 66, one that several collections have in conflict is status 64.
  /// - Parameter here: where the reader is.
  public func conflict(_ argument: String, here: EventZone) async throws(RunFailure)
    -> ConflictView?
  {
    let names = try await itemNames([argument])
    var found: [ConflictView] = []
    var isKnown = false
    for target in try targets(of: names) {
      if let failure = leavingOut("pair \(target.pair.name)") { throw failure }
      // Whatever the pair's policy would settle by itself: a person may want to.
      let view = await view(target, offline: false, policy: .ask)
      if let failure = view.failures.first { throw failure }
      for collection in view.collections {
        let meant = collection.items.filter { item in
          names.contains {
            $0.names(item.item, pair: target.pair.name, collection: collection.name)
          }
        }
        if !meant.isEmpty { isKnown = true }
        found += await conflicts(among: meant, in: collection, of: target.pair, here: here)
        if !isKnown, case .uid(let uid)? = names.first,
          case .success(.some) = await collection.sync.agreedItem(uid)
        {
          isKnown = true
        }
      }
    }
    if case .file(let href, let pair, let collection)? = names.first, !isKnown {
      let finder = office().finder
      let folder = try await finder.folders.folder(named: "\(pair)/\(collection)")
      isKnown = try await finder.item(named: href, in: folder) != nil
    }
    guard isKnown else {
      throw RunFailure(
        .missingInput, code: "no-such-item", message: "no pair knows an item \(argument)",
        hint: "run `calgw status` to see the conflicts")
    }
    guard found.count < 2 else {
      let places = found.map { "\($0.entry.pair)/\($0.entry.collection)" }
      throw .usage(
        "\(argument) is in conflict in \(found.count) collections",
        hint: "name the file in one of them: \(places.joined(separator: ", "))")
    }
    return found.first
  }

  /// The conflicts of a run that just ended, for a person to settle.
  /// - Parameter here: where that person is.
  public func conflicts(of report: PairReport, here: EventZone) async -> [ConflictView] {
    guard let pair = configuration.pairs.first(where: { $0.name == report.pair }) else {
      return []
    }
    let names = Set(report.collections.filter { !$0.conflicts.isEmpty }.map(\.name))
    if names.isEmpty { return [] }
    let target = PairTarget(pair: pair, collections: names)
    let view = await view(target, offline: false, policy: .ask)
    var conflicts: [ConflictView] = []
    for collection in view.collections {
      conflicts += await self.conflicts(
        among: collection.items, in: collection, of: pair, here: here)
    }
    return conflicts
  }

  private func conflicts(
    among items: [PendingItem], in collection: ViewedCollection, of pair: PairConfiguration,
    here: EventZone
  ) async -> [ConflictView] {
    let waiting = items.filter { $0.conflict != nil }
    if waiting.isEmpty { return [] }
    var conflicts: [ConflictView] = []
    for item in waiting {
      guard let uid = item.item.uid,
        case .success(let differences) = await collection.sync.differences(of: item)
      else { continue }
      // Text by text: a first sync may have as many conflicts as items.
      let texts = await collection.texts(of: item)
      conflicts.append(
        ConflictView(
          item: NamedItem(pair: pair, collection: collection.name, uid: uid),
          entry: PendingEntry(pair: pair.name, collection: collection.name, item),
          differences: differences,
          versions: VersionComparison(
            local: texts[.local], remote: texts[.remote], differences: differences.between,
            here: here.zone)))
    }
    return conflicts
  }
}

extension ViewedCollection {
  /// What each side has, as far as it is kept.
  fileprivate func texts(of item: PendingItem) async -> [Side: ItemData] {
    let digests = item.versions.mapValues(\.version.digest)
    let kept = (try? await journal.contents(digests.values.sorted())) ?? [:]
    return digests.compactMapValues { kept[$0] }
  }
}
