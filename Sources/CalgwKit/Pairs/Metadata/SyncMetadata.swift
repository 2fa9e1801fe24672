import Logging
import SQLiteJournal
import SyncModel
import SyncPlanning

/// Keeps names, colours and the like of a collection the same on both sides, three-way, with what
/// each side showed last as the base. What the listing of the collections brought is enough to see
/// that nothing changed.
struct MetadataSync: Sendable {
  let pair: OpenedPair
  let direction: SyncDirection
  let policy: ConflictPolicy
  let readOnly: Set<Side>
  let name: String

  /// Both collections afterwards, and what a person should know of what was done to them.
  struct Outcome: Sendable {
    var sides: BothSides<CollectionDescription>
    /// What went where; in a run that changes nothing, what would.
    var carried: [CarriedValue] = []
    /// What differed, but for what no run of the pair may carry over: that waits for nothing.
    var differing: [DifferingValue] = []
    var notices: [String] = []
  }

  /// Under what the pair's store keeps the bases.
  static func storeKey(_ name: String) -> String { "metadata \(name)" }

  /// What one run works on.
  private struct Work {
    var outcome: Outcome
    var bases: MetadataBases
  }

  /// Gives both collections as they are afterwards. A side that cannot be written to now is tried
  /// again by the next run, and never fails this one: the items are what counts. In a run that
  /// changes nothing it says what would be done.
  func run(_ sides: BothSides<CollectionDescription>, isFirst: Bool) async throws(OpeningError)
    -> Outcome
  {
    var outcome = Outcome(sides: sides)
    let configured = pair.target.pair
    guard configured.local.hasMetadata, configured.remote.hasMetadata else { return outcome }
    let key = Self.storeKey(name)
    let stored = try await recorded { () throws(JournalError) in try await pair.store.value(key) }
    let old = isFirst ? MetadataBases() : MetadataBases(encoded: stored ?? [])
    let plan = plan(sides, old)
    for value in plan.differing where value.target == nil {
      logger.notice("\(name): both sides changed the \(value.key.rawValue)")
    }
    outcome.differing = plan.differing.compactMap { writable($0, sides) }
    let writes = outcome.differing.filter { $0.target.map(direction.writes(to:)) ?? false }
    outcome.notices = writes.filter(\.isConflict).compactMap(concession)
    guard pair.mode == .write else {
      outcome.carried = Side.allCases.flatMap { carried(writes, to: $0) }
      return outcome
    }
    var work = Work(outcome: outcome, bases: plan.bases)
    for side in Side.allCases {
      let own = carried(writes, to: side)
      if !own.isEmpty { try await write(own, to: side, &work) }
    }
    if work.bases != old || (isFirst && stored != nil) { try await save(work.bases) }
    return work.outcome
  }

  private func save(_ bases: MetadataBases) async throws(OpeningError) {
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
    return MetadataPlan(seen, bases: bases, keys: keys, policy: policy)
  }

  /// A side that nothing may be written to keeps what it has, and that is as it should be: nil.
  private func writable(_ value: DifferingValue, _ sides: BothSides<CollectionDescription>)
    -> DifferingValue?
  {
    func isWritable(_ side: Side) -> Bool {
      !readOnly.contains(side) && !sides[side].isReadOnly
    }
    if let target = value.target { return isWritable(target) ? value : nil }
    var value = value
    let direction = pair.target.pair.direction
    value.choices = Side.allCases.filter {
      isWritable($0.opposite) && direction.writes(to: $0.opposite)
    }
    return value.choices.isEmpty ? nil : value
  }

  private func carried(_ writes: [DifferingValue], to side: Side) -> [CarriedValue] {
    writes.compactMap { value in
      guard value.target == side, let wanted = value[side.opposite] else { return nil }
      return CarriedValue(key: value.key, side: side, value: wanted)
    }
  }

  /// What gives way. There is no history of names: this line is where it can be found.
  private func concession(_ value: DifferingValue) -> String? {
    guard let target = value.target else { return nil }
    let isForeseen = pair.mode == .look
    let holds = isForeseen ? "would hold" : "holds"
    let gives = isForeseen ? "would give" : "gives"
    return "\(place): both sides changed the \(value.key.rawValue);"
      + " the \(target.opposite.rawValue) one \(holds), and '\(value[target] ?? "")' \(gives) way"
  }

  // MARK: Writing

  /// Writes values to a side, and takes what it says that it has now for the base.
  private func write(
    _ wanted: [CarriedValue], to side: Side, _ work: inout Work
  ) async throws(OpeningError) {
    var values: [MetadataKey: String] = [:]
    for one in wanted { values[one.key] = one.value }
    if side == .remote, let newName = values[.displayname] {
      // A new name may give the calendar another address, and nobody may be there to be told.
      work.bases.renaming = newName
      try await save(work.bases)
    }
    do throws(StorageError) {
      work.outcome.sides[side] = try await pair.side(side).setMetadata(
        values, of: work.outcome.sides[side])
    } catch {
      let keys = wanted.map(\.key.rawValue).joined(separator: ", ")
      work.outcome.notices.append(
        "\(place): the \(side.rawValue) side could not be given the \(keys), and the next run tries"
          + " again: \(error.message)")
      return
    }
    work.bases.renaming = nil
    let now = work.outcome.sides
    for one in wanted {
      let key = one.key
      let isDone = isSame(key, now[side][key], one.value)
      // Somebody was quicker here: that is a change of the next run.
      if side == .local, !isDone { continue }
      work.bases[key] = MetadataBase(local: now.local[key], remote: now.remote[key])
      if isDone {
        work.outcome.carried.append(one)
      } else {
        work.outcome.notices.append(kept(now[side][key], insteadOf: one))
      }
    }
  }

  /// What a side refused, or made something of. It is the base from now on, so it is said once.
  private func kept(_ value: String?, insteadOf asked: CarriedValue) -> String {
    func shown(_ text: String) -> String { "'\(visibleText(text, limit: 40))'" }
    let own = value.flatMap { $0.isEmpty ? nil : shown($0) } ?? "none"
    return "\(place): the \(asked.side.rawValue) side was to have the \(asked.key.rawValue)"
      + " \(shown(asked.value)) and keeps \(own); it is asked again once the other side changes it"
  }

  private var place: String { "\(pair.target.pair.name)/\(name)" }
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
