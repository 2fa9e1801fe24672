import SyncModel

/// Hashes that several items of a listing have for a tag, and the first text read under each.
struct SharedHashes: Sendable {
  private var tags: Set<EntityTag> = []
  private var texts: [EntityTag: ContentDigest] = [:]

  mutating func note(_ hashes: [EntityTag]) { tags.formUnion(hashes) }

  /// Whether another text was read under the tag of a version before.
  mutating func hadAnother(_ version: Version) -> Bool {
    guard let tag = version.tag, tags.contains(tag) else { return false }
    guard let text = texts[tag] else {
      texts[tag] = version.digest
      return false
    }
    return text != version.digest
  }
}

/// Servers whose entity tags count the writes of an item, and begin anew where one is deleted and
/// made again (SOGo): an equal tag does not prove an equal text.
extension CalDAVStorage {
  /// How the evidence begins that a tag, whatever it looks like, is not one of the text.
  private static let twoTexts = "two texts with ETag"

  /// That two items have one tag gives such a server away. From then on each write looks first.
  ///
  /// A hash is no count: two copies of one item have that of their text. What it is of shows once
  /// they are read.
  func noteSharedTags(_ items: [ListedItem], _ request: String) {
    if memory.ignores(.ownTags) { return }
    var seen: Set<EntityTag> = []
    var hashes: [EntityTag] = []
    for case let tag? in items.lazy.map(\.tag) where tag.isStrong && tag != Members.unasked {
      if seen.insert(tag).inserted { continue }
      guard tag.isHash else {
        memory.learn(.ownTags, false, request, "two items with ETag \(memory.shown(tag.bytes))")
        return
      }
      hashes.append(tag)
    }
    if !hashes.isEmpty { withRunMemory { [hashes] in $0.sharedHashes.note(hashes) } }
  }

  /// Two texts under one tag give such a server away, too.
  func noteText(of version: Version) {
    guard let tag = version.tag, withRunMemory({ $0.sharedHashes.hadAnother(version) }) else {
      return
    }
    memory.learn(
      .ownTags, false, "reading two items", "\(Self.twoTexts) \(memory.shown(tag.bytes))")
  }

  /// All items of a calendar with hashes for tags show that the server does not count, or not any
  /// more. No listing says otherwise where two texts had one tag. A small calendar of counts may
  /// have no two alike, so that shows nothing.
  func noteHashes(_ items: [ListedItem], _ request: String) {
    guard let finding = memory.finding(.ownTags), !finding.holds,
      !finding.answer.hasPrefix(Self.twoTexts)
    else { return }
    let tags = items.compactMap(\.tag).filter { $0.isStrong && $0 != Members.unasked }
    guard let first = tags.first, tags.contains(where: { $0 != first }),
      tags.allSatisfy(\.isHash)
    else { return }
    memory.learn(.ownTags, true, request, "hashes alone, as ETag \(memory.shown(first.bytes))")
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
