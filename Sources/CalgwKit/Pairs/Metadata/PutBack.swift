import SyncExecution
import SyncModel
import SyncPlanning

/// A value of a collection that a person wants back, on both sides.
struct RestoredValue: Sendable, Hashable {
  let key: MetadataKey
  /// Empty: the collection had none, and is to have none again.
  let value: String
}

extension MetadataSync {
  /// Gives both sides a value that one of them had, as if a person had set it here and the run had
  /// carried it over. What it replaces goes to the history, so it can itself be taken back. Where
  /// the other side cannot be given it now, it is a change of this side that waits; that a side is
  /// to have none is tried this once, since what is removed on one side stays on the other.
  func putBack(_ wanted: RestoredValue, _ work: inout Work) async throws(OpeningError) {
    if let problem = obstacle(to: wanted, work.outcome.sides) {
      work.outcome.unrestored.append(problem)
      return
    }
    let (key, before, known) = (wanted.key, work.outcome.sides, work.bases[wanted.key])
    guard try await give(wanted, to: .local, &work) else {
      work.bases[key] = known
      return
    }
    let (here, there) = (before.local[key], before.remote[key])
    work.bases[key] = MetadataBase(
      local: isSame(key, here, wanted.value) ? nil : here, remote: there)
    if let problem = staysHere(wanted, before) {
      work.outcome.unrestored.append(problem)
    } else if isSame(key, there, wanted.value) {
      work.bases[key] = MetadataBase(local: work.outcome.sides.local[key], remote: there)
    } else {
      _ = try await give(wanted, to: .remote, &work)
    }
  }

  /// Gives true where the side has it then, or is to show it later; in a run that changes nothing,
  /// where it would be asked.
  private func give(_ wanted: RestoredValue, to side: Side, _ work: inout Work)
    async throws(OpeningError) -> Bool
  {
    let (key, shown) = (wanted.key, work.outcome.sides[side][wanted.key])
    if isSame(key, shown, wanted.value) { return true }
    var value = CarriedValue(key: key, side: side, value: wanted.value, before: shown)
    value.isPutBack = true
    guard pair.mode == .write else {
      work.outcome.carried.append(value)
      return true
    }
    // What this side makes of it is not sent on: it is not what was asked for.
    try await write([value], to: side, isAnswer: side == .local, &work)
    if work.outcome.carried.contains(value) { return true }
    // What fails this time is told as in a sync.
    if !work.outcome.unwritten.contains(where: { $0.key == key && $0.side == side }) {
      work.outcome.unrestored.append(notTaken(value, work.outcome.sides[side][key]))
    }
    return false
  }

  // MARK: What is in the way

  /// Why nothing of it is done.
  private func obstacle(to wanted: RestoredValue, _ sides: BothSides<CollectionDescription>)
    -> ItemProblem?
  {
    let key = wanted.key.rawValue
    guard pair.target.pair.metadata.contains(wanted.key) else {
      return ItemProblem(
        .unsupported, "this pair leaves out the \(key), so it would come back here alone",
        hint: "Add \"\(key)\" to the pair's `metadata`, and sync, to bring it back.")
    }
    for side in Side.allCases {
      guard let why = sides[side].oddValues[wanted.key] else { continue }
      return ItemProblem(
        .unreadable, "what the \(side.rawValue) side has in the place of the \(key) is left alone",
        hint: why + (pair.side(side).isDirectory ? "; or remove that file" : "")
          + ". Then run the command again.")
    }
    return nil
  }

  /// Why the other side is not to be written to; nil where it is, or needs nothing.
  private func staysHere(_ wanted: RestoredValue, _ sides: BothSides<CollectionDescription>)
    -> ItemProblem?
  {
    let (key, there) = (wanted.key, sides.remote[wanted.key])
    if isSame(key, there, wanted.value) { return nil }
    guard direction.writes(to: .remote) else {
      return ItemProblem(
        .readOnly, "this pair only pulls, so the \(key.rawValue) that was restored stays here",
        hint: "Let the pair sync in both directions to bring it to the server.")
    }
    if isWritable(.remote, sides) { return nil }
    let value = DifferingValue(
      key: key, base: nil, local: wanted.value, remote: there, target: .remote, changed: [.local])
    return StuckValue(value, target: .remote, in: pair.target.pair).problem
  }

  private func notTaken(_ value: CarriedValue, _ shown: String?) -> ItemProblem {
    func words(_ text: String?) -> String {
      text.flatMap { $0.isEmpty ? nil : "\"\(visibleText($0, limit: 40))\"" } ?? "none"
    }
    let (key, side) = (value.key.rawValue, value.side.rawValue)
    return ItemProblem(
      .refused,
      value.value.isEmpty
        ? "the \(side) side keeps its \(key) \(words(shown)) instead of having none again"
        : "the \(side) side does not have the \(key) \(words(value.value)) again: it has"
          + " \(words(shown))",
      hint: "See the notes of the run for why, and run the command again to try it once more.")
  }
}

extension RestoredValue {
  /// Of a side that is a subscription or a file.
  var withoutSides: ItemProblem {
    ItemProblem(
      .unsupported,
      "a subscription or a file has no names and colours that can be set, so the \(key.rawValue)"
        + " does not come back",
      hint: "Put what `calgw log` shows into the folder's file \(key.rawValue) yourself.")
  }
}
