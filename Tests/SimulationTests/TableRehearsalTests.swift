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
  func `stopped at every effect and gone on with, it ends the same`(name: String) throws {
    #expect(TableRehearsal(try Scenario(named: name)).complaintsWhereStopped() == [])
  }
}
