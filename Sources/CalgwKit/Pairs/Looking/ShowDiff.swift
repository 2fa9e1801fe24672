import SyncExecution
import SyncModel

extension Gateway {
  /// Says property by property how items differ: the local side from what was agreed last or, with
  /// `fromRemote` and of an item that the sides never agreed on, from the remote side. Without
  /// names it is every item that is not in step.
  /// Nothing is written, and no lock is needed.
  public func diff(_ arguments: [String], fromRemote: Bool) async throws(RunFailure) -> DiffReport {
    let names = try await itemNames(arguments)
    var report = DiffReport()
    var missing = Dictionary(
      names.map { ($0.text, $0) }, uniquingKeysWith: { first, _ in first })
    var viewed: [ViewedCollection] = []
    for target in try await targets(of: names) {
      if let failure = leavingOut("pair \(target.pair.name)") {
        report.failures.append(failure)
        break
      }
      let view = await view(target, offline: !fromRemote)
      report.failures += view.failures
      report.notices += view.notices
      viewed += view.collections
      for collection in view.collections {
        var chosen = collection.items
        if !names.isEmpty {
          chosen = chosen.filter { item in
            let own = names.filter { $0.names(item, in: collection) }
            for name in own { missing[name.text] = nil }
            return !own.isEmpty
          }
          for name in missing.keys.sorted() {
            guard case .uid(let uid)? = missing[name],
              case .success(let agreed?) = await collection.sync.agreedItem(uid)
            else { continue }
            missing[name] = nil
            if fromRemote { chosen.append(agreed) }
          }
        }
        for item in chosen {
          if let entry = await entry(item, collection, fromRemote: fromRemote) {
            report.items.append(entry)
          }
        }
      }
    }
    // Trouble elsewhere is none of items that were all found.
    if !names.isEmpty, missing.isEmpty, !isStopped { report.failures = [] }
    if report.failures.isEmpty {
      let typed = Dictionary(
        zip(names.map(\.text), arguments), uniquingKeysWith: { first, _ in first })
      try await checkKnown(missing, typed, viewed, report.notices)
    }
    return report
  }

  private func entry(
    _ item: PendingItem, _ collection: ViewedCollection, fromRemote: Bool
  ) async -> DiffEntry? {
    let folder = collection.folder.map { EventFolder(path: $0, pair: nil, collection: nil) }
    var entry = DiffEntry(collection.entry(of: item), in: folder)
    if case .success(let differences) = await collection.sync.differences(of: item) {
      entry.lacksRemote =
        fromRemote && item.versions[.remote] == nil && item.remote != .deleted
        && item.local == .updated
      let isBetween = fromRemote && !entry.lacksRemote || entry.entry.isUnmet
      entry.changes = isBetween ? differences.between : differences.local
      if item.local == .unchanged, item.remote == .updated, entry.changes.isEmpty {
        entry.remoteChanges = differences.remote
      }
      // What is gone here says nothing of what a sync would bring back.
      if fromRemote || item.local == .deleted && item.remote == .updated {
        entry.remains = DiffEntry.Remains(of: item, differences)
      }
    }
    let hasNews =
      fromRemote ? item.local != item.remote || !entry.changes.isEmpty : item.local != .unchanged
    return hasNews || item.problem != nil ? entry : nil
  }

  /// A file that is there and in step has no difference; what is nowhere is status 66.
  ///
  /// - Parameter typed: what was typed for each of the names.
  private func checkKnown(
    _ missing: [String: ItemName], _ typed: [String: String], _ viewed: [ViewedCollection],
    _ notices: [String]
  ) async throws(RunFailure) {
    for name in missing.keys.sorted() {
      if case .file(let href, let folder)? = missing[name],
        try await isInStep(href, in: folder, viewed)
      {
        continue
      }
      let argument = typed[name] ?? name
      throw await unknown(
        argument,
        RunFailure(
          .missingInput, code: "no-such-item", message: "no pair knows an item \(argument)",
          why: notices.joined(separator: "; "),
          hint: "run `calgw status` to see what is not in step"))
    }
  }
}
