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

  struct Sides: Sendable {
    var local: CollectionDescription
    var remote: CollectionDescription

    subscript(side: Side) -> CollectionDescription {
      get { side == .local ? local : remote }
      set { if side == .local { local = newValue } else { remote = newValue } }
    }
  }

  /// Both collections afterwards, and what a person should know of what was done to them.
  struct Outcome: Sendable {
    var sides: Sides
    var notices: [String] = []
  }

  /// Under what the pair's store keeps the bases.
  static func storeKey(_ name: String) -> String { "metadata \(name)" }

  /// What one run works on.
  private struct Work {
    var outcome: Outcome
    var bases: MetadataBases
    /// What is to be written to each side.
    var changes: [Side: [MetadataKey: String]] = [:]
  }

  /// Gives both collections as they are afterwards. A side that cannot be written to now is tried
  /// again by the next run, and never fails this one: the items are what counts.
  func run(_ sides: Sides, isFirst: Bool) async throws(OpeningError) -> Outcome {
    guard pair.local.hasMetadata, pair.remote.hasMetadata else { return Outcome(sides: sides) }
    let key = Self.storeKey(name)
    let stored = try await recorded { () throws(JournalError) in try await pair.store.value(key) }
    let old = isFirst ? MetadataBases() : MetadataBases(encoded: stored ?? [])
    var work = Work(outcome: Outcome(sides: sides), bases: old)
    work.bases.renaming = nil
    for key in pair.target.pair.metadata { decide(key, &work) }
    for side in Side.allCases {
      if let values = work.changes[side] { try await write(values, to: side, &work) }
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

  /// As people know it.
  private var place: String { "\(pair.target.pair.name)/\(name)" }

  private func decide(_ key: MetadataKey, _ work: inout Work) {
    let sides = work.outcome.sides
    let (local, remote) = (sides.local[key], sides.remote[key])
    // A calendar that is called as its folder needs no file that says so.
    let isFolderName = key == .displayname && local == nil && remote == sides.local.name
    let decision =
      isFolderName && work.bases[key]?.local == nil
      ? .settled
      : reconcileMetadata(
        key, base: work.bases[key], local: local, remote: remote, policy: policy)
    switch decision {
    case .settled: work.bases[key] = MetadataBase(local: local, remote: remote)
    case .undecided: logger.notice("\(name): both sides changed the \(key.rawValue)")
    case .set(let side, let isConflict):
      guard direction.writes(to: side), !readOnly.contains(side), !sides[side].isReadOnly else {
        return
      }
      if isConflict {
        // There is no history of names: this line is where the other one can be found.
        let (winner, loser) = (side.opposite.rawValue, sides[side][key] ?? "")
        work.outcome.notices.append(
          "\(place): both sides changed the \(key.rawValue); the \(winner) one holds, and"
            + " '\(loser)' gives way")
      }
      work.changes[side, default: [:]][key] = sides[side.opposite][key]
    }
  }

  /// Writes values to a side, and takes what it says that it has now for the base.
  private func write(
    _ values: [MetadataKey: String], to side: Side, _ work: inout Work
  ) async throws(OpeningError) {
    if side == .remote, let newName = values[.displayname] {
      // A new name may give the calendar another address, and nobody may be there to be told.
      work.bases.renaming = newName
      try await save(work.bases)
    }
    do throws(StorageError) {
      work.outcome.sides[side] = try await pair.side(side).setMetadata(
        values, of: work.outcome.sides[side])
    } catch {
      logger.warning("\(name): the names of the \(side.rawValue) side stay: \(error.message)")
      return
    }
    work.bases.renaming = nil
    let now = work.outcome.sides
    var done: [String] = []
    for key in MetadataKey.allCases {
      guard let wanted = values[key] else { continue }
      let isDone = isSame(key, now[side][key], wanted)
      if !isDone {
        logger.notice("\(name): the \(side.rawValue) side has its own \(key.rawValue)")
      }
      // Somebody was quicker here: that is a change of the next run.
      if side == .local, !isDone { continue }
      work.bases[key] = MetadataBase(local: now.local[key], remote: now.remote[key])
      if isDone { done.append(key.rawValue) }
    }
    if !done.isEmpty {
      let way = side == .local ? "came down" : "went up"
      work.outcome.notices.append("\(place): \(done.joined(separator: ", ")) \(way)")
    }
  }
}
