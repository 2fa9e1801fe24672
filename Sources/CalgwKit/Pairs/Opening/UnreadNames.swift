import CalDAVStorage
import SQLiteJournal
import SyncModel

/// Calendars whose display names nobody could read: those that the pair knows keep the ones that
/// they had, and no other one gets a folder, or a folder a calendar, where a name that is not known
/// might have joined the two.
extension PairMatching {
  /// Under the display name that it had in the last run, where nobody knows the present one.
  func withFormerName(
    _ collection: CollectionDescription, on side: Side
  ) -> CollectionDescription {
    guard side == .remote, case .account = remote, collection.hasUnreadName,
      let record = records.first(where: { $0.place(on: side) == collection.identity }),
      !record.remoteName.isEmpty
    else { return collection }
    var collection = collection
    collection.displayName = record.remoteName
    return collection
  }

  /// Leaves out those of which only the name could say what they belong to.
  mutating func withoutUnnamed(
    _ sides: BothSides<[CollectionDescription]>, _ rules: [CollectionRule]
  ) -> BothSides<[CollectionDescription]> {
    var shown = sides
    for side in Side.allCases {
      guard case .account = opened(side) else { continue }
      let others = sides[side.opposite]
      let isMet = others.allSatisfy { isKnown($0, on: side.opposite) }
      shown[side] = sides[side].filter { collection in
        if !collection.hasUnreadName || isKnown(collection, on: side) { return true }
        let isOwn = isMet && namesFolder(collection, among: sides[side])
        if isOwn || others.contains(where: { $0.name == collection.name }) { return true }
        if rules.contains(where: { $0.maps(collection, on: side) }) { return true }
        listing.unseen[side, default: []].append(.unnamed(collection))
        return false
      }
    }
    return shown
  }

  private func isKnown(_ collection: CollectionDescription, on side: Side) -> Bool {
    records.contains { record in
      if case .directory = opened(side) {
        return (side == .local ? record.folder : record.remoteHref) == collection.href.spelling
      }
      return record.place(on: side) == collection.identity
    }
  }
}

extension CollectionRule {
  fileprivate func maps(_ collection: CollectionDescription, on side: Side) -> Bool {
    guard case .map(let local, let remote) = self else { return false }
    return collection.answers(to: side == .local ? local : remote)
  }
}

extension CollectionDescription {
  /// It may have a display name, and nobody knows which.
  var hasUnreadName: Bool { displayName == nil && oddValues[.displayname] != nil }
}

extension UnseenPlace {
  /// A calendar of which nobody can say whether it is one that the other side has.
  fileprivate static func unnamed(_ calendar: CollectionDescription) -> UnseenPlace {
    UnseenPlace(
      calendar.identity,
      StorageError(
        .protocolBroken, "its display name cannot be read",
        why: calendar.oddValues[.displayname] ?? "",
        hint: "run the command again once it has a name that can be read"))
  }
}
