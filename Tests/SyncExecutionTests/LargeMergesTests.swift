import SyncExecution
import SyncModel
import Synchronization
import TestSupport
import Testing

/// More is to be merged than is held at a time: it goes in parts, each planned once the one before
/// is written.
@Suite struct LargeMergesTests {
  private static let uids = (0..<12).map { "event\($0)" }

  /// Twelve events that both sides changed, of which about four are held at a time.
  private func world() throws -> World {
    var traits = World.serverTraits
    traits.bytesAtOnce = 200
    let world = World(remoteTraits: traits)
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

  @Test func `each of them is merged in one run`() throws {
    let world = try world()
    let most = Mutex(0)
    let report = try world.sync {
      $0.progress = { progress in
        guard case .writing(_, _, let total) = progress else { return }
        most.withLock { $0 = max($0, total) }
      }
    }
    #expect(report.merged == 12 && !report.needsAttention && report.failure == nil)
    #expect((1..<12).contains(most.withLock { $0 }))
    for uid in Self.uids {
      for side in Side.allCases { #expect(world.letters(uid, on: side, width: 3) == "BCA") }
    }
    #expect(try world.sync().actions.isEmpty)
  }

  @Test func `what is refused is named, each of it`() throws {
    let world = try world()
    for uid in Self.uids {
      world.remote.refuse(
        Href("\(uid).ics"), ItemProblem(.refused, "the server says no", hint: "ask it"))
    }
    for _ in 0..<2 {
      let report = try world.sync()
      #expect(report.problems.count == 12 && report.failure == nil)
    }
  }

  @Test func `a dry run says all of it`() throws {
    #expect(try world().sync { $0.isDryRun = true }.merged == 12)
  }
}
