import SQLiteJournal
import SyncModel
import SyncPlanning

extension MetadataSync {
  /// Writes values to a side, with what they replace in the history first, and takes what the side
  /// says that it has now for the base.
  ///
  /// - Parameter isAnswer: they are what the other side made of values that it was given.
  func write(
    _ wanted: [CarriedValue], to side: Side, isAnswer: Bool = false, _ work: inout Work
  ) async throws(OpeningError) {
    var values: [MetadataKey: String] = [:]
    for one in wanted { values[one.key] = one.value }
    if pair.side(side).isServer, let newName = values[.displayname], !newName.isEmpty {
      // A new name may give the calendar another address, and nobody may be there to be told.
      work.bases.renaming[side] = newName
      try await save(work.bases)
    }
    let numbers = try await keep(wanted, on: side, work)
    var result: MetadataOutcome
    do throws(StorageError) {
      result = try await pair.side(side).setMetadata(values, of: work.outcome.sides[side])
    } catch {
      // It is sent in each run, so each says so.
      work.say(failure(wanted, on: side, error))
      work.outcome.unwritten += wanted.map { UnwrittenValue($0, error) }
      return
    }
    judgeFaults(wanted, &result, &work)
    work.outcome.sides[side] = result.collection
    try await dropUntaken(wanted, numbers, result)
    if !mayStillCome(values[.displayname], result) { work.bases.renaming[side] = nil }
    var answers: [CarriedValue] = []
    for one in wanted {
      let answer = settle(one, result.fates[one.key], isAnswer: isAnswer, &work)
      if let answer { answers.append(answer) }
    }
    if !answers.isEmpty { try await write(answers, to: side.opposite, isAnswer: true, &work) }
  }

  /// What the side fails at for long counts as refused.
  private func judgeFaults(
    _ wanted: [CarriedValue], _ result: inout MetadataOutcome, _ work: inout Work
  ) {
    let now = surroundings.now()
    for one in wanted {
      let value = CarriedValue(key: one.key, side: one.side, value: one.value)
      guard let reason = result.doubts[one.key] else {
        work.bases.failing[value] = nil
        continue
      }
      if isSame(one.key, result.collection[one.key], one.value) {
        work.bases.failing[value] = nil
      } else if !work.bases.mayFail(at: value, now) {
        result.fates[one.key] = .refused(reason)
      }
    }
  }

  /// Keeps what is about to be written over. Gives the numbers of the entries, in that order.
  private func keep(
    _ wanted: [CarriedValue], on side: Side, _ work: Work
  ) async throws(OpeningError) -> [Int64] {
    let now = surroundings.now()
    let changes = wanted.map { one in
      ValueChange(
        time: now, side: one.side, key: one.key, before: former(one.key, on: side, work),
        after: one.value)
    }
    return try await recorded { () throws(JournalError) in
      try await pair.store.keep(changes, of: name)
    }
  }

  /// What a side has of a value. A folder need have no file that says what its calendar was called:
  /// without that a restore would take the calendar's name away.
  private func former(_ key: MetadataKey, on side: Side, _ work: Work) -> String? {
    if let shown = work.outcome.sides[side][key] { return shown }
    guard key == .displayname, side == .local, pair.local.isDirectory,
      let base = work.bases[key], base.local == nil
    else { return nil }
    return base.remote
  }

  /// What a side refused for good has replaced nothing.
  private func dropUntaken(
    _ wanted: [CarriedValue], _ numbers: [Int64], _ result: MetadataOutcome
  ) async throws(OpeningError) {
    let untaken = zip(wanted, numbers).filter { one, _ in
      guard case .refused? = result.fates[one.key] else { return false }
      return !isSame(one.key, result.collection[one.key], one.value)
    }
    if untaken.isEmpty { return }
    try await recorded { () throws(JournalError) in
      try await pair.store.dropValueChanges(untaken.map { $0.1 })
    }
  }

  /// Nobody knows what became of a new name, which may move the calendar yet.
  private func mayStillCome(_ newName: String?, _ result: MetadataOutcome) -> Bool {
    switch result.fates[.displayname] {
    case .failed?, .notShown?: !isSame(.displayname, result.collection.displayName, newName)
    case .refused?, .replaced?, .overtaken?, nil: false
    }
  }

  /// Says what a side shows still, although it said in an earlier run that it took another value.
  func tellAwaited(_ work: inout Work) {
    for key in MetadataKey.allCases {
      for one in work.bases.awaited where one.key == key {
        work.tell(once: kept(work.outcome.sides[one.side][key], insteadOf: one))
      }
    }
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
    case .notShown? where !one.value.isEmpty:
      // It is not sent again, and the other side keeps it: the next run sees what came of it.
      work.bases[key] = base
      work.bases.awaited.insert(CarriedValue(key: key, side: one.side, value: one.value))
      work.outcome.carried.append(one)
      return nil
    case .failed(let error)?:
      work.say(failure([one], on: one.side, error))
      work.outcome.unwritten.append(UnwrittenValue(one, error))
      return nil
    case .replaced?:
      guard !isAnswer, !one.value.isEmpty, let shown, mayEverWrite(to: opposite, now) else {
        break
      }
      // As if another had changed it right after it was set: where this run is not to write to the
      // other side, or cannot, the next one does.
      work.bases[key] = MetadataBase(local: one.value, remote: one.value)
      work.say(replacement(shown, of: one))
      guard direction.writes(to: opposite) else { return nil }
      return CarriedValue(key: key, side: opposite, value: shown, before: one.value)
    case .refused(let reason)?:
      work.bases[key] = base
      work.say(kept(shown, insteadOf: one, because: reason))
      return nil
    case .notShown?, nil: break
    }
    work.bases[key] = base
    work.say(kept(shown, insteadOf: one))
    return nil
  }
}

extension UnwrittenValue {
  fileprivate init(_ value: CarriedValue, _ error: StorageError) {
    let why = error.why.isEmpty ? "" : ": \(error.why)"
    self.init(
      key: value.key, side: value.side, value: value.value, message: error.message + why,
      hint: error.hint)
  }
}
