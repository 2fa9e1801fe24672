import ICalendar
import SyncModel

/// What became of the items of a group.
struct GroupOutcome: Sendable {
  /// Where an item is now.
  struct Place: Sendable {
    var href: Href
    var version: Version
    var modified: Instant?
  }

  var written: [ItemKey: Place] = [:]
  /// The first item that was not written, which held up the others.
  var failed: (key: ItemKey, reason: CommitFailure.Reason)?
  /// Something may be there that nobody knows of.
  var isUnclear = false
}

/// Writes staged changes into one calendar: new items first, then the others, and takes new items
/// back whose counterpart could not be written.
struct GroupWriting {
  let storage: any Storage
  let staged: StagedChanges
  /// Contents that were there, and are replaced or removed.
  private(set) var replaced: Set<ContentDigest> = []
  private var outcomes: [GroupOutcome] = []

  /// Names are tried until one is free. A name is made of a random UID, so the first one is.
  private static let nameAttempts = 4

  init(storage: any Storage, staged: StagedChanges) {
    self.storage = storage
    self.staged = staged
  }

  private struct Step {
    var group: Int
    var key: ItemKey
    var write: GuardedWrite
  }

  mutating func carryOut(_ groups: [[ItemKey]]) async -> [GroupOutcome] {
    outcomes = groups.map { _ in GroupOutcome() }
    await create(groups)
    var changes: [Step] = []
    for (index, group) in groups.enumerated() where outcomes[index].failed == nil {
      for key in group {
        guard let entry = staged[key], let base = entry.base, let href = entry.href else {
          continue
        }
        let write: GuardedWrite =
          entry.text.map { .replace(href, expecting: base, with: data($0)) }
          ?? .delete(href, expecting: base)
        changes.append(Step(group: index, key: key, write: write))
      }
    }
    await take(changes)
    await takeBack(groups)
    return outcomes
  }

  private mutating func create(_ groups: [[ItemKey]]) async {
    var open: [(group: Int, key: ItemKey, text: [UInt8])] = []
    for (index, group) in groups.enumerated() {
      for key in group {
        guard let entry = staged[key], entry.base == nil, let text = entry.text else { continue }
        open.append((index, key, text))
      }
    }
    for attempt in 0..<Self.nameAttempts where !open.isEmpty {
      let steps = open.map { one in
        let href = storage.freshHref(for: ItemID(bytes: one.key.uid), attempt: attempt)
        return Step(
          group: one.group, key: one.key, write: .create(href, data(one.text)))
      }
      let taken = await take(steps, isLastAttempt: attempt == Self.nameAttempts - 1)
      open = open.filter { taken.contains($0.key) }
    }
  }

  /// A text as its side wants it.
  private func data(_ text: [UInt8]) -> ItemData {
    ItemData(bytes: storage.traits.wantsWireForm ? wireForm(of: text) : text)
  }

  /// Carries out steps; gives those whose name was taken, unless there is no other name to try.
  @discardableResult
  private mutating func take(_ steps: [Step], isLastAttempt: Bool = true) async -> Set<ItemKey> {
    var taken: Set<ItemKey> = []
    let size = max(1, storage.traits.writeBatch)
    var start = 0
    while start < steps.count {
      let batch = steps[start..<min(start + size, steps.count)]
      start += batch.count
      for (step, outcome) in zip(batch, await storage.carryOut(batch.map(\.write))) {
        if outcome.result == .changedMeanwhile, !isLastAttempt {
          taken.insert(step.key)
        } else {
          note(outcome.result, of: step)
        }
      }
    }
    return taken
  }

  private mutating func note(_ result: WriteOutcome.Result, of step: Step) {
    let reason: CommitFailure.Reason
    switch (result, step.write) {
    case (.stored, .replace(_, let old, _)), (.removed, .delete(_, let old)):
      replaced.insert(old.digest)
    default: break
    }
    switch result {
    case .stored(let href, let version, let modified):
      outcomes[step.group].written[step.key] = GroupOutcome.Place(
        href: href, version: version, modified: modified)
      return
    case .removed: return
    case .changedMeanwhile: reason = .changedMeanwhile
    case .refused(let problem): reason = .refused(problem)
    case .failed(let error): reason = .failed(error)
    case .unknown(let error):
      reason = .unknown(error)
      outcomes[step.group].isUnclear = true
    }
    if outcomes[step.group].failed == nil { outcomes[step.group].failed = (step.key, reason) }
  }

  /// Removes new items of groups that failed: the old series is whole, so their occurrences would
  /// be there twice. Where nobody knows whether it was shortened they stay.
  private mutating func takeBack(_ groups: [[ItemKey]]) async {
    for (index, outcome) in outcomes.enumerated() {
      guard let failed = outcome.failed, groups.indices.contains(index) else { continue }
      if case .unknown = failed.reason, staged[failed.key]?.base != nil { continue }
      for key in groups[index] {
        guard staged[key]?.base == nil, let place = outcome.written[key] else { continue }
        if await !remove(place) { outcomes[index].isUnclear = true }
      }
    }
  }

  /// Removes an item that was made just now; a side that may rewrite items says first what it made
  /// of it.
  private mutating func remove(_ place: GroupOutcome.Place) async -> Bool {
    var version = place.version
    if storage.traits.mayRewrite {
      guard let outcome = try? await storage.read([place.href]).first,
        case .found(let found, _, _) = outcome.result
      else { return false }
      version = found
    }
    replaced.insert(version.digest)
    let removal = GuardedWrite.delete(place.href, expecting: version)
    return await storage.carryOut([removal]).first?.result == .removed
  }
}
