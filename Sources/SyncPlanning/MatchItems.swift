public import SyncModel

/// What is known of both sides, sorted into items.
public struct MatchedItems: Sendable, Hashable {
  /// Sorted by UID.
  public var items: [DifferingItem] = []
  /// What is left alone on both sides, and why.
  public var problems: [ItemTrouble] = []
  /// Items that could not be read in full this run, by UID where it is known: they wait.
  public var held = 0
}

/// A problem and where it is.
public struct ItemTrouble: Sendable, Hashable {
  public var uid: ItemID?
  public var side: Side
  public var href: Href
  public var summary: String
  public var problem: ItemProblem
  /// What the other side has of it, where both share it and that side was read.
  public var counterpart: Counterpart?
  /// What the remote side has of the item of a broken local file, where they share nothing of it.
  public var neverShared: ItemVersion?
  /// What else there is of its UID, where that does not say the same.
  var duplicate: Duplicate?

  /// What became of an item on the side that has no trouble with it.
  public struct Counterpart: Sendable, Hashable {
    public var agreed: Agreement
    public var change: Change
  }

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
/// is a problem of all of them, and of an item whose place one of them has taken. An item of which
/// one resource is broken or was not read is left out whole: it is never taken for deleted.
public func matchItems(_ differing: Differing) -> MatchedItems {
  var result = MatchedItems()
  let local = SideView(.local, differing)
  let remote = SideView(.remote, differing)
  let agreements = Dictionary(
    zip(differing.agreements.lazy.map(\.uid), differing.agreements.indices),
    uniquingKeysWith: { first, _ in first })
  for (view, other) in [(local, remote), (remote, local)] {
    result.problems += view.obstructions.map { trouble -> ItemTrouble in
      let agreed = trouble.uid.flatMap { agreements[$0] }.map { differing.agreements[$0] }
      guard let agreed else { return trouble }
      let copy = view.besideBroken(agreed)
      let told = told(trouble, of: agreed, changed: other, offersRemote: copy == nil)
      return copy.map { told.beside($0) } ?? told
    }
  }
  var uids = Set(agreements.keys)
  uids.formUnion(local.uids)
  uids.formUnion(remote.uids)

  for uid in uids.sorted() {
    let duplicates = local.duplicates(of: uid) + remote.duplicates(of: uid)
    guard duplicates.isEmpty else {
      result.problems += duplicates
      continue
    }
    if let agreement = agreements[uid].map({ differing.agreements[$0] }) {
      guard local.isSettled(agreement), remote.isSettled(agreement) else {
        result.held += 1
        result.problems += [local, remote].compactMap { $0.besideBroken(agreement) }
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

/// A person who mends what is broken on one side is to know what the other side made of the item
/// meanwhile: as long as it waits, nothing else says so.
///
/// - Parameter offersRemote: What is there may take the place of the broken file.
private func told(
  _ trouble: ItemTrouble, of agreed: Agreement, changed other: SideView, offersRemote: Bool
) -> ItemTrouble {
  guard other.isSettled(agreed), other.duplicates(of: agreed.uid).isEmpty else { return trouble }
  var trouble = trouble
  let side = other.side.rawValue
  let change = detectChange(from: agreed[other.side], to: other.version(of: agreed.uid))
  trouble.counterpart = ItemTrouble.Counterpart(agreed: agreed, change: change)
  switch change {
  case .unchanged:
    break
  case .modified:
    trouble.problem.message += "; the \(side) side has changed it since"
    trouble.problem.elsewhere = .edited
    if trouble.side == .local, offersRemote { trouble.problem.offerVersion(on: other.side) }
  case .deleted:
    trouble.problem.message += "; it is gone from the \(side) side"
    trouble.problem.elsewhere = .gone
    if trouble.side == .local { trouble.problem.offerRemoval() }
  }
  return trouble
}

extension ItemTrouble {
  /// Where the item is whole in another resource as well, none is mended before one of them goes.
  fileprivate func beside(_ copy: ItemTrouble) -> ItemTrouble {
    var trouble = self
    trouble.problem.hint =
      "Take it away, and '\(copy.href.text)' is the item; or take that one away, and mend this one."
    return trouble
  }
}

extension ItemProblem {
  /// Of a file whose item the other side has changed since it was synced.
  fileprivate mutating func offerVersion(on side: Side) {
    if hint.contains(Self.removeAndRestore), side == .remote {
      hint.replace(Self.removeAndRestore, with: Self.removeAndTakeRemote)
      return
    }
    // Nothing is written over what is no file, holds another item, too, or cannot be kept.
    if isUnread || [.notAFile, .severalUIDs, .duplicateUID].contains(code) { return }
    if !hint.hasSuffix(".") { hint += "." }
    hint += " `calgw resolve UID --take \(side.rawValue)` takes what is there."
  }

  /// Of a file whose item the other side does not have any more: to take it away deletes nothing
  /// there. Not where it may hold other items.
  fileprivate mutating func offerRemoval() {
    if [.severalUIDs, .duplicateUID].contains(code) { return }
    for warning in [
      ": to take it away alone \(Self.deletesThere)", ". Taking it away \(Self.deletesThere)",
    ] {
      hint = hint.replacing(warning, with: "")
    }
    while hint.hasSuffix(".") { hint.removeLast() }
    hint += Self.orOnlyRemove
  }
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
