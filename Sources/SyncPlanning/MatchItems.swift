public import SyncModel

/// What is known of both sides, sorted into items.
public struct MatchedItems: Sendable, Hashable {
  /// Sorted by UID.
  public var items: [DifferingItem] = []
  /// What is left alone on both sides, and why.
  public var problems: [ItemTrouble] = []
  /// Items that could not be read in full this run, by UID where it is known: they wait.
  public var held = 0
  /// Of the items, those with which nothing is to be done as long as one of those waits.
  public var waiting: Set<ItemID> = []

  /// The items with which something may be done.
  public var free: [DifferingItem] { items.filter { !waiting.contains($0.uid) } }
}

/// A problem and where it is.
public struct ItemTrouble: Sendable, Hashable {
  public var uid: ItemID?
  public var side: Side
  public var href: Href
  public var summary: String
  public var problem: ItemProblem

  public init(uid: ItemID?, side: Side, href: Href, summary: String, problem: ItemProblem) {
    self.uid = uid
    self.side = side
    self.href = href
    self.summary = summary
    self.problem = problem
  }
}

/// Joins observations and agreements by UID.
///
/// A resource that moved to another name keeps its item. A UID that has two resources on one side
/// is a problem of all of them. An item of which one resource is broken or was not read is left
/// out whole: it is never taken for deleted. What has its place on the other side waits until it
/// can be read.
public func matchItems(_ differing: Differing) -> MatchedItems {
  var result = MatchedItems()
  let local = SideView(.local, differing)
  let remote = SideView(.remote, differing)
  result.problems = local.obstructions + remote.obstructions

  let agreements = Dictionary(
    differing.agreements.map { ($0.uid, $0) }, uniquingKeysWith: { first, _ in first })
  var uids = Set(agreements.keys)
  uids.formUnion(local.candidates.keys)
  uids.formUnion(remote.candidates.keys)

  for uid in uids.sorted() {
    let duplicates = local.duplicates(of: uid) + remote.duplicates(of: uid)
    guard duplicates.isEmpty else {
      result.problems += duplicates
      continue
    }
    if let trouble = local.waitsForFormer(uid, remote) ?? remote.waitsForFormer(uid, local) {
      result.problems.append(trouble)
      result.waiting.insert(uid)
    }
    if let agreement = agreements[uid] {
      guard local.isSettled(agreement), remote.isSettled(agreement) else {
        result.held += 1
        continue
      }
      let state = DifferingItem.State.agreed(
        agreement,
        local: detectChange(from: agreement.local, to: local.version(of: uid)),
        remote: detectChange(from: agreement.remote, to: remote.version(of: uid)))
      result.items.append(
        DifferingItem(uid: uid, state: state, waits: waits(of: agreement, local, remote)))
    } else {
      let state = DifferingItem.State.unmet(
        local: local.version(of: uid), remote: remote.version(of: uid))
      result.items.append(
        DifferingItem(uid: uid, state: state, waits: waits(of: uid, local, remote)))
    }
  }
  return result
}

private func waits(of uid: ItemID, _ local: SideView, _ remote: SideView)
  -> [Side: Observation.Wait]
{
  var waits: [Side: Observation.Wait] = [:]
  if let href = local.version(of: uid)?.href { waits[.local] = local.observed[href]?.wait }
  if let href = remote.version(of: uid)?.href { waits[.remote] = remote.observed[href]?.wait }
  return waits
}

/// Of an agreed item also where it is gone: a deletion can be refused as well as a content.
private func waits(of agreement: Agreement, _ local: SideView, _ remote: SideView)
  -> [Side: Observation.Wait]
{
  var waits = waits(of: agreement.uid, local, remote)
  for view in [local, remote] where view.version(of: agreement.uid) == nil {
    waits[view.side] = view.observed[agreement[view.side].href]?.wait
  }
  return waits
}

/// One side's resources by href and by UID.
private struct SideView {
  let side: Side
  /// The agreements by where they say that their items are.
  let agreed: [Href: Agreement]
  var observed: [Href: Observation] = [:]
  /// Resources that hold an item of a UID; more than one is a duplicate.
  var candidates: [ItemID: [ItemVersion]] = [:]
  var obstructions: [ItemTrouble] = []
  /// Something new is there that was not read: it may be an item that was moved.
  var hasUnreadNews = false

  init(_ side: Side, _ differing: Differing) {
    self.side = side
    agreed = Dictionary(
      differing.agreements.map { ($0[side].href, $0) }, uniquingKeysWith: { first, _ in first })

    for observation in differing.observations where observation.side == side {
      observed[observation.href] = observation
      switch observation.state {
      case .read(let version):
        candidates[version.uid, default: []].append(version)
      case .unread:
        if agreed[observation.href] == nil { hasUnreadNews = true }
      case .obstructed(_, let problem):
        let known = agreed[observation.href]
        obstructions.append(
          ItemTrouble(
            uid: known?.uid, side: side, href: observation.href,
            summary: known?[side].summary ?? "", problem: problem))
      case .gone:
        break
      }
    }
    for agreement in differing.agreements where observed[agreement[side].href] == nil {
      candidates[agreement.uid, default: []].append(agreement[side])
    }
  }

  /// The only resource of a UID; nil where there is none.
  func version(of uid: ItemID) -> ItemVersion? { candidates[uid]?.first }

  /// Nothing about the item is unknown here.
  func isSettled(_ agreement: Agreement) -> Bool {
    switch observed[agreement[side].href]?.state {
    case .unread, .obstructed: false
    case .gone: candidates[agreement.uid] != nil || !hasUnreadNews
    case .read, nil: true
    }
  }

  /// An item that is where another one was that is gone here, and of which nobody can say what the
  /// other side has. To agree on it would make the journal forget that one, and it would come back.
  func waitsForFormer(_ uid: ItemID, _ other: SideView) -> ItemTrouble? {
    guard let version = version(of: uid), let former = agreed[version.href], former.uid != uid,
      candidates[former.uid] == nil, !other.isSettled(former)
    else { return nil }
    return ItemTrouble(
      uid: uid, side: side, href: version.href, summary: version.summary,
      problem: ItemProblem(
        .refused, "it has the place of another item, which could not be read on the other side",
        hint: "Mend '\(former[other.side].href.text)' there, or give this one another name, and run"
          + " the sync again."))
  }

  func duplicates(of uid: ItemID) -> [ItemTrouble] {
    guard let group = candidates[uid], group.count > 1 else { return [] }
    let names = group.map(\.href).sorted()
    return names.map { href in
      let others = names.filter { $0 != href }.map { "'\($0.text)'" }.joined(separator: ", ")
      return ItemTrouble(
        uid: uid, side: side, href: href, summary: group[0].summary,
        problem: ItemProblem(
          .duplicateUID, "'\(href.text)' has the same UID as \(others)",
          hint: "Keep one of them, or give the other a UID of its own."))
    }
  }
}
