import TestSupport
import Testing

/// Every way in which servers are known to differ in what they make of requests, played by the
/// model server against the whole engine. The numbers are those of the catalogue of faults.
@Suite struct SemanticsOfC6Tests {
  @Test(arguments: ServerSemantics.all)
  func `a sync keeps its promises with a server that differs`(
    semantics: ServerSemantics
  ) async throws {
    var acts: Set<ModelAct> = []
    for switches in semantics.switches {
      let pair = ModelPair { $0 = switches }
      try await semantics.story(pair)
      acts.formUnion(pair.server.acts)
    }
    #expect(semantics.acts.isSubset(of: acts), "the server was not odd")
  }

  @Test func `every number is there once`() {
    #expect(ServerSemantics.all.map(\.number) == Array(1...42))
  }
}

/// A row of the table: what a server does, and what calgw does with it.
struct ServerSemantics: Sendable, CustomStringConvertible {
  let number: Int
  let server: String
  let calgw: String
  /// What the server must have done, else the story shows nothing.
  let acts: Set<ModelAct>
  /// Each variant of the server is played by itself.
  let switches: [ModelSwitches]
  let story: @Sendable (ModelPair) async throws -> Void

  /// - Parameter story: nil: items, changes and deletions go each way, and then all is silent.
  init(
    _ number: Int, _ server: String, _ calgw: String, acts: Set<ModelAct> = [],
    _ changes: (inout ModelSwitches) -> Void...,
    story: @escaping @Sendable (ModelPair) async throws -> Void = { try await $0.makeRound() }
  ) {
    self.number = number
    self.server = server
    self.calgw = calgw
    self.acts = acts
    switches = changes.map { change in
      var switches = ModelSwitches()
      change(&switches)
      return switches
    }
    self.story = story
  }

  var description: String { "C6.\(number) \(server): \(calgw)" }
}
