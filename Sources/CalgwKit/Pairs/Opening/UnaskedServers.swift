import CalDAVStorage
import SyncExecution
import SyncModel

/// What an account has on servers that are not asked, since nobody has vouched for them.
extension CollectionOpener {
  /// Calendars there, or where nobody vouches for a server any more: those that are called so and
  /// that the account's own server names, or else the one that was known.
  func placesElsewhere(
    _ collection: String, at former: Href?, on side: Side
  ) -> [UnseenPlace] {
    guard case .account(let connection) = pair.side(side) else { return [] }
    var places = connection.account.foreignCalendars.filter { $0.calendar.isCalled(collection) }
      .map { (href: $0.calendar.href, host: $0.host) }
    if places.isEmpty, let former, let host = connection.account.foreignHost(of: former) {
      places = [(href: former, host: host)]
    }
    return places.map { UnseenPlace.elsewhere($0.href.text, on: $0.host) }
  }

  /// A calendar that was known, on a server of which a person wants nothing: it is not gone, and
  /// there is nothing to bring back. Nil for any other.
  func refusedCollection(
    _ collection: MatchedCollection, _ href: Href, _ side: Side
  ) -> ReportedProblem? {
    guard case .account(let connection) = pair.side(side),
      let refusal = connection.account.refusal(of: href)
    else { return nil }
    let line = tomlString(refusal)
    var ways = ["take \(line) out of the account's trusted_hosts to have it synced again"]
    if case .calendar(let text) = pair.target.pair.selection, !isFolderName(text) {
      ways.append("name another one as the \(side.rawValue) side")
    } else {
      // A mapping asks for it, whatever else is excluded.
      if case .collections = pair.target.pair.selection, collection.mapping == nil {
        ways.append("\(leavingOut(collection)) to leave it out")
      }
      ways.append(
        sayWhich(collection.name, side)
          ?? "run \(forgetting(collection.name)) and sync to have one made on the account's own"
          + " server")
    }
    return ReportedProblem(
      item: ReportedItem(uid: nil, file: nil, href: href, summary: ""),
      problem: ItemProblem(
        .collectionGone,
        "the \(side.rawValue) collection \(href.text) is not asked for, since \(line) in"
          + " trusted_hosts refuses its server; its counterpart is left alone",
        hint: ways.joined(separator: "; or ")))
  }

  /// What a person can do that places are shown, each mend once, and one for all such servers.
  func mends(of places: [UnseenPlace]) -> [String] {
    var told: Set<String> = []
    let mends = places.filter { $0.foreignHost == nil }.map(\.trouble.hint)
    let hosts = places.compactMap(\.foreignHost).filter { told.insert($0).inserted }
    let deciding = hosts.isEmpty ? [] : [CalDAVAccount.deciding(on: hosts)]
    return mends.filter { told.insert($0).inserted } + deciding
  }

  /// Calendar homes there. Any calendar may be in one, under any name: one that is made here would
  /// stand beside it once somebody vouches for that server.
  func homesElsewhere(on side: Side) -> [UnseenPlace] {
    guard case .account(let connection) = pair.side(side) else { return [] }
    return connection.account.homesElsewhere
  }
}
