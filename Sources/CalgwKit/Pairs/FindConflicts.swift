import SyncExecution
import SyncModel

extension Gateway {
  /// The conflict of an item that a command line names; nil where it is in none. A name that no
  /// pair knows is status 66, one that several collections have in conflict is status 64.
  public func conflict(_ argument: String) async throws(RunFailure) -> ConflictView? {
    let names = try await itemNames([argument])
    var found: [ConflictView] = []
    var isKnown = false
    for target in try targets(of: names) {
      if let failure = leavingOut("pair \(target.pair.name)") { throw failure }
      // Whatever the pair's policy would settle by itself: a person may want to.
      let view = await view(target, offline: false, policy: .ask)
      if let failure = view.failures.first { throw failure }
      for collection in view.collections {
        for item in collection.items {
          let isMeant = names.contains {
            $0.names(item.item, pair: target.pair.name, collection: collection.name)
          }
          guard isMeant else { continue }
          isKnown = true
          if let conflict = await conflictView(item, collection, target.pair) {
            found.append(conflict)
          }
        }
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
  public func conflicts(of report: PairReport) async -> [ConflictView] {
    guard let pair = configuration.pairs.first(where: { $0.name == report.pair }) else {
      return []
    }
    let names = Set(report.collections.filter { !$0.conflicts.isEmpty }.map(\.name))
    if names.isEmpty { return [] }
    let target = PairTarget(pair: pair, collections: names)
    let view = await view(target, offline: false, policy: .ask)
    var conflicts: [ConflictView] = []
    for collection in view.collections {
      for item in collection.items {
        if let conflict = await conflictView(item, collection, pair) { conflicts.append(conflict) }
      }
    }
    return conflicts
  }

  private func conflictView(
    _ item: PendingItem, _ collection: ViewedCollection, _ pair: PairConfiguration
  ) async -> ConflictView? {
    guard item.conflict != nil, let uid = item.item.uid,
      case .success(let differences) = await collection.sync.differences(of: item)
    else { return nil }
    return ConflictView(
      item: NamedItem(pair: pair, collection: collection.name, uid: uid),
      entry: PendingEntry(pair: pair.name, collection: collection.name, item),
      differences: differences)
  }
}
