import ICalendar
import SyncModel
import SyncPlanning

/// A server may give what it is sent a UID of its own (Exchange), or cut a long one off: what it
/// stores is a *twin* of ours, another item to every client. Sent again, ours would make one more
/// twin each time, with a mail to its guests each; brought to the other side, the twin would be
/// there beside ours, and between two servers double the account that it came from.
///
/// So the resource of a twin carries a wait with the digest of the UID that was sent: as long as it
/// is there, and ours, too, neither goes anywhere, whatever is edited in them.
extension SyncRun {
  /// What we sent is there, but under another UID.
  func isTwin(
    _ found: ItemData, _ uid: ItemID, of place: Place, _ ours: SentText
  ) -> Bool {
    let (write, own) = (place.write, place.write.intent.uid)
    // Nobody else gives an item, where ours was written, the beginning of its UID.
    let isSurelyThere = write.isCreate || place.stored.version.tag != nil
    if isSurelyThere, own.bytes.starts(with: uid.bytes) { return true }
    return ours.isSaid(in: found, as: own, isNew: write.isCreate)
  }

  /// Takes the twin down as what it is, and names ours. Nothing is agreed on.
  func noteTwin(
    _ twin: ItemVersion, _ text: StoredContent, of place: Place, _ stored: inout Stored
  ) {
    let intent = place.write.intent
    let id = stored.closed[place.index].id
    let problem = ItemProblem.twin(twin, of: intent.uid, on: intent.side)
    stored.renamed[id] = problem
    stored.closed[place.index] = ClosedIntent(id: id, outcome: .nothingWritten)
    stored.contents.append(text)
    stored.news.append(observed(twin, of: place.write, because: problem))
  }

  /// The same of one that a listing shows at an address of the server's own.
  func note(
    _ twin: ItemVersion, of write: PreparedWrite, because problem: ItemProblem
  ) async throws(SyncFailure) {
    let seen = observed(twin, of: write, because: problem)
    try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.record(read: [seen], on: write.intent.side, contents: [])
    }
  }

  private func observed(
    _ twin: ItemVersion, of write: PreparedWrite, because problem: ItemProblem
  ) -> ObservedChange {
    let wait = Observation.Wait.refused(
      sync.digest(write.intent.uid.bytes), problem,
      retry: sync.surroundings.now().advanced(by: Self.retryNever))
    return sync.sighting(of: twin.href, on: write.intent.side, .read(twin), wait: wait)
  }
}

extension SentText {
  /// A text says what was sent, but for the UID; of a new item, perhaps less.
  func isSaid(in found: ItemData, as own: ItemID, isNew: Bool) -> Bool {
    guard let same = try? SyntaxTree(bytes: found.bytes).underUID(own.bytes) else { return false }
    let text = ItemData(bytes: same.bytes)
    return isOfOneSubstance(with: text) || isNew && isAllSaid(in: text)
  }
}

extension CollectionSync {
  /// A twin that is known, by what it is a twin of.
  private struct Twin {
    /// The digest of the UID that was sent.
    var sent: ContentDigest
    var side: Side
    var href: Href
    /// Nil where it cannot be read just now.
    var uid: ItemID?
    var problem: ItemProblem
  }

  /// Leaves alone, and names, what a server has under other UIDs, or lists elsewhere.
  func leaveAlone(in plan: Plan, _ items: [DifferingItem], _ differing: Differing) -> Plan {
    holdListedElsewhere(holdTwins(plan, differing), items, differing)
  }

  /// Leaves twins and what they are twins of alone, and names them.
  private func holdTwins(_ plan: Plan, _ differing: Differing) -> Plan {
    let twins = twins(differing)
    if twins.isEmpty { return plan }
    let owners = Dictionary(
      twins.map { ($0.sent, $0) }, uniquingKeysWith: { first, _ in first })
    let copies = Dictionary(
      twins.compactMap { twin in twin.uid.map { ($0, twin) } },
      uniquingKeysWith: { first, _ in first })
    var plan = plan
    plan.actions.removeAll { action in
      let uid = action.uid
      if let twin = owners[digest(uid.bytes)] {
        plan.problems.append(trouble(item(of: action), twin, on: twin.side.opposite))
        return true
      }
      guard let twin = copies[uid], case .create(twin.side.opposite, _, _) = action else {
        return false
      }
      plan.problems.append(trouble(item(of: action), twin, on: twin.side))
      return true
    }
    return plan
  }

  private func trouble(_ item: ReportedItem, _ twin: Twin, on side: Side) -> ItemTrouble {
    ItemTrouble(
      uid: item.uid, side: side, href: (side == .local ? item.file : item.href) ?? twin.href,
      summary: item.summary, problem: twin.problem)
  }

  /// The twins that are known. One whose other half is gone from the side that it came from, or is
  /// on its own side, too, is an item like any other.
  private func twins(_ differing: Differing) -> [Twin] {
    let twins = differing.observations.compactMap { seen -> Twin? in
      guard case .refused(let sent, let problem, _) = seen.wait, problem.cause == .twin else {
        return nil
      }
      var uid: ItemID?
      if case .read(let item) = seen.state { uid = item.uid }
      return Twin(sent: sent, side: seen.side, href: seen.href, uid: uid, problem: problem)
    }
    if twins.isEmpty { return [] }
    var there: [Side: Set<ContentDigest>] = [:]
    var overtaken: [Side: Set<Href>] = [:]
    for seen in differing.observations {
      switch seen.state {
      case .read(let item):
        there[seen.side, default: []].insert(digest(item.uid.bytes))
        overtaken[seen.side, default: []].insert(seen.href)
      case .gone: overtaken[seen.side, default: []].insert(seen.href)
      case .unread, .obstructed: continue
      }
    }
    // What is at a twin's address is not what was agreed on there.
    for twin in twins { overtaken[twin.side, default: []].insert(twin.href) }
    for agreed in differing.agreements {
      for side in Side.allCases where !(overtaken[side]?.contains(agreed[side].href) ?? false) {
        there[side, default: []].insert(digest(agreed.uid.bytes))
      }
    }
    return twins.filter { twin in
      (there[twin.side.opposite]?.contains(twin.sent) ?? false)
        && !(there[twin.side]?.contains(twin.sent) ?? false)
    }
  }
}
