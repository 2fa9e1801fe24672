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

  @Test func `two copies say nothing of a server that hashes texts`() async throws {
    let model = copies { $0.tagIsHash = true }
    #expect(tag("a.ics", of: model) == tag("b.ics", of: model))
    let (account, storage) = try await model.open()
    let (pages, _) = try await listAll(storage)
    _ = try await storage.readAll(pages.flatMap(\.present).map(\.href))
    #expect(account.learned.profile[.ownTags] == nil)
    #expect(try await methodsOfWrite(model, storage) == ["PUT"])
  }

  @Test func `a hash that two texts have is none of the text, whatever is listed later`()
    async throws
  {
    let model = ModelAccount { switches in
      switches.tagIsHash = true
      switches.tagIsCounter = true
    }
    for uid in ["a", "b", "c"] { model.put("\(uid).ics", event(uid)) }
    let (account, storage) = try await model.open()
    let (pages, _) = try await listAll(storage)
    #expect(account.learned.profile[.ownTags] == nil)
    _ = try await storage.readAll(pages.flatMap(\.present).map(\.href))
    let finding = try #require(account.learned.profile[.ownTags])
    let shown = String(decoding: try #require(tag("a.ics", of: model)), as: UTF8.self)
    #expect(!finding.holds && finding.answer == "two texts with ETag \(shown)")
    #expect(try await methodsOfWrite(model, storage) == ["GET", "PUT"])

    #expect(tag("a.ics", of: model) != tag("c.ics", of: model))
    let (later, next) = try await model.open(account.learned)
    _ = try await listAll(next)
    #expect(later.learned.profile[.ownTags]?.holds == false)
  }

  @Test func `hashes alone in a whole calendar contradict that the server counts`() async throws {
    let model = copies { $0.tagIsCounter = true }
    let (account, storage) = try await model.open()
    _ = try await listAll(storage)
    #expect(account.learned.profile[.ownTags]?.holds == false)
    #expect(try await methodsOfWrite(model, storage) == ["GET", "PUT"])

    model.server.change { switches in
      switches.tagIsCounter = false
      switches.tagIsHash = true
    }
    let (later, next) = try await model.open(account.learned)
    _ = try await listAll(next)
    let finding = try #require(later.learned.profile[.ownTags])
    #expect(finding.holds && finding.request == "PROPFIND")
    #expect(finding.answer.hasPrefix("hashes alone, as ETag"), "\(finding.answer)")
    #expect(try await methodsOfWrite(model, next) == ["PUT"])
  }

  /// Earlier releases took any tag that two items had for a count.
  @Test func `what two copies made known before is contradicted beside them`() async throws {
    let model = copies { $0.tagIsHash = true }
    let shown = String(decoding: try #require(tag("a.ics", of: model)), as: UTF8.self)
    let (account, _) = try await model.open()
    account.learn(
      .ownTags, holds: false, request: "PROPFIND", answer: "two items with ETag \(shown)")
    let (later, storage) = try await model.open(account.learned)
    _ = try await listAll(storage)
    #expect(later.learned.profile[.ownTags]?.holds == true)
  }

  @Test func `a small calendar of counts with no two alike contradicts nothing`() async throws {
    let model = ModelAccount { $0.tagIsCounter = true }
    for uid in ["a", "c"] { model.put("\(uid).ics", event(uid)) }
    let (account, storage) = try await model.open()
    _ = try await listAll(storage)
    #expect(account.learned.profile[.ownTags]?.holds == false)
    model.put("a.ics", event("a", "Doctor"))
    #expect(tag("a.ics", of: model) != tag("c.ics", of: model))
    let (later, next) = try await model.open(account.learned)
    _ = try await listAll(next)
    #expect(later.learned.profile[.ownTags]?.holds == false)
    #expect(try await methodsOfWrite(model, next) == ["GET", "PUT"])
  }
}
