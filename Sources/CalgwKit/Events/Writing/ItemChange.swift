import SyncModel

/// One file's part in what an event command does.
package struct ItemChange: Sendable {
  package enum Effect: Sendable {
    /// Under a name that is free.
    case create(Href, ItemData)
    case replace(Href, expecting: Version, old: ItemData, new: ItemData)
    case delete(Href, expecting: Version, old: ItemData)
  }

  var uid: ItemID
  var effect: Effect
  /// One sentence for `calgw log`, without a full stop.
  var reason: String

  package init(_ uid: ItemID, _ effect: Effect, reason: String) {
    self.uid = uid
    self.effect = effect
    self.reason = reason
  }

  static func replace(_ item: FoundItem, with data: ItemData, reason: String) -> ItemChange {
    ItemChange(
      item.uid, .replace(item.href, expecting: item.version, old: item.data, new: data),
      reason: reason)
  }

  static func delete(_ item: FoundItem, reason: String) -> ItemChange {
    ItemChange(
      item.uid, .delete(item.href, expecting: item.version, old: item.data), reason: reason)
  }

  var href: Href {
    switch effect {
    case .create(let href, _), .replace(let href, _, _, _), .delete(let href, _, _): href
    }
  }

  var write: GuardedWrite {
    switch effect {
    case .create(let href, let data): .create(href, data)
    case .replace(let href, let expecting, _, let new):
      .replace(href, expecting: expecting, with: new)
    case .delete(let href, let expecting, _): .delete(href, expecting: expecting)
    }
  }

  package func intent(_ digest: DigestFunction) -> Intent {
    let effect: Intent.Effect =
      switch effect {
      case .create(let href, let data): .create(href, digest(data.bytes))
      case .replace(let href, let expecting, _, let new):
        .replace(href, expecting: expecting, with: digest(new.bytes))
      case .delete(let href, let expecting, _): .delete(href, expecting: expecting)
      }
    return Intent(uid: uid, side: .local, effect: effect, source: nil)
  }

  /// What `calgw log` is to show; nil for what replaces nothing.
  func history(at time: Instant, _ digest: DigestFunction) -> HistoryEntry? {
    switch effect {
    case .create: nil
    case .replace(let href, let expecting, _, let new):
      HistoryEntry(
        time: time, uid: uid, side: .local, action: .replaced, reason: reason, href: href,
        before: expecting.digest, after: digest(new.bytes))
    case .delete(let href, let expecting, _):
      HistoryEntry(
        time: time, uid: uid, side: .local, action: .deleted, reason: reason, href: href,
        before: expecting.digest, after: nil)
    }
  }

  /// The texts that finishing or undoing it needs.
  package func contents(_ digest: DigestFunction) -> [StoredContent] {
    let texts: [ItemData] =
      switch effect {
      case .create(_, let data): [data]
      case .replace(_, _, let old, let new): [old, new]
      case .delete(_, _, let old): [old]
      }
    return texts.map { StoredContent(digest: digest($0.bytes), data: $0) }
  }
}

/// What became of a change.
package enum ChangeOutcome: Sendable, Hashable {
  /// Done; where the item is now.
  case done(Href)
  /// Something else was there: nothing was written.
  case changedMeanwhile
  case refused(ItemProblem)
  case failed(StorageError)
  /// It may or may not be done.
  case unknown(StorageError)
  /// One before it was not done, so it was not begun.
  case notBegun
}
