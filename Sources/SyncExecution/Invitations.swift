import ICalendar
public import SyncModel
import SyncPlanning

/// Whether a server may get items with attendees that no person made here since the sides were in
/// step: those of a first sync, of another server, or of which a lost journal knows nothing. It may
/// invite people to all of them.
public struct InvitationConsent: Sendable {
  /// What is said of it, or who says it.
  public enum Answer: Sendable {
    /// It may: the configuration says what servers are told.
    case given
    /// A person is asked, once a collection, before so many are sent.
    case asked(@Sendable (_ count: Int) async -> Bool)
    /// Nobody can be asked. What a first sync finds in a folder alone goes: a person put it there.
    /// What is new to one of two servers waits, since nobody made it here; and where the sides have
    /// items in common and no agreement, the journal was lost, and new ones wait, too.
    case nobody
  }

  public var answer = Answer.nobody
  /// Items that wait for a yes since an earlier run.
  public var held: Set<ItemID> = []
  /// Keeps those that wait for later runs. Called before what they were held back in is carried
  /// out, so that a killed run has not forgotten them.
  public var keep: @Sendable (_ held: Set<ItemID>) async throws(JournalError) -> Void = { _ in }

  public init() {}
}

extension SyncRun {
  /// Leaves out the items with attendees that nobody has said yes to (`InvitationConsent`). They
  /// wait, and are named, in this run and in all later ones until somebody does.
  mutating func askBeforeInviting(
    _ plan: Plan, _ items: [DifferingItem]
  ) async throws(SyncFailure) -> Plan {
    let forgotten =
      hasLookedForForgotten ? [] : try await sync.forgotten(items, agreed: agreedAtStart)
    hasLookedForForgotten = true
    guard
      let doubt = sync.doubt(items, held: uninvited, forgotten: forgotten, agreed: agreedAtStart)
    else { return plan }
    var held = try await sync.doubtful(plan, doubt)
    if case .asked(let confirm) = sync.options.invitations.answer {
      let isAskedNow = mayInvite == nil
      if try await isAllowed(held.count, by: confirm) {
        let sent = plan.newItems(among: held)
        held = try await isAskedNow ? changedWhileAsked(sent) : []
      }
    }
    // What goes now waits no more.
    let new = plan.newItems(among: doubt.alone).map(\.source.uid)
    try await keepUninvited(doubt.waiting.subtracting(new).union(held))
    return leavingOut(held, of: plan)
  }

  private mutating func isAllowed(
    _ count: Int, by confirm: @Sendable (Int) async -> Bool
  ) async throws(SyncFailure) -> Bool {
    if count == 0 { return true }
    if let mayInvite { return mayInvite }
    try sync.checkStop()
    let answer = await confirm(count)
    try sync.checkStop()
    mayInvite = answer
    return answer
  }

  mutating func keepUninvited(_ items: Set<ItemID>) async throws(SyncFailure) {
    guard items != uninvited, !sync.options.isDryRun else { return }
    uninvited = items
    try await recorded { [sync] () throws(JournalError) in
      try await sync.options.invitations.keep(items)
    }
  }

  private mutating func leavingOut(_ held: Set<ItemID>, of plan: Plan) -> Plan {
    report.heldInvitations = held
    if held.isEmpty { return plan }
    var left = plan
    left.actions.removeAll { action in
      if case .create = action { held.contains(action.uid) } else { false }
    }
    for action in plan.actions where held.contains(action.uid) {
      report.problems.append(
        ReportedProblem(item: sync.item(of: action), problem: .awaitsInvitation))
    }
    return left
  }

  /// Counts items with guests for which the side may have sent mail because of a write.
  mutating func noteMail(
    _ writes: [PreparedWrite], _ outcomes: [WriteOutcome], on side: Side
  ) {
    let mayNotify = sync.storage(side).traits.mayNotify
    for (write, outcome) in zip(writes, outcomes)
    where outcome.mayHaveTold || mayNotify && write.concernsGuests {
      switch outcome.result {
      case .stored, .removed, .unknown: break
      case .changedMeanwhile, .refused, .failed: continue
      }
      noteMail(for: [write.intent])
    }
  }

  /// Counts writes for which a side may have sent mail.
  mutating func noteMail(for writes: [Intent]) {
    mail.note(writes)
    mail.count(in: &report)
  }
}

/// What decides which new items need a yes.
private struct InvitationDoubt {
  /// The items that one side alone has, and that both never shared.
  var alone: Set<ItemID>
  /// Those that wait since an earlier run, or that a lost journal knows nothing of.
  var waiting: Set<ItemID>
  /// Not only those need a yes, but all that are new.
  var isOfAll: Bool
}

extension CollectionSync {
  /// The items with attendees that a plan sends and that a run would not send before somebody says
  /// yes to it, for a look.
  ///
  /// - Parameter agreed: The number of items that both sides share.
  func uninvited(
    by plan: Plan, _ items: [DifferingItem], agreed: Int
  ) async throws(SyncFailure) -> Set<ItemID> {
    let forgotten = try await forgotten(items, agreed: agreed)
    guard
      let doubt = doubt(
        items, held: options.invitations.held, forgotten: forgotten, agreed: agreed)
    else { return [] }
    return try await doubtful(plan, doubt)
  }

  /// Nil where nothing needs a yes, and nothing did before.
  ///
  /// - Parameter agreed: The number of items that both sides shared when the run began.
  fileprivate func doubt(
    _ items: [DifferingItem], held: Set<ItemID>, forgotten: Set<ItemID>, agreed: Int
  ) -> InvitationDoubt? {
    var isOfAll = isBetweenServers
    if case .asked = options.invitations.answer, agreed == 0 { isOfAll = true }
    if held.isEmpty, forgotten.isEmpty, !isOfAll { return nil }
    let alone = Set(items.filter(\.isOnOneSideAlone).map(\.uid))
    let waiting = held.subtracting(items.map(\.uid).filter { !alone.contains($0) })
    return InvitationDoubt(alone: alone, waiting: waiting.union(forgotten), isOfAll: isOfAll)
  }

  /// The items of a plan that need a yes.
  fileprivate func doubtful(
    _ plan: Plan, _ doubt: InvitationDoubt
  ) async throws(SyncFailure) -> Set<ItemID> {
    if case .given = options.invitations.answer { return [] }
    return try await inviting(
      plan.newItems(among: doubt.alone).filter {
        doubt.isOfAll || doubt.waiting.contains($0.source.uid)
      })
  }

  /// Where the sides have items in common and no agreement, the journal was lost, or is new: what
  /// only one side has looks new, and is new to nobody perhaps. All such items with attendees,
  /// whatever this run deals with: the next one finds agreements, and cannot tell any more. But
  /// for those that a person has named: what is done with them is his doing.
  fileprivate func forgotten(
    _ items: [DifferingItem], agreed: Int
  ) async throws(SyncFailure) -> Set<ItemID> {
    guard agreed == 0, items.contains(where: \.isUnmetOnBothSides) else { return [] }
    if case .given = options.invitations.answer { return [] }
    let alone = items.flatMap { item in
      Side.allCases.compactMap { side -> NewItem? in
        guard item.isOnOneSideAlone, options.only?.contains(item.uid) != true,
          let source = item.version(on: side)
        else { return nil }
        return NewItem(source: source, side: side.opposite)
      }
    }
    return try await inviting(alone)
  }

  /// Those with attendees whom the side may tell.
  func inviting(_ items: [NewItem]) async throws(SyncFailure) -> Set<ItemID> {
    let told = items.filter { storage($0.side).traits.mayNotify }.map(\.source)
    var inviting: Set<ItemID> = []
    for group in try await groups(
      told, of: Self.textsAtATime, texts: { [$0.version.digest] })
    {
      let texts = try await recorded { () throws(JournalError) in
        try await journal.contents(group.map(\.version.digest))
      }
      for item in group {
        // One whose text was lost may be one.
        let text = texts[item.version.digest]
        if text.map({ SchedulingAgent.isScheduled($0.bytes) }) ?? true {
          inviting.insert(item.uid)
        }
      }
    }
    return inviting
  }

  private static let textsAtATime = 200

  /// What is new to one of two servers was made at the other, and not here; so was what comes from
  /// a subscription.
  private var isBetweenServers: Bool {
    let traits = Side.allCases.map { storage($0).traits }
    return traits.contains(where: \.mayNotify)
      && traits.allSatisfy { $0.mayNotify || $0.isReadOnly }
  }
}

extension ItemProblem {
  /// A server may invite people to it, and nobody has said yes to that yet.
  static let awaitsInvitation = ItemProblem(
    .refused,
    "it has attendees and is new to the server, which may invite them; nobody said yes to that",
    hint: "Run the sync on a terminal and answer, or set invitations = \"server\" or"
      + " \"never\".")
}

extension PreparedWrite {
  /// What it writes, writes over or removes has guests: who is one no more is told so.
  fileprivate var concernsGuests: Bool {
    hadGuests || (write.data ?? removed).map { SchedulingAgent.hasGuests($0.bytes) } ?? false
  }
}

extension SyncRun {
  /// What a write takes the place of has guests whom the side may tell of it.
  func hasGuests(_ former: ItemData?, on side: Side) -> Bool {
    guard sync.storage(side).traits.mayNotify, let former else { return false }
    return SchedulingAgent.hasGuests(former.bytes)
  }
}

/// An item that one side has, on its way to the other.
struct NewItem {
  var source: ItemVersion
  var side: Side
}

extension Plan {
  /// What it creates of these items.
  fileprivate func newItems(among items: Set<ItemID>) -> [NewItem] {
    actions.compactMap { action in
      guard case .create(let side, let source, _) = action, items.contains(source.uid) else {
        return nil
      }
      return NewItem(source: source, side: side)
    }
  }
}

extension DifferingItem {
  fileprivate var isUnmetOnBothSides: Bool {
    if case .unmet(.some, .some) = state { true } else { false }
  }

  fileprivate var isOnOneSideAlone: Bool {
    switch state {
    case .unmet(.some, nil), .unmet(nil, .some): true
    case .unmet, .agreed: false
    }
  }
}
