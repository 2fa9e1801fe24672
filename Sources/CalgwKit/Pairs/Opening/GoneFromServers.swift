import SyncExecution
import SyncModel

extension CollectionOpener {
  /// A known calendar of two servers that neither of them lists, and that is at neither address:
  /// nobody can tell by that whether somebody has removed both or the servers hide them. Nil for
  /// any other.
  func goneFromServers(_ collection: MatchedCollection) async -> CollectionReport? {
    guard case .gone(let here) = collection.local, case .gone(let there) = collection.remote,
      pair.local.isServer, pair.remote.isServer
    else { return nil }
    let name = collection.name
    var report = CollectionReport(name: name)
    let places = [(side: Side.local, href: here), (side: .remote, href: there)]
    for (side, href) in places {
      guard let trouble = pair.listing.unanswered[side]?[name] else { continue }
      report.failure = .storage(side, await mayBeThere(collection, href, side, trouble))
      return report
    }
    let refused = places.compactMap { refusedCollection(collection, $0.href, $0.side) }
    let unseen = places.compactMap { mayBeUnseen(name, on: $0.side, at: $0.href) }
    report.problems = [
      refused.first ?? unseen.first ?? collectionsGone(name, here, there)
    ]
    return report
  }

  private func collectionsGone(_ collection: String, _ here: Href, _ there: Href) -> ReportedProblem
  {
    var mend = "run \(forgetting(collection)) to do without both"
    if case .calendar = pair.target.pair.selection { mend = "name another one with `calendar`" }
    if let which = sayWhich(collection, .local) ?? sayWhich(collection, .remote) { mend = which }
    return ReportedProblem(
      item: ReportedItem(uid: nil, file: nil, href: here, summary: ""),
      problem: ItemProblem(
        .collectionGone,
        "the local collection \(here.text) and the remote collection \(there.text) are gone",
        hint: "bring one of them back there, or \(mend)"))
  }
}
