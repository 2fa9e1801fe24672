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
    // Some refuse the answer itself.
    (
      403, "allowed-attendee-scheduling-object-change",
      "if it is the answer (PARTSTAT), give it in the server's own pages"
    ),
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

  private static let words = "<D:error xmlns:D=\"DAV:\">\n  %\n</D:error>"

  private func refusal(of body: String, _ type: String) async throws -> (WriteOutcome, puts: Int) {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    model.server.plan(.answer(409, headers: [["Content-Type", type]], body: body), for: "PUT")
    let outcome = await storage.carryOut([.create(ModelAccount.href("n.ics"), event("n"))])[0]
    return (outcome, model.server.count("PUT"))
  }

  /// As of a server with a range of dates of its own, which names no precondition.
  @Test(arguments: [
    ("Out of range", "text/plain", "the server answered 409 (Out of range)"),
    (words.replacing("%", with: "Too late"), "text/xml", "the server answered 409 (Too late)"),
    ("<h1>Conflict</h1>", "text/html", "the server answered 409"),
  ])
  func `a conflict of which the server gives no reason is told with its words, and kept`(
    body: String, type: String, reason: String
  ) async throws {
    let (outcome, puts) = try await refusal(of: body, type)
    guard case .refused(let problem) = outcome.result else {
      Issue.record("it gave \(outcome.result)")
      return
    }
    #expect(problem.code == .refused && !outcome.isTransient)
    #expect((problem.cause == .uidMayBeTaken) == (reason == "the server answered 409"))
    #expect(problem.hint.contains(reason), "\(problem.hint)")
    #expect(problem.hint.contains("does not go with what it has"), "\(problem.hint)")
    #expect(puts == 1)
  }

  @Test(arguments: [
    ("Event UID already in use. (n)", true), ("An item of this uid exists", true),
    ("duplicate UID", true), ("the UID is odd", false), ("a guide exists already", false),
  ])
  func `a UID that is taken is known by words with 409`(text: String, isTaken: Bool) async throws {
    let (outcome, _) = try await refusal(
      of: Self.words.replacing("%", with: text), "application/xml")
    guard case .refused(let problem) = outcome.result else {
      Issue.record("it gave \(outcome.result)")
      return
    }
    #expect((problem.cause == .uidIsTaken) == isTaken, "\(problem)")
    #expect(problem.hint.contains(text), "\(problem.hint)")
  }
}
