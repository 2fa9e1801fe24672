import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Items that nothing is wrong with, and that a calendar does not take (RFC 4791 §5.3.2.1, RFC 6638
/// §3.2.4).
@Suite struct RefusedByRuleTests {
  @Test(arguments: [
    (403, "min-date-time", "so early"), (403, "max-date-time", "so late"),
    (403, "max-instances", "so many occurrences"),
    (409, "max-attendees-per-instance", "so many attendees"),
    (403, "same-organizer-in-all-components", "another organizer"),
    (412, "allowed-organizer-scheduling-object-change", "take the change back"),
    (403, "allowed-attendee-scheduling-object-change", "ask its organizer"),
  ])
  func `each is told with its own mend, and not as an odd item`(
    status: Int, element: String, mend: String
  ) async throws {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    model.server.plan(
      .answer(
        status, headers: [["Content-Type", "application/xml"]],
        body: """
          <D:error xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><C:\(element)/></D:error>
          """), for: "PUT")
    let outcome = await storage.carryOut([.create(ModelAccount.href("n.ics"), event("n"))])[0]
    guard case .refused(let problem) = outcome.result else {
      Issue.record("it gave \(outcome.result)")
      return
    }
    #expect(problem.code == .refused && !outcome.isTransient)
    #expect(problem.hint.contains(mend) && problem.hint.contains(element), "\(problem.hint)")
    #expect(!problem.hint.contains("calgw check"), "\(problem.hint)")
    #expect(model.server.count("GET") == 0, "the answer says it all")
  }
}
