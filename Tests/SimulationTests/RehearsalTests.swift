import Simulation
import TestSupport
import Testing

/// Every written story on the production storages: unbroken; then stopped before and after every
/// effect of its last command, with and without a power cut, and gone on with.
@Suite struct RehearsalTests {
  static let names = (try? Project.files(in: "Fixtures/stories", endingIn: ".story")) ?? []

  @Test func `there are enough of them`() throws {
    #expect(Self.names.count >= 60)
    #expect(Scenario.all.count >= 60)
  }

  @Test func `each of them ends in a command, and some in a person's word`() throws {
    let stories = try Self.names.map {
      try Rehearsal(text: try Project.text("Fixtures/stories/\($0)")).story
    }
    let commands = stories.compactMap { story -> Story.Command? in
      if case .run(let command, _)? = story.steps.last { command } else { nil }
    }
    #expect(commands.count == stories.count)
    #expect(commands.count { $0 != .sync } >= 10)
  }

  @Test(arguments: names)
  func `ends as it says, and the next run has nothing to do`(name: String) throws {
    let rehearsal = try Rehearsal(text: try Project.text("Fixtures/stories/\(name)"))
    #expect(rehearsal.complaints(of: rehearsal.play()) == [])
  }

  @Test(arguments: names)
  func `stopped at every effect and gone on with, it ends the same`(name: String) throws {
    let rehearsal = try Rehearsal(text: try Project.text("Fixtures/stories/\(name)"))
    #expect(rehearsal.complaintsWhereStopped() == [])
  }
}
