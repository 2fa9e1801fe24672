import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// What a server is not even sent.
@Suite struct UnsendableTextTests {
  @Test func `an item larger than the server takes is not sent`() async throws {
    let (model, storage, _) = try await ModelAccount.withOneItem { $0.maxResourceSize = 400 }
    let big = event("n", String(repeating: "long ", count: 100))
    let outcomes = await storage.carryOut([.create(ModelAccount.href("n.ics"), big)])
    guard case .refused(let problem) = outcomes[0].result else {
      Issue.record("it gave \(outcomes[0].result)")
      return
    }
    #expect(problem.code == .tooLarge)
    #expect(model.server.requests.isEmpty)
  }

  /// It would not be read back from a server that keeps it as it is.
  @Test(arguments: [
    ("SUMMARY:", "SUMMARY:Bell \u{B}", "line 9 holds the control character U+000B"),
    ("UID:", "UID:\u{1F}", "line 5 holds the control character U+001F"),
    ("END:VCALENDAR\r\n", "END:VCALENDAR\r\n-- \r\nfooter\r\n\r\n", "its last line, 13, is not"),
    ("END:VCALENDAR\r\n", "END:VCALENDAR\r\n \r\n\r\n", nil), ("SUMMARY:", "SUMMARY:a\tb", nil),
  ])
  func `a text that could not be read back is not sent`(
    old: String, new: String, why: String?
  ) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    let text = String(decoding: event("a", "Ours").bytes, as: UTF8.self).replacing(old, with: new)
    let data = ItemData(bytes: Array(text.utf8))
    for write in [
      GuardedWrite.create(ModelAccount.href("n.ics"), data),
      .replace(ModelAccount.href("a.ics"), expecting: version, with: data),
    ] {
      model.server.forgetRequests()
      let outcome = await storage.carryOut([write])[0]
      guard let why else {
        #expect(model.server.count("PUT") == 1)
        continue
      }
      guard case .refused(let problem) = outcome.result else {
        Issue.record("it gave \(outcome.result)")
        continue
      }
      #expect(problem.code == .refused && problem.cause == .unfitText && !outcome.isTransient)
      #expect(problem.message.contains(why), "\(problem.message)")
      #expect(model.server.requests.isEmpty)
    }
  }
}
