import SyncModel

/// What a store is to write with its next commit, one entry an item.
struct StagedChanges: Sendable {
  /// What becomes of one item.
  struct Entry: Sendable {
    /// The version that is replaced; nil for an item that is to be created.
    var base: Version?
    var href: Href?
    /// The texts that it was to have so far; the last one is written. Nil: it is to be deleted.
    var drafts: [Draft]
    var isDeleted = false
    /// The item whose later part this is: both are written, or neither.
    var splitOff: ItemKey?

    var text: [UInt8]? { isDeleted ? nil : drafts.last?.text }
  }

  private(set) var entries: [ItemKey: Entry] = [:]
  private var draftCount = 0

  var isEmpty: Bool { entries.isEmpty }

  subscript(key: ItemKey) -> Entry? {
    get { entries[key] }
    set { entries[key] = newValue }
  }

  /// The name of a text that is not written yet.
  mutating func newRevision() -> String {
    draftCount += 1
    return "draft-\(draftCount)"
  }

  /// The items in groups that belong together, each group and the groups sorted: a series and what
  /// was split off from it, and from that.
  var groups: [[ItemKey]] {
    var roots: [ItemKey: [ItemKey]] = [:]
    for key in entries.keys.sorted() { roots[root(of: key), default: []].append(key) }
    return roots.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Every entry is followed once at most, so that no loop can be.
  private func root(of key: ItemKey) -> ItemKey {
    var root = key
    for _ in 0..<entries.count {
      guard let parent = entries[root]?.splitOff, entries[parent] != nil else { break }
      root = parent
    }
    return root
  }
}
