import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Servers that show a deleted item for some seconds more (Bedework).
@Suite struct LateDeletionTests {
  private let href = ModelAccount.href("a.ics")
  private static let path = ModelAccount.work + "a.ics"

  /// What a server with the item `a.ics` goes on to answer until so many milliseconds are over.
  private static func showItem(
    _ tag: String, on model: ModelAccount, for milliseconds: Int64, listsAfterwards: Bool = false
  ) {
    let end = model.clock.now.milliseconds + milliseconds
    model.server.interfere { request in
      let isOver = model.clock.now.milliseconds >= end
      switch request.method {
      case "GET" where request.path == path && !isOver:
        return .answer(
          200, headers: [["Content-Type", "text/calendar"], ["ETag", tag]],
          body: String(decoding: event("a").bytes, as: UTF8.self))
      case "REPORT" where !isOver || listsAfterwards:
        return listing(tag)
      case "PROPFIND" where request.headers["depth"] == "1" && (!isOver || listsAfterwards):
        return listing(tag)
      default: return nil
      }
    }
  }

  /// A whole listing that names the calendar and the item.
  private static func listing(_ tag: String) -> ModelFault {
    .answer(
      207, headers: [["Content-Type", "application/xml"]],
      body: """
        <D:multistatus xmlns:D="DAV:"><D:response><D:href>\(ModelAccount.work)</D:href><D:propstat>
        <D:prop><D:resourcetype><D:collection/></D:resourcetype></D:prop>
        <D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>
        <D:response><D:href>\(path)</D:href><D:propstat><D:prop>
        <D:getetag>\(tag)</D:getetag></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>
        </D:response><D:sync-token>urn:t1</D:sync-token></D:multistatus>
        """)
  }

  private func tag(_ version: Version) throws -> String {
    String(decoding: try #require(version.tag).bytes, as: UTF8.self)
  }

  /// Whether there is sync-collection, for how long the server shows the item, and whether a
  /// listing names it.
  @Test(
    arguments: [
      (true, 0, false), (false, 0, false), (true, 3_000, false), (false, 3_000, false),
      (true, 60_000, true), (false, 60_000, true),
    ] as [(Bool, Int64, Bool)])
  func `what was just deleted is left out of a listing, if it goes in time`(
    hasSync: Bool, delay: Int64, isNamed: Bool
  ) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem {
      $0.hasSyncCollection = hasSync
    }
    let start = model.clock.now.milliseconds
    let outcomes = await storage.carryOut([.delete(href, expecting: version)])
    #expect(outcomes[0].result == .removed)
    Self.showItem(try tag(version), on: model, for: delay, listsAfterwards: true)
    let page = try await storage.listChanges(since: nil)
    #expect(page.extent == .everything)
    #expect(page.present.map(\.href) == (isNamed ? [href] : []))
    #expect(model.clock.now.milliseconds - start <= 3_500)
  }

  /// What becomes of a deletion that a server has taken and said no more of.
  @Test(
    arguments: [
      (.actThenAnswer(202), 0, true), (.actThenAnswer(202), 3_000, true),
      (.actThenAnswer(202), 60_000, false), (.answer(202), 0, false),
    ] as [(ModelFault, Int64, Bool)])
  func `a deletion that is accepted is done once the item shows no more`(
    fault: ModelFault, delay: Int64, isDone: Bool
  ) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    model.server.plan(fault, for: "DELETE")
    if delay > 0 { Self.showItem(try tag(version), on: model, for: delay) }
    let outcome = await storage.carryOut([.delete(href, expecting: version)])[0]
    if isDone {
      #expect(outcome.result == .removed)
    } else if case .unknown(let trouble) = outcome.result {
      #expect(trouble.message.contains("has taken DELETE"), "\(trouble)")
    } else {
      Issue.record("it gave \(outcome.result)")
    }
  }

  @Test func `one 404 does not make a deletion that was only accepted`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    model.server.plan(.answer(202), for: "DELETE")
    model.server.plan(.answer(404), for: "GET")
    let outcome = await storage.carryOut([.delete(href, expecting: version)])[0]
    #expect(outcome.result == .changedMeanwhile)
  }

  @Test func `a server that only promises to delete is waited for once`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    let start = model.clock.now.milliseconds
    for _ in 1...5 {
      model.server.plan(.answer(202), for: "DELETE")
      _ = await storage.carryOut([.delete(href, expecting: version)])
    }
    #expect(model.clock.now.milliseconds - start == 3_500)
  }

  @Test func `what another made there since is listed at once`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    _ = await storage.carryOut([.delete(href, expecting: version)])
    Self.showItem("\"another\"", on: model, for: 60_000)
    let start = model.clock.now.milliseconds
    let page = try await storage.listChanges(since: nil)
    #expect(page.present.map(\.href) == [href])
    #expect(model.clock.now.milliseconds == start)
  }

  @Test func `what is made anew at once at the same address is listed at once`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    _ = await storage.carryOut([.delete(href, expecting: version)])
    _ = await storage.carryOut([.create(href, event("a"))])
    // Its tag may be that of the former one, as of a hash or a counter.
    Self.showItem(try tag(version), on: model, for: 60_000)
    let start = model.clock.now.milliseconds
    let page = try await storage.listChanges(since: nil)
    #expect(page.present.map(\.href) == [href])
    #expect(model.clock.now.milliseconds == start)
  }

  /// How the first answer is lost, for how long the server shows the item, and whether the deletion
  /// counts as done.
  @Test(
    arguments: [
      (.unanswered(isDone: true), 3_000, true), (.unanswered(isDone: true), 60_000, false),
      (.lostAfter, 3_000, true), (.actThenAnswer(502), 3_000, true),
    ] as [(ModelFault, Int64, Bool)])
  func `a second deletion that finds nothing is done once the item shows no more`(
    fault: ModelFault, delay: Int64, isDone: Bool
  ) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    model.server.plan(fault, for: "DELETE")
    Self.showItem(try tag(version), on: model, for: delay)
    var outcome = await storage.carryOut([.delete(href, expecting: version)])[0]
    // The run asks for it once more.
    if case .unknown = outcome.result {
      outcome = await storage.carryOut([.delete(href, expecting: version)])[0]
    }
    #expect(model.server.count("DELETE") == 2)
    #expect((outcome.result == .removed) == isDone, "\(outcome.result)")
    if !isDone {
      guard case .refused = outcome.result else {
        Issue.record("it gave \(outcome.result)")
        return
      }
    }
  }

  @Test func `a first deletion that finds nothing of what a look shows is refused at once`()
    async throws
  {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    let start = model.clock.now.milliseconds
    model.server.plan(.answer(404), for: "DELETE")
    let outcome = await storage.carryOut([.delete(href, expecting: version)])[0]
    guard case .refused = outcome.result else {
      Issue.record("it gave \(outcome.result)")
      return
    }
    #expect(model.clock.now.milliseconds == start)
  }

  /// Whether there is a multiget, and whether listings give tags.
  @Test(arguments: [true, false], [true, false])
  func `a deletion that is said to be done and is not is refused`(
    hasMultiget: Bool, hasTags: Bool
  ) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem {
      $0.hasMultiget = hasMultiget
      $0.listsTags = hasTags
    }
    model.server.plan(.answer(204), for: "DELETE")
    let outcome = await storage.carryOut([.delete(href, expecting: version)])[0]
    guard case .refused(let problem) = outcome.result else {
      Issue.record("it gave \(outcome.result)")
      return
    }
    #expect(problem.message.hasSuffix("a.ics, and it is still there"), "\(problem.message)")
    #expect(outcome.isTransient)
    let start = model.clock.now.milliseconds
    let page = try await storage.listChanges(since: nil)
    #expect(page.present.map(\.href) == [href])
    #expect(model.clock.now.milliseconds == start, "a listing does not wait for it")
  }

  /// For how long the server shows the item, and whether the deletion counts as done.
  @Test(arguments: [(0, true), (3_000, true), (60_000, false)] as [(Int64, Bool)])
  func `a deletion is done once the item shows no more`(delay: Int64, isDone: Bool) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    let start = model.clock.now.milliseconds
    if delay > 0 { Self.showItem(try tag(version), on: model, for: delay) }
    let outcome = await storage.carryOut([.delete(href, expecting: version)])[0]
    #expect((outcome.result == .removed) == isDone, "\(outcome.result)")
    #expect(model.server.count("REPORT") == 2, "one before deletions, and one after")
    #expect(model.clock.now.milliseconds - start == (delay == 0 ? 0 : 3_500))
  }

  @Test func `what another made in its place does not undo a deletion`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    // The first one is the look before deletions.
    model.server.plan(Self.listing("\"another\""), for: "REPORT", skipping: 1)
    let outcome = await storage.carryOut([.delete(href, expecting: version)])[0]
    #expect(outcome.result == .removed)
    #expect(model.server.count("GET") == 0)
  }

  @Test func `a server that deletes nothing is waited for once`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    let start = model.clock.now.milliseconds
    for _ in 1...5 {
      model.server.plan(.answer(204), for: "DELETE")
      _ = await storage.carryOut([.delete(href, expecting: version)])
    }
    #expect(model.clock.now.milliseconds - start == 3_500)
  }
}
