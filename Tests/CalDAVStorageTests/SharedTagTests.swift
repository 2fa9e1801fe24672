import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// What several items with one entity tag say of a server: that it counts their writes (SOGo), or
/// that it hashes their texts, and two of them are copies (Posteo takes a UID twice).
@Suite struct SharedTagTests {
  private let href = ModelAccount.href("c.ics")

  /// A calendar with two copies of one item, and another item.
  private func copies(_ change: (inout ModelSwitches) -> Void) -> ModelAccount {
    let model = ModelAccount(change)
    for name in ["a.ics", "b.ics"] { model.put(name, event("a")) }
    model.put("c.ics", event("c"))
    return model
  }

  private func tag(_ name: String, of model: ModelAccount) -> [UInt8]? {
    model.server.tag(of: Array(name.utf8), in: ModelAccount.work)
  }

  /// What is asked to replace the item that is no copy.
  private func methodsOfWrite(
    _ model: ModelAccount, _ storage: CalDAVStorage
  ) async throws -> [String] {
    let outcome = try await storage.read([href])[0]
    guard case .found(let version, _, _) = outcome.result else {
      Issue.record("it gave \(outcome.result)")
      return []
    }
    model.server.forgetRequests()
    let written = await storage.carryOut([
      .replace(href, expecting: version, with: event("c", "Doctor"))
    ])
    guard case .stored = written[0].result else {
      Issue.record("it gave \(written[0].result)")
      return []
    }
    return model.server.requests.map(\.method).filter { ["GET", "PUT"].contains($0) }
  }

  /// Tags may be seconds, and those of a probe's two events be two by chance.
  @Test func `two copies look like a server that counts, whatever a probe finds`() async throws {
    let model = copies { $0.tagIsHash = true }
    #expect(tag("a.ics", of: model) == tag("b.ics", of: model))
    let (account, storage) = try await model.open()
    _ = try await listAll(storage)
    #expect(account.learned.profile[.ownTags]?.holds == false)
    #expect(try await account.probe().tagsOfItsOwn == .holds)
    #expect(account.learned.profile[.ownTags]?.holds == false)
    #expect(try await methodsOfWrite(model, storage) == ["GET", "PUT"])
  }

  /// SOGo, also where no two items of a small calendar are alike.
  @Test(arguments: [true, false])
  func `a probe finds a server that counts`(isHash: Bool) async throws {
    let model = ModelAccount { switches in
      switches.tagIsCounter = true
      switches.tagIsHash = isHash
    }
    model.put("c.ics", event("c"))
    let (account, storage) = try await model.open()
    _ = try await listAll(storage)
    #expect(account.learned.profile[.ownTags] == nil)
    #expect(try await account.probe().tagsOfItsOwn == .fails)
    #expect(account.learned.profile[.ownTags]?.holds == false)
    #expect(try await methodsOfWrite(model, storage) == ["GET", "PUT"])
  }

  @Test func `weak tags tell nothing of it`() async throws {
    let model = ModelAccount { $0.tagForm = .weak }
    let (account, _) = try await model.open()
    let probe = try await account.probe()
    #expect(probe.tagsOfItsOwn == .untried("the first event had no strong tag"))
    #expect(account.learned.profile[.ownTags] == nil)
  }
}
