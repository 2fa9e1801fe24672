import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Changes of an item that a server leads to its calendar, or to what holds that.
@Suite struct MisledWriteTests {
  private static let places = [
    ModelAccount.work, String(ModelAccount.work.dropLast()), ModelServer.homePath, "/",
    ModelServer.origin + ModelAccount.work,
  ]
  private let href = ModelAccount.href("a.ics")

  private func expectRefusal(
    _ outcome: WriteOutcome, of item: String, at place: String,
    _ location: SourceLocation = #_sourceLocation
  ) {
    guard case .refused(let problem) = outcome.result else {
      Issue.record("it gave \(outcome.result)", sourceLocation: location)
      return
    }
    #expect(problem.code == .refused && outcome.isTransient, sourceLocation: location)
    let address = place.hasPrefix("/") ? ModelServer.origin + place : place
    #expect(
      problem.message.contains(ModelServer.origin + ModelAccount.work + item),
      "\(problem)", sourceLocation: location)
    #expect(problem.hint.contains("leads to \(address),"), "\(problem)", sourceLocation: location)
    #expect(
      problem.hint.contains("set the account's url to their new address"), "\(problem)",
      sourceLocation: location)
  }

  @Test(arguments: [301, 302, 307, 308], places)
  func `a deletion that is led to the calendar deletes nothing`(
    status: Int, place: String
  ) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    model.put("b.ics", event("b"))
    model.server.plan(.answer(status, headers: [["Location", place]]), for: "DELETE")
    let outcomes = await storage.carryOut([.delete(href, expecting: version)])
    expectRefusal(outcomes[0], of: "a.ics", at: place)
    #expect(model.server.count("DELETE") == 1)
    #expect(model.content("a.ics") != nil && model.content("b.ics") != nil)
    // Another time it may go.
    guard case .removed = await storage.carryOut([.delete(href, expecting: version)])[0].result
    else {
      Issue.record("it is not removed")
      return
    }
    #expect(model.content("a.ics") == nil && model.content("b.ics") != nil)
  }

  @Test(arguments: places)
  func `a text that is led to the calendar is not sent there, and the others go`(
    place: String
  ) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    let path = ModelAccount.work + "a.ics"
    model.server.interfere { request in
      guard request.line == "PUT \(path)" else { return nil }
      return ModelFault.answer(301, headers: [["Location", place]])
    }
    let other = ModelAccount.href("n.ics")
    let outcomes = await storage.carryOut([
      .replace(href, expecting: version, with: event("a", "Doctor")), .create(other, event("n")),
    ])
    expectRefusal(outcomes[0], of: "a.ics", at: place)
    guard case .stored = outcomes[1].result else {
      Issue.record("it gave \(outcomes[1].result)")
      return
    }
    #expect(model.server.requests.filter { $0.method == "PUT" }.count == 2)
    #expect(model.content("a.ics") == event("a").bytes)
  }

  @Test func `a new item that is led to another one is refused with where that was`() async throws {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    let there = ModelAccount.work + "a.ics"
    model.server.plan(.answer(307, headers: [["Location", there]]), for: "PUT")
    let outcomes = await storage.carryOut([.create(ModelAccount.href("n.ics"), event("n"))])
    guard case .refused(let problem) = outcomes[0].result else {
      Issue.record("it gave \(outcomes[0].result)")
      return
    }
    #expect(problem.hint.contains("the server answered 412"), "\(problem)")
    #expect(
      problem.hint.hasSuffix(" where a redirect led, at \(ModelServer.origin + there)"),
      "\(problem)")
    #expect(model.content("a.ics") == event("a").bytes)
  }

  @Test(arguments: places)
  func `a move that is led to the calendar moves nothing, and the item goes another way`(
    place: String
  ) async throws {
    let model = ModelAccount()
    model.server.makeCalendar("other")
    model.put("a.ics", event("a"))
    let account = try model.account(options: model.remembered)
    let listed = try await account.listCollections()
    let from = try await account.openCalendar(try #require(listed.first { $0.name == "work" }))
    let to = try await account.openCalendar(try #require(listed.first { $0.name == "other" }))
    model.server.plan(.answer(301, headers: [["Location", place]]), for: "MOVE")
    #expect(await from.move([(ItemID("a"), href)], to: to) == [.refused])
    #expect(model.server.count("MOVE") == 1)
    #expect(model.content("a.ics") != nil)
  }
}
