import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// What becomes of writes where a server takes the password, and not the write.
@Suite struct ForbiddenWriteTests {
  /// Some servers say 401 where they mean 403; each 401 may count as a wrong password.
  @Test func `a write that is forbidden in words of a wrong password stops the others alone`()
    async throws
  {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    model.server.interfere { $0.method == "PUT" ? .answer(401) : nil }
    let writes = (0..<50).map { number in
      GuardedWrite.create(ModelAccount.href("n\(number).ics"), event("n\(number)"))
    }
    let outcomes = await storage.carryOut(writes)
    for outcome in outcomes {
      guard case .refused(let problem) = outcome.result else {
        Issue.record("it gave \(outcome.result)")
        continue
      }
      #expect(problem.hint.contains("permission"))
      // The next run sends them again.
      #expect(outcome.isTransient || outcome.isOfTheMoment)
    }
    let sent = model.server.count("PUT")
    #expect(sent <= 4)
    let unsent = outcomes.count { outcome in
      guard case .refused(let problem) = outcome.result else { return false }
      return problem.message.hasPrefix("it was not sent")
    }
    #expect(unsent == 50 - sent)
    #expect(try await storage.listChanges(since: nil).present.count == 1)
  }

  /// The status, the body, and how the mend begins.
  @Test(arguments: [
    (403, "", "ask the calendar's owner whether you may write such items; or correct the item"),
    (403, "<error xmlns='DAV:'><valid-calendar-data/></error>", "correct the item"),
    (400, "", "correct the item"),
  ])
  func `a refusal without a word may be one of permission`(
    status: Int, body: String, mend: String
  ) async throws {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    let xml = [["Content-Type", "application/xml"]]
    model.server.plan(.answer(status, headers: xml, body: body), for: "PUT")
    let write = GuardedWrite.create(ModelAccount.href("n.ics"), event("n"))
    guard case .refused(let problem) = await storage.carryOut([write])[0].result else {
      Issue.record("it is not refused")
      return
    }
    #expect(problem.hint.hasPrefix(mend), "\(problem.hint)")
  }

  private static let noEnd = "it may be that it has no end (DTEND)"
  private static let noRight =
    "ask the calendar's owner whether you may change this item; or correct the item"

  /// What the server has already may have no end there, too, and be only read: without a word of
  /// the text that is likelier. The status, the body, and how the mend begins.
  @Test(arguments: [
    (403, "", noRight), (404, "", noRight), (400, "", noEnd), (422, "", noEnd),
    (403, "<error xmlns='DAV:'><valid-calendar-data/></error>", noEnd),
  ])
  func `another version without an end that is refused may be one of permission`(
    status: Int, body: String, mend: String
  ) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    let xml = [["Content-Type", "application/xml"]]
    model.server.plan(.answer(status, headers: xml, body: body), for: "PUT")
    let text = String(decoding: event("a", "Ours").bytes, as: UTF8.self)
      .replacing("DTEND:20250301T100000Z\r\n", with: "")
    #expect(!text.contains("DTEND"))
    let write = GuardedWrite.replace(
      ModelAccount.href("a.ics"), expecting: version, with: ItemData(bytes: Array(text.utf8)))
    guard case .refused(let problem) = await storage.carryOut([write])[0].result else {
      Issue.record("it is not refused")
      return
    }
    #expect(problem.hint.hasPrefix(mend), "\(problem.hint)")
  }
}
