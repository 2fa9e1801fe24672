import SyncExecution
import SyncModel
import Synchronization
import TestSupport
import Testing

/// More is to be merged than is held at a time: it goes in parts, each planned once the one before
/// is written.
@Suite struct LargeMergesTests {
  private static let uids = (0..<30).map { "event\($0)" }

  /// Thirty events that both sides changed, of which a few are held at a time, in more parts than a
  /// run has rounds; or all of them.
  private func world(
    holding bytes: Int = 200, rewrite: @escaping @Sendable (ItemData) -> ItemData = { $0 }
  ) throws -> World {
    var traits = World.serverTraits
    traits.bytesAtOnce = bytes
    let world = World(remoteTraits: traits, rewrite: rewrite)
    for uid in Self.uids { world.set(uid, "AAA", on: .local) }
    _ = try world.sync()
    world.executor.advance(60_000)
    for uid in Self.uids {
      world.edit(uid, from: "AAA", to: "BAA", on: .local)
      world.edit(uid, from: "AAA", to: "ACA", on: .remote)
    }
    world.executor.advance(60_000)
    return world
  }

  /// Syncs, and counts how often the run asks the journal what differs.
  private func sync(_ world: World) throws -> (report: CollectionReport, looks: Int) {
    let looks = Mutex(0)
    world.fuse.direct { call, _ in
      if call == "differing" { looks.withLock { $0 += 1 } }
      return .carryOut
    }
    defer { world.fuse.direct(nil) }
    return (try world.sync(), looks.withLock { $0 })
  }

  /// On a server that keeps what it is given, and on one that writes it anew, which is to be looked
  /// at again after each part.
  @Test(arguments: [false, true])
  func `each of them is merged in one run`(isRewritten: Bool) throws {
    let world = try isRewritten ? world(rewrite: ScenarioText.rewritten) : world()
    let (report, looks) = try sync(world)
    #expect(report.merged == 30 && !report.needsAttention && report.failure == nil)
    #expect(try looks > sync(try self.world(holding: 1 << 20)).looks + 5)
    for uid in Self.uids {
      for side in Side.allCases { #expect(world.letters(uid, on: side, width: 3) == "BCA") }
    }
    #expect(try world.sync().actions.isEmpty)
  }

  /// It may be a part of a series that was split, and goes with what its series gets.
  @Test func `beside a new item none of them waits`() throws {
    let looks = try [200, 1 << 20].map { bytes in
      let world = try world(holding: bytes)
      world.set("new", "AAA", on: .local)
      let (report, looks) = try sync(world)
      #expect(report.merged == 30 && report.pushed.created == 1)
      return looks
    }
    #expect(looks[0] == looks[1])
  }

  @Test func `what is refused is named, each of it`() throws {
    let world = try world()
    for uid in Self.uids {
      world.remote.refuse(
        Href("\(uid).ics"), ItemProblem(.refused, "the server says no", hint: "ask it"))
    }
    for _ in 0..<2 {
      let report = try world.sync()
      #expect(report.problems.count == 30 && report.failure == nil)
    }
  }

  @Test func `a dry run says all of it`() throws {
    #expect(try world().sync { $0.isDryRun = true }.merged == 30)
  }
}
