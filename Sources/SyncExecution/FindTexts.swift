import SyncModel
import SyncPlanning

extension SyncRun {
  /// The texts that actions need, by their digests, and those of them that the journal had lost.
  ///
  /// A text can be missing: a page of the journal was damaged, or an older copy of it was brought
  /// back. What is to be destroyed must be in the history, and what is to be written must be
  /// known, so such a text is read again where it is. What is not there any more as it was
  /// recorded is looked at again in the next round.
  mutating func texts(for actions: [Action], on side: Side)
    async throws(SyncFailure) -> ([ContentDigest: ItemData], [StoredContent])
  {
    let needed = actions.flatMap(\.allTexts)
    var texts = try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.contents(needed)
    }
    var found: [StoredContent] = []
    for place in [side, side.opposite] {
      let versions = actions.flatMap { $0.versions(on: place) }
        .filter { texts[$0.version.digest] == nil }
      for content in try await read(versions, on: place) {
        texts[content.digest] = content.data
        found.append(content)
      }
    }
    return (texts, found)
  }

  /// Reads versions again; those that are not there any more are marked as unread.
  private mutating func read(_ versions: [ItemVersion], on side: Side)
    async throws(SyncFailure) -> [StoredContent]
  {
    let again = try await sync.readAgain(versions, on: side)
    let news = again.changed.map {
      sync.sighting(of: $0.href, on: side, .unread(nil))
    }
    if !news.isEmpty {
      stale.insert(side)
      try await recorded { [sync] () throws(JournalError) in
        try await sync.journal.record(read: news, on: side, contents: [])
      }
    }
    return again.texts
  }
}

extension CollectionSync {
  /// Reads versions whose texts the journal has not got; and which of them are not there any more
  /// as they were recorded.
  func readAgain(_ versions: [ItemVersion], on side: Side)
    async throws(SyncFailure) -> (texts: [StoredContent], changed: [ItemVersion])
  {
    let expected = Dictionary(
      versions.map { ($0.href, $0) }, uniquingKeysWith: { first, _ in first })
    var texts: [StoredContent] = []
    var changed: [ItemVersion] = []
    try await read(versions.map(\.href), on: side) { (part) throws(SyncFailure) in
      for outcome in part {
        guard let version = expected[outcome.href] else { continue }
        if case .found(let seen, let data, _) = outcome.result,
          seen.digest == version.version.digest
        {
          texts.append(StoredContent(digest: seen.digest, data: data))
        } else {
          changed.append(version)
        }
      }
    }
    return (texts, changed)
  }
}

extension Action {
  /// The versions on a side whose texts it needs.
  fileprivate func versions(on side: Side) -> [ItemVersion] {
    switch self {
    case .create(let target, let source, _): target == side ? [] : [source]
    case .replace(let target, let old, let source, _, _): target == side ? [old] : [source]
    case .delete(let target, let old, _, _): target == side ? [old] : []
    case .merge(let merged): [merged[side]]
    case .record, .forget: []
    }
  }
}
