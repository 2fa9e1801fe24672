import SyncModel
import SyncPlanning

/// One run over one collection: recover, then look, decide and act until nothing is left to do.
struct SyncRun {
  let sync: CollectionSync
  var report: CollectionReport
  /// The number of items that both sides shared when the run began.
  private(set) var agreedAtStart = 0
  /// The most items that both sides shared at the start of a round: what this run made shared is
  /// among those of which a side may lose some.
  private(set) var mostAgreed = 0
  /// How many more items both sides would share once a dry run's plan was carried out.
  var foreseen = 0
  /// Sides on which items are named by their UIDs, as the run found them.
  private var namedByUID: Set<Side>?
  /// What earlier runs could not read either.
  private var unreadBefore: Set<Href> = []
  /// Items deleted on each side so far: the guard counts a run and not a round.
  var deleted: [Side: Int] = [:]
  /// Those of which another collection has copies: a later step of the run deletes them on the
  /// remote side.
  var deletedLater: Set<ItemID> = []
  /// Shared items that a side lacked at some time, and items that were not shared at first.
  var lost: [Side: Set<ItemID>] = [:]
  var newlyMet: Set<ItemID> = []
  /// Items that the remote side may have nowhere now, and whose files are here.
  var onTheirWay: Set<ItemID> = []
  /// Names that were taken, by item.
  var attempts: [ItemID: Int] = [:]
  /// Items that could not be written yet, and why.
  var unfinished: [ItemID: ReportedProblem] = [:]
  /// Problems that came up while writing and are no part of a plan.
  var writeProblems: [(side: Side, problem: ReportedProblem)] = []
  /// What a side refused in this batch and no intent names a source of, as deletions: it waits
  /// where the change comes from.
  var refusals: [WaitChange] = []
  /// What this run put into the history before it wrote over it.
  var kept: Set<ContentDigest> = []
  /// What was read in this run although a listing leaves it out: no later listing of the run makes
  /// it gone.
  var stillThere: [Side: Set<Href>] = [:]
  /// Where items were that were deleted on a side since they were shared.
  var deletedPlaces: [Side: [ItemID: Href]] = [:]
  /// New items that a side was to get in this round, and has not yet.
  var unwritten: [ItemID: (item: ItemVersion, side: Side)] = [:]
  /// Merges of this batch that the local side has now, and the remote side not yet.
  var halfMerged: [MergedItem] = []
  /// First halves of merges that are written, as the updates that they are if no second half comes:
  /// the other side may have changed since, and the item then goes another way.
  var halvesAlone: [ItemID: Action] = [:]
  /// What new parts of series were given in this run.
  var carried = CarriedChanges()
  /// New items that an earlier run sent and that do not show.
  var formerCreations: [Side: [ItemID: FormerCreation]] = [:]
  /// Items whose write was not answered: they are not written again in this run.
  var leftAlone: Set<ItemID> = []
  /// What recovery could not clear up of earlier runs, until a listing was seen.
  var uncleared: [OpenIntent] = []
  /// New items of this run that a side said it stored, and that are not where they were sent to.
  var misplaced: [Intent.ID: MisplacedWrite] = [:]
  /// What a side listed when they were found to be misplaced.
  var placesBefore: [Side: Set<Href>] = [:]
  /// What a side stored, and does not give back.
  var ungiven = UngivenItems()
  /// What a person said of deletions.
  var answers: [ItemID: Bool] = [:]
  /// What a person said of new items with attendees; nil: he was not asked yet.
  var mayInvite: Bool?
  /// Items with attendees that wait for a person's yes.
  var uninvited: Set<ItemID>
  /// Whether there are such that a lost journal knows nothing of, as the run found the sides.
  var hasLookedForForgotten = false
  /// For what a server may have sent mail.
  var mail: SentMail
  /// The sources of writes at which a side failed in this run.
  var failedHere: Set<Href> = []
  /// Items at whose write a side failed, with what is known of why, and not for the moment alone:
  /// the next run sends them.
  var failedItems: [Side: [ItemID: ItemProblem.Cause?]] = [:]
  /// On sides that list changes, until they are listed again.
  var ownWrites: [Side: OwnWrites] = [:]
  /// A write was tried: it may have left something to settle.
  var hasWritten = false
  /// Sides to look at, at first those that the run was given, then those where something was not as
  /// planned or came back changed.
  var stale: Set<Side>
  private var rounds = Rounds()

  /// - Parameter mail: What is to be told of already.
  init(_ sync: CollectionSync, lookingAt sides: Set<Side>, telling mail: SentMail) {
    self.sync = sync
    self.mail = mail
    stale = sides
    uninvited = sync.options.invitations.held
    report = CollectionReport(name: sync.name)
  }

  mutating func run() async throws(SyncFailure) {
    if !sync.options.isDryRun { try await settleDisplaced() }
    let recovery = try await sync.recover()
    uncleared = recovery.unclear
    noteMail(for: recovery.told)
    leaveAlone(uncleared)
    try await sync.lookForTakenAlong()
    try await sync.lookForMoved()
    try await sync.compareRemade()
    agreedAtStart = try await countAgreements()
    mostAgreed = agreedAtStart
    unreadBefore = try await sync.unreadBefore()
    do throws(SyncFailure) {
      while !rounds.isOver, try await runRound(isFirst: rounds.isFirst) { rounds.end() }
    } catch {
      try? await giveBackCursors()
      throw error
    }
    // Here and not only in the next run, which is to change nothing where nothing changed.
    try await sync.followRenamed()
    // A later round's plan may have named what an earlier one was refused; what was written without
    // a guard stays so.
    let named = Set(report.problems.compactMap(\.item.uid))
    report.problems += writeProblems.map(\.problem).filter {
      $0.problem.code == .unguarded || $0.item.uid.map { !named.contains($0) } ?? true
    }
    report.problems += unfinished.keys.sorted().filter { !named.contains($0) }
      .compactMap { unfinished[$0].map(namingReason) }
    let agreed = try await countAgreements()
    let waiting = agreed == 0 ? 0 : try await countWaiting()
    report.unchanged = max(0, agreed + foreseen - written.count - waiting)
    if hasWritten {
      try await giveBackCursors()
      try await settleDisplaced()
      try await prune()
    }
  }

  /// Gives false when there is nothing left to look at.
  private mutating func runRound(isFirst: Bool) async throws(SyncFailure) -> Bool {
    try await sync.observe(
      stale, retries: isFirst, isAsked: isFirst && sync.options.only != nil, sparing: stillThere,
      after: ownWrites)
    for side in Side.allCases where stale.contains(side) { ownWrites[side] = nil }
    stale = []
    try await followWrites()
    if isFirst { try await keepLacking() }
    // In each round: a file may come back between two looks of one run.
    try await letGoOfComeBack()
    if isFirst { try await adoptFormer() }
    if !isFirst { mostAgreed = max(mostAgreed, try await countAgreements()) }
    rounds.begin()
    // What the guard looked at and found is to be read, whether the rest may be done or not.
    guard let approved = try await decide() else { return !stale.isEmpty }
    if sync.options.isDryRun {
      for action in approved.plan.actions { count(action) }
      return false
    }
    let known = written.count
    try await execute(approved)
    try await noteUnread(approved)
    rounds.act(getsOn: written.count > known)
    return !stale.isEmpty || rounds.isPart
  }

  /// What is to be done now; nil where it is so much that a person has to allow it first. What it
  /// was made from is let go before anything is done: of a first sync that is a lot.
  private mutating func decide() async throws(SyncFailure) -> ApprovedPlan? {
    let (differing, broken) = try await sync.differingAndBroken(unreadBefore: unreadBefore)
    var matched = matchItems(differing)
    matched.nameNeverShared(in: broken[.local])
    matched.items = try await sync.findTimes(of: sync.lookTwice(at: matched.items))
    noteLost(matched)
    deletedPlaces = Self.deletedPlaces(matched.items)
    var rules = sync.rules
    rules.only = try await withNewSiblings(rules.only, matched.items)
    rules.offeredAgain.formUnion(await sync.freed(matched.items))
    report.clockAhead = farClock(rules, matched.items) ?? report.clockAhead
    let whole = try await sync.plan(
      for: matched.items, rules: rules, mayPostpone: rounds.mayPostpone && !sync.options.isDryRun)
    rounds.plan(isPart: whole.isPartial)
    let settled = sync.leaveAlone(in: sync.respect(broken, in: whole), matched.items, differing)
    var plan = try await holdingBesideUnread(settled, matched.items, differing)
    plan.problems += try await sync.withSeriesMended(
      named(matched.problems, by: rules.only, broken))
    // What needs no write any more is finished, whoever did it.
    let due = Set(plan.actions.filter { !$0.targets.isEmpty }.map(\.uid))
    unfinished = unfinished.filter { due.contains($0.key) }
    leaveOutChanged(of: &plan, matched.items)
    leaveOutLeftAlone(of: &plan)
    leaveOutFailed(of: &plan)
    report.problems = namedOnce(plan.problems).map(sync.report(of:))
    report.conflicts = plan.conflicts.map { sync.report(of: $0) }
    if !sync.options.isDryRun {
      try await keep(plan.conflicts)
      try await keepTextsOfBrokenFiles(
        differing, troubled: Set(matched.problems.compactMap(\.uid)))
    }
    plan = try await withoutRefuted(plan, of: matched)
    plan = await holdEdited(holdLeaving(plan), matched.items)
    plan = await holdArriving(holdPulled(holdDeparted(holdOnTheirWay(plan))), matched.items)
    if report.isPostponed { return nil }
    plan = try await askBeforeDeleting(plan, matched.items)
    plan = try await askBeforeInviting(plan, matched.items)
    plan = try await holdSiblings(of: whole, in: plan, matched.items)
    plan = try await carryingIntoParts(plan)
    try await noteDoubled(plan, matched.items)
    return try await approved(plan, of: matched)
  }

  /// Leaves out what may be on the other side already, and has later runs do so.
  private mutating func holdingBesideUnread(
    _ plan: Plan, _ items: [DifferingItem], _ differing: Differing
  ) async throws(SyncFailure) -> Plan {
    let namedByUID = namedByUID ?? sync.sidesNamedByUID(differing)
    self.namedByUID = namedByUID
    let (held, waits) = try await sync.holdBesideUnread(
      plan, items, differing, agreed: agreedAtStart, former: unreadBefore, namedByUID: namedByUID)
    if !waits.isEmpty, !sync.options.isDryRun {
      try await recorded { [sync] () throws(JournalError) in
        try await sync.journal.setWaits(waits, history: [], contents: [])
      }
    }
    return held
  }

  private static func deletedPlaces(_ items: [DifferingItem]) -> [Side: [ItemID: Href]] {
    var places: [Side: [ItemID: Href]] = [:]
    for item in items {
      guard case .agreed(let agreement, let local, let remote) = item.state else { continue }
      if local == .deleted { places[.local, default: [:]][item.uid] = agreement.local.href }
      if remote == .deleted { places[.remote, default: [:]][item.uid] = agreement.remote.href }
    }
    return places
  }

  private mutating func settleDisplaced() async throws(SyncFailure) {
    for side in Side.allCases {
      report.lateEdits += try await SyncExecution.settleDisplaced(
        in: sync.storage(side), of: side, journal: sync.journal, kept: kept,
        now: sync.surroundings.now())
    }
  }

  /// What was written down may have put an item out of its place: another one has its address now.
  /// It is looked at in this run, so that the report says how things are.
  private mutating func noteUnread(_ approved: ApprovedPlan) async throws(SyncFailure) {
    if approved.plan.actions.isEmpty { return }
    for side in Side.allCases where !stale.contains(side) {
      let unread = try await recorded { [sync] () throws(JournalError) in
        try await sync.journal.unread(side)
      }
      if !unread.isEmpty { stale.insert(side) }
    }
  }

  private func countAgreements() async throws(SyncFailure) -> Int {
    try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.agreementCount()
    }
  }

  /// Items and not writes: what a server has to say of one comes back in the same run.
  private var written: Set<ItemID?> {
    let writes = report.actions.filter { [.create, .update, .merge].contains($0.kind) }
    return Set(writes.map(\.item.uid))
  }

  /// Items on which both sides had agreed, and which wait now for a person or a mend.
  private func countWaiting() async throws(SyncFailure) -> Int {
    let items = report.conflicts.map(\.item) + report.problems.map(\.item)
    let waiting = Set(items.map(\.uid)).subtracting(written).compactMap { $0 }
    return try await recorded { [sync] () throws(JournalError) in
      var count = 0
      for uid in waiting.sorted() where try await sync.journal.agreement(of: uid) != nil {
        count += 1
      }
      return count
    }
  }

  private func prune() async throws(SyncFailure) {
    let limit = sync.surroundings.now().advanced(by: -sync.options.keepHistory.milliseconds)
    try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.prune(
        olderThan: limit, versionsAnItem: sync.options.keepHistory.versions)
    }
  }
}
