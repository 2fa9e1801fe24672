import SyncExecution
import SyncModel
import TestSupport
import Testing

/// Servers that say where the item is that has the UID of a refused one (RFC 4791 §5.3.2.1).
@Suite struct HolderOfUIDTests {
  private static let refusal = ModelFault.answer(
    403, headers: [["Content-Type", "application/xml"]],
    body: """
      <D:error xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><C:no-uid-conflict>
      <D:href>\(ModelPair.calendar)u.ics</D:href></C:no-uid-conflict></D:error>
      """)

  /// Whether what is there is the same or has more.
  @Test(arguments: [[], ["LOCATION:Hall"]])
  func `a new item meets the one that the server names in the same run`(
    more: [String]
  ) async throws {
    let pair = ModelPair()
    try await pair.sync()
    let theirs = ModelPair.event("u", "A", more)
    pair.putFile("u", ModelPair.event("u", "A"))
    pair.before(["PUT"]) { pair.putRemote("u", theirs) }
    pair.server.plan(Self.refusal, for: "PUT")
    let report = try await pair.sync()
    #expect(report.problems.isEmpty && report.conflicts.isEmpty)
    for texts in [pair.files("u"), pair.remotes("u")] {
      #expect(texts.count == 1)
      #expect(texts.allSatisfy { text in more.allSatisfy(text.contains) })
    }
    try await pair.expectSilence()
  }

  @Test func `what is not there is named as before`() async throws {
    let pair = ModelPair()
    pair.putFile("u", ModelPair.event("u", "A"))
    pair.server.plan(Self.refusal, for: "PUT")
    let report = try await pair.sync()
    let message = report.problems.first?.problem.message
    #expect(message == "the server has another item of this UID, at \(ModelPair.calendar)u.ics")
  }
}
