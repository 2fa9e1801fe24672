import SyncModel
import SyncPlanning

extension CollectionSync {
  /// Texts of so many conflicts are held at a time.
  private static let conflictsAtATime = 100
  /// Of merged texts so many times what is held at a time of others, which are of no use once they
  /// were looked at.
  private static let batchesHeld = 4

  /// Takes out of a plan the conflicts that need no person.
  ///
  /// - Parameter mayPostpone: Those whose texts are too much to be held until they are written are
  ///   left out, for a plan that is made once the others are (`Plan.isPartial`). Not beside new
  ///   items: one may be a part of a series that was split, and goes with what its series gets.
  func mergingConflicts(
    _ plan: Plan, rules: ReconcileRules, mayPostpone: Bool
  ) async throws(SyncFailure) -> Plan {
    if plan.conflicts.isEmpty { return plan }
    var merged = plan
    merged.conflicts = []
    let groups = try await groups(plan.conflicts, of: Self.conflictsAtATime, texts: \.texts)
    var held = 0
    let mayPostpone = mayPostpone && !plan.actions.contains(where: \.isCreation)
    for batch in groups {
      if mayPostpone, held > Self.batchesHeld * bytesAtOnce {
        merged.isPartial = true
        break
      }
      let texts = try await texts(of: Array(batch))
      var part = Plan()
      part.conflicts = Array(batch)
      part = mergeConflicts(part, texts: texts, zones: options.zones, rules: rules)
      held += part.actions.reduce(0) { $0 + $1.textBytes }
      merged.actions += part.actions
      merged.conflicts += part.conflicts
      merged.problems += part.problems
    }
    merged.actions.sort { $0.uid < $1.uid }
    return merged
  }
}

extension Action {
  fileprivate var isCreation: Bool { if case .create = self { true } else { false } }

  /// In bytes: what a merge is to write.
  fileprivate var textBytes: Int {
    guard case .merge(let merged) = self else { return 0 }
    return Side.allCases.reduce(0) { $0 + (merged.texts[$1]?.bytes.count ?? 0) }
  }
}

extension CollectionSync {
  /// The texts of conflicts by their digests; what a damaged journal lost of the two versions is
  /// read again where it is.
  private func texts(of conflicts: [Conflict]) async throws(SyncFailure)
    -> [ContentDigest: ItemData]
  {
    var texts = try await recorded { () throws(JournalError) in
      try await journal.contents(conflicts.flatMap(\.texts))
    }
    for side in Side.allCases {
      let versions = conflicts.map { side == .local ? $0.local : $0.remote }
        .filter { texts[$0.version.digest] == nil }
      var found: [StoredContent] = []
      for batch in versions.batches(of: storage(side).traits.readBatch) {
        // What cannot be read waits as the conflict that it is.
        found += (try? await readAgain(Array(batch), on: side))?.texts ?? []
      }
      for content in found { texts[content.digest] = content.data }
      let news = found
      if !news.isEmpty {
        try await recorded { () throws(JournalError) in
          try await journal.record(read: [], on: side, contents: news)
        }
      }
    }
    return texts
  }
}

extension CollectionSync {
  /// What both sides share after the first half of a merge, and the text of it that no side has.
  struct SharedByHalf {
    var agreement: Agreement
    var texts: [StoredContent] = []
  }

  /// What both sides share once the local one holds all that the other has, and its own edits on
  /// top: the version of that other side. An edit after that is an edit of the merged text, and
  /// meets nothing of what went into it once more.
  ///
  /// Where each side keeps the item in a form of its own, it is what was shared here before, with
  /// what changed there since; nil where that cannot be told.
  func shared(
    after base: Agreement?, taking version: ItemVersion, into own: ItemVersion
  ) async throws(SyncFailure) -> SharedByHalf? {
    guard let base, !base.basesAgree else {
      var taken = version
      taken.href = own.href
      taken.version.tag = nil
      return SharedByHalf(agreement: Agreement(uid: own.uid, local: taken, remote: version))
    }
    let texts = try await recorded { () throws(JournalError) in
      try await journal.contents([base.local, base.remote, version].map(\.version.digest))
    }
    func content(_ version: ItemVersion) -> ItemData? { texts[version.version.digest] }
    guard let here = content(base.local), let before = content(base.remote),
      let there = content(version),
      let text = carry(from: before, to: there, onto: here),
      let taken = asSent(text, at: own.href), taken.uid == own.uid
    else { return nil }
    return SharedByHalf(
      agreement: Agreement(uid: own.uid, local: taken, remote: version),
      texts: [StoredContent(digest: taken.version.digest, data: text)])
  }
}

extension SyncRun {
  /// Carries out merges: first here, then there, so that each write is one of the usual kind and a
  /// run may end between the two. The next one merges again, finds that this side has it already,
  /// and writes to the other.
  mutating func carryOutMerges(_ actions: [Action]) async throws(SyncFailure) {
    let size = Side.allCases.map { sync.storage($0).traits.writeBatch }.min() ?? 1
    for batch in try await sync.groups(actions, of: size, texts: \.allTexts) {
      try sync.checkStop()
      halfMerged = []
      try await carryOut(batch.filter { $0.targets.contains(.local) }, on: .local)
      let rest = halfMerged.map(Action.merge)
      halfMerged = []
      try await carryOut(batch.filter { $0.targets == [.remote] } + rest, on: .remote)
    }
  }

  /// A merge that the local side has now, for the remote side to follow.
  func secondHalf(of merged: MergedItem, with stored: ItemVersion, on side: Side) -> MergedItem {
    var rest = merged
    rest.texts[side] = nil
    rest[side] = stored
    return rest
  }

  /// What the first half of a merge means: it is written, and the second half follows.
  mutating func closeHalf(_ write: PreparedWrite, _ stored: ItemVersion, on side: Side)
    -> IntentOutcome
  {
    guard case .merge(let merged) = write.action else { return finishAmended(write, on: side) }
    var item = stored
    item.modified = merged.edited ?? stored.modified
    noteHalf(merged, on: side)
    halfMerged.append(secondHalf(of: merged, with: item, on: side))
    return .nothingWritten
  }

  /// Agrees on what the first halves that were written brought to the side. Gives the texts of that
  /// which the journal does not have.
  func agreeOnHalves(
    _ closed: inout [ClosedIntent], of sent: [Intent.ID: PreparedWrite], on side: Side
  ) async throws(SyncFailure) -> [StoredContent] {
    // What such a side made of it is not known yet, and is no edit there.
    if halfMerged.isEmpty || sync.storage(side).traits.mayRewrite { return [] }
    let halves = Dictionary(
      halfMerged.map { ($0.local.uid, $0) }, uniquingKeysWith: { first, _ in first })
    var texts: [StoredContent] = []
    for index in closed.indices {
      guard let write = sent[closed[index].id], let half = halves[write.intent.uid],
        let shared = try await sync.shared(
          after: half.base, taking: half[side.opposite], into: half[side])
      else { continue }
      closed[index] = ClosedIntent(id: closed[index].id, outcome: .agreed(shared.agreement))
      texts += shared.texts
    }
    return texts
  }

  /// Writes down what the first halves of merges put on a side. They are no edits: their time is
  /// that of the later edit in them.
  func recordHalves(on side: Side) async throws(SyncFailure) {
    if halfMerged.isEmpty { return }
    let news = halfMerged.map { half in
      sync.sighting(of: half[side].href, on: side, .read(half[side]))
    }
    try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.record(read: news, on: side, contents: [])
    }
  }

  /// What the first half did counts by itself until the second half is written.
  mutating func noteHalf(_ merged: MergedItem, on side: Side) {
    halvesAlone[merged.local.uid] = .replace(
      on: side, old: merged[side], source: merged[side.opposite], text: .whole,
      reason: merged.reason)
  }

  /// The merge as a whole counts now, or a later write on the side of its first half.
  mutating func dropHalf(before write: PreparedWrite) {
    let uid = write.intent.uid
    guard let half = halvesAlone[uid] else { return }
    var isMerge = false
    if case .merge = write.action { isMerge = true }
    if isMerge || half.targets == [write.intent.side] { halvesAlone[uid] = nil }
  }

  /// Counts what first halves wrote whose second half never came: the run may have met a deletion
  /// on the other side, or failed.
  mutating func countHalves() {
    for uid in halvesAlone.keys.sorted() {
      if let half = halvesAlone[uid] { count(half) }
    }
    halvesAlone = [:]
  }

  /// Makes the write of a merge on one side.
  func prepareMerge(
    _ action: Action, _ merged: MergedItem, _ texts: [ContentDigest: ItemData], on side: Side
  ) -> PreparedWrite? {
    guard let text = merged.texts[side] else { return nil }
    let old = merged[side]
    let data = sync.outgoing(text, to: sync.storage(side))
    let digest = sync.digest(data.bytes)
    let read = sync.readItem(
      data, at: old.href, version: Version(tag: nil, digest: digest), modified: nil)
    guard case .success(let item) = read, item.uid == old.uid else { return nil }
    // With the other side still to be written, success makes no agreement on what is written.
    let isLast = merged.texts[side.opposite] == nil
    return PreparedWrite(
      action: action, write: .replace(old.href, expecting: old.version, with: data),
      intent: Intent(
        uid: old.uid, side: side,
        effect: .replace(old.href, expecting: old.version, with: digest),
        source: isLast ? merged[side.opposite] : nil),
      item: item, history: [entry(.replaced, old, digest, merged.reason, on: side)],
      newText: StoredContent(digest: digest, data: data),
      hadGuests: hasGuests(texts[old.version.digest], on: side))
  }
}
