import ICalendar
import SyncModel
import SyncPlanning

/// An action with everything that its write needs.
struct PreparedWrite {
  let action: Action
  private(set) var write: GuardedWrite
  let intent: Intent
  /// What the target will hold, as far as it is known before the write; nil for a delete.
  var item: ItemVersion?
  /// What it destroys, and what it lets go of besides.
  let history: [HistoryEntry]
  /// The text that is written, where it is not the source's own.
  let newText: StoredContent?
  /// The text that a deletion takes away.
  var removed: ItemData?
  /// The text that it writes over has guests whom the side may tell.
  var hadGuests = false

  /// Where the change comes from: the resource on the other side.
  var origin: Href {
    if case .delete(_, _, let gone, _) = action { return gone.href }
    if case .merge(let merged) = action { return merged[intent.side.opposite].href }
    return intent.source?.href ?? write.href
  }

  /// With the tag of what it was to replace, where only the write itself has shown it.
  func over(_ tagBefore: EntityTag?) -> PreparedWrite {
    guard let tagBefore, case .replace(let href, var expected, let data) = write,
      expected.tag == nil
    else { return self }
    expected.tag = tagBefore
    var copy = self
    copy.write = .replace(href, expecting: expected, with: data)
    return copy
  }

  /// It writes where nothing is to be.
  var isCreate: Bool { if case .create = write { true } else { false } }

  /// It brings a part of a series what was changed in the whole of it.
  var isAmended: Bool {
    if case .replace(_, _, _, .amended, _) = action { true } else { false }
  }

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

/// The writes of a batch, which are recorded together.
struct PreparedBatch {
  var writes: [PreparedWrite] = []
  /// Texts that the journal had lost and that were read again.
  var foundTexts: [StoredContent] = []
}

extension SyncRun {
  /// Makes writes of actions; those whose ground has shifted are left for the next round, and
  /// named: nothing is passed over in silence.
  mutating func prepare(_ actions: [Action], on side: Side) async throws(SyncFailure)
    -> PreparedBatch
  {
    let confirmed = try await confirmDeletions(actions, on: side)
    let doubtful = try await doubtfulAbsences(actions, on: side)
    let (texts, found) = try await texts(for: actions, on: side)
    try await avoidTakenNames(actions, on: side)
    var batch = PreparedBatch(foundTexts: found)
    for action in actions {
      var write: PreparedWrite?
      switch action {
      case _ where !action.texts.allSatisfy({ texts[$0] != nil }):
        break
      case .create(_, let source, let reason):
        if doubtful.contains(source.uid) {
          stale.insert(side)
        } else {
          write = prepareCreate(action, source, reason, texts, on: side)
        }
      case .replace(_, let old, let source, let text, let reason):
        write = prepareReplace(action, old, source, text, reason, texts, on: side)
      case .delete(_, let old, let gone, let reason):
        if confirmed.contains(gone.href) {
          write = prepareDelete(action, old, reason, texts, on: side)
        } else {
          stale.insert(side.opposite)
        }
      case .merge(let merged):
        write = prepareMerge(action, merged, texts, on: side)
      case .record, .forget:
        continue
      }
      if let write { batch.writes.append(write) } else { leaveUnsure(action) }
    }
    return batch
  }

  private func prepareCreate(
    _ action: Action, _ source: ItemVersion, _ reason: String,
    _ texts: [ContentDigest: ItemData], on side: Side
  ) -> PreparedWrite? {
    guard let text = texts[source.version.digest] else { return nil }
    let storage = sync.storage(side)
    let data = sync.outgoing(text, to: storage)
    let digest = data == text ? source.version.digest : sync.digest(data.bytes)
    let href = nameOfNew(source.uid, digest, on: side)
    return PreparedWrite(
      action: action, write: .create(href, data),
      intent: Intent(uid: source.uid, side: side, effect: .create(href, digest), source: source),
      item: source, history: [],
      newText: data == text ? nil : StoredContent(digest: digest, data: data))
  }

  private func prepareReplace(
    _ action: Action, _ old: ItemVersion, _ source: ItemVersion, _ text: Action.Text,
    _ reason: String, _ texts: [ContentDigest: ItemData], on side: Side
  ) -> PreparedWrite? {
    guard let sourceText = texts[source.version.digest],
      let composed = sync.compose(text, sourceText, onto: texts[old.version.digest], texts)
    else { return nil }
    let data = sync.outgoing(composed, to: sync.storage(side))
    let digest = data == sourceText ? source.version.digest : sync.digest(data.bytes)
    var item = source
    if composed != sourceText {
      let version = Version(tag: nil, digest: digest)
      guard
        case .success(let read) = sync.readItem(
          data, at: old.href, version: version, modified: nil)
      else { return nil }
      item = read
    }
    // What the other side does not have yet makes no agreement.
    let isOwn = if case .amended = text { true } else { false }
    return PreparedWrite(
      action: action, write: .replace(old.href, expecting: old.version, with: data),
      intent: Intent(
        uid: old.uid, side: side,
        effect: .replace(old.href, expecting: old.version, with: digest),
        source: isOwn ? nil : source),
      item: item,
      history: lastOfBase(action, texts) + [entry(.replaced, old, digest, reason, on: side)],
      newText: data == sourceText ? nil : StoredContent(digest: digest, data: data),
      hadGuests: hasGuests(texts[old.version.digest], on: side))
  }

  private func prepareDelete(
    _ action: Action, _ old: ItemVersion, _ reason: String, _ texts: [ContentDigest: ItemData],
    on side: Side
  ) -> PreparedWrite {
    PreparedWrite(
      action: action, write: .delete(old.href, expecting: old.version),
      intent: Intent(
        uid: old.uid, side: side, effect: .delete(old.href, expecting: old.version), source: nil),
      item: nil,
      history: lastOfBase(action, texts) + [entry(.deleted, old, nil, reason, on: side)],
      newText: nil, removed: texts[old.version.digest])
  }

  /// What a person edited or deleted in the folder, where the server never kept all of it: the
  /// journal alone has it still, as what was agreed on, and is about to let go of it.
  private func lastOfBase(_ action: Action, _ texts: [ContentDigest: ItemData]) -> [HistoryEntry] {
    guard let side = action.targets.first, let base = action.base,
      !sync.storage(side.opposite).traits.mayRewrite
    else { return [] }
    guard base.digest != base.other, let own = texts[base.digest], let there = texts[base.other]
    else { return [] }
    let differences = describeChange(
      from: SyntaxTree(bytes: there.bytes), to: SyntaxTree(bytes: own.bytes),
      zones: sync.options.zones)
    guard differences.contains(where: { $0.before == nil && $0.after != nil }) else { return [] }
    return [
      HistoryEntry(
        time: sync.surroundings.now(), uid: action.uid, side: side.opposite,
        action: base.after == nil ? .deleted : .replaced,
        reason: "the \(side.rawValue) side never kept all of it", href: base.href,
        before: base.digest, after: base.after)
    ]
  }

  func entry(
    _ action: HistoryEntry.Action, _ old: ItemVersion, _ new: ContentDigest?, _ reason: String,
    on side: Side
  ) -> HistoryEntry {
    HistoryEntry(
      time: sync.surroundings.now(), uid: old.uid, side: side, action: action, reason: reason,
      href: old.href, before: old.version.digest, after: new)
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

  /// The texts that composing it would like to have, and what was agreed on with the side that it
  /// comes from.
  var helpfulTexts: [ContentDigest] { base.map { [$0.digest] } ?? [] }

  /// What was agreed on with the side that a change comes from, where the sides may differ for
  /// ever; what the other one has, and what became of the first.
  fileprivate var base:
    (digest: ContentDigest, other: ContentDigest, href: Href, after: ContentDigest?)?
  {
    switch self {
    case .replace(_, let old, let source, .changeSince(let base), _):
      (base, old.version.digest, source.href, source.version.digest)
    case .delete(_, let old, let gone, _):
      (gone.version.digest, old.version.digest, gone.href.address, nil)
    case .replace, .create, .merge, .record, .forget: nil
    }
  }
}
