import SyncModel
import SyncPlanning

extension SyncRun {
  /// Carries out an approved plan: first what only the journal needs to know, then on each side
  /// what is new, what changed, and at last what goes, so that a run that ends early leaves a copy
  /// too many and never one too few.
  mutating func execute(_ approved: ApprovedPlan) async throws(SyncFailure) {
    if approved.plan.actions.isEmpty { return }
    unwritten = [:]
    try await makeDurable()
    let actions = approved.plan.actions
    try await writeDown(actions)
    // The remote side first: whether a file is really gone is asked before calgw itself stirs the
    // folder, which would make that look wait.
    for side in [Side.remote, .local] {
      let mine = actions.filter { $0.targets == [side] && !$0.isMerge }
      let stages = [
        mine.filter(\.isCreate), mine.filter(\.isReplace), mine.filter(\.isDelete),
      ]
      try await carryOut(stages: stages, on: side)
    }
    let merges = actions.filter(\.isMerge)
    try await carryOutMerges(try await holdSiblings(ofUnwritten: merges))
  }

  /// What a killed run, a restore or an editor wrote may be in the cache alone. Agreed on and then
  /// taken back by a power cut, it would look like somebody's deletion.
  private func makeDurable() async throws(SyncFailure) {
    for side in Side.allCases {
      try await on(side) { [sync] () throws(StorageError) in
        try await sync.storage(side).makeDurable()
      }
    }
  }

  /// One stage after the other, in batches.
  mutating func carryOut(stages: [[Action]], on side: Side) async throws(SyncFailure) {
    let writeBatch = sync.storage(side).traits.writeBatch
    let total = stages.reduce(0) { $0 + $1.count }
    var done = 0
    for whole in stages {
      let stage = try await holdSiblings(ofUnwritten: whole)
      for batch in try await sync.groups(stage, of: writeBatch, texts: \.allTexts) {
        try sync.checkStop()
        sync.options.progress(.writing(side, done: done, of: total))
        try await carryOut(Array(batch), on: side)
        done += batch.count
      }
    }
    if total > 0 { sync.options.progress(.writing(side, done: total, of: total)) }
  }

  /// Journal-only actions, in groups.
  private mutating func writeDown(_ actions: [Action]) async throws(SyncFailure) {
    for batch in actions.filter({ $0.targets.isEmpty }).batches(of: Self.recordsATransaction) {
      let doubtful = try await doubtfulForgets(Array(batch))
      var agreements: [Agreement] = []
      var forgotten: [ItemID] = []
      for action in batch {
        switch action {
        case .record(let agreement): agreements.append(agreement)
        case .forget(let agreement) where doubtful.contains(agreement.uid): continue
        case .forget(let agreement): forgotten.append(agreement.uid)
        case .create, .replace, .merge, .delete: continue
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

  private mutating func noteLostMethods(_ writes: [PreparedWrite], _ outcomes: [WriteOutcome]) {
    for (write, outcome) in zip(writes, outcomes) where outcome.lostMethod {
      report.withoutMethod[write.intent.uid] = sync.item(of: write.action)
    }
  }

  /// A batch on one side: intents, effects, facts, and what the side made of them.
  mutating func carryOut(_ actions: [Action], on side: Side) async throws(SyncFailure) {
    noteUnwritten(actions, on: side)
    let batch = try await prepare(actions, on: side)
    let writes = batch.writes
    if writes.isEmpty { return }
    try await beginOwnWrites(on: side)
    let ids = try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.begin(
        writes.map(\.intent), history: writes.flatMap(\.history),
        contents: writes.compactMap(\.newText) + batch.foundTexts)
    }
    kept.formUnion(writes.flatMap(\.history).compactMap(\.before))
    let outcomes = await sync.storage(side).carryOut(writes.map(\.write))
    let failedBefore = try await failedBefore(writes, outcomes, on: side)
    noteMail(writes, outcomes, on: side)
    noteLostMethods(writes, outcomes)
    noteActs(outcomes, on: side)
    var closed: [ClosedIntent] = []
    var failure: StorageError?
    var isUnknown = false
    for ((write, outcome), id) in zip(zip(writes, outcomes), ids) {
      let isThere = isThereAlready(write, outcome, on: side)
      switch outcome.result {
      case .unknown(let error):
        // The intent stays open: recovery finds out.
        isUnknown = true
        leaveAlone(write.action, error.message, hint: error.hint)
      case .changedMeanwhile where isThere, .refused where isThere:
        isUnknown = true
        let unclear = ItemProblem.unclear(on: side)
        leaveAlone(write.action, unclear.message, hint: unclear.hint)
      case .failed(let error):
        failure = failure ?? error
        closed.append(ClosedIntent(id: id, outcome: .nothingWritten))
      case .stored, .removed, .changedMeanwhile, .refused:
        let result = judge(write, outcome, on: side, failedBefore)
        closed.append(ClosedIntent(id: id, outcome: result))
      }
    }
    // Before the agreement, which is on what the server has: a run that is killed in between finds
    // an open intent, and looks.
    let sent = Dictionary(
      zip(ids, zip(writes, outcomes).map { $0.over($1.tagBefore) }),
      uniquingKeysWith: { first, _ in first })
    let shared = try await agreeOnHalves(&closed, of: sent, on: side)
    var stored = await readBack(closed, sent, on: side)
    stored.contents += shared
    let deniedBefore = try await refusedBefore(
      stored.denied.sorted().compactMap { sent[$0] }, on: side)
    tell(stored, of: closed, sent, deniedBefore)
    try await record(stored, on: side)
    try await recordHalves(on: side)
    if let failure { throw SyncFailure(failure, on: side) }
    if let failure = stored.failure { throw failure }
    if isUnknown || stored.hasUnseen {
      try await clearUp(ids, sent, told: Set(closed.map(\.id)).subtracting(stored.denied))
      stale.insert(side)
    }
  }

  /// Puts down what a batch came to, with what it says of items that wait.
  private mutating func record(_ stored: Stored, on side: Side) async throws(SyncFailure) {
    let waits = refusals
    refusals = []
    try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.close(stored.closed, contents: stored.contents)
      for (news, side) in [(stored.news, side), (stored.pending, side.opposite)]
      where !news.isEmpty {
        try await sync.journal.record(read: news, on: side, contents: [])
      }
      if !waits.isEmpty { try await sync.journal.setWaits(waits, history: [], contents: []) }
    }
  }

  /// Looks what became of a batch where nobody knows, and counts what is done and not told of yet.
  private mutating func clearUp(
    _ ids: [Intent.ID], _ sent: [Intent.ID: PreparedWrite], told: Set<Intent.ID>
  ) async throws(SyncFailure) {
    let recovery = try await sync.recover(Set(ids))
    noteMail(for: recovery.told)
    for id in ids where recovery.done.contains(id) && !told.contains(id) {
      if let write = sent[id] { tell(foundDone: write) }
    }
    leaveAlone(recovery.unclear)
  }

  /// Counts a write whose answer was lost, or not to be believed, and that a look has found done.
  mutating func tell(foundDone write: PreparedWrite) {
    let side = write.intent.side
    leftAlone.remove(write.intent.uid)
    if case .delete = write.write { countDeletion(of: write) }
    if write.intent.isFirstHalf, case .merge(let merged) = write.action {
      noteHalf(merged, on: side)
    } else {
      finish(write)
    }
  }

  /// Counts what is stored, and names what is not although the side said so.
  private mutating func tell(
    _ stored: Stored, of closed: [ClosedIntent], _ sent: [Intent.ID: PreparedWrite],
    _ deniedBefore: Set<Href>
  ) {
    for closed in closed {
      guard case .agreed(let agreement) = closed.outcome, var write = sent[closed.id],
        write.intent.source != nil
      else { continue }
      write.item?.href = agreement[write.intent.side].href
      if stored.denied.contains(closed.id) {
        // Once more in this run would hardly help.
        let problem = stored.shown[closed.id] ?? ItemProblem.notStored(on: write.intent.side)
        leaveAlone(write.action, problem.message, hint: problem.hint)
        hold(write, because: problem, isRepeated: deniedBefore.contains(write.origin))
      } else if let problem = stored.renamed[closed.id] {
        unfinished[write.intent.uid] = nil
        report(problem, of: write)
      } else {
        tell(write, without: stored.former[closed.id])
      }
    }
  }

  /// What an outcome that is certain means for the journal and the report.
  private mutating func judge(
    _ write: PreparedWrite, _ outcome: WriteOutcome, on side: Side, _ failedBefore: Set<Href>
  ) -> IntentOutcome {
    switch outcome.result {
    case .stored(let href, let version, let modified):
      guard var item = write.item else { return .lookAgain }
      item.href = href
      item.version = version
      item.modified = modified
      if outcome.isUnguarded { warnUnguarded(write) }
      guard let source = write.intent.source else { return closeHalf(write, item, on: side) }
      return .agreed(sync.agreement(of: source, on: side, with: item))
    case .removed:
      finish(write)
      countDeletion(of: write)
      madeRoom(on: side)
      if outcome.isUnguarded { warnUnguarded(write) }
      return .forgotten
    case .changedMeanwhile:
      stale.insert(side)
      leave(
        write.action, "it changed each time calgw was about to write it",
        hint: "Run the sync again.")
      if write.isCreate {
        attempts[write.intent.uid, default: 0] += 1
        return .nothingWritten
      }
      return .lookAgain
    case .refused(let problem):
      unfinished[write.intent.uid] = nil
      let pause = pause(after: outcome, of: write, failedBefore)
      let problem = problem.offered(after: pause, again: write)
      report(problem, of: write)
      noteFailure(outcome, problem, of: write, on: side)
      let wait = refusal(of: write, problem, for: pause)
      if write.intent.source == nil {
        refusals.append(WaitChange(side: side.opposite, href: write.origin, wait: wait))
        return .nothingWritten
      }
      return .refused(wait)
    case .unknown, .failed:
      return .lookAgain
    }
  }

  mutating func finish(_ write: PreparedWrite) {
    unfinished[write.intent.uid] = nil
    unwritten[write.intent.uid] = nil
    // What was refused for the moment may go through in a later round.
    writeProblems.removeAll {
      $0.problem.problem.code == .refused && $0.problem.item.uid == write.intent.uid
        && $0.side == write.intent.side
    }
    dropHalf(before: write)
    count(write.action, at: write.item?.href)
  }

  private mutating func report(_ problem: ItemProblem, of write: PreparedWrite) {
    let (side, uid) = (write.intent.side, write.intent.uid)
    let reported = ReportedProblem(item: sync.item(of: write.action), problem: problem)
    // A later round may have met it once more: an item is named once.
    writeProblems.removeAll {
      $0.side == side && $0.problem.item.uid == uid && $0.problem.problem.code == problem.code
    }
    writeProblems.append((side, reported))
  }

  private mutating func warnUnguarded(_ write: PreparedWrite) {
    report(
      ItemProblem(
        .unguarded, "written without a guard against a change in that very moment",
        hint: "The side offers none; the version before is in `calgw log`."),
      of: write)
  }
}

extension Action {
  fileprivate var isCreate: Bool { if case .create = self { true } else { false } }
  fileprivate var isReplace: Bool { if case .replace = self { true } else { false } }
  fileprivate var isMerge: Bool { if case .merge = self { true } else { false } }
  fileprivate var isDelete: Bool { if case .delete = self { true } else { false } }
}
