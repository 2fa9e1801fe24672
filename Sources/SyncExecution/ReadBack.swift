import SyncModel

/// A write to a side that may store something else than it was sent.
struct Rewrite {
  let agreement: Agreement
}

extension SyncRun {
  /// Reads what a server made of our writes and takes it as that side's base.
  ///
  /// A strong entity tag proves nothing here: four of six servers give one and rewrite all the
  /// same. Where the tag is the one that our write got, or it got none (which is how a server says
  /// that it rewrites, RFC 4791 §5.3.4), what is there a moment later is the server's rewriting of
  /// it. Where it is another tag, somebody was quicker, and the next round deals with it as with
  /// any change.
  mutating func readBack(_ rewrites: [Rewrite], on side: Side) async throws(SyncFailure) {
    if rewrites.isEmpty { return }
    let written = Dictionary(
      rewrites.map { ($0.agreement[side].href, $0.agreement[side]) },
      uniquingKeysWith: { first, _ in first })
    let hrefs = rewrites.map(\.agreement[side].href)
    for batch in hrefs.batches(of: sync.storage(side).traits.readBatch) {
      let outcomes = try await on(side) { [sync] () throws(StorageError) in
        try await sync.storage(side).read(Array(batch))
      }
      var changes: [ObservedChange] = []
      var contents: [StoredContent] = []
      for outcome in outcomes {
        guard let sent = written[outcome.href] else { continue }
        changes.append(compare(outcome, with: sent, on: side, &contents))
      }
      let (news, texts) = (changes, contents)
      try await recorded { [sync] () throws(JournalError) in
        try await sync.journal.record(read: news, on: side, contents: texts)
      }
    }
    // What we wrote is news to the server's own list of changes: taking note of it now makes the
    // next run a quiet one.
    if sync.storage(side).traits.listsDeltas { stale.insert(side) }
  }

  private func compare(
    _ outcome: ReadOutcome, with sent: ItemVersion, on side: Side,
    _ contents: inout [StoredContent]
  ) -> ObservedChange {
    guard case .found(let version, let data, let modified) = outcome.result,
      case .success(let item) = sync.readItem(
        data, at: outcome.href, version: version, modified: modified),
      item.uid == sent.uid
    else {
      return .observed(Observation(side: side, href: outcome.href, state: .unread(nil)))
    }
    contents.append(StoredContent(digest: version.digest, data: data))
    let isOurs = sent.version.tag == nil || sent.version.tag == version.tag
    if isOurs || item.canonical == sent.canonical { return .refreshed(item) }
    return .observed(Observation(side: side, href: outcome.href, state: .read(item)))
  }
}
