import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// New items whose answers are lost, on servers that may store them under names of their own
/// without a word about it.
@Suite struct StrayedItemTests {
  private let new = ["b.ics", "c.ics", "d.ics"].map(ModelAccount.href)

  /// A server with the item `a.ics`, and an account and its calendar of which nothing is known.
  private func open(
    choosesNames: Bool
  ) async throws -> (model: ModelAccount, account: CalDAVAccount, storage: CalDAVStorage) {
    let model = ModelAccount {
      $0.choosesNames = choosesNames
      $0.tellsNames = false
    }
    model.put("a.ics", event("a"))
    let (account, storage) = try await model.open()
    model.server.forgetRequests()
    return (model, account, storage)
  }

  /// Whether it is stored; nil where nobody knows.
  private func create(_ href: Href, _ uid: String, in storage: CalDAVStorage) async -> Bool? {
    let outcomes = await storage.carryOut([.create(href, event(uid))])
    return switch outcomes[0].result {
    case .stored: true
    case .unknown: nil
    case .removed, .changedMeanwhile, .refused, .failed: false
    }
  }

  private func keepsNames(_ account: CalDAVAccount) -> Bool? {
    account.learned.profile[.keepsNames]?.holds
  }

  @Test(arguments: [false, true])
  func `one that is stored under another name is not sent again`(
    followsAnother: Bool
  ) async throws {
    let (model, account, storage) = try await open(choosesNames: true)
    if followsAnother { #expect(await create(new[0], "b", in: storage) == true) }
    let before = model.server.names(in: ModelAccount.work).count
    model.server.forgetRequests()
    model.server.plan(.unanswered(isDone: true), for: "PUT")
    #expect(await create(new[1], "c", in: storage) == nil)
    #expect(model.server.count("PUT") == 1)
    #expect(model.server.names(in: ModelAccount.work).count == before + 1)
    #expect(keepsNames(account) == false)
    // The next one is not even looked for.
    model.server.forgetRequests()
    model.server.plan(.unanswered(isDone: true), for: "PUT")
    #expect(await create(new[2], "d", in: storage) == nil)
    #expect(model.server.requests.map(\.method) == ["PUT"])
  }

  @Test func `one that is nowhere goes out again where nobody knows what the server does`()
    async throws
  {
    let (model, account, storage) = try await open(choosesNames: false)
    model.server.plan(.unanswered(isDone: false), for: "PUT")
    #expect(await create(new[0], "b", in: storage) == true)
    #expect(
      model.server.requests.map(\.method) == ["PUT", "GET", "PROPFIND", "REPORT", "PUT"])
    // One that was stored shows what becomes of names, and is asked for once.
    for (index, methods) in [(1, ["PUT", "GET", "GET", "PUT"]), (2, ["PUT", "GET", "PUT"])] {
      model.server.forgetRequests()
      model.server.plan(.unanswered(isDone: false), for: "PUT")
      #expect(await create(new[index], "n\(index)", in: storage) == true)
      #expect(model.server.requests.map(\.method) == methods)
      #expect(keepsNames(account) == true)
    }
  }

  @Test(arguments: [200, 201])
  func `of very many items nobody reads all for one`(items: Int) async throws {
    let (model, _, storage) = try await open(choosesNames: false)
    for number in 1..<items { model.put("n\(number).ics", event("n\(number)")) }
    model.server.plan(.unanswered(isDone: false), for: "PUT")
    let isStored = await create(new[0], "b", in: storage)
    #expect(isStored == (items > 200 ? nil : true))
    #expect(model.server.count("PUT") == (items > 200 ? 1 : 2))
  }

  @Test func `where one of the items cannot be read it may be this one`() async throws {
    let (model, _, storage) = try await open(choosesNames: false)
    model.server.plan(.unanswered(isDone: false), for: "PUT")
    model.server.interfere { request in
      request.method == "REPORT" || request.path == ModelAccount.work + "a.ics"
        ? .answer(500) : nil
    }
    #expect(await create(new[0], "b", in: storage) == nil)
    #expect(model.server.count("PUT") == 1)
  }

  @Test(arguments: [false, true])
  func `not an answer, but a look shows which name an item has`(
    choosesNames: Bool
  ) async throws {
    let (_, account, storage) = try await open(choosesNames: choosesNames)
    #expect(await create(new[0], "b", in: storage) == true)
    #expect(keepsNames(account) == nil)
    let looked = try await storage.read([new[0]])
    #expect((looked[0].result == .missing) == choosesNames)
    #expect(keepsNames(account) == (choosesNames ? nil : true))
    let (pages, _) = try await listAll(storage)
    _ = try await storage.readAll(pages.flatMap(\.present).map(\.href))
    #expect(keepsNames(account) == !choosesNames)
  }

  @Test func `what was known is corrected by a name of the server's own`() async throws {
    let (model, account, storage) = try await open(choosesNames: false)
    #expect(await create(new[0], "b", in: storage) == true)
    _ = try await storage.read([new[0]])
    #expect(keepsNames(account) == true)
    model.server.change { $0.choosesNames = true }
    #expect(await create(new[1], "c", in: storage) == true)
    _ = try await storage.read([new[1]])
    let (pages, _) = try await listAll(storage)
    _ = try await storage.readAll(pages.flatMap(\.present).map(\.href))
    #expect(keepsNames(account) == false)
  }

  @Test(arguments: [false, true])
  func `a probe shows it, too`(choosesNames: Bool) async throws {
    let (_, account, _) = try await open(choosesNames: choosesNames)
    _ = try await account.probe()
    #expect(keepsNames(account) == !choosesNames)
  }
}
