import SQLiteJournal
import SyncModel

extension CollectionOpener {
  /// What to do about one that is gone from a side.
  func mendOfGone(_ collection: MatchedCollection, _ side: Side) async -> String {
    let selection = pair.target.pair.selection
    if case .calendar(let text) = selection, !isFolderName(text) {
      // None is made where one was named by its place.
      return "bring it back there, or name another one as the \(side.rawValue) side"
    }
    if let which = sayWhich(collection.name, side) { return "bring it back there, or \(which)" }
    let forget = forgetting(collection.name)
    let anew = "run \(forget) and sync to have it made anew"
    switch selection {
    case .calendar: return "bring it back there, name another one with `calendar`, or \(anew)"
    case .asFound: return "bring it back there, remove its counterpart, or \(anew)"
    case .collections(let rules):
      if let mapping = collection.mapping, side == .remote, isAddress(mapping.remote) {
        // None is made there.
        let name = visibleText(mapping.local)
        return "bring it back there, map \(name) to another one in `collections`, or"
          + " \(removing(rules))"
      }
      if await isNamed(collection, in: rules) {
        return "bring it back there, \(removing(rules)), or \(anew)"
      }
      // Where neither of two servers shows it, that is said until it is forgotten.
      return pair.side(side.opposite).isServer && pair.side(side).isServer
        ? "bring it back there, \(anew), or remove its counterpart and run \(forget)"
        : "bring it back there, remove its counterpart, or \(anew)"
    }
  }

  /// What to do, in words, so that nothing is left of a collection that the configuration names:
  /// the name alone would ask for it still. A list of exclusions alone takes everything else, of
  /// which nobody asked for anything.
  private func removing(_ rules: [CollectionRule]) -> String {
    let isAlone = rules.filter { !$0.isExclusion }.count == 1
    let entry = isAlone ? "put another entry in the place of its own in" : "its entry in"
    return "remove its counterpart and \(entry) `collections`"
  }

  /// A name or a mapping asks for it, and goes on asking when it is gone from both sides.
  private func isNamed(_ collection: MatchedCollection, in rules: [CollectionRule]) async -> Bool {
    if collection.mapping != nil { return true }
    let known = try? await pair.store.collection(named: collection.name)
    return CollectionRules(rules).ask(byName: collection.names + (known?.known.names ?? []))
  }

  /// What to do about one that is gone where others may be it: to forget it is no mend, since what
  /// is in them would go to the server a second time. Nil where none may be it.
  func sayWhich(_ collection: String, _ side: Side) -> String? {
    let likely = pair.listing.names(like: collection, on: side)
    guard !likely.isEmpty, pair.side(side.opposite).isServer else { return nil }
    return "say whether it is \(likely.joined(separator: " or ")), as is told there"
  }
}
