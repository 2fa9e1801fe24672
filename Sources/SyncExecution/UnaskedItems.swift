import SyncModel

/// What a side lists and calgw does not ask for. Any item that is gone from its own address may be
/// there: a listing that names such is not provably complete, and deletes nothing.
struct UnaskedItems {
  /// It came to be listed when something else may have ceased to be, and may be that.
  private var anything: Href?
  /// By the last parts of the addresses.
  private var named: [ArraySlice<UInt8>: Href] = [:]
  /// Where the items are that both sides share.
  private var places: [ItemID: Href] = [:]

  init() {}

  init(on side: Side, _ differing: Differing) {
    let shared = Set(differing.agreements.map { $0[side].href })
    for seen in differing.observations where seen.side == side && !shared.contains(seen.href) {
      guard case .obstructed(let tag?, _) = seen.state, tag.isUnasked else { continue }
      named[seen.href.stem] = named[seen.href.stem] ?? seen.href
      if tag == .unasked { anything = anything ?? seen.href }
    }
    if named.isEmpty { return }
    for agreed in differing.agreements { places[agreed.uid] = agreed[side].href }
  }

  /// Where a shared item may be that is gone from its address; nil where it is gone for all that is
  /// listed.
  func place(of uid: ItemID) -> Href? {
    places[uid].flatMap { named[$0.address.stem] ?? anything }
  }
}

extension CollectionSync {
  /// Those of a whole listing that it names beside all that was known: where nothing is missing,
  /// and nothing was, they are none of that, and stand in the way of no later deletion.
  func bystanders(
    _ unasked: [ListedItem], _ known: [Href: KnownResource], missing: [ObservedChange],
    on side: Side
  ) -> [ObservedChange] {
    guard missing.isEmpty, !known.values.contains(where: \.isGone) else { return [] }
    return unasked.compactMap { item -> ObservedChange? in
      guard let problem = item.problem else { return nil }
      return .observed(
        Observation(
          side: side, href: item.href, state: .obstructed(.unaskedBystander, problem),
          wait: refusal(known[item.href]?.wait)))
    }
  }
}

extension ListedItem {
  /// Under which tag it is written down: a bystander is one for as long as it is listed.
  func tag(after before: KnownResource?) -> EntityTag? {
    tag == .unasked && before?.tag == .unaskedBystander ? before?.tag : tag
  }
}
