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
    zip(differing.agreements.lazy.map(\.uid), differing.agreements.indices),
    uniquingKeysWith: { first, _ in first })
  var uids = Set(agreements.keys)
  uids.formUnion(local.uids)
  uids.formUnion(remote.uids)

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
    if let agreement = agreements[uid].map({ differing.agreements[$0] }) {
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
  if let href = local.version(of: uid)?.href { waits[.local] = local.observed(href)?.wait }
  if let href = remote.version(of: uid)?.href { waits[.remote] = remote.observed(href)?.wait }
  return waits
}

/// Of an agreed item also where it is gone: a deletion can be refused as well as a content.
private func waits(of agreement: Agreement, _ local: SideView, _ remote: SideView)
  -> [Side: Observation.Wait]
{
  var waits = waits(of: agreement.uid, local, remote)
  for view in [local, remote] where view.version(of: agreement.uid) == nil {
    waits[view.side] = view.observed(agreement[view.side].href)?.wait
  }
  return waits
}
