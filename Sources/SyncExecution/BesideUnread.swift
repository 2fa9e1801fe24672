import SyncModel
import SyncPlanning

/// What a side that keeps addresses lists, and nobody has read: each of them may be any item that
/// both sides never agreed on.
struct UnreadThere {
  /// Not to be had by now: the server failed, refused to give it, or says that it is not there.
  var passing: [Href] = []
  /// Read, and no item: that changes with its entity tag alone. Or listed, and said not to be there
  /// in an earlier run, too: some servers list such for ever.
  var broken: [Href] = []

  var isEmpty: Bool { passing.isEmpty && broken.isEmpty }

  /// - Parameters:
  ///   - own: Where an upload of ours is that cannot be looked at; what is there is known.
  ///   - isDenied: The side says of an unread one, with this problem, that it is not there, and did
  ///     so in an earlier run.
  init(
    on side: Side, _ differing: Differing, besides own: Set<Href>,
    isDenied: (Href, ItemProblem) -> Bool
  ) {
    let agreed = Set(differing.agreements.map { $0[side].href })
    for seen in differing.observations
    where seen.side == side && !agreed.contains(seen.href) && !own.contains(seen.href) {
      switch seen.state {
      case .obstructed(nil, let problem) where isDenied(seen.href, problem):
        broken.append(seen.href)
      case .unread, .obstructed(nil, _): passing.append(seen.href)
      case .obstructed: broken.append(seen.href)
      case .read, .gone: continue
      }
    }
  }
}

/// A new item of one side may be the very one that the other side has and does not give. Sent, it
/// would be there twice for good, and a meeting's guests would be invited once more. The two meet
/// so when a journal is new or was lost; later on, what both have is agreed on, but where an older
/// journal is brought back, or another program has copied the file here.
extension CollectionSync {
  /// In milliseconds: an outage is over by then, and what is not given for longer may never be.
  private static let longestHold: Int64 = 86_400_000
  /// A hundred years: until it can be read, is gone, or a person decides.
  private static let untilRead: Int64 = 36_500 * 86_400_000
  /// So many items tell how a side names them.
  private static let fewestNamed = 3

  /// Sides on which all items that were read are named by their UIDs: there a name tells whether
  /// what it stands for may be an item.
  func sidesNamedByUID(_ differing: Differing) -> Set<Side> {
    Set(
      Side.allCases.filter { side in
        var count = 0
        for seen in differing.observations where seen.side == side {
          guard case .read(let item) = seen.state else { continue }
          guard item.href.stem == item.uid.bytes[...] else { return false }
          count += 1
        }
        return count >= Self.fewestNamed
      })
  }

  /// A plan without the new items that may be what the other side does not give, or whose UIDs
  /// stand in what it gives and is no item, which are named; and what has later runs hold them too.
  ///
  /// - Parameters:
  ///   - agreed: The number of items that both sides shared when the run began. Where there were
  ///     some, those alone begin to wait that have the name of what is not given, and meetings, for
  ///     a day, beside what no earlier run knows of.
  ///   - former: What an earlier run could not read either.
  ///   - namedByUID: Sides on which a name that is another one than an item's UID is not that item.
  func holdBesideUnread(
    _ plan: Plan, _ items: [DifferingItem], _ differing: Differing, agreed: Int,
    former: Set<Href>, namedByUID: Set<Side>
  ) async throws(SyncFailure) -> (plan: Plan, waits: [WaitChange]) {
    var (plan, waits) = (plan, [WaitChange]())
    for side in Side.allCases where storage(side).traits.keepsAddresses {
      let named = try await holdNamed(plan, items, on: side, differing)
      (plan, waits) = (named.plan, waits + named.waits)
      let new = offers(to: side, in: plan, items)
      if new.isEmpty { continue }
      let own = try await placesOfUploads(on: side)
      let unread = UnreadThere(on: side, differing, besides: own) { href, problem in
        former.contains(href) && problem == notThere(href, on: side)
      }
      if unread.isEmpty { continue }
      let uids = Set(new.map { $0.source.uid.bytes[...] })
      // Each of the others may be any of the new ones.
      let nameless =
        namedByUID.contains(side)
        ? [] : unread.passing.filter { !uids.contains($0.stem) }
      let meetings =
        nameless.isEmpty
        ? [] : try await inviting(new.map { NewItem(source: $0.source, side: side) })
      let (passing, broken) = (Self.byName(unread.passing), Self.byName(unread.broken))
      let moved = agreed > 0 ? await arriving(new, on: side) : []
      var held: Set<ItemID> = []
      for offer in new {
        let isLater = agreed > 0 && offer.wait == nil
        if isLater, moved.contains(offer.source.uid) { continue }
        let isMeeting = meetings.contains(offer.source.uid)
        let named =
          offer.place(in: passing) ?? (isLater ? nil : offer.place(in: broken))
          ?? unread.passing.first { offer.wait?.problem == .isNamed(in: $0, on: side) }
        let other =
          isLater
          ? nameless.first { isMeeting && !former.contains($0) }
          : offer.isOver(rules) ? nil : nameless.first
        guard let there = named ?? other else { continue }
        let isEndless = named != nil || (endless(offer) ?? (isMeeting && !isLater))
        let problem = ItemProblem.mayBeUnread(there, on: side, isEndless: isEndless)
        held.insert(offer.source.uid)
        plan.problems.append(offer.trouble(side.opposite, problem))
        if offer.wait != nil { continue }
        waits.append(wait(of: offer.source, on: side.opposite, problem, isEndless: isEndless))
      }
      plan.actions.removeAll { !$0.targets.isEmpty && held.contains($0.uid) }
    }
    return (plan, waits)
  }

  /// The same without those alone whose UIDs stand in what is no item there, in every run, the
  /// first or not. The journal has these UIDs for as long as that can be read; the waits are for
  /// when it cannot.
  private func holdNamed(
    _ plan: Plan, _ items: [DifferingItem], on side: Side, _ differing: Differing
  ) async throws(SyncFailure) -> (plan: Plan, waits: [WaitChange]) {
    if !differing.observations.contains(where: { !$0.uidsInBroken(on: side).isEmpty }) {
      return (plan, [])
    }
    let own = try await placesOfUploads(on: side)
    var places: [ItemID: Href] = [:]
    for seen in differing.observations where !own.contains(seen.href) {
      for uid in seen.uidsInBroken(on: side) where places[uid] == nil { places[uid] = seen.href }
    }
    var (plan, waits) = (plan, [WaitChange]())
    let decided = rules.offeredAgain
    let waiting = Set(
      items.filter { $0.waits[side.opposite]?.cause == .mayBeUnread }.map(\.uid))
    var held: Set<ItemID> = []
    for action in plan.actions {
      guard case .create(side, let source, _) = action, !decided.contains(source.uid),
        let there = places[source.uid]
      else { continue }
      held.insert(source.uid)
      let problem = ItemProblem.isNamed(in: there, on: side)
      plan.problems.append(Offer(source: source).trouble(side.opposite, problem))
      if waiting.contains(source.uid) { continue }
      waits.append(wait(of: source, on: side.opposite, problem, isEndless: true))
    }
    plan.actions.removeAll { !$0.targets.isEmpty && held.contains($0.uid) }
    return (plan, waits)
  }

  /// Where uploads of ours are of which nobody knows yet what became of them.
  private func placesOfUploads(on side: Side) async throws(SyncFailure) -> Set<Href> {
    let open = try await recorded { () throws(JournalError) in try await journal.openIntents() }
    return Set(open.filter { $0.intent.side == side }.map(\.intent.href))
  }

  /// What goes to a side in this plan and was never agreed on. Not what a person has decided.
  private func offers(to side: Side, in plan: Plan, _ items: [DifferingItem]) -> [Offer] {
    var waits: [ItemID: Observation.Wait?] = [:]
    for item in items {
      guard case .unmet = item.state else { continue }
      var wait = item.waits[side.opposite]
      if wait?.cause != .mayBeUnread { wait = nil }
      waits[item.uid] = .some(wait)
    }
    let decided = rules.offeredAgain
    return plan.actions.compactMap { action in
      guard case .create(side, let source, _) = action, !decided.contains(source.uid),
        let wait = waits[source.uid]
      else { return nil }
      return Offer(source: source, wait: wait)
    }
  }

  /// What another collection has on the side comes from there, and is not what is not given here: a
  /// later step finds out whether it was moved.
  private func arriving(_ offers: [Offer], on side: Side) async -> Set<ItemID> {
    guard side == .remote, let arriving = options.arriving else { return [] }
    return await arriving(Set(offers.map(\.source.uid)))
  }

  private static func byName(_ places: [Href]) -> [ArraySlice<UInt8>: Href] {
    Dictionary(places.map { ($0.stem, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether it waits for longer than a day; nil where it waits since no earlier run.
  private func endless(_ offer: Offer) -> Bool? {
    guard case .refused(_, _, let retry) = offer.wait else { return nil }
    return retry > surroundings.now().advanced(by: Self.longestHold)
  }

  private func wait(
    of source: ItemVersion, on side: Side, _ problem: ItemProblem, isEndless: Bool
  ) -> WaitChange {
    let pause = isEndless ? Self.untilRead : Self.longestHold
    return WaitChange(
      side: side, href: source.href,
      wait: .refused(
        source.version.digest, problem, retry: surroundings.now().advanced(by: pause)))
  }
}

/// A new item, and since when it waits, if an earlier run held it.
private struct Offer {
  var source: ItemVersion
  var wait: Observation.Wait?

  /// What has its name: its UID, or its file's.
  func place(in names: [ArraySlice<UInt8>: Href]) -> Href? {
    names[source.uid.bytes[...]] ?? names[source.href.stem]
  }

  func trouble(_ side: Side, _ problem: ItemProblem) -> ItemTrouble {
    ItemTrouble(
      uid: source.uid, side: side, href: source.href, summary: source.summary, problem: problem)
  }

  /// It has waited for as long as it is to.
  func isOver(_ rules: ReconcileRules) -> Bool {
    guard case .refused(_, _, let retry) = wait else { return false }
    return !rules.isPaused(until: retry)
  }
}

extension Observation {
  /// The UIDs in what a side gave here, and is no item.
  fileprivate func uidsInBroken(on side: Side) -> [ItemID] {
    if side == self.side, case .obstructed(_, let problem) = state { problem.uids } else { [] }
  }
}

extension Href {
  /// The last part of the address or name, without its ending.
  var stem: ArraySlice<UInt8> {
    let start = key.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? key.startIndex
    let name = key[start...]
    let ending = String(decoding: name.suffix(4), as: UTF8.self).lowercased()
    return ending == ".ics" ? name.dropLast(4) : name
  }
}
