import SQLiteJournal
import SyncExecution
import SyncModel

/// What the collections of a pair have in common while a run syncs them. Each has its first pass
/// (`runPasses`); then what was moved between them is brought to its end (`finishMoves`).
struct CollectionRun {
  let gateway: Gateway
  var opened: OpenedPair
  let options: RunOptions
  let direction: SyncDirection
  let watch: StopWatch
  let wait: LockWait
  let progress: @Sendable (PairProgress) -> Void
  /// As `HeldItems.departed` and `.takenAlong` say.
  var departed: NotedItems
  var takenAlong: NotedItems
  /// Of what is on its way, where it was to go.
  var destinations: Destinations
  /// Of each collection, the items that a server does not move to another one, and will not do so
  /// in a moment.
  var unmoved: [String: Set<ItemID>] = [:]
  var looks = FirstLooks()

  private var pair: PairConfiguration { opened.target.pair }

  /// Opens a collection, runs the engine, and adds what came of it to the report. With `moved` it
  /// is a second run over the collection, for these items alone: they are sent although the server
  /// refused them, and deleted although another collection has them.
  mutating func sync(
    _ collection: MatchedCollection, moved: (items: Set<ItemID>, step: MoveStep)? = nil,
    _ report: inout PairReport
  ) async throws(RunFailure) {
    let name = collection.name
    if let pass = looks.begin(name) {
      let leaving = leaving(name, report)
      return try await run(pass.knowing(leaving), &report)
    }
    let questions = CountedQuestions()
    let options = options.isDryRun ? questions.answered(options) : options
    var rules = try await rules(name, moved, options, report)
    let (progress, pairName) = (progress, pair.name)
    if rules.confirmDeletion != nil, let confirm = options.confirmDeletion {
      rules.confirmDeletion = { item, side in await confirm("\(pairName)/\(name)", item, side) }
    }
    rules.progress = { progress(.collection(pair: pairName, name: name, $0)) }
    let opener = CollectionOpener(
      pair: opened, surroundings: gateway.surroundings, options: rules,
      wait: wait)
    // Nothing of it was done: what it would do to the collection itself is the same once more.
    let isSaid = options.isDryRun && moved != nil
    switch await opener.open(collection) {
    case .skipped: return
    case .reported(let told, let made):
      if !isSaid { report.takeIn(CollectionActions(made: made), of: name) }
      try await noteGone(collection, told, rules.remade)
      report.add(told, moved?.items)
    case .ready(let collection):
      if !isSaid { report.takeIn(collection) }
      let undecided = collection.differing.compactMap(\.conflict)
      if !undecided.isEmpty { report.valueConflicts[name] = undecided }
      let pass = CollectionPass(
        ready: collection, opener: opener, rules: rules, questions: questions)
      try await run(pass, moved: moved, &report)
    }
  }

  /// Runs the engine over a collection that was opened, and adds what came of it to the report.
  private mutating func run(
    _ pass: CollectionPass, moved: (items: Set<ItemID>, step: MoveStep)? = nil,
    _ report: inout PairReport
  ) async throws(RunFailure) {
    let (name, rules) = (pass.ready.sync.name, pass.rules)
    let outcome = await pass.run()
    if outcome.isPostponed, outcome.failure == nil {
      looks.postpone(pass, after: outcome)
      return
    }
    try await noteMet(name, outcome, rules.remade, isWhole: moved == nil)
    if moved == nil, outcome.failure == nil { try await noteForgotten(in: name) }
    var result = pass.opener.translate(outcome)
    try await noteLook(
      at: rules.takenAlong.intersection(moved?.items ?? rules.takenAlong), result)
    if options.isDryRun, moved?.step == .arrived { result.sayWhenGoing() }
    if case .moved? = moved?.step { report.countOnce(&result) }
    report.add(result, moved?.items)
    report.note(lateEdits: await gateway.strangeOnes(of: result.lateEdits), in: result.name)
    if let counted = pass.questions.counted {
      report.questions[name, default: AwaitedAnswers()].add(counted)
    }
    // A second run has met nothing else.
    if options.isDryRun || moved != nil { return }
    if pair.onConflict != nil {
      report.untold += try await gateway.journaled(pair) { () throws(JournalError) in
        try await ToldConflicts.untold(result, in: opened.store)
      }
    }
  }

  /// What the engine goes by in a run over a collection.
  private func rules(
    _ name: String, _ moved: (items: Set<ItemID>, step: MoveStep)?, _ options: RunOptions,
    _ report: PairReport
  ) async throws(RunFailure) -> SyncOptions {
    var rules = try await gateway.engineOptions(name, of: opened, options, watch)
    rules.direction = direction
    rules.only = moved?.items
    rules.isContinued = moved != nil
    if let moved {
      moved.step.set(&rules, for: moved.items)
    } else {
      rules.leaving = leaving(name, report)
      rules.arriving = opened.arriving(name)
      rules.movedTo = await places(ofMoved: nil, to: name)
    }
    // Of what may be on its way from another calendar, the server may have nothing by now.
    rules.offeredAgain.formUnion(destinations[name].map { $0.uid })
    rules.takenAlong = takenAlong[name]
    rules.former = try await former(besides: name)
    if moved?.step != .gone { rules.departed = departed[name] }
    if moved == nil, !departed[name].isEmpty {
      rules.comingBack = { await self.comingBack($0, to: name) }
    } else if let moved, moved.step == .gone {
      // Here no file of the other one is asked for: the first pass saw none in this one, so what
      // shows now came back in this very moment. In the first pass itself that other file may have
      // come down from the server just before, and then it is what is left here that has to go.
      // What the other one has not taken over is kept here until a run finds its way.
      let (store, items) = (opened.store, moved.items)
      rules.comingBack = { here in
        let back = try? await store.items(here.intersection(items), sharedBesides: name)
        return ComeBack(back: back ?? [])
      }
    }
    return rules
  }
}

extension PairReport {
  fileprivate mutating func note(lacking: Int, in name: String) {
    if lacking == 0 { return }
    notices.append(
      "\(pair)/\(name) was gone and is there again: what it lacks (\(lacking)) is deleted nowhere"
        + " for that, and counts as new to it")
  }

  private mutating func note(clockAhead: Int64?) {
    guard let clockAhead else { return }
    let notice = RunNotices.clock(ahead: clockAhead)
    if !notices.contains(notice) { notices.append(notice) }
  }

  /// Adds the report of a collection, or of a second run over it for some items.
  fileprivate mutating func add(_ collection: CollectionReport, _ moved: Set<ItemID>?) {
    note(lacking: collection.lacking, in: collection.name)
    note(clockAhead: collection.clockAhead)
    note(doubled: collection.doubled, in: collection.name)
    if let moved, let index = collections.firstIndex(where: { $0.name == collection.name }) {
      collections[index].go(on: collection, with: moved)
    } else {
      var collection = collection
      collection.leaveOutMoved()
      collections.append(collection)
    }
  }
}

extension CollectionReport {
  /// What was moved away is still shared at the end of the first run over the collection, and both
  /// sides do not have it alike. What waits for a person is not among those that do anyway.
  fileprivate mutating func leaveOutMoved() {
    let waiting = Set((conflicts.map(\.item) + problems.map(\.item)).compactMap(\.uid))
    let moved = departed.union((leaving + edited).compactMap(\.uid)).subtracting(waiting)
    unchanged = max(0, unchanged - moved.count)
  }

  /// What a second run over the collection, for some items, adds to the first.
  fileprivate mutating func go(on next: CollectionReport, with items: Set<ItemID>) {
    func isOther(_ item: ReportedItem) -> Bool { item.uid.map { !items.contains($0) } ?? true }
    pulled.add(next.pulled)
    pushed.add(next.pushed)
    merged += next.merged
    invitations += next.invitations
    cancellations += next.cancellations
    heldInvitations = heldInvitations.subtracting(items).union(next.heldInvitations)
    conflicts = conflicts.filter { isOther($0.item) } + next.conflicts
    // Of a file that is no item, both tell.
    problems = problems.filter { isOther($0.item) && !next.problems.contains($0) } + next.problems
    leaving = leaving.filter { isOther($0) }
    edited = edited.filter { isOther($0) } + next.edited
    arriving = arriving.filter { isOther($0) } + next.arriving
    departed = departed.subtracting(items).union(next.departed)
    withoutMethod.merge(next.withoutMethod) { $1 }
    actions += next.actions
    failure = failure ?? next.failure
  }
}

extension WriteCounts {
  fileprivate mutating func add(_ other: WriteCounts) {
    created += other.created
    updated += other.updated
    deleted += other.deleted
  }
}
