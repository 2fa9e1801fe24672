import ICalendar
import SyncModel
import SyncPlanning

/// An action with everything that its write needs.
struct PreparedWrite {
  let action: Action
  let write: GuardedWrite
  let intent: Intent
  /// What the target will hold, as far as it is known before the write; nil for a delete.
  let item: ItemVersion?
  let history: HistoryEntry?
  /// The text that is written, where it is not the source's own.
  let newText: StoredContent?
  /// The text that a deletion takes away.
  var removed: ItemData?
  /// Texts that the journal had lost and that were read again.
  var foundTexts: [StoredContent] = []

  /// Where the change comes from: the resource on the other side.
  var origin: Href {
    if case .delete(_, _, let gone, _) = action { return gone.href }
    if case .merge(let merged) = action { return merged[intent.side.opposite].href }
    return intent.source?.href ?? write.href
  }

  /// It writes where nothing is to be.
  var isCreate: Bool { if case .create = write { true } else { false } }

  /// The content whose refusal is remembered.
  var guardedDigest: ContentDigest {
    switch write {
    case .create, .replace:
      if case .merge(let merged) = action {
        merged[intent.side.opposite].version.digest
      } else {
        intent.source?.version.digest ?? ContentDigest(bytes: [])
      }
    case .delete(_, let expecting): expecting.digest
    }
  }
}

extension SyncRun {
  /// Makes writes of actions; those whose ground has shifted are left for the next round.
  mutating func prepare(_ actions: [Action], on side: Side) async throws(SyncFailure)
    -> [PreparedWrite]
  {
    let confirmed = try await confirmDeletions(actions, on: side)
    let doubtful = try await doubtfulAbsences(actions, on: side)
    let (texts, found) = try await texts(for: actions, on: side)
    var prepared: [PreparedWrite] = []
    for action in actions {
      guard action.texts.allSatisfy({ texts[$0] != nil }) else {
        leaveUnsure(action)
        continue
      }
      switch action {
      case .create(_, let source, let reason):
        guard !doubtful.contains(source.uid) else {
          stale.insert(side)
          leaveUnsure(action)
          continue
        }
        let made = prepareCreate(action, source, reason, texts, on: side)
        if made.isEmpty { leaveUnsure(action) }
        prepared += made
      case .replace(_, let old, let source, let text, let reason):
        let made = prepareReplace(action, old, source, text, reason, texts, on: side)
        if made.isEmpty { leaveUnsure(action) }
        prepared += made
      case .delete(_, let old, let gone, let reason):
        guard confirmed.contains(gone.href) else {
          stale.insert(side.opposite)
          leaveUnsure(action)
          continue
        }
        prepared.append(
          PreparedWrite(
            action: action, write: .delete(old.href, expecting: old.version),
            intent: Intent(
              uid: old.uid, side: side, effect: .delete(old.href, expecting: old.version),
              source: nil),
            item: nil, history: entry(.deleted, old, nil, reason, on: side), newText: nil,
            removed: texts[old.version.digest]))
      case .merge(let merged):
        let made = prepareMerge(action, merged, on: side)
        if made.isEmpty { leaveUnsure(action) }
        prepared += made
      case .record, .forget:
        continue
      }
    }
    // One of them stands for all: they are recorded together.
    if !prepared.isEmpty { prepared[0].foundTexts = found }
    return prepared
  }

  private func prepareCreate(
    _ action: Action, _ source: ItemVersion, _ reason: String,
    _ texts: [ContentDigest: ItemData], on side: Side
  ) -> [PreparedWrite] {
    guard let text = texts[source.version.digest] else { return [] }
    let storage = sync.storage(side)
    let data = outgoing(text, to: storage)
    let digest = data == text ? source.version.digest : sync.digest(data.bytes)
    let href = nameOfNew(source.uid, digest, on: side)
    return [
      PreparedWrite(
        action: action, write: .create(href, data),
        intent: Intent(
          uid: source.uid, side: side, effect: .create(href, digest), source: source),
        item: source, history: nil,
        newText: data == text ? nil : StoredContent(digest: digest, data: data))
    ]
  }

  private func prepareReplace(
    _ action: Action, _ old: ItemVersion, _ source: ItemVersion, _ text: Action.Text,
    _ reason: String, _ texts: [ContentDigest: ItemData], on side: Side
  ) -> [PreparedWrite] {
    guard let sourceText = texts[source.version.digest],
      let composed = compose(text, sourceText, onto: texts[old.version.digest], texts)
    else { return [] }
    let data = outgoing(composed, to: sync.storage(side))
    let digest = data == sourceText ? source.version.digest : sync.digest(data.bytes)
    var item = source
    if composed != sourceText {
      let version = Version(tag: nil, digest: digest)
      guard
        case .success(let read) = sync.readItem(
          data, at: old.href, version: version, modified: nil)
      else { return [] }
      item = read
    }
    return [
      PreparedWrite(
        action: action, write: .replace(old.href, expecting: old.version, with: data),
        intent: Intent(
          uid: old.uid, side: side,
          effect: .replace(old.href, expecting: old.version, with: digest), source: source),
        item: item, history: entry(.replaced, old, digest, reason, on: side),
        newText: data == sourceText ? nil : StoredContent(digest: digest, data: data))
    ]
  }

  /// The text to write: the source's, or the old one with the source's change. Where the change
  /// cannot be carried over, the whole text travels: the old one is in the history.
  private func compose(
    _ text: Action.Text, _ source: ItemData, onto old: ItemData?,
    _ texts: [ContentDigest: ItemData]
  ) -> ItemData? {
    guard case .changeSince(let digest) = text, let base = texts[digest], let old else {
      return source
    }
    let (new, other) = (SyntaxTree(bytes: source.bytes), SyntaxTree(bytes: old.bytes))
    let aligned = sync.options.zones.aligned(SyntaxTree(bytes: base.bytes), to: new, for: other)
    let carried = carryChange(from: aligned, to: new, onto: other)
    return carried.map(ItemData.init(bytes:)) ?? source
  }

  func outgoing(_ data: ItemData, to storage: any Storage) -> ItemData {
    storage.traits.wantsWireForm ? ItemData(bytes: wireForm(of: data.bytes)) : data
  }

  func entry(
    _ action: HistoryEntry.Action, _ old: ItemVersion, _ new: ContentDigest?, _ reason: String,
    on side: Side
  ) -> HistoryEntry {
    HistoryEntry(
      time: sync.surroundings.now(), uid: old.uid, side: side, action: action, reason: reason,
      href: old.href, before: old.version.digest, after: new)
  }

  /// Looks a second time whether what shall be deleted here is really gone there. What is not
  /// provably gone is looked at again in the next round.
  private mutating func confirmDeletions(_ actions: [Action], on side: Side)
    async throws(SyncFailure) -> Set<Href>
  {
    var gone: [Href: ItemID] = [:]
    for case .delete(_, let old, let missing, _) in actions { gone[missing.href] = old.uid }
    if gone.isEmpty { return [] }
    let found = try await confirmGone(gone, on: side.opposite)
    takenOver = found.takenOver
    return found.absent.union(found.takenOver)
  }

  /// Of the items that shall be created anew where they were deleted, those that are perhaps still
  /// there: a program may just be saving one, with the old file moved away and the new one not yet
  /// written. They are looked at again in the next round.
  private func doubtfulAbsences(_ actions: [Action], on side: Side) async throws(SyncFailure)
    -> Set<ItemID>
  {
    var gone: [Href: ItemID] = [:]
    for case .create(_, let source, _) in actions {
      if let place = deletedPlaces[side]?[source.uid] { gone[place] = source.uid }
    }
    if gone.isEmpty { return [] }
    let found = try await confirmGone(gone, on: side)
    return Set(
      gone.filter { !found.absent.contains($0.key) && !found.takenOver.contains($0.key) }.values)
  }

  /// Looks a second time whether items are gone from a side, or another one is at the address. What
  /// is neither for certain counts as not read.
  func confirmGone(_ gone: [Href: ItemID], on side: Side) async throws(SyncFailure)
    -> (absent: Set<Href>, takenOver: Set<Href>)
  {
    let hrefs = gone.keys.sorted()
    let absent = try await on(side) { [sync] () throws(StorageError) in
      try await sync.storage(side).confirmAbsence(of: hrefs)
    }
    let present = hrefs.filter { !absent.contains($0) }
    let others = Set(try await takenOver(present, from: gone, on: side))
    let doubtful = present.filter { !others.contains($0) }
    if !doubtful.isEmpty {
      let news = doubtful.map {
        ObservedChange.observed(Observation(side: side, href: $0, state: .unread(nil)))
      }
      try await recorded { [sync] () throws(JournalError) in
        try await sync.journal.record(read: news, on: side, contents: [])
      }
    }
    return (Set(absent), others)
  }

  /// The addresses at which another item is now: somebody wrote it over the one that was there.
  private func takenOver(_ hrefs: [Href], from gone: [Href: ItemID], on side: Side)
    async throws(SyncFailure) -> [Href]
  {
    if hrefs.isEmpty { return [] }
    let outcomes = try await on(side) { [sync] () throws(StorageError) in
      try await sync.storage(side).readAll(hrefs)
    }
    return outcomes.compactMap { outcome in
      guard case .found(let version, let data, let modified) = outcome.result,
        let item = try? sync.readItem(
          data, at: outcome.href, version: version, modified: modified
        ).get()
      else { return nil }
      return item.uid == gone[outcome.href] ? nil : outcome.href
    }
  }
}

extension Action {
  /// All texts that are held to carry it out.
  var allTexts: [ContentDigest] { texts + helpfulTexts }

  /// The texts that composing it needs, and the one that it destroys.
  var texts: [ContentDigest] {
    switch self {
    case .create(_, let source, _): [source.version.digest]
    case .replace(_, let old, let source, _, _): [source.version.digest, old.version.digest]
    case .delete(_, let old, _, _): [old.version.digest]
    case .merge(let merged): [merged.local.version.digest, merged.remote.version.digest]
    case .record, .forget: []
    }
  }

  /// The texts that composing it would like to have.
  var helpfulTexts: [ContentDigest] {
    if case .replace(_, _, _, .changeSince(let base), _) = self { [base] } else { [] }
  }
}

extension Action {
  /// It writes to the remote side alone, and has its source here.
  fileprivate var isRemoteWrite: Bool {
    if case .merge = self { false } else { targets == [.remote] }
  }
}

extension CollectionSync {
  /// The item of an action as reports name it.
  func item(of action: Action) -> ReportedItem {
    let (target, source): (ItemVersion?, ItemVersion?) =
      switch action {
      case .create(_, let source, _): (nil, source)
      case .replace(_, let old, let source, _, _): (old, source)
      case .delete(_, let old, _, _): (old, nil)
      case .merge(let merged): (merged.local, merged.remote)
      case .record(let agreement), .forget(let agreement): (agreement.local, agreement.remote)
      }
    let (local, remote) = action.isRemoteWrite ? (source, target) : (target, source)
    return ReportedItem(
      uid: action.uid, file: local?.href, href: remote?.href,
      summary: (source ?? target)?.summary ?? "")
  }
}
