import Simulation
import Testing

/// What a run did is judged by what else happened in it: a fault that lies, or that takes away the
/// answer to a write, hides more than one that refuses a look.
@Suite struct DisturbanceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let event: String
    let expected: Disturbance
    var testDescription: String { event }

    init(_ event: String, _ expected: Disturbance) {
      self.event = event
      self.expected = expected
    }
  }

  static let cases = [
    Case("http.GET 1 C5.24", .looks),
    Case("http.REPORT 1 C4.13", .looks),
    Case("http.PROPFIND 1 C4.9 sticky", .looks),
    Case("http.PUT 1 C4.22", .looks),
    // The same at a write, or at a request of which nobody knows yet which it is.
    Case("http.PUT 1 C5.24", .machine),
    Case("http.DELETE 1 C4.9", .machine),
    Case("any 1 C5.24", .machine),
    // What is there is said to be gone, cut off unnoticed, or another's.
    Case("http.GET 1 C5.13", .machine),
    Case("http.GET 1 C5.17", .machine),
    Case("http.GET 1 C4.16", .machine),
    Case("http.GET 1 C4.19", .machine),
    Case("http.GET 1 C4.20", .machine),
    Case("files.syncData 1 C2.6", .disk),
    Case("journal.close 1 C3.1", .disk),
    Case("effect 1 kill", .machine),
    Case("effect 1 kill-after power 7", .machine),
    Case("any 1 interrupt", .machine),
    Case("any 1 clock-step - 2000", .machine),
    Case("any 1 local-save dentist 3", .people),
    Case("any 1 folder-delete", .people),
  ]

  @Test(arguments: cases)
  func `each fault hides what it may have changed`(_ example: Case) throws {
    #expect(try disturbance(example.event, isLate: false) == example.expected)
  }

  @Test func `where changes show late, time that passes hides what a run did`() throws {
    #expect(try disturbance("http.GET 1 C4.22", isLate: true) == .machine)
  }

  private func disturbance(_ event: String, isLate: Bool) throws -> Disturbance {
    let story = try Story(text: "chance 1\nrun\nat \(event)")
    guard case .run(_, let events)? = story.steps.last else { return [] }
    return try #require(events.first).disturbance(whereServerIsLate: isLate)
  }
}
