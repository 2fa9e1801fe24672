import CalDAVStorage
import SQLiteJournal
import SyncExecution
import SyncModel

/// A run may end while an item that it carries over (`carryOver`) is on no side. The store has its
/// text, with what somebody had edited on the server; sent from its folder, it would be without.
/// So the next run goes on with that text, at one of two moments, by where its file is. Where that
/// is in its old folder again, the text goes back before the first pass over that collection
/// (`runPasses`): then the item is there as if it had never left, and what was edited on either
/// side since both agreed on it is an edit. Where it is in another one, the text goes there after
/// the first passes (`moveOnServer`), since these tell so.
extension CollectionRun {
  /// Gives back to a collection what has its file in its folder again.
  ///
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

  /// Sends on what has its file in the folder of another collection. Gives what has arrived.
  mutating func goOnCarrying(
    _ report: inout PairReport
  ) async throws(RunFailure) -> [String: Set<ItemID>] {
    var arrived: [String: Set<ItemID>] = [:]
    for way in report.brokenOffWays {
      guard let old = await calendar(of: way.source), let new = await calendar(of: way.target)
      else { continue }
      for uid in way.items.sorted() {
        guard let (place, text) = try await carried(uid, way, to: new) else { continue }
        switch await new.carryOut([.create(place, text)]).first?.result {
        case .stored:
          report.note(moved: uid, way)
          arrived[way.target, default: []].insert(uid)
        case .unknown(let error), .failed(let error): report.note(unclear: uid, way, error)
        case .refused:
          if case .unclear(let error) = try await giveBack(uid, text, to: way.source, old) {
            report.note(unclear: uid, way, error)
          }
        case .removed, .changedMeanwhile, nil: break
        }
      }
    }
    return arrived
  }

  /// The text of what an earlier run had taken out of its old calendar, and where it is to go in
  /// the one to which its file has come. Where its file was moved on, that is noted first; nil
  /// where the one that it was to go to may have it.
  private mutating func carried(
    _ uid: ItemID, _ way: Way, to new: CalDAVStorage
  ) async throws(RunFailure) -> (place: Href, text: ItemData)? {
    guard let carried = destinations.carried(uid) else { return nil }
    if carried.collection == way.target { return (carried.href, carried.text) }
    guard let missed = await calendar(of: carried.collection),
      await missed.lacks((uid: uid, href: carried.href))
    else { return nil }
    let place = new.freshHref(for: uid, attempt: 0)
    try await noteDeparting(
      [(uid: uid, href: place)], carrying: carried.text, from: way.source, to: way.target)
    return (place, carried.text)
  }
}

extension PairReport {
  /// What is new to a collection, and has left another one on both sides.
  var brokenOffWays: [Way] {
    ways(of: { target, source in
      source.departed.intersection(target.arriving.compactMap(\.uid))
    })
  }
}
