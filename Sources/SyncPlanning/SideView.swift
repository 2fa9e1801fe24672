import SyncModel

/// One side's resources by href and by UID. It holds places in the lists of what differs, since a
/// first sync may have a hundred thousand items.
struct SideView {
  let side: Side
  private let differing: Differing
  /// The agreements by where they say that their items are.
  private let agreed: [Href: Int]
  private var observed: [Href: Int] = [:]
  /// The resource that holds an item of a UID, and further ones, which are duplicates.
  private var candidates: [ItemID: Candidate] = [:]
  private var doubles: [ItemID: [Candidate]] = [:]
  private(set) var obstructions: [ItemTrouble] = []
  /// Items whose resource holds a further one of another UID now: nobody has deleted them.
  private var displaced: Set<ItemID> = []
  /// Something new is there that was not read: it may be an item that was moved.
  private var hasUnreadNews = false

  private enum Candidate {
    case observation(Int)
    case agreement(Int)
  }

  init(_ side: Side, _ differing: Differing) {
    self.side = side
    self.differing = differing
    agreed = Dictionary(
      zip(differing.agreements.lazy.map { $0[side].href }, differing.agreements.indices),
      uniquingKeysWith: { first, _ in first })

    for (index, observation) in differing.observations.enumerated() where observation.side == side {
      observed[observation.href] = index
      switch observation.state {
      case .read(let version):
        add(.observation(index), of: version.uid)
      case .unread:
        if agreed[observation.href] == nil { hasUnreadNews = true }
      case .obstructed(_, let problem):
        let known = agreement(at: observation.href)
        obstructions.append(
          ItemTrouble(
            uid: known?.uid, side: side, href: observation.href,
            summary: known?[side].summary ?? "", problem: problem))
      case .gone:
        break
      }
    }
    for (index, agreement) in differing.agreements.enumerated()
    where observed[agreement[side].href] == nil {
      add(.agreement(index), of: agreement.uid)
    }
    for trouble in doubles.keys.sorted().flatMap(duplicates) { noteDisplaced(by: trouble) }
  }

  /// Who copies one file over another one has not said that the other item is to go.
  private mutating func noteDisplaced(by duplicate: ItemTrouble) {
    guard let former = agreement(at: duplicate.href), candidates[former.uid] == nil else { return }
    displaced.insert(former.uid)
    let file = duplicate.href.text
    let mend =
      side == .local
      ? "Take '\(file)' away: `calgw restore ID` right after that brings this item back, and"
        + " without it the next sync deletes it on both sides."
      : "Take '\(file)' away there: the next sync then deletes this item here, too, unless you edit"
        + " it before."
    obstructions.append(
      ItemTrouble(
        uid: former.uid, side: side, href: duplicate.href, summary: former[side].summary,
        problem: ItemProblem(
          .duplicateUID, "'\(file)' holds another item now, of which there are several",
          hint: mend)))
  }

  private mutating func add(_ candidate: Candidate, of uid: ItemID) {
    if candidates[uid] == nil {
      candidates[uid] = candidate
    } else {
      doubles[uid, default: []].append(candidate)
    }
  }

  private func version(_ candidate: Candidate) -> ItemVersion? {
    switch candidate {
    case .agreement(let index): differing.agreements[index][side]
    case .observation(let index):
      if case .read(let version) = differing.observations[index].state { version } else { nil }
    }
  }

  private func agreement(at href: Href) -> Agreement? {
    agreed[href].map { differing.agreements[$0] }
  }

  var uids: Set<ItemID> { Set(candidates.keys) }

  func observed(_ href: Href) -> Observation? { observed[href].map { differing.observations[$0] } }

  /// The only resource of a UID; nil where there is none.
  func version(of uid: ItemID) -> ItemVersion? { candidates[uid].flatMap(version) }

  /// Nothing about the item is unknown here.
  func isSettled(_ agreement: Agreement) -> Bool {
    switch observed(agreement[side].href)?.state {
    case .unread, .obstructed: false
    case .gone: candidates[agreement.uid] != nil || !hasUnreadNews
    case .read, nil: !displaced.contains(agreement.uid)
    }
  }

  /// A whole resource of an item whose own is broken: which of the two it is, nobody has said.
  func besideBroken(_ agreement: Agreement) -> ItemTrouble? {
    guard case .obstructed = observed(agreement[side].href)?.state,
      let version = version(of: agreement.uid)
    else { return nil }
    let (own, broken) = (version.href.text, agreement[side].href.text)
    return ItemTrouble(
      uid: agreement.uid, side: side, href: version.href, summary: version.summary,
      problem: ItemProblem(
        .duplicateUID, "'\(own)' has the same UID as '\(broken)', which is broken",
        hint: "Take '\(broken)' away, and this one is the item; or take this one away, and mend"
          + " that one."))
  }

  /// Where the resources are of each UID that has several.
  var doubledPlaces: [[Href]] { doubles.keys.sorted().map { versions(of: $0).map(\.href) } }

  /// All resources of a UID.
  private func versions(of uid: ItemID) -> [ItemVersion] {
    ([candidates[uid]].compactMap(\.self) + (doubles[uid] ?? [])).compactMap(version)
  }

  func duplicates(of uid: ItemID) -> [ItemTrouble] {
    if doubles[uid] == nil { return [] }
    let group = versions(of: uid)
    let owners = group.map { ($0.href, agreement(at: $0.href)?.uid) }
    return Duplicates(
      group, on: side, agreed: owners.first { $0.1 == uid }?.0,
      displacing: Set(owners.filter { $0.1 != nil && $0.1 != uid }.map(\.0))
    ).troubles
  }
}
