public import SyncModel
import Synchronization

/// A collection in memory that keeps every promise of `Storage`, with faults on demand.
///
/// Every write is one effect of its `fuse`. Another client acts through `put` and `remove`, also
/// in the middle of a run: `beforeCall` is the place for that.
public final class MemoryStorage: Storage {
  public struct Stored: Sendable, Hashable {
    public var data: ItemData
    public var tag: EntityTag
    public var modified: Instant
  }

  struct State {
    var items: [Href: Stored] = [:]
    /// Every change in order; nil for a removal.
    var log: [(href: Href, isPresent: Bool)] = []
    var tags = 0
    var calls = 0
    var reads = 0
    var writes = 0
    var refused: [Href: ItemProblem] = [:]
    var stumbling: Set<Href> = []
    var withheld: Set<Href> = []
    var problems: [Href: ItemProblem] = [:]
    var unreadable: [Href: ItemProblem] = [:]
    var untold: [Href] = []
  }

  public let traits: StorageTraits
  public let fuse: Fuse
  private let surroundings: Surroundings
  private let extent: ChangePage.Extent
  /// What the storage makes of what it is sent.
  private let rewrite: @Sendable (ItemData) -> ItemData
  private let held: Mutex<State>
  private let hook = Mutex<(@Sendable (MemoryStorage) -> Void)?>(nil)

  public init(
    traits: StorageTraits = StorageTraits(), surroundings: Surroundings, fuse: Fuse = Fuse(),
    extent: ChangePage.Extent = .everything,
    rewrite: @escaping @Sendable (ItemData) -> ItemData = { $0 }
  ) {
    self.traits = traits
    self.surroundings = surroundings
    self.fuse = fuse
    self.extent = extent
    self.rewrite = rewrite
    held = Mutex(State())
  }

  // MARK: The other client

  /// Called before each verb, so that somebody can act in the middle of a run. Called once.
  public func beforeNextCall(_ act: @escaping @Sendable (MemoryStorage) -> Void) {
    hook.withLock { $0 = act }
  }

  public func put(_ href: Href, _ data: ItemData) {
    held.withLock { Self.store(href, data, surroundings.now(), &$0) }
  }

  public func remove(_ href: Href) {
    held.withLock { state in
      if state.items.removeValue(forKey: href) != nil { state.log.append((href, false)) }
    }
  }

  /// Another client moves an item, and no list of changes says that it is gone from where it was.
  public func moveUntold(_ href: Href, to place: Href) {
    held.withLock { state in
      guard let item = state.items.removeValue(forKey: href) else { return }
      Self.store(place, item.data, surroundings.now(), &state)
    }
  }

  /// From now on writes of this name are refused; nil: no longer.
  public func refuse(_ href: Href, _ problem: ItemProblem?) {
    held.withLock { $0.refused[href] = problem }
  }

  /// From now on the storage fails at writes of this name, and at no others; or no longer.
  public func stumble(over href: Href, _ stumbles: Bool) {
    held.withLock { state in
      state.refused[href] =
        stumbles ? ItemProblem(.refused, "the server failed", hint: "wait") : nil
      if stumbles { state.stumbling.insert(href) } else { state.stumbling.remove(href) }
    }
  }

  /// From now on this is there and no item.
  public func obstruct(_ href: Href, _ problem: ItemProblem?) {
    held.withLock { state in
      state.problems[href] = problem
      state.log.append((href, true))
    }
  }

  /// From now on looks at this name are answered so, whatever listings show; nil: no longer.
  public func answer(looksAt href: Href, _ problem: ItemProblem?) {
    held.withLock { $0.unreadable[href] = problem }
  }

  /// From now on this is listed and not given; or given again.
  public func withhold(_ href: Href, _ isWithheld: Bool) {
    held.withLock { state in
      if isWithheld { state.withheld.insert(href) } else { state.withheld.remove(href) }
      state.log.append((href, true))
    }
  }

  public var items: [Href: ItemData] { held.withLock { $0.items.mapValues(\.data) } }
  /// Bodies read and writes done so far.
  public var counts: (reads: Int, writes: Int) { held.withLock { ($0.reads, $0.writes) } }

  /// What the engine found to be gone, and no list of changes said so.
  public var untold: [Href] { held.withLock { $0.untold } }

  private static func store(_ href: Href, _ data: ItemData, _ now: Instant, _ state: inout State) {
    state.tags += 1
    state.items[href] = Stored(
      data: data, tag: EntityTag(bytes: Array("\"\(state.tags)\"".utf8)), modified: now)
    state.log.append((href, true))
  }

  private func begin() throws(StorageError) {
    let act = hook.withLock { held in
      defer { held = nil }
      return held
    }
    act?(self)
    if fuse.isBlown { throw Self.stopped }
  }

  private static let stopped = StorageError(.stopped, "the run was told to stop")

  // MARK: Storage

  public func listChanges(since cursor: Cursor?) async throws(StorageError) -> ChangePage {
    await surroundings.pause(1)
    try begin()
    return held.withLock { state in
      let next = Cursor(bytes: Array(String(state.log.count).utf8))
      let from = cursor.flatMap { Int(String(decoding: $0.bytes, as: UTF8.self)) }
      guard extent == .changesOnly, let from, from <= state.log.count else {
        let names = Set(state.items.keys).union(state.problems.keys).sorted()
        return ChangePage(
          extent: .everything, present: names.map { Self.listed($0, state) }, next: next)
      }
      let changed = Set(state.log[from...].map(\.href)).sorted()
      let there = Set(changed.filter { state.items[$0] != nil || state.problems[$0] != nil })
      return ChangePage(
        extent: .changesOnly,
        present: changed.filter(there.contains).map { Self.listed($0, state) },
        gone: changed.filter { !there.contains($0) }, next: next)
    }
  }

  private static func listed(_ href: Href, _ state: borrowing State) -> ListedItem {
    ListedItem(href: href, tag: state.items[href]?.tag, problem: state.problems[href])
  }

  public func read(_ batch: [Href]) async throws(StorageError) -> [ReadOutcome] {
    await surroundings.pause(1)
    try begin()
    return held.withLock { state in
      batch.map { href in
        if let problem = state.problems[href] ?? state.unreadable[href] {
          return ReadOutcome(href: href, result: .problem(problem))
        }
        guard let item = state.items[href], !state.withheld.contains(href) else {
          return ReadOutcome(href: href, result: .missing)
        }
        state.reads += 1
        return ReadOutcome(
          href: href,
          result: .found(
            Version(tag: item.tag, digest: sha256(item.data.bytes)), item.data,
            modified: item.modified))
      }
    }
  }

  public func confirmAbsence(of batch: [Href]) async throws(StorageError) -> [Href] {
    await surroundings.pause(1)
    try begin()
    return held.withLock { state in
      batch.filter { state.items[$0] == nil || state.withheld.contains($0) }
    }
  }

  public func carryOut(_ batch: [GuardedWrite]) async -> [WriteOutcome] {
    var outcomes: [WriteOutcome] = []
    for write in batch {
      await surroundings.pause(1)
      let result = perform(write)
      let stumbled = held.withLock { $0.stumbling.contains(write.href) }
      outcomes.append(WriteOutcome(href: write.href, result: result, isTransient: stumbled))
    }
    return outcomes
  }

  private func perform(_ write: GuardedWrite) -> WriteOutcome.Result {
    do throws(StorageError) { try begin() } catch { return .failed(error) }
    switch fuse.nextEffect() {
    case .carryOut: return held.withLock { apply(write, &$0) }
    case .carryOutAndStop:
      _ = held.withLock { apply(write, &$0) }
      return .unknown(Self.stopped)
    case .stop: return .failed(Self.stopped)
    case .fail(let error): return .unknown(StorageError(.unreachable, error.message))
    }
  }

  private func apply(_ write: GuardedWrite, _ state: inout State) -> WriteOutcome.Result {
    if let problem = state.refused[write.href] { return .refused(problem) }
    let there = state.items[write.href]
    state.writes += 1
    switch write {
    case .create(let href, let data):
      guard there == nil, state.problems[href] == nil else { return .changedMeanwhile }
      return stored(href, data, &state)
    case .replace(let href, let expecting, let data):
      guard let there, sha256(there.data.bytes) == expecting.digest else {
        return .changedMeanwhile
      }
      return stored(href, data, &state)
    case .delete(let href, let expecting):
      guard let there else { return .removed }
      guard sha256(there.data.bytes) == expecting.digest else { return .changedMeanwhile }
      state.items[href] = nil
      state.log.append((href, false))
      return .removed
    }
  }

  private func stored(_ href: Href, _ data: ItemData, _ state: inout State) -> WriteOutcome.Result {
    let now = surroundings.now()
    Self.store(href, rewrite(data), now, &state)
    return .stored(
      href, Version(tag: state.items[href]?.tag, digest: sha256(data.bytes)), modified: now)
  }

  public func freshHref(for uid: ItemID, attempt: Int) -> Href {
    let suffix = attempt == 0 ? "" : "-\(attempt)"
    return Href(uid.bytes + Array("\(suffix).ics".utf8))
  }

  public func displaced() async throws(StorageError) -> [DisplacedFile] { [] }
  public func discard(_ files: [DisplacedFile]) async throws(StorageError) {}

  public func noteUntold(_ gone: [Href]) async { held.withLock { $0.untold += gone } }
}
