import SyncExecution
import SyncModel

/// What a person is told of folders and calendars that nothing but their items joins, or may join.
extension CollectionOpener {
  /// Nil for what anything else joins. From the next run on the journal does.
  func noticeOfItems(_ collection: MatchedCollection) -> String? {
    guard collection.isJoinedByItems, case .present(let calendar) = collection.remote else {
      return nil
    }
    return "\(pair.target.pair.name)/\(collection.name) is synced with the calendar"
      + " \(calendar.shownName) at \(calendar.href.text), which holds the same items"
  }

  /// Why a folder is left alone whose items a calendar may hold that nothing joins it with: one
  /// that is made beside it would be sent everything a second time. Nil for any other.
  func doubt(about collection: MatchedCollection) -> ReportedProblem? {
    guard let doubt = collection.doubt else { return nil }
    return ReportedProblem(
      item: ReportedItem(uid: nil, file: nil, href: nil, summary: ""),
      problem: doubt.problem(
        of: collection.name, among: pair.listing.remoteNames,
        isConfigured: pair.target.pair.selection != .asFound))
  }
}

extension ItemDoubt {
  /// - Parameters:
  ///   - listed: the ids of all calendars.
  ///   - isConfigured: The pair is one of a configuration, and not given with the command.
  fileprivate func problem(
    of folder: String, among listed: [String], isConfigured: Bool
  ) -> ItemProblem {
    func way(_ calendars: [CollectionDescription], _ choice: String) -> String {
      guard isConfigured else {
        let places = calendars.prefix(CollectionDescription.mostShown).map(\.href.text)
        return "give the URL of the calendar as --remote, and the folder \(folder) as --local:"
          + " \(places.joined(separator: " or "))"
      }
      let lines = calendars.clearNames(among: listed).map {
        "{ \(tomlKey(folder)) = \(tomlString($0)) }"
      }
      return "\(choice) into the pair's `collections`: \(lines.joined(separator: " or "))"
        + "; a name that no calendar has makes one more"
    }
    let left = "\(folder) is left alone, and no calendar is made for it"
    switch self {
    case .mayBe(let calendars):
      let isOne = calendars.count == 1
      let names = calendars.shownNames
      let why =
        isOne
        ? "\(names) holds items that are in \(folder), and nothing says whether it belongs to it"
        : "\(names) hold items that are in \(folder), and nothing says which of them belongs to it"
      return ItemProblem(
        .collectionGone, "\(why); \(left)",
        hint: way(calendars, isOne ? "if it does, write that" : "write which of them it is"))
    case .unread(let unread):
      let calendars = unread.map(\.calendar)
      let troubles = unread.prefix(1).map(\.trouble)
      let why = troubles.map(\.message).joined()
      let hints = troubles.map(\.hint).filter { !$0.isEmpty } + ["sync again later"]
      return ItemProblem(
        .brokenRemote,
        "whether \(calendars.shownNames) \(calendars.count == 1 ? "holds" : "hold") what is in"
          + " \(folder) cannot be said (\(why)); \(left) in this run",
        hint: "\(hints[0]); or \(way(calendars, "write which calendar it is"))")
    }
  }
}

extension [CollectionDescription] {
  fileprivate var shownNames: String {
    let more = count - CollectionDescription.mostShown
    let first = prefix(CollectionDescription.mostShown).map(\.shownName)
    return first.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}

extension CollectionDescription {
  fileprivate var shownName: String { "\"\(visibleText(displayName ?? name, limit: 60))\"" }
}
