import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Whether a server gives entity tags at all shows in what is written over.
@Suite struct NoTagsTests {
  private let href = ModelAccount.href("a.ics")

  /// Reads an item and replaces it, and gives what was learnt of tags by then.
  private func replace(on model: ModelAccount) async throws -> ServerProfile.Finding? {
    let (account, storage) = try await model.open()
    guard case .found(let version, _, _) = try await storage.read([href])[0].result else {
      throw StorageError(.io, "the item cannot be read")
    }
    let write = GuardedWrite.replace(href, expecting: version, with: event("a", "Doctor"))
    let outcome = await storage.carryOut([write])[0]
    guard case .stored = outcome.result else {
      throw StorageError(.io, "the item cannot be replaced: \(outcome)")
    }
    return account.learned.profile[.entityTags]
  }

  @Test(arguments: [false, true], [false, true])
  func `a server gives none where neither reports nor items have one`(
    inReports: Bool, withItems: Bool
  ) async throws {
    let model = ModelAccount {
      $0.listsTags = inReports
      $0.readsTags = withItems
      $0.putTag = .none
    }
    model.put("a.ics", event("a"))
    let finding = try await replace(on: model)
    // What was never in doubt is not told.
    #expect(finding?.holds == (inReports || withItems ? nil : false))
    #expect(finding?.answer == (inReports || withItems ? nil : "200 without ETag"))
  }

  @Test func `one that gives them by now is no longer told of`() async throws {
    let model = ModelAccount {
      $0.listsTags = false
      $0.readsTags = false
      $0.putTag = .none
    }
    model.put("a.ics", event("a"))
    let (account, storage) = try await model.open()
    account.learn(.entityTags, holds: false, request: "GET /a.ics", answer: "200 without ETag")
    _ = try await storage.read([href])
    #expect(account.learned.profile[.entityTags]?.holds == false)
    model.server.change { $0.listsTags = true }
    _ = try await storage.read([href])
    #expect(account.learned.profile[.entityTags]?.holds == true)
  }
}
