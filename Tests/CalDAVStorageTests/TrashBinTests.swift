import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// What a server keeps in its trash bin, and shows nowhere.
@Suite struct TrashBinTests {
  /// Nextcloud names by its words alone what stands in the way, and shows it in no listing.
  @Test(arguments: [
    (
      "Deleted calendar object with uid already exists in this calendar collection.",
      "empty the bin"
    ),
    (
      "Calendar object with uid already exists in this calendar collection.", "or in the calendar's"
    ),
    ("The item is of no use.", "correct the item"),
  ])
  func `what lies in a trash bin is told as that`(words: String, mend: String) async throws {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    let body = """
      <?xml version="1.0"?><d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns">
      <s:exception>Sabre\\DAV\\Exception\\BadRequest</s:exception><s:message>\(words)</s:message>
      </d:error>
      """
    model.server.plan(
      .answer(400, headers: [["Content-Type", "application/xml"]], body: body), for: "PUT")
    let outcomes = await storage.carryOut([.create(ModelAccount.href("n.ics"), event("n"))])
    guard case .refused(let problem) = outcomes[0].result else {
      Issue.record("it gave \(outcomes[0].result)")
      return
    }
    #expect(problem.hint.contains(mend), "\(problem.hint)")
    #expect((problem.cause == .uidMayBeTaken) == words.hasPrefix("Calendar object"))
  }
}
