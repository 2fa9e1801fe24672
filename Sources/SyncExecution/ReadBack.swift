import SyncModel

extension SyncRun {
  /// What a batch of writes came to, once what the side made of them was looked at.
  struct Stored {
    var closed: [ClosedIntent]
    /// Texts that the side stored in the place of ours.
    var contents: [StoredContent] = []
    /// What somebody else wrote over ours meanwhile.
    var news: [ObservedChange] = []
    /// Looking failed; the agreements are on what was sent.
    var failure: SyncFailure?
  }

  /// Reads what a server made of our writes and takes it as that side's base.
  ///
  /// A strong entity tag proves nothing here: four of six servers give one and rewrite all the
  /// same. Where the tag is the one that our write got, or it got none (which is how a server says
  /// that it rewrites, RFC 4791 §5.3.4), what is there a moment later is the server's rewriting of
  /// it. Where it is another tag, and more is new than servers make new by habit (some give a tag
  /// for every look), somebody was quicker, and the next round deals with it as with any change.
  mutating func readBack(
    _ closed: [ClosedIntent], _ sent: [Intent.ID: ItemData], on side: Side
  ) async -> Stored {
    var stored = Stored(closed: closed)
    guard sync.storage(side).traits.mayRewrite else { return stored }
    var places: [Href: Int] = [:]
    for (index, intent) in closed.enumerated() {
      if case .agreed(let agreement) = intent.outcome { places[agreement[side].href] = index }
    }
    if places.isEmpty { return stored }
    for batch in places.keys.sorted().batches(of: sync.storage(side).traits.readBatch) {
      do throws(SyncFailure) {
        let outcomes = try await on(side) { [sync] () throws(StorageError) in
          try await sync.storage(side).read(Array(batch))
        }
        for outcome in outcomes {
          guard let index = places[outcome.href] else { continue }
          compare(outcome, with: index, sent[closed[index].id], on: side, &stored)
        }
      } catch {
        stored.failure = error
        break
      }
    }
    // What we wrote is news to the server's own list of changes: taking note of it now makes the
    // next run a quiet one.
    if sync.storage(side).traits.listsDeltas { stale.insert(side) }
    return stored
  }

  private func compare(
    _ outcome: ReadOutcome, with index: Int, _ text: ItemData?, on side: Side,
    _ stored: inout Stored
  ) {
    guard case .agreed(var agreement) = stored.closed[index].outcome else { return }
    let sent = agreement[side]
    guard case .found(let version, let data, let modified) = outcome.result,
      case .success(let item) = sync.readItem(
        data, at: outcome.href, version: version, modified: modified),
      item.uid == sent.uid
    else {
      stored.news.append(
        .observed(Observation(side: side, href: outcome.href, state: .unread(nil))))
      return
    }
    stored.contents.append(StoredContent(digest: version.digest, data: data))
    let isOurs = sent.version.tag == nil || sent.version.tag == version.tag
    if isOurs || item.canonical == sent.canonical || sync.hasOneSubstance(data, text) {
      agreement[side] = item
      stored.closed[index] = ClosedIntent(
        id: stored.closed[index].id, outcome: .agreed(agreement))
    } else {
      stored.news.append(
        .observed(Observation(side: side, href: outcome.href, state: .read(item))))
    }
  }
}
