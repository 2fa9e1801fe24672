import Simulation
import Testing

/// What a story has counts once it acts in it, and not because it was drawn.
@Suite struct ActingTests {
  /// A fault that would come up in too few random worlds by chance, with a story of its own.
  struct Rare: Sendable, CustomTestStringConvertible {
    let name: String
    let story: String
    var testDescription: String { name }

    init(_ name: String, _ lines: String...) {
      self.name = name
      story = (["chance 1"] + lines).joined(separator: "\n")
    }
  }

  static let rare = [
    Rare(
      "C1.11", "both-save dentist 2", "run", "local-save dentist 3", "run",
      "at http.PUT 1 kill-after", "run", "at journal.openIntents 1 kill"),
    // More than 3,000 bytes in one answer.
    Rare(
      "C2.36", "traits C2.36", "remote-save flight 2", "remote-save flight2 3",
      "remote-save flight3 6", "remote-save dentist 7", "remote-save gym 10",
      "remote-save lunch 11", "run"),
    Rare("C6.31", "traits C6.31", "local-save dentist 2", "run", "at http.PUT 1 C4.24"),
    Rare(
      "C6.32", "traits C6.32", "both-save dentist 2", "run", "local-save dentist 3", "run",
      "at http.PUT 1 remote-save dentist 6"),
    Rare(
      "C6.33", "traits C6.33", "local-save dentist 2", "run",
      "at http.PUT 1 remote-save dentist 3"),
    Rare(
      "C6.34", "traits C6.34", "local-save dentist 2", "run",
      "at http.PUT 1 remote-save dentist 3"),
    Rare(
      "C6.35", "traits C6.35", "both-save dentist 2", "both-save gym 3", "run",
      "local-save dentist 6", "run", "at http.PUT 1 remote-delete dentist"),
    Rare(
      "C6.38", "traits C6.38", "local-save weekly 2", "run", "local-save weekly 6 once", "run"),
    Rare(
      "C6.45", "traits C6.45", "remote-save dentist 2", "run",
      "at http.REPORT 2 remote-delete dentist"),
    Rare(
      "C6.46", "traits C6.46", "remote-save dentist 2", "run",
      "at http.REPORT 2 remote-delete dentist"),
    Rare(
      "C6.49", "traits C6.49", "both-save dentist 2", "both-save gym 3", "run",
      "local-delete dentist", "run", "at http.DELETE 1 remote-save dentist 6"),
    Rare(
      "C6.57", "traits C6.57", "local-save meeting 2", "run", "local-save meeting 3", "run",
      "remote-save meeting 6", "run"),
    Rare(
      "C6.57", "traits C6.57", "local-save dentist 2", "run", "local-delete dentist", "run"),
    Rare(
      "C6.57", "traits C6.57", "local-save meeting 2", "run", "remote-delete meeting", "run"),
    Rare(
      "C6.58", "traits C6.58", "both-save dentist 2", "both-save gym 3", "run", "calendar-remake",
      "remote-save lunch 6", "remote-save bank 7", "remote-save walk 10", "run"),
    Rare("C8.30", "both-save meeting 2", "run", "local-touch meeting 3", "run"),
    Rare(
      "C8.31", "policy remote", "both-save dentist 2", "run", "local-save dentist 6",
      "remote-touch dentist 7", "run"),
    Rare(
      "C8.31", "both-save meeting 2", "run", "local-touch meeting 7", "remote-save meeting 6",
      "run"),
    Rare(
      "C8.32", "both-save dentist 2", "both-save gym 3", "run", "local-touch dentist 6",
      "remote-delete dentist", "run"),
    Rare(
      "C8.32", "both-save dentist 2", "both-save gym 3", "run", "local-delete dentist",
      "remote-touch dentist 6", "run"),
  ]

  @Test(arguments: rare)
  func `a rare fault acts in its story, and no promise is broken`(rare: Rare) throws {
    let outcome = Simulation.play(try Story(text: rare.story))
    #expect(outcome.hits[rare.name] == 1)
    #expect(outcome.violations == [])
  }

  @Test func `a switch that meets nothing to be odd about does not count`() throws {
    let story = try Story(
      text: """
        chance 1
        traits C2.30 C6.28 C6.32 C6.35 C6.38 C6.49 C6.58
        both-save dentist 2
        run
        local-save dentist 3
        run
        """)
    #expect(Simulation.play(story).hits == [:])
  }

  @Test func `what both sides have from the beginning is no edit of both`() throws {
    let first = try Story(text: "chance 1\nboth-save dentist 2\nrun")
    #expect(Simulation.play(first).hits == [:])
    let edited = try Story(text: "\(first)both-save dentist 3\nrun")
    #expect(Simulation.play(edited).hits == ["C8.21": 1])
  }
}
