import ICalendar
import SyncModel

extension CollectionSync {
  /// Clears up the writes of which nobody knows whether they happened, by looking.
  ///
  /// What holds the content that was meant is recorded as done, whoever wrote it. Everything else
  /// is looked at again and planned anew. Sending again blindly would do a person's later edit in.
  func recover() async throws(SyncFailure) {
    let open = try await recorded { () throws(JournalError) in try await journal.openIntents() }
    for side in Side.allCases {
      let mine = open.filter { $0.intent.side == side }
      for batch in mine.batches(of: storage(side).traits.readBatch) {
        try checkStop()
        try await recover(Array(batch), on: side)
      }
    }
  }

  private func recover(_ batch: [OpenIntent], on side: Side) async throws(SyncFailure) {
    let found = try await on(side) { () throws(StorageError) in
      try await storage(side).read(batch.map(\.intent.href))
    }
    let meant = try await recorded { () throws(JournalError) in
      try await journal.contents(batch.compactMap(\.intent.effect.content))
    }
    var outcomes: [ClosedIntent] = []
    var contents: [StoredContent] = []
    for (open, outcome) in zip(batch, found) {
      let result = judge(open.intent, outcome, meant: meant)
      outcomes.append(ClosedIntent(id: open.id, outcome: result))
      if case .agreed = result, case .found(let version, let data, _) = outcome.result {
        contents.append(StoredContent(digest: version.digest, data: data))
      }
    }
    let closed = outcomes
    let texts = contents
    try await recorded { () throws(JournalError) in
      try await journal.close(closed, contents: texts)
    }
  }

  private func judge(
    _ intent: Intent, _ seen: ReadOutcome, meant: [ContentDigest: ItemData]
  ) -> IntentOutcome {
    switch (intent.effect, seen.result) {
    case (.delete, .missing):
      return .forgotten
    case (.create(_, let digest), .found(let version, let data, let modified)),
      (.replace(_, _, let digest), .found(let version, let data, let modified)):
      guard let source = intent.source,
        case .success(let item) = readItem(
          data, at: intent.href, version: version, modified: modified),
        item.uid == intent.uid,
        isOurName(intent) || version.digest == digest
          || item.canonical == canonical(of: meant[digest])
      else { return .lookAgain }
      return .agreed(agreement(of: source, on: intent.side, with: item))
    case (.create, .missing):
      return .nothingWritten
    case (.replace, .missing), (.delete, .found), (_, .problem):
      return .lookAgain
    }
  }

  /// A new resource under a name that nobody else can have chosen is ours, whatever the server
  /// made of its content.
  private func isOurName(_ intent: Intent) -> Bool {
    guard case .create = intent.effect else { return false }
    return storage(intent.side).traits.namesAreUnguessable
  }

  private func canonical(of data: ItemData?) -> ContentDigest? {
    data.map { digest(canonicalForm(of: SyntaxTree(bytes: $0.bytes))) }
  }

  /// Both sides share an item: `source` on one side is `item` on the other.
  func agreement(of source: ItemVersion, on target: Side, with item: ItemVersion) -> Agreement {
    target == .local
      ? Agreement(uid: item.uid, local: item, remote: source)
      : Agreement(uid: item.uid, local: source, remote: item)
  }
}

extension Intent.Effect {
  /// The content that it writes; nil for a delete.
  fileprivate var content: ContentDigest? {
    switch self {
    case .create(_, let digest), .replace(_, _, let digest): digest
    case .delete: nil
    }
  }
}
