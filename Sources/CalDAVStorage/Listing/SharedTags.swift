import SyncModel

/// Servers whose entity tags count the writes of an item, and begin anew where one is deleted and
/// made again (SOGo): an equal tag does not prove an equal text.
extension CalDAVStorage {
  /// That two items have one tag gives such a server away. From then on each write looks first.
  func noteSharedTags(_ items: [ListedItem], _ request: String) {
    if memory.ignores(.ownTags) { return }
    var seen: Set<EntityTag> = []
    for case let tag? in items.lazy.map(\.tag) where tag.isStrong && tag != Members.unasked {
      if seen.insert(tag).inserted { continue }
      memory.learn(.ownTags, false, request, "two items with ETag \(memory.shown(tag.bytes))")
      return
    }
  }

  /// What a server names as changed is looked at, whatever its tag says. Only what this run itself
  /// wrote is named without that.
  func marked(_ items: [ListedItem], asNews named: Set<Href>) -> [ListedItem] {
    if named.isEmpty { return items }
    let written = withRunMemory { $0.written }
    return items.map { item in
      var item = item
      if named.contains(item.href), !written.contains(item.href) { item.isNews = true }
      return item
    }
  }
}
