import Logging
import SQLiteJournal
import SyncModel
import SyncPlanning

/// Keeps names, colours and the like of a collection the same on both sides, three-way, with what
/// each side showed last as the base. What the listing of the collections brought is enough to see
/// that nothing changed.
struct MetadataSync: Sendable {
  let pair: OpenedPair
  let surroundings: Surroundings
  let direction: SyncDirection
  let policy: ConflictPolicy
  let settlesOneWay: Bool
  let readOnly: Set<Side>
  let name: String

  /// Both collections afterwards, and what a person should know of what was done to them.
  struct Outcome: Sendable {
    var sides: BothSides<CollectionDescription>
    /// What went where; in a run that changes nothing, what would.
    var carried: [CarriedValue] = []
    /// What differed, but for what no run of the pair may carry over: that waits for nothing.
    var differing: [DifferingValue] = []
    /// What a side could not be given this time.
    var unwritten: [UnwrittenValue] = []
    /// What no run may carry over, since the other side is read-only.
    var stuck: [StuckValue] = []
    /// Why the value that a person wants back is not on both sides.
    var unrestored: [ItemProblem] = []
    var notices: [String] = []
  }

  /// Under what the pair's store keeps the bases.
  static func storeKey(_ name: String) -> String { "metadata \(name)" }

  /// Under what the pair's store keeps the bases of a collection that calgw has made on one side,
  /// until it was given the values of the other.
  static func madeKey(_ name: String) -> String { "made \(name)" }

  /// Takes down what a collection shows right after calgw has made it. Where that is not what it
  /// was asked for, as on servers that take no name or colour with MKCALENDAR, it is no person's
  /// change: the other side's values go there.
  ///
  /// - Parameter asked: the name that it was to have.
  static func noteMade(
    _ made: CollectionDescription, on side: Side, asked: String?, as name: String,
    in store: PairStore
  ) async throws(OpeningError) {
    var bases = MetadataBases()
    for key in MetadataKey.allCases {
      guard let shown = made[key] else { continue }
      bases[key] = MetadataBase(local: nil, remote: nil)
      bases[key]?[side] = shown
    }
    if side == .remote { bases.renaming[side] = asked }
    let encoded = bases.encoded
    try await recorded { () throws(JournalError) in
      try await store.setValue(encoded, for: madeKey(name))
    }
  }

  /// What one run works on.
  struct Work {
    var outcome: Outcome
    var bases: MetadataBases
    /// What a person was told by earlier runs.
    let known: Set<String>

    /// Says what stays as it is until a person does something about it.
    mutating func tell(once notice: String) {
      bases.told.insert(notice)
      if !known.contains(notice) { say(notice) }
    }

    mutating func say(_ notice: String) { outcome.notices.append(notice) }
  }

  /// Gives both collections as they are afterwards. A side that cannot be written to now is tried
  /// again by the next run, and never fails this one: the items are what counts. What a person
  /// wants back comes last. In a run that changes nothing it says what would be done.
  func run(_ sides: BothSides<CollectionDescription>, isFirst: Bool) async throws(OpeningError)
    -> Outcome
  {
    var outcome = Outcome(sides: sides)
    let configured = pair.target.pair
    let restored = pair.target.restoring
    guard configured.local.hasMetadata, configured.remote.hasMetadata else {
      outcome.unrestored = [restored?.withoutSides].compactMap(\.self)
      return outcome
    }
    let key = Self.storeKey(name)
    let (stored, made) = try await recorded { () throws(JournalError) in
      (try await pair.store.value(key), try await pair.store.value(Self.madeKey(name)))
    }
    let new = made.map(MetadataBases.init(encoded:))
    let old = new ?? (isFirst ? MetadataBases() : MetadataBases(encoded: stored ?? []))
    var plan = plan(sides, old)
    if let asked = new?.renaming[.remote] { plan.giveName(asked, sides) }
    for value in plan.differing where value.target == nil {
      logger.notice("\(name): the \(value.key.rawValue) waits for a person")
    }
    outcome.differing = plan.differing.compactMap { writable($0, sides) }
    outcome.stuck = plan.differing.compactMap { stuck($0, sides) }
    let writes = outcome.differing.filter { $0.target.map(direction.writes(to:)) ?? false }
    outcome.notices += writes.filter(\.isConflict).compactMap(concession)
    var work = Work(outcome: outcome, bases: plan.bases, known: old.told)
    work.bases.told = []
    work.bases.failing = work.bases.failing.filter { value, _ in
      outcome.differing.contains {
        $0.key == value.key && $0.target == value.side && $0[value.side.opposite] == value.value
      }
    }
    for notice in oddValues(sides) { work.tell(once: notice) }
    guard pair.mode == .write else {
      work.outcome.carried = Side.allCases.flatMap { carried(writes, to: $0) }
      if let restored { try await putBack(restored, &work) }
      return work.outcome
    }
    tellAwaited(&work)
    for side in Side.allCases {
      let own = carried(writes, to: side)
      if !own.isEmpty { try await write(own, to: side, &work) }
    }
    if let restored { try await putBack(restored, &work) }
    if work.bases != old || (isFirst && stored != nil) { try await save(work.bases) }
    if new != nil {
      try await recorded { () throws(JournalError) in
        try await pair.store.setValue(nil, for: Self.madeKey(name))
      }
    }
    return work.outcome
  }

  func save(_ bases: MetadataBases) async throws(OpeningError) {
    let (key, encoded) = (Self.storeKey(name), bases.encoded)
    try await recorded { () throws(JournalError) in
      try await pair.store.setValue(encoded, for: key)
    }
  }

  // MARK: Deciding

  private func plan(_ sides: BothSides<CollectionDescription>, _ bases: MetadataBases)
    -> MetadataPlan
  {
    var seen = sides
    var keys = pair.target.pair.metadata
    if pair.remote.isRemembered {
      // Nobody looks there: it is as it was when the two last agreed.
      keys.removeAll { bases[$0] == nil }
      for key in keys { seen.remote[key] = bases[key]?.remote }
    }
    // What a person wrote there is neither a value nor none.
    keys.removeAll { key in Side.allCases.contains { sides[$0].oddValues[key] != nil } }
    // A person has decided about it.
    keys.removeAll { $0 == pair.target.restoring?.key }
    var rules = MetadataRules(policy: policy)
    rules.direction = direction
    rules.settlesOneWay = settlesOneWay
    rules.readOnly = Set(Side.allCases.filter { !isWritable($0, sides) })
    return MetadataPlan(seen, bases: bases, keys: keys, rules: rules)
  }

  /// A side that nothing may be written to keeps what it has, and that is as it should be: nil.
  private func writable(_ value: DifferingValue, _ sides: BothSides<CollectionDescription>)
    -> DifferingValue?
  {
    if let target = value.target { return isWritable(target, sides) ? value : nil }
    var value = value
    value.choices = Side.allCases.filter { mayEverWrite(to: $0.opposite, sides) }
    return value.choices.isEmpty ? nil : value
  }

  /// A value that was changed since both sides had it, and that this run would carry over if the
  /// other side were not read-only, or take back for that one's. What they never agreed on is no
  /// change.
  private func stuck(_ value: DifferingValue, _ sides: BothSides<CollectionDescription>)
    -> StuckValue?
  {
    guard let target = value.target, value.base != nil, !isWritable(target, sides),
      value.isConflict || direction.writes(to: target)
    else { return nil }
    return StuckValue(value, target: target, in: pair.target.pair)
  }

  func isWritable(_ side: Side, _ sides: BothSides<CollectionDescription>) -> Bool {
    !readOnly.contains(side) && !sides[side].isReadOnly
  }

  /// Some run of the pair may write there.
  func mayEverWrite(to side: Side, _ sides: BothSides<CollectionDescription>) -> Bool {
    isWritable(side, sides) && pair.target.pair.direction.writes(to: side)
  }

  private func carried(_ writes: [DifferingValue], to side: Side) -> [CarriedValue] {
    writes.compactMap { value in
      guard value.target == side, let wanted = value[side.opposite] else { return nil }
      return CarriedValue(key: value.key, side: side, value: wanted, before: value[side])
    }
  }
}

extension SideConfiguration {
  /// It has names and colours that can be set.
  fileprivate var hasMetadata: Bool {
    switch self {
    case .directory, .account: true
    case .file, .subscription: false
    }
  }
}
