import Simulation
import Testing

/// A story that breaks a promise is cut down to what matters.
@Suite struct ShrinkTests {
  private let long = """
    chance 1
    traits C6.43 C6.44
    policy newest
    direction push
    both-save dentist 2
    both-save gym 3
    wait 60000
    run
    local-save gym 4
    run
      at http.PUT 1 kill
      at http.GET 1 C5.2
    remote-delete dentist 5
    run

    """

  @Test func `what a promise hangs on stays, and nothing else does`() throws {
    let story = try Story(text: long)
    let small = story.shrunk { story in
      let lines = story.description.split(separator: "\n").map { $0.drop { $0 == " " } }
      return lines.contains("remote-delete dentist 5") && lines.contains("at http.PUT 1 kill")
    }
    #expect(
      small.description.split(separator: "\n") == [
        "chance 1", "policy merge", "run", "  at http.PUT 1 kill", "remote-delete dentist 5",
      ])
  }

  @Test func `it stops after so many stories`() throws {
    var tried = 0
    _ = try Story(text: long).shrunk(limit: 5) { _ in
      tried += 1
      return false
    }
    #expect(tried == 5)
  }
}
