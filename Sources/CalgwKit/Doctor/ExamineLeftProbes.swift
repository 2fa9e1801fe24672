import CalDAVStorage
import SyncModel

extension PairConfiguration {
  /// A calendar of its account is written out in it.
  fileprivate func asksByName(for calendar: CollectionDescription) -> Bool {
    switch selection {
    case .collections(let rules): CollectionRules(rules).asksByName(for: calendar)
    case .calendar(let text): calendar.answers(to: text)
    case .asFound: false
    }
  }
}

extension AccountWay {
  /// Names calendars that have a probe's name and hold what no probe put there: neither the next
  /// probe takes them nor, unless they are written out, a sync.
  mutating func examineLeftProbes(of pairs: [PairConfiguration]) async {
    let own = pairs.filter { $0.accounts.contains(account.name) }
    for calendar in calendars where calendar.isLeftByProbe {
      guard !isStopped, let server = connection?.account,
        !own.contains(where: { $0.asksByName(for: calendar) }),
        (try? await server.holdsOthers(calendar)) == true
      else { continue }
      // The way to the other calendars is whole.
      let wayBefore = broken
      tell(
        .failed, .probe,
        "the calendar \(calendar.href.text) has the name of one that an earlier probe had to leave"
          + " and holds what calgw did not put there: it is neither tried nor removed, nor synced",
        hint: "give it another name on the server's own pages, or write this one into"
          + " `collections`, and it is synced; or move what is in it to another calendar",
        status: .attention)
      broken = wayBefore
    }
  }
}
