import CalDAVStorage
import SQLiteJournal
import SyncModel

/// A run may end while an item that it carries over is on no side, and its file may be back in its
/// old folder by the next one. Sent from there, it would be without what somebody had edited on the
/// server. So the text goes back first, and then the item is there as if it had never left: what
/// was edited on either side since both agreed on it is an edit.
extension CollectionRun {
  /// - Parameter collection: one that this run has not looked at yet.
  mutating func carryBack(to collection: MatchedCollection) async throws(RunFailure) {
    let name = collection.name
    let carried = departed[name].filter { destinations.carried($0) != nil }
    guard !carried.isEmpty, !options.isDryRun, opened.target.writes(to: .remote),
      case .present(let own) = collection.local,
      let folder = EventFolder(of: opened.local, named: own.href.spelling),
      let journal = try? await opened.store.journal(of: name),
      let old = await calendar(of: name)
    else { return }
    let finder = gateway.office().finder
    for uid in carried.sorted() {
      guard let files = try? await finder.files(of: uid, in: folder), !files.isEmpty,
        let (other, place, text) = destinations.carried(uid),
        let new = await calendar(of: other),
        let agreement = try? await journal.agreement(of: uid),
        case .missing? = await look(at: agreement.remote.href, in: old),
        await new.lacks((uid: uid, href: place))
      else { continue }
      let former = old.freshHref(for: uid, attempt: 0)
      try await noteDeparting([(uid: uid, href: former)], carrying: text, from: name, to: name)
      let outcome = await old.carryOut([.create(former, text)]).first?.result
      guard case .stored(let href, _, _)? = outcome else { continue }
      // It stays noted until both sides agree on it, so that one which shows late is looked for.
      try await noteDeparting([(uid: uid, href: href)], from: name, to: name)
    }
  }
}
