import Simulation
import TestSupport
import Testing

/// Every table of a sync on the production storages: unbroken; then stopped before and after every
/// effect, with and without a power cut, and gone on with.
@Suite struct TableRehearsalTests {
  @Test(arguments: Scenario.all)
  func `ends as its table says, and the next sync has nothing to do`(name: String) throws {
    let rehearsal = TableRehearsal(try Scenario(named: name))
    #expect(rehearsal.complaints(of: rehearsal.play()) == [])
  }

  @Test(arguments: Scenario.all)
  func `stopped at every effect and gone on with, it ends the same`(name: String) async throws {
    let rehearsal = TableRehearsal(try Scenario(named: name))
    let effects = rehearsal.effects(of: rehearsal.play())
    for effect in stride(from: 1, through: effects, by: 1) {
      for moment in Rehearsal.Moment.allCases {
        await Task.yield()
        let result = rehearsal.playStopped(at: effect, moment)
        #expect(
          rehearsal.complaints(of: result) == [],
          "stopped \(moment) effect \(effect) of \(effects)")
      }
    }
  }
}
