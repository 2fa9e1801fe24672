import SyncModel

/// What no mapping and no earlier run joins.
struct Unsettled {
  /// Folders that no name joins with a calendar.
  var folders: [CollectionDescription]
  /// Folders and calendars that nothing but their names join.
  var named: [(folder: CollectionDescription, calendar: CollectionDescription)]
  /// Calendars that no name joins with a folder; some of them the rules may leave out.
  var calendars: [CollectionDescription]
}

/// What folders and calendars that nothing else joins for sure say by their items.
package struct SameItems {
  /// By the addresses of folders, the identities of the calendars that hold the same.
  package var pairs: [Href: String] = [:]
  /// By the addresses of folders that are left alone.
  package var doubts: [Href: ItemDoubt] = [:]
}

/// Why a folder is left alone whose items calendars may hold that nothing joins it with.
package enum ItemDoubt: Sendable, Hashable {
  /// Nothing says which of several is its own, or whether the one is.
  case mayBe([CollectionDescription])
  /// Nobody could look at what these hold.
  case unread([UnreadCalendar])

  fileprivate var calendars: [CollectionDescription] {
    switch self {
    case .mayBe(let calendars): calendars
    case .unread(let unread): unread.map(\.calendar)
    }
  }
}

/// A calendar that did not show what it holds, and may in another run.
package struct UnreadCalendar: Sendable, Hashable {
  package var calendar: CollectionDescription
  package var trouble: StorageError
}

extension Matching {
  /// What is left to names, and what they make of it.
  var unsettled: Unsettled {
    var trial = self
    trial.joinByName()
    var named: [(folder: CollectionDescription, calendar: CollectionDescription)] = []
    for joined in trial.matched.dropFirst(matched.count) {
      guard case .present(let folder) = joined.local, case .present(let calendar) = joined.remote
      else { continue }
      named.append((folder, calendar))
    }
    return Unsettled(
      folders: trial.local.filter { rules.select($0.names) }, named: named,
      calendars: trial.remote)
  }

  /// Joins what holds the same. What a person is to choose from gets no folder of its own before:
  /// it would be known by that from then on.
  mutating func join(_ same: SameItems) {
    for folder in local {
      if let doubt = same.doubts[folder.href] {
        let proposal = Optional(folder).proposal(named: folder.name)
        var alone = MatchedCollection(
          name: freeName(like: folder), local: .present(folder), remote: .missing(proposal))
        alone.doubt = doubt
        matched.append(alone)
      } else if let calendar = takeRemote({ $0.identity == same.pairs[folder.href] }) {
        var joined = MatchedCollection(
          name: freeName(like: folder), local: .present(folder), remote: .present(calendar))
        joined.isJoinedByItems = true
        matched.append(joined)
      } else {
        continue
      }
      _ = takeLocal { $0.href == folder.href }
    }
    let waiting = Set(same.doubts.values.flatMap(\.calendars).map(\.identity))
    remote.removeAll { waiting.contains($0.identity) }
  }
}
