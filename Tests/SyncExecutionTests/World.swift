import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport

/// Two sides and a journal in memory, on one executor, with a fuse through all three.
final class World: Sendable {
  let executor: StepExecutor
  let surroundings: Surroundings
  let fuse = Fuse()
  let local: MemoryStorage
  let remote: MemoryStorage
  let journal: MemoryJournal

  init(
    seed: UInt64 = 1, remoteTraits: StorageTraits = World.serverTraits,
    rewrite: @escaping @Sendable (ItemData) -> ItemData = { $0 }
  ) {
    executor = StepExecutor(seed: seed)
    surroundings = executor.surroundings
    var folder = StorageTraits()
    folder.readBatch = 4
    folder.writeBatch = 3
    local = MemoryStorage(traits: folder, surroundings: surroundings, fuse: fuse)
    remote = MemoryStorage(
      traits: remoteTraits, surroundings: surroundings, fuse: fuse, extent: .changesOnly,
      rewrite: rewrite)
    journal = MemoryJournal(fuse: fuse)
  }

  /// The same sides, with a journal that knows nothing.
  init(withoutJournalOf world: World) {
    executor = world.executor
    surroundings = world.surroundings
    local = world.local
    remote = world.remote
    journal = MemoryJournal()
  }

  /// Small batches, so that small worlds have several.
  static var serverTraits: StorageTraits {
    var traits = StorageTraits()
    traits.mayRewrite = true
    traits.listsDeltas = true
    traits.readBatch = 2
    traits.readsInFlight = 3
    traits.writeBatch = 2
    return traits
  }

  private static let zones = ItemZones(.machine)

  func storage(_ side: Side) -> MemoryStorage { side == .local ? local : remote }

  func sync(_ change: (inout SyncOptions) -> Void = { _ in }) throws -> CollectionReport {
    let engine = engine(change)
    return try executor.run { await engine.run() }
  }

  func engine(_ change: (inout SyncOptions) -> Void = { _ in }) -> CollectionSync {
    var options = SyncOptions()
    options.zones = Self.zones
    change(&options)
    return CollectionSync(
      name: "test", local: local, remote: remote, journal: journal, surroundings: surroundings,
      digest: sha256, options: options)
  }
}
