import SyncModel
import SyncPlanning

/// A new item that was sent to a name that nobody else can have, and does not show there.
struct FormerCreation: Sendable {
  var href: Href
  var content: ContentDigest
}

/// Writes of which nobody knows what became of them, since what is there cannot be read. Sent
/// again, under a name that nobody could tell from the first, a new item would be there twice; and
/// what the server made of an edit would look like an edit there.
extension SyncRun {
  /// What a listing does not name is not there: it never arrived, or is gone since. That is said of
  /// earlier runs' writes alone; what this one sent may still be under way.
  mutating func dropUnlisted() async throws(SyncFailure) {
    if uncleared.isEmpty { return }
    var outcomes: [ClosedIntent] = []
    for side in Side.allCases {
      let mine = uncleared.filter { $0.intent.side == side }
      let known = try await recorded { [sync] () throws(JournalError) in
        mine.isEmpty ? [] : try await sync.journal.known(side, hrefs: mine.map(\.intent.href))
      }
      let there = Set(known.filter { !$0.isGone }.map(\.href))
      for open in mine where !there.contains(open.intent.href) {
        leftAlone.remove(open.intent.uid)
        unfinished[open.intent.uid] = nil
        if case .create(let href, let digest) = open.intent.effect, sync.isOurName(open.intent) {
          formerCreations[side, default: [:]][open.intent.uid] = FormerCreation(
            href: href, content: digest)
        }
        outcomes.append(ClosedIntent(id: open.id, outcome: .nothingWritten))
      }
    }
    uncleared = []
    let closed = outcomes
    if closed.isEmpty { return }
    try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.close(closed, contents: [])
    }
  }

  /// A fresh name, or the one under which this very content was sent and never showed: should it
  /// show after all, it is no second item. An edited one is not sent to it, since what shows there
  /// would look like what became of the edit.
  func nameOfNew(_ uid: ItemID, _ content: ContentDigest, on side: Side) -> Href {
    let attempt = attempts[uid, default: 0]
    if attempt == 0, let former = formerCreations[side]?[uid], former.content == content {
      return former.href
    }
    return sync.storage(side).freshHref(for: uid, attempt: attempt)
  }

  /// Passes over the names of new items that something else had when it was last looked at. Who
  /// deletes that file in this moment makes its name free, and to agree on a second item there
  /// would forget the first before its deletion has gone to the other side. So it would where that
  /// file is known to be gone, or to have another name, and what became of its item waits still.
  mutating func avoidTakenNames(_ actions: [Action], on side: Side) async throws(SyncFailure) {
    let storage = sync.storage(side)
    // Elsewhere nobody else can have them.
    if storage.traits.namesAreUnguessable { return }
    var open = actions.compactMap { action -> ItemID? in
      if case .create(_, let source, _) = action { source.uid } else { nil }
    }
    for _ in 0..<Self.namesTried where !open.isEmpty {
      let names = open.map { storage.freshHref(for: $0, attempt: attempts[$0, default: 0]) }
      let known = try await recorded { [sync] () throws(JournalError) in
        try await sync.journal.known(side, hrefs: names)
      }
      let taken = Set(known.filter { !$0.isGone }.map(\.href))
      let holders = try await holders(of: known.filter(\.isGone).map(\.href), on: side)
      open = zip(open, names)
        .filter { taken.contains($0.1) || holders[$0.1, default: $0.0] != $0.0 }.map(\.0)
      for uid in open { attempts[uid, default: 0] += 1 }
    }
  }

  private static let namesTried = 8

  /// Whose agreements refer to places where nothing is any more.
  private func holders(
    of places: [Href], on side: Side
  ) async throws(SyncFailure) -> [Href: ItemID] {
    if places.isEmpty { return [:] }
    let differing = try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.differing()
    }
    let wanted = Set(places)
    var holders: [Href: ItemID] = [:]
    for agreement in differing.agreements where wanted.contains(agreement[side].href) {
      holders[agreement[side].href] = agreement.uid
    }
    return holders
  }

  /// What a new item meets at a name that nobody else can have is itself: something on the way
  /// delivered it twice, or an earlier run sent it, and it does not show yet. Recovery knows it by
  /// its substance; under another name it would be there twice.
  func isThereAlready(_ write: PreparedWrite, _ outcome: WriteOutcome, on side: Side) -> Bool {
    guard write.isCreate, !outcome.isListedNext, sync.isOurName(write.intent) else { return false }
    if case .changedMeanwhile = outcome.result { return true }
    let former = formerCreations[side]?[write.intent.uid]
    return outcome.isTransient && former?.href == write.write.href
  }
}

extension CollectionSync {
  /// What is there unread may be ours, and only the intent tells it from somebody's edit, or from
  /// another item: that is not given up.
  func staysOpen(_ intent: Intent, _ seen: ReadOutcome) -> Bool {
    // A file that cannot be read just now may be the one that was put there: forgotten, it would be
    // a new one to the other side, which may have deleted the item since.
    if intent.isCreation, case .problem(let problem) = seen.result, problem.code == .unreadable {
      return true
    }
    guard isKeptOpen(intent) else { return false }
    switch seen.result {
    case .problem: return true
    // What is stored may show later, and one answer may be wrong: a listing decides, in the next
    // run. In a folder, what was there before is gone.
    case .missing: return intent.isCreation || storage(intent.side).traits.mayRewrite
    case .found(let version, let data, let modified):
      let read = readItem(data, at: intent.href, version: version, modified: modified)
      if case .failure = read { return true }
      return false
    }
  }

  /// Those of which an earlier look has shown that they cannot be read before they change: another
  /// look would show the same.
  func unreadableAsBefore(_ open: [OpenIntent]) async throws(SyncFailure) -> [OpenIntent] {
    let kept = open.filter { isKeptOpen($0.intent) }
    if kept.isEmpty { return [] }
    let differing = try await recorded { () throws(JournalError) in try await journal.differing() }
    var unreadable: [Side: Set<Href>] = [:]
    for seen in differing.observations {
      if case .obstructed(.some, let problem) = seen.state, !problem.isUngiven {
        unreadable[seen.side, default: []].insert(seen.href)
      }
    }
    return kept.filter { unreadable[$0.intent.side]?.contains($0.intent.href) ?? false }
  }

  private func isKeptOpen(_ intent: Intent) -> Bool {
    switch intent.effect {
    case .create: isOurName(intent)
    case .replace: true
    case .delete: false
    }
  }
}
