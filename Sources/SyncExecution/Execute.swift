import SyncModel
import SyncPlanning

extension SyncRun {
  /// Carries out an approved plan: first what only the journal needs to know, then on each side
  /// what is new, what changed, and at last what goes, so that a run that ends early leaves a copy
  /// too many and never one too few.
  mutating func execute(_ approved: ApprovedPlan) async throws(SyncFailure) {
    try await writeDown(approved.plan.actions)
    // The remote side first: whether a file is really gone is asked before calgw itself stirs the
    // folder, which would make that look wait.
    for side in [Side.remote, .local] {
      let mine = approved.plan.actions.filter { $0.target == side }
      let stages = [mine.filter(\.isCreate), mine.filter(\.isReplace), mine.filter(\.isDelete)]
      let total = mine.count
      var done = 0
      for stage in stages {
        for batch in stage.batches(of: sync.storage(side).traits.writeBatch) {
          try sync.checkStop()
          sync.options.progress(.writing(side, done: done, of: total))
          try await carryOut(Array(batch), on: side)
          done += batch.count
        }
      }
      if total > 0 { sync.options.progress(.writing(side, done: total, of: total)) }
    }
  }

  /// Journal-only actions, in groups.
  private mutating func writeDown(_ actions: [Action]) async throws(SyncFailure) {
    for batch in actions.filter({ $0.target == nil }).batches(of: Self.recordsATransaction) {
      var agreements: [Agreement] = []
      var forgotten: [ItemID] = []
      for action in batch {
        switch action {
        case .record(let agreement): agreements.append(agreement)
        case .forget(let agreement): forgotten.append(agreement.uid)
        case .create, .replace, .delete: continue
        }
        count(action)
      }
      let (agreed, gone) = (agreements, forgotten)
      try await recorded { [sync] () throws(JournalError) in
        if !agreed.isEmpty { try await sync.journal.agree(agreed) }
        if !gone.isEmpty { try await sync.journal.forget(gone) }
      }
    }
  }

  /// Enough that commits cost little, few enough that a killed run repeats little.
  private static let recordsATransaction = 500

  /// A batch on one side: intents, effects, facts, and what the side made of them.
  private mutating func carryOut(_ actions: [Action], on side: Side) async throws(SyncFailure) {
    let writes = try await prepare(actions, on: side)
    if writes.isEmpty { return }
    hasWritten = true
    let ids = try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.begin(
        writes.map(\.intent), history: writes.compactMap(\.history),
        contents: writes.compactMap(\.newText) + writes.flatMap(\.foundTexts))
    }
    let outcomes = await sync.storage(side).carryOut(writes.map(\.write))
    var closed: [ClosedIntent] = []
    var failure: StorageError?
    var isUnknown = false
    for ((write, outcome), id) in zip(zip(writes, outcomes), ids) {
      switch outcome.result {
      case .unknown(let error):
        // The intent stays open: recovery finds out.
        isUnknown = true
        unknown.insert(write.intent.uid)
        noteUnfinished(write, error.message, hint: error.hint)
      case .failed(let error):
        failure = failure ?? error
        closed.append(ClosedIntent(id: id, outcome: .nothingWritten))
      case .stored, .removed, .changedMeanwhile, .refused:
        closed.append(ClosedIntent(id: id, outcome: judge(write, outcome, on: side)))
      }
    }
    // Before the agreement, which is on what the server has: a run that is killed in between finds
    // an open intent, and looks.
    let sent = Dictionary(
      zip(ids, writes).compactMap { id, write in write.write.data.map { (id, $0) } },
      uniquingKeysWith: { first, _ in first })
    let stored = await readBack(closed, sent, on: side)
    let waits = refusedDeletions
    refusedDeletions = []
    try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.close(stored.closed, contents: stored.contents)
      if !stored.news.isEmpty {
        try await sync.journal.record(read: stored.news, on: side, contents: [])
      }
      if !waits.isEmpty { try await sync.journal.setWaits(waits, history: [], contents: []) }
    }
    if let failure { throw failure.kind == .stopped ? .stopped : .storage(side, failure) }
    if let failure = stored.failure { throw failure }
    if isUnknown {
      try await sync.recover()
      stale.insert(side)
    }
  }

  /// What an outcome that is certain means for the journal and the report.
  private mutating func judge(_ write: PreparedWrite, _ outcome: WriteOutcome, on side: Side)
    -> IntentOutcome
  {
    switch outcome.result {
    case .stored(let href, let version, let modified):
      guard let source = write.intent.source, var item = write.item else { return .lookAgain }
      item.href = href
      item.version = version
      item.modified = modified
      finish(write)
      if outcome.isUnguarded { warnUnguarded(write) }
      return .agreed(sync.agreement(of: source, on: side, with: item))
    case .removed:
      finish(write)
      deleted[side, default: 0] += 1
      if outcome.isUnguarded { warnUnguarded(write) }
      return .forgotten
    case .changedMeanwhile:
      stale.insert(side)
      noteUnfinished(
        write, "it changed each time calgw was about to write it", hint: "Run the sync again.")
      if case .create = write.write {
        attempts[write.intent.uid, default: 0] += 1
        return .nothingWritten
      }
      return .lookAgain
    case .refused(let problem):
      unfinished[write.intent.uid] = nil
      writeProblems.append(ReportedProblem(item: sync.item(of: write.action), problem: problem))
      let retry = sync.surroundings.now().milliseconds.addingReportingOverflow(Self.retryRefused)
      let wait = Observation.Wait.refused(
        write.guardedDigest, problem, retry: Instant(milliseconds: retry.partialValue))
      if case .delete(_, _, let gone, _) = write.action {
        refusedDeletions.append(WaitChange(side: side.opposite, href: gone.href, wait: wait))
        return .nothingWritten
      }
      return .refused(wait)
    case .unknown, .failed:
      return .lookAgain
    }
  }

  /// What a server refused is offered again after a day: it may have been mended by then.
  private static let retryRefused: Int64 = 86_400_000

  private mutating func finish(_ write: PreparedWrite) {
    unfinished[write.intent.uid] = nil
    count(write.action)
  }

  private mutating func noteUnfinished(_ write: PreparedWrite, _ message: String, hint: String) {
    unfinished[write.intent.uid] = ReportedProblem(
      item: sync.item(of: write.action), problem: ItemProblem(.refused, message, hint: hint))
  }

  private mutating func warnUnguarded(_ write: PreparedWrite) {
    writeProblems.append(
      ReportedProblem(
        item: sync.item(of: write.action),
        problem: ItemProblem(
          .unguarded, "written without a guard against a change in that very moment",
          hint: "The side offers none; the version before is in 'calgw log'.")))
  }
}

extension GuardedWrite {
  /// What it writes; nil for a delete.
  fileprivate var data: ItemData? {
    switch self {
    case .create(_, let data), .replace(_, _, let data): data
    case .delete: nil
    }
  }
}

extension Action {
  fileprivate var isCreate: Bool { if case .create = self { true } else { false } }
  fileprivate var isReplace: Bool { if case .replace = self { true } else { false } }
  fileprivate var isDelete: Bool { if case .delete = self { true } else { false } }
}
