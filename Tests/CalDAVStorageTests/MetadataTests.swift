import CalDAVStorage
import SyncModel
import TestSupport
import Testing
import WebDAV

/// Names, colours and the like of a calendar: set one by one, and what the server shows counts.
@Suite struct MetadataTests {
  private func change(
    _ values: [MetadataKey: String], _ model: ModelAccount
  ) async throws -> CollectionDescription {
    let account = try model.account(options: model.remembered)
    let work = try #require(try await account.listCollections().first { $0.name == "work" })
    return try await account.setMetadata(values, of: work)
  }

  private let all: [MetadataKey: String] = [
    .displayname: "N\u{E4}m\u{E9} & <x>", .color: "#00ff00", .description: "Two\nlines",
    .order: "3",
  ]

  @Test func `all values are set and read back`() async throws {
    let model = ModelAccount()
    let after = try await change(all, model)
    #expect(MetadataKey.allCases.allSatisfy { after[$0] == all[$0] })
    #expect(
      model.server.metadata(of: ModelAccount.work) == [
        "displayname": "N\u{E4}m\u{E9} & <x>", "color": "#00FF00FF", "description": "Two\nlines",
        "order": "3",
      ])
    #expect(model.server.count("PROPPATCH") == 4)
    // The next listing shows them without another request.
    let before = model.server.traffic.requests
    let listed = try await model.account(options: model.remembered).listCollections()
    #expect(listed.first?.calendarDescription == "Two\nlines")
    #expect(model.server.traffic.requests == before + 1)
  }

  @Test func `what a server refuses stays, and the rest is set`() async throws {
    let model = ModelAccount { $0.refusedProperties = ["calendar-color"] }
    let after = try await change(all, model)
    #expect(after.color == "#ff8800")
    #expect(after.displayName == "N\u{E4}m\u{E9} & <x>")
    #expect(after.order == "3")
  }

  @Test func `a value of the server's own choice is what counts`() async throws {
    let model = ModelAccount { $0.ownOrder = "17" }
    #expect(try await change([.order: "3"], model).order == "17")
  }

  @Test func `a calendar that its new name moves is found again`() async throws {
    let model = ModelAccount { $0.renamesMove = true }
    let after = try await change([.displayname: "Office"], model)
    #expect(after.name == "Office")
    #expect(after.displayName == "Office")
  }

  @Test func `a calendar that is gone is an error`() async throws {
    let model = ModelAccount()
    let account = try model.account(options: model.remembered)
    let work = try #require(try await account.listCollections().first { $0.name == "work" })
    model.server.removeCalendar(ModelAccount.work)
    await #expect(throws: StorageError.self) {
      _ = try await account.setMetadata([.color: "#00ff00"], of: work)
    }
  }
}
