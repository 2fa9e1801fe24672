import Simulation
import TestSupport
import Testing

/// A fault that has several forms: the story's chance says which one it has.
@Suite struct FaultFormTests {
  @Test(arguments: [
    (2, "http.PUT", "C5.16", "409 alone"), (3, "http.PUT", "C5.16", "409: no parent"),
    (2, "http.REPORT", "C5.16", "409 alone"), (3, "http.REPORT", "C5.16", "409: valid-sync-token"),
    (2, "http.PUT", "C5.25", "429 without a time"), (3, "http.PUT", "C5.25", "429 with a date"),
  ])
  func `each form comes up, and no promise is broken`(
    chance: Int, moment: String, name: String, form: String
  ) throws {
    let story = try Story(
      text: """
        chance \(chance)
        both-save dentist 2
        run
        local-save dentist 3
        remote-save gym 6
        run
          at \(moment) 1 \(name)
        """)
    let outcome = Simulation.play(story, keepsLines: true)
    #expect(outcome.lines.contains("  \(form)"))
    #expect(outcome.hits[name] == 1)
    #expect(outcome.violations == [])
  }

  @Test(arguments: [(2, ModelSwitches.TagForm.brotli), (3, ModelSwitches.TagForm.gzip)])
  func `a proxy that compresses says so in tags, one way or the other`(
    chance: Int, form: ModelSwitches.TagForm
  ) throws {
    let story = try Story(
      text: "chance \(chance)\ntraits C6.4\nboth-save dentist 2\nrun\nlocal-save dentist 3\nrun")
    var switches = ModelSwitches()
    story.applyTraits(to: &switches)
    #expect(switches.tagForm == form)
    let outcome = Simulation.play(story)
    #expect(outcome.hits["C6.4"] == 1)
    #expect(outcome.violations == [])
  }
}
