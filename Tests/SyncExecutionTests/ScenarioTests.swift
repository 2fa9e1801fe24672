import SyncExecution
import SyncModel
import TestSupport
import Testing

/// Every scenario, unbroken; then stopped before and after every effect, resumed, and run again.
@Suite struct ScenarioTests {
  @Test func `there are scenarios`() { #expect(Scenario.all.count >= 60) }

  @Test(arguments: Scenario.all)
  func `ends as its table says, and a second run has nothing to do`(name: String) throws {
    let scenario = try Scenario(named: name)
    let world = try scenario.makeWorld()
    let conflicts = try scenario.sync(world)
    #expect(scenario.outcome(in: world) == scenario.expected)
    #expect(conflicts.sorted() == scenario.expectedConflicts)

    let (writes, reads) = (world.writes, world.remote.counts.reads)
    let known = world.journal.state
    #expect(try scenario.sync(world) == conflicts)
    #expect(world.writes == writes)
    #expect(world.remote.counts.reads == reads, "bodies were downloaded again")
    #expect(world.journal.state.isAsItWas(known), "the second run wrote into the journal")
  }

  @Test(arguments: Scenario.all)
  func `stopped at every effect and resumed, it ends the same`(name: String) throws {
    let scenario = try Scenario(named: name)
    let unbroken = try scenario.makeWorld()
    let before = unbroken.fuse.effects
    _ = try scenario.sync(unbroken)
    let effects = unbroken.fuse.effects - before

    for number in 1...max(1, effects) {
      for moment in Fuse.Moment.allCases {
        let world = try scenario.makeWorld(seed: UInt64(number))
        world.fuse.stop(at: world.fuse.effects + number, moment)
        _ = try scenario.sync(world)
        world.fuse.replace()
        let conflicts = try scenario.sync(world)
        let place: Comment = "stopped \(moment) effect \(number) of \(effects)"
        #expect(scenario.outcome(in: world) == scenario.expected, place)
        #expect(conflicts.sorted() == scenario.expectedConflicts, place)
        let (writes, reads) = (world.writes, world.remote.counts.reads)
        let known = world.journal.state
        _ = try scenario.sync(world)
        #expect(world.writes == writes, place)
        #expect(world.remote.counts.reads == reads, place)
        #expect(world.journal.state.isAsItWas(known), place)
        #expect(try world.journal.hasNoOpenIntent, place)
      }
    }
  }
}

extension World {
  var writes: Int { local.counts.writes + remote.counts.writes }
}

extension JournalState {
  /// But for where the listings left off.
  fileprivate func isAsItWas(_ known: JournalState) -> Bool {
    agreements == known.agreements && observations == known.observations
      && history == known.history && contents == known.contents
  }
}

extension MemoryJournal {
  fileprivate var hasNoOpenIntent: Bool { get throws { state.intents.isEmpty } }
}
