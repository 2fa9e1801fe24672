import SyncExecution
import SyncModel
import TestSupport
import VdirStorage

/// Another machine with calgw: its folder and journal are its own, the calendar is the same.
final class OtherClient: @unchecked Sendable {
  static let folder = "/home/bob/calendar"
  // Touched by the thread of the world's executor alone.
  private unowned let world: World
  private lazy var journal = MemoryJournal()
  private var held: Set<ItemID> = []
  private(set) var isRunning = false
  private var wasUsed = false

  init(_ world: World) { self.world = world }

  var journalState: JournalState { wasUsed ? journal.state : JournalState() }

  /// How far its clock is ahead of the true one, in milliseconds.
  private var skew: Int64 { [0, 3_600_000, -3_600_000][Int(world.story.chance % 3)] }

  private func prepare() {
    guard !wasUsed else { return }
    wasUsed = true
    world.files.makeFolders(Self.folder)
  }

  func sync() {
    prepare()
    world.note("C8.13")
    if world.clientSkew != skew { world.note("C7.5") }
    var options = SyncOptions()
    options.policy = world.story.policy
    options.invitations.held = held
    options.invitations.keep = { [unowned self] in held = $0 }
    var surroundings = world.executor.surroundings
    let (executor, skew) = (world.executor, skew)
    surroundings.now = { Instant(milliseconds: executor.clock + skew) }
    let access = VdirAccess(files: world.files, digest: sha256, surroundings: surroundings)
    let (settled, transport) = (
      options, SimulatedTransport(world, seed: world.story.chance ^ 0x0B0B, isObserved: false)
    )
    let journal = journal
    let before = world.server.items(in: World.calendar)
    isRunning = true
    do {
      _ = try world.executor.run(within: World.mostOfARun) { [world] in
        await world.carryOut(.sync, settled, access, transport, journal, folder: Self.folder)
      }
    } catch {
      world.violate("Progress", "the other machine's run never ends: \(error)")
    }
    isRunning = false
    if world.server.switches.movesUIDs { forgetWhatWasTaken(since: before) }
  }

  /// The server took away what has the UID of an item that is new, and that nobody may have read.
  private func forgetWhatWasTaken(since before: [[UInt8]: [UInt8]]) {
    let after = world.server.items(in: World.calendar)
    for (name, text) in before where after[name] == nil {
      world.oracle.forget(text, at: String(decoding: name, as: UTF8.self), on: .remote)
    }
  }

  private func name(_ uid: String) -> String? {
    let real = ItemText.realUID(uid)
    return world.files.contents(of: Self.folder).filter { $0.key.isVisibleItem }
      .filter { ItemText.uid($0.value.data) == real }.keys.sorted().first?.text
  }

  func save(_ act: Act) {
    prepare()
    let name = name(act.uid) ?? "\(act.uid).ics"
    let old = world.files.bytes(name, in: Self.folder)
    let text = ItemText.edited(old, act)
    world.files.save(name, text, in: Self.folder)
    world.oracle.save(text, at: "other/\(name)", on: .local, label: "\(act.uid) \(act.number)")
  }

  func delete(_ act: Act) {
    guard let name = name(act.uid) else { return }
    let old = world.files.bytes(name, in: Self.folder)
    world.files.remove(name, in: Self.folder)
    world.oracle.give(up: "other/\(name)", holding: old, on: .local)
    // Its calgw takes it off the server.
    world.oracle.depart(ItemText.realUID(act.uid), from: .remote)
  }
}
