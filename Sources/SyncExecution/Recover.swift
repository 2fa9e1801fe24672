import ICalendar
import SyncModel
import SyncPlanning

/// What became of writes of which nobody knew whether they happened.
struct Recovery {
  /// Not cleared up, and still open: what is there cannot be read, or does not show yet.
  var unclear: [OpenIntent]
  /// Found done.
  var done: Set<Intent.ID> = []
  /// Those of them for which a server may have sent mail.
  var told: [Intent] = []
}

extension CollectionSync {
  /// Clears up the writes of which nobody knows whether they happened, by looking.
  ///
  /// What holds the content that was meant is recorded as done, whoever wrote it. Everything else
  /// is looked at again and planned anew. Sending again blindly would do a person's later edit in.
  ///
  /// What was found is made durable before it is recorded. A power cut would else take back what
  /// the journal says both sides share, and that would look like a person's deletion or edit.
  ///
  /// - Parameters:
  ///   - ids: of the writes to look at; nil: all.
  ///   - isLook: The journal is a throw-away copy, so nothing is recorded that stays.
  func recover(
    _ ids: Set<Intent.ID>? = nil, isLook: Bool = false
  ) async throws(SyncFailure) -> Recovery {
    let open = try await recorded { () throws(JournalError) in try await journal.openIntents() }
      .filter { ids?.contains($0.id) ?? true }
    var recovery = Recovery(unclear: try await unreadableAsBefore(open))
    let waiting = Set(recovery.unclear.map(\.id))
    for side in Side.allCases {
      let mine = open.filter { $0.intent.side == side && !waiting.contains($0.id) }
      let size = storage(side).traits.readBatch
      for batch in try await groups(mine, of: size, texts: \.intent.effect.contents) {
        try checkStop()
        let found = try await recover(
          Array(batch), on: side, isLook: isLook || options.isDryRun)
        recovery.unclear += found.unclear
        recovery.done.formUnion(found.done)
        recovery.told += found.told
      }
    }
    if ids == nil { try await rereadUngiven(besides: recovery.unclear) }
    return recovery
  }

  private func recover(_ batch: [OpenIntent], on side: Side, isLook: Bool)
    async throws(SyncFailure) -> Recovery
  {
    let found = try await on(side) { () throws(StorageError) in
      try await storage(side).readAll(batch.map(\.intent.href))
    }
    var seen = Dictionary(found.map { ($0.href, $0) }, uniquingKeysWith: { first, _ in first })
    for href in try await deletedUnread(batch, seen, on: side) {
      seen[href] = ReadOutcome(href: href, result: .missing)
    }
    let unclear = batch.filter { open in
      seen[open.intent.href].map { staysOpen(open.intent, $0) } ?? false
    }
    try await relistMissing(unclear, seen, on: side)
    let waiting = Set(unclear.map(\.id))
    let batch = batch.filter { !waiting.contains($0.id) }
    let clues = try await clues(batch.map(\.intent), seen, on: side)
    var outcomes: [ClosedIntent] = []
    var contents: [StoredContent] = []
    for open in batch {
      let outcome = seen[open.intent.href]
      let result = outcome.map { judge(open.intent, $0, clues) } ?? .lookAgain
      outcomes.append(ClosedIntent(id: open.id, outcome: result))
      if case .agreed(let agreement) = result,
        case .found(let version, let data, _) = outcome?.result
      {
        let there = StoredContent(digest: version.digest, data: data)
        contents += foundTexts(of: agreement, on: side, sent(open.intent, clues), there)
        contents += clues.mergedIn[open.intent.uid]?.texts ?? []
      }
    }
    if !isLook {
      try await on(side) { () throws(StorageError) in try await storage(side).makeDurable() }
    }
    let closed = outcomes
    let texts = contents
    try await relistLostSources(of: closed, on: side)
    try await recorded { () throws(JournalError) in
      try await journal.close(closed, contents: texts)
    }
    let done = Set(closed.filter(\.isDone).map(\.id))
    let told = try await told(batch.filter { done.contains($0.id) }.map(\.intent), on: side)
    return Recovery(unclear: unclear, done: done, told: told)
  }

  /// Of what was to be deleted and cannot be read, what is gone all the same. To forget that calgw
  /// itself took it away would make it a deletion of a person's.
  private func deletedUnread(
    _ batch: [OpenIntent], _ seen: [Href: ReadOutcome], on side: Side
  ) async throws(SyncFailure) -> [Href] {
    let unread = batch.map(\.intent).compactMap { intent -> Href? in
      guard case .delete = intent.effect, case .problem = seen[intent.href]?.result else {
        return nil
      }
      return intent.href
    }
    if unread.isEmpty { return [] }
    return try await on(side) { () throws(StorageError) in
      try await storage(side).confirmAbsence(of: unread)
    }
  }

  private func judge(_ intent: Intent, _ seen: ReadOutcome, _ clues: Clues) -> IntentOutcome {
    switch (intent.effect, seen.result) {
    case (_, .found) where clues.left.contains(intent.href): return .lookAgain
    case (.delete(_, let expecting), .missing):
      // It was not deleted, but has another name: the listing will show that.
      let isRenamed = (clues.kept[intent.uid] ?? []).contains {
        $0.version.digest == expecting.digest
      }
      return isRenamed ? .nothingWritten : .forgotten
    case (.create(_, let digest), .found(let version, let data, let modified)):
      guard let source = intent.source,
        let item = ours(intent, version, data, modified)
      else { return .lookAgain }
      if version.digest == digest {
        return .agreed(agreement(of: source, on: intent.side, with: item))
      }
      guard let sent = sent(intent, clues) else { return .lookAgain }
      if sent.means(data) || isOurName(intent) && sent.isOfOneSubstance(with: data) {
        return .agreed(agreement(of: source, on: intent.side, with: item))
      }
      if isOurName(intent), sent.isAllSaid(in: data) {
        let base = beforeAnswers(sent, data, intent) ?? item
        return .agreed(agreement(of: source, on: intent.side, with: base))
      }
      guard isOurName(intent) || !clues.taken.contains(intent.href),
        let base = asSent(sent.shared(with: data), at: intent.href)
      else { return .lookAgain }
      // It arrived, and somebody has edited it since: both sides shared what was sent, and the
      // listing will show the edit. A file's name is no secret, but it was free and the item was
      // not there: who put the same item there in that moment had it from where we had it.
      return .agreed(agreement(of: source, on: intent.side, with: base))
    case (.replace(_, _, let digest), .found(let version, _, _)) where intent.isFirstHalf:
      // The next listing shows it, as an edit of what was merged into it.
      guard version.digest == digest, let shared = clues.mergedIn[intent.uid] else {
        return .lookAgain
      }
      return .agreed(shared.agreement)
    case (.replace(_, let expecting, let digest), .found(let version, let data, let modified)):
      guard let source = intent.source, let item = ours(intent, version, data, modified) else {
        return .lookAgain
      }
      if version.digest == digest {
        return .agreed(agreement(of: source, on: intent.side, with: item))
      }
      let isUntouched = version.digest == expecting.digest
      return sent(intent, clues).flatMap { judge($0, source, item, data, isUntouched, intent) }
        ?? .lookAgain
    case (.create(_, let digest), .missing):
      guard let source = intent.source, let name = clues.renamed[intent.uid]?.first?.href,
        let text = clues.meant[digest], let base = asSent(text, at: name)
      else { return .nothingWritten }
      return .agreed(agreement(of: source, on: intent.side, with: base))
    case (.replace, .missing), (.delete, .found), (_, .problem):
      return .lookAgain
    }
  }

  /// Judges what is there in the place of a text that was to replace another. Nil where nobody can
  /// say whose it is.
  ///
  /// - Parameter isUntouched: What was to be replaced is there, byte for byte.
  private func judge(
    _ sent: SentText, _ source: ItemVersion, _ item: ItemVersion, _ data: ItemData,
    _ isUntouched: Bool, _ intent: Intent
  ) -> IntentOutcome? {
    if sent.means(data) || !isUntouched && sent.isTraced(in: data) {
      return .agreed(agreement(of: source, on: intent.side, with: item))
    }
    if sent.isSwallowed(by: data) {
      // What is there is all that both sides share: the rest is sent once more, and looked at.
      var shared = item
      shared.href = source.href
      shared.version.tag = nil
      return .agreed(agreement(of: shared, on: intent.side, with: item))
    }
    // Taken for an edit of what was there before, an edit of ours would meet it as a stranger's.
    guard sent.wasGoneOnFrom(to: data),
      let base = asSent(sent.shared(with: data), at: intent.href)
    else { return nil }
    return .agreed(agreement(of: source, on: intent.side, with: base))
  }

  /// What is there, if it is an item and the intent's.
  private func ours(_ intent: Intent, _ version: Version, _ data: ItemData, _ modified: Instant?)
    -> ItemVersion?
  {
    let read = readItem(data, at: intent.href, version: version, modified: modified)
    guard case .success(let item) = read, item.uid == intent.uid else { return nil }
    return item
  }

  /// What a write sent; nil where the journal has lost the text.
  private func sent(_ intent: Intent, _ clues: Clues) -> SentText? {
    guard let digest = intent.effect.written, let text = clues.meant[digest] else { return nil }
    return sentText(text, over: intent.effect.replaced.flatMap { clues.meant[$0] }, on: intent.side)
  }

  func sentText(_ text: ItemData, over old: ItemData?, on side: Side) -> SentText {
    SentText(
      text, over: old, isRewritten: storage(side).traits.mayRewrite, zones: options.zones)
  }

  /// The texts that an agreement found by looking needs: what is there, and what both sides shared
  /// before somebody went on from it, which is perhaps nowhere else.
  private func foundTexts(
    of agreement: Agreement, on side: Side, _ sent: SentText?, _ found: StoredContent
  ) -> [StoredContent] {
    let base = agreement[side].version.digest
    if base == found.digest { return [found] }
    let texts = [sent?.shared(with: found.data), sent?.unanswered(found.data)]
    guard let text = texts.lazy.compactMap(\.self).first(where: { digest($0.bytes) == base }) else {
      return [found]
    }
    return [found, StoredContent(digest: base, data: text)]
  }

  /// What both sides shared of a new item of which the server has news by now. They may be a
  /// person's, and go to the other side, in this run or a later one; but not to one that might
  /// answer in its turn.
  private func beforeAnswers(_ sent: SentText, _ found: ItemData, _ intent: Intent) -> ItemVersion?
  {
    guard !storage(intent.side.opposite).traits.mayRewrite, let base = sent.unanswered(found)
    else { return nil }
    return asSent(base, at: intent.href)
  }

  /// A text as the item that it was when it was written, to be the base of later edits.
  func asSent(_ data: ItemData, at href: Href) -> ItemVersion? {
    let version = Version(tag: nil, digest: digest(data.bytes))
    return try? readItem(data, at: href, version: version, modified: nil).get()
  }

  /// Nobody else can have chosen the name: what is there was put there by us, whatever became of it
  /// since.
  func isOurName(_ intent: Intent) -> Bool {
    storage(intent.side).traits.namesAreUnguessable
  }

  /// Both sides share an item: `source` on one side is `item` on the other.
  func agreement(of source: ItemVersion, on target: Side, with item: ItemVersion) -> Agreement {
    target == .local
      ? Agreement(uid: item.uid, local: item, remote: source)
      : Agreement(uid: item.uid, local: source, remote: item)
  }
}

extension Intent {
  var isCreation: Bool { if case .create = effect { true } else { false } }

  /// It writes a merge to one side, and the other is to follow.
  var isFirstHalf: Bool {
    if case .replace = effect { source == nil } else { false }
  }
}

extension ClosedIntent {
  /// What it meant to do is done.
  var isDone: Bool {
    switch outcome {
    case .agreed, .forgotten: true
    case .nothingWritten, .refused, .lookAgain: false
    }
  }
}

extension Intent.Effect {
  /// The content that it writes, and that which it writes over.
  var contents: [ContentDigest] {
    switch self {
    case .create(_, let digest): [digest]
    case .replace(_, let expecting, let digest): [expecting.digest, digest]
    case .delete: []
    }
  }

  /// The content that it writes over, where it writes.
  var replaced: ContentDigest? {
    if case .replace(_, let expecting, _) = self { expecting.digest } else { nil }
  }

  /// The content that it writes; nil for a deletion.
  fileprivate var written: ContentDigest? {
    switch self {
    case .create(_, let digest), .replace(_, _, let digest): digest
    case .delete: nil
    }
  }
}
