import Logging
import SQLiteJournal
import SyncModel
import SyncPlanning
import VdirStorage

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
    var work = Work(outcome: outcome, bases: plan.bases, known: old.told)
    work.bases.told = []
    for notice in oddValues(sides) { work.tell(once: notice) }
    guard pair.mode == .write else {
      work.outcome.carried = Side.allCases.flatMap { carried(writes, to: $0) }
      return work.outcome
    }
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
    // What a person wrote there is neither a value nor none.
    keys.removeAll { key in Side.allCases.contains { sides[$0].oddValues[key] != nil } }
    return MetadataPlan(seen, bases: bases, keys: keys, policy: policy)
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

  private func isWritable(_ side: Side, _ sides: BothSides<CollectionDescription>) -> Bool {
    !readOnly.contains(side) && !sides[side].isReadOnly
  }

  /// Some run of the pair may write there.
  private func mayEverWrite(
    to side: Side, _ sides: BothSides<CollectionDescription>
  ) -> Bool {
    isWritable(side, sides) && pair.target.pair.direction.writes(to: side)
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

  /// What stands in the place of values and is none. It is left alone.
  private func oddValues(_ sides: BothSides<CollectionDescription>) -> [String] {
    var notices: [String] = []
    for side in Side.allCases {
      let isItself = sides[side].href == VdirRoot.itself
      let folder = pair.side(side).path + (isItself ? "" : "/" + sides[side].name)
      for key in MetadataKey.allCases where pair.target.pair.metadata.contains(key) {
        guard let why = sides[side].oddValues[key] else { continue }
        notices.append("\(place): the file \(folder)/\(key.rawValue) is left alone: \(why)")
      }
    }
    return notices
  }

  // MARK: Writing

  /// Writes values to a side, and takes what it says that it has now for the base.
  ///
  /// - Parameter isAnswer: they are what the other side made of values that it was given.
  private func write(
    _ wanted: [CarriedValue], to side: Side, isAnswer: Bool = false, _ work: inout Work
  ) async throws(OpeningError) {
    var values: [MetadataKey: String] = [:]
    for one in wanted { values[one.key] = one.value }
    if side == .remote, let newName = values[.displayname] {
      // A new name may give the calendar another address, and nobody may be there to be told.
      work.bases.renaming = newName
      try await save(work.bases)
    }
    let result: MetadataOutcome
    do throws(StorageError) {
      result = try await pair.side(side).setMetadata(values, of: work.outcome.sides[side])
    } catch {
      let notice = failure(wanted.map(\.key), on: side, error)
      // No later run is let do it either, until a person sees to that.
      if error.kind == .denied { work.tell(once: notice) } else { work.say(notice) }
      return
    }
    work.outcome.sides[side] = result.collection
    if side == .remote, !mayStillCome(values[.displayname], result) { work.bases.renaming = nil }
    var answers: [CarriedValue] = []
    for one in wanted {
      let answer = settle(one, result.fates[one.key], isAnswer: isAnswer, &work)
      if let answer { answers.append(answer) }
    }
    if !answers.isEmpty { try await write(answers, to: side.opposite, isAnswer: true, &work) }
  }

  /// Nobody knows what became of a new name, which may move the calendar yet.
  private func mayStillCome(_ newName: String?, _ result: MetadataOutcome) -> Bool {
    guard case .failed? = result.fates[.displayname] else { return false }
    return !isSame(.displayname, result.collection.displayName, newName)
  }

  /// Takes down what became of a value that was written. Gives what the other side is to have
  /// then, in this run.
  private func settle(
    _ one: CarriedValue, _ fate: MetadataFate?, isAnswer: Bool, _ work: inout Work
  ) -> CarriedValue? {
    let (key, now) = (one.key, work.outcome.sides)
    let (shown, opposite) = (now[one.side][key], one.side.opposite)
    let base = MetadataBase(local: now.local[key], remote: now.remote[key])
    if isSame(key, shown, one.value) {
      work.bases[key] = base
      work.outcome.carried.append(one)
      return nil
    }
    switch fate {
    case .overtaken?: return nil
    case .failed(let error)?:
      work.say(failure([key], on: one.side, error))
      return nil
    case .replaced?:
      guard !isAnswer, let shown, mayEverWrite(to: opposite, now) else { break }
      // As if another had changed it right after it was set: where this run is not to write to the
      // other side, or cannot, the next one does.
      work.bases[key] = MetadataBase(local: one.value, remote: one.value)
      work.say(
        "\(place): the \(one.side.rawValue) side made \(quoted(shown)) of the \(key.rawValue)"
          + " \(quoted(one.value)), and that holds for both")
      guard direction.writes(to: opposite) else { return nil }
      return CarriedValue(key: key, side: opposite, value: shown)
    case .refused(let reason)?:
      work.bases[key] = base
      work.say(kept(shown, insteadOf: one, because: reason))
      return nil
    case nil: break
    }
    work.bases[key] = base
    work.say(kept(shown, insteadOf: one))
    return nil
  }

  /// What a side refused, or made something of. It is the base from now on, so it is said once.
  private func kept(
    _ value: String?, insteadOf asked: CarriedValue, because reason: String? = nil
  ) -> String {
    let own = value.flatMap { $0.isEmpty ? nil : quoted($0) } ?? "none"
    let because = reason.map { " (\($0))" } ?? ""
    return "\(place): the \(asked.side.rawValue) side was to have the \(asked.key.rawValue)"
      + " \(quoted(asked.value)) and keeps \(own)\(because); it is asked again once the other side"
      + " changes it"
  }

  private func failure(_ keys: [MetadataKey], on side: Side, _ error: StorageError) -> String {
    let names = keys.map(\.rawValue).joined(separator: ", ")
    let why = error.why.isEmpty ? "" : " (\(error.why))"
    let hint = error.hint.isEmpty ? "" : "; \(error.hint)"
    return "\(place): the \(side.rawValue) side could not be given the \(names), and the next run"
      + " tries again: \(error.message)\(why)\(hint)"
  }

  private func quoted(_ value: String) -> String { "'\(visibleText(value, limit: 40))'" }

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
