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

  /// An event whose content a letter stands for.
  static func event(_ uid: String, _ letter: Character) -> ItemData {
    let minute = letter.asciiValue.map { String($0 % 60) } ?? "0"
    let text = """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//calgw//scenario//EN
      BEGIN:VEVENT
      UID:\(uid)
      DTSTAMP:20260101T000000Z
      DTSTART:20260105T10\(minute.count == 1 ? "0" : "")\(minute)00Z
      SUMMARY:\(uid) \(letter)
      END:VEVENT
      END:VCALENDAR

      """
    return ItemData(
      bytes: Array(
        text.split(separator: "\n", omittingEmptySubsequences: false)
          .joined(separator: "\r\n").utf8))
  }

  /// Puts, changes or removes an item as its owner would; `-` is nothing there.
  func set(_ uid: String, _ letter: Character, on side: Side) {
    let href = Href("\(uid).ics")
    if letter == "-" {
      storage(side).remove(href)
    } else {
      storage(side).put(href, Self.event(uid, letter))
    }
  }

  /// The letter of an item on a side; `-` where it is not there, `2` where it is there twice.
  func letter(_ uid: String, on side: Side) -> Character {
    let texts = storage(side).items.values.map { String(decoding: $0.bytes, as: UTF8.self) }
    let mine = texts.filter { $0.contains("\r\nUID:\(uid)\r\n") }
    guard mine.count < 2 else { return "2" }
    let summary = mine.first?.split(separator: "\r\n").first { $0.hasPrefix("SUMMARY:") }
    return summary?.last ?? "-"
  }
}
