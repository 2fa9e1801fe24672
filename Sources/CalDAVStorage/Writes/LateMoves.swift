package import SyncModel
import WebDAV

/// Some servers say that an item is moved, and show it in the other calendar some seconds later, as
/// they do with what they are sent (Bedework).
extension CalDAVStorage {
  /// Where items are that were moved to this calendar, as far as they show: at the addresses that
  /// they were to have, or at those that some servers give them. What is not there at once is
  /// looked for again, as long as a new item would be.
  package func places(ofMoved items: [(uid: ItemID, href: Href)]) async -> [Href] {
    var places: [Int: Href] = [:]
    var waited: Int64 = 0
    for pause in [0] + Self.latePauses where places.count < items.count {
      if pause > 0 {
        guard isWorthwhile(pause) else { break }
        await Patience.rest(pause, by: surroundings.pause)
        waited += pause
        if Task.isCancelled || Patience.isStopped { break }
      }
      let late = items.indices.filter { places[$0] == nil }
      let looks = await inParallel(late) { await self.place(ofMoved: items[$0]) }
      for case (let index, let place?) in zip(late, looks) {
        places[index] = place
        if waited > 0 {
          memory.learn(
            .promptWrites, false, "MOVE to \(place.text)",
            "it does not show before \(waited) ms are over")
        }
      }
    }
    // Nobody waits for the next ones where none of these came.
    if places.isEmpty { withRunMemory { $0.awaitsWrites = false } }
    return places.sorted { $0.key < $1.key }.map { $0.value }
  }

  /// An item that was to be moved to this calendar is known not to be there.
  package func lacks(_ item: (uid: ItemID, href: Href)) async -> Bool {
    await has(moved: item) == false
  }

  /// Whether an item that was to be moved to this calendar is there; nil where nobody can say.
  package func has(moved item: (uid: ItemID, href: Href)) async -> Bool? {
    if await !places(ofMoved: [item]).isEmpty { return true }
    for place in [address(item.href), address(naming: item.uid)].compactMap(\.self) {
      guard case .absent = await get(place) else { return nil }
    }
    return false
  }

  private func place(ofMoved item: (uid: ItemID, href: Href)) async -> Href? {
    for place in [address(item.href), address(naming: item.uid)].compactMap(\.self) {
      if case .found = await get(place) { return href(place) }
    }
    return nil
  }
}
