import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Two items of one UID in a calendar, against RFC 4791 §4.1.
@Suite struct SharedUIDTests {
  /// An event with an alarm that has a UID, before its own.
  private func alarming(_ uid: String) -> ItemData {
    let head = "BEGIN:VEVENT\r\n"
    let text = String(decoding: event(uid).bytes, as: UTF8.self).replacing(
      head, with: "\(head)BEGIN:VALARM\r\nUID:alarm\r\nEND:VALARM\r\n")
    return ItemData(bytes: Array(text.utf8))
  }

  /// Whether the server refuses a second one, after `a.ics` and `b.ics` were read together.
  private func uniqueUIDs(
    _ a: ItemData, _ b: ItemData, _ learned: CalDAVAccount.Learned? = nil
  ) async throws -> ServerProfile.Finding? {
    let model = ModelAccount()
    model.put("a.ics", a)
    model.put("b.ics", b)
    let (account, storage) = try await model.open(learned)
    _ = try await storage.read(["a.ics", "b.ics"].map(ModelAccount.href))
    return account.learned.profile[.uniqueUIDs]
  }

  @Test func `a server that gives two of one UID takes a second one`() async throws {
    let finding = try #require(try await uniqueUIDs(event("a"), event("a", "Doctor")))
    #expect(!finding.holds && finding.answer == "two items with one UID")
    let long = String(repeating: "a", count: 200)
    #expect(try await uniqueUIDs(event(long + "1"), event(long + "2")) == nil)
    #expect(try await uniqueUIDs(event("a"), event("b")) == nil)
    #expect(try await uniqueUIDs(alarming("a"), alarming("b")) == nil)
    #expect(try await uniqueUIDs(alarming("a"), event("a")) != nil)
  }

  @Test func `what was known of a server is corrected`() async throws {
    let model = ModelAccount { $0.uidConflictStatus = 403 }
    let (account, storage) = try await model.open()
    for name in ["a.ics", "b.ics"] {
      _ = await storage.carryOut([.create(ModelAccount.href(name), event("a"))])
    }
    #expect(account.learned.profile[.uniqueUIDs]?.holds == true)
    let finding = try await uniqueUIDs(event("a"), event("a", "Doctor"), account.learned)
    #expect(finding?.holds == false)
  }
}
