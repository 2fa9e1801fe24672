import CalDAVStorage
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
