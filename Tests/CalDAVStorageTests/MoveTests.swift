import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Moving an item to another calendar of the account (RFC 4918 §9.9).
@Suite struct MoveTests {
  private static let other = ModelServer.homePath + "other/"
  private let href = ModelAccount.href("a.ics")

  /// A calendar with one item, and an empty one.
  private func bench(
    _ change: (inout ModelSwitches) -> Void = { _ in }
  ) async throws -> (model: ModelAccount, from: CalDAVStorage, to: CalDAVStorage) {
    let model = ModelAccount(change)
    model.server.makeCalendar("other")
    model.put("a.ics", event("a"))
    let (_, from, to) = try await open(model)
    return (model, from, to)
  }

  /// Both calendars as a run opens them.
  private func open(
    _ model: ModelAccount, _ learned: CalDAVAccount.Learned? = nil
  ) async throws -> (account: CalDAVAccount, from: CalDAVStorage, to: CalDAVStorage) {
    var options = model.remembered
    options.learned = learned
    let account = try model.account(options: options)
    let listed = try await account.listCollections()
    let calendars = try ["work", "other"].map { name in
      try #require(listed.first { $0.name == name })
    }
    return (
      account, try await account.openCalendar(calendars[0]),
      try await account.openCalendar(calendars[1])
    )
  }

  private func isUnclear(_ outcome: MoveOutcome?) -> Bool {
    if case .unclear = outcome { true } else { false }
  }

  @Test func `it gets a free name there, and nothing is written over`() async throws {
    let (model, from, to) = try await bench()
    let outcomes = await from.move([(ItemID("a"), href)], to: to)
    #expect(outcomes == [.moved])
    let request = try #require(model.server.requests.last { $0.method == "MOVE" })
    let name = to.freshHref(for: ItemID("a"), attempt: 0)
    #expect(request.headers["destination"] == ModelServer.origin + name.text)
    #expect(request.headers["overwrite"] == "F")
    #expect(model.content("a.ics") == nil)
    let there = model.server.items(in: Self.other)
    #expect(Array(there.values) == [event("a").bytes])
  }

  /// The third look comes after one and a half seconds, and the last one two later.
  @Test(arguments: [(1_200, 3), (9_000, 4)] as [(lag: Int64, looks: Int)], [false, true])
  func `what shows late is looked for as long as a new item is`(
    late: (lag: Int64, looks: Int), movesToUIDs: Bool
  ) async throws {
    let (model, from, to) = try await bench { $0.movesToUIDs = movesToUIDs }
    model.clock.advance(milliseconds: 60_000)
    model.server.change { $0.writeLag = late.lag }
    #expect(await from.move([(ItemID("a"), href)], to: to) == [.moved])
    model.server.forgetRequests()
    let asked = to.freshHref(for: ItemID("a"), attempt: 0)
    let named = Href(Self.other + "a.ics")
    let places = await to.places(ofMoved: [(ItemID("a"), asked)])
    #expect(places == (late.lag < 3_500 ? [movesToUIDs ? named : asked] : []))
    let looks = model.server.requests.count { $0.line == "GET \(asked.text)" }
    #expect(looks == late.looks)
  }

  @Test(arguments: [403, 404, 405, 409, 412, 423, 500, 501, 502, 507])
  func `where it is not moved it stays, and is to go another way`(status: Int) async throws {
    let (model, from, to) = try await bench { $0.moveRefusal = status }
    model.put("b.ics", event("b"))
    let isOfTheMoment = [423, 500, 502, 507].contains(status)
    for (uid, place) in [("a", href), ("b", ModelAccount.href("b.ics"))] {
      let outcomes = await from.move([(ItemID(uid), place)], to: to)
      #expect(outcomes == [isOfTheMoment ? .failed : .refused])
    }
    #expect(model.server.count("MOVE") == ([405, 501].contains(status) ? 1 : 2))
    #expect(model.content("a.ics") != nil && model.server.items(in: Self.other).isEmpty)
  }

  /// It may be another release of it by then.
  @Test(arguments: [405, 501])
  func `a server that knows no MOVE is asked again when a week has passed`(
    status: Int
  ) async throws {
    let (model, _, _) = try await bench { $0.moveRefusal = status }
    let (first, from, to) = try await open(model)
    #expect(await from.move([(ItemID("a"), href)], to: to) == [.refused])
    #expect(first.learned.profile[.moves]?.holds == false)
    model.server.change { $0.moveRefusal = nil }
    for (days, isAsked) in [(0, false), (6, false), (2, true)] as [(Int64, Bool)] {
      model.clock.advance(milliseconds: days * 86_400_000)
      let (later, from, to) = try await open(model, first.learned)
      model.server.forgetRequests()
      let outcomes = await from.move([(ItemID("a"), href)], to: to)
      #expect(outcomes == [isAsked ? .moved : .refused])
      #expect(model.server.count("MOVE") == (isAsked ? 1 : 0))
      #expect(later.learned.profile[.moves]?.holds == isAsked)
    }
  }

  /// Some say that they did it, or nothing at all, and leave it where it is.
  @Test(arguments: [201, 204, 207])
  func `what is said to be moved and stays is to go another way`(status: Int) async throws {
    let (model, from, to) = try await bench()
    model.server.plan(.answer(status), for: "MOVE")
    #expect(await from.move([(ItemID("a"), href)], to: to) == [.refused])
    #expect(model.server.count("MOVE") == 1 && model.content("a.ics") != nil)
    #expect(await from.move([(ItemID("a"), href)], to: to) == [.moved])
  }

  @Test(arguments: [ModelFault.webPage, .answer(207)])
  func `a success that says nothing is no success where a look shows none`(
    fault: ModelFault
  ) async throws {
    let (model, from, to) = try await bench()
    model.server.plan(fault, for: "MOVE")
    #expect(await from.move([(ItemID("a"), href)], to: to) == [.refused])
    #expect(model.server.count("MOVE") == 1 && model.content("a.ics") != nil)
    model.server.plan(.actThenAnswer(207), for: "MOVE")
    #expect(await from.move([(ItemID("a"), href)], to: to) == [.moved])
    #expect(model.server.items(in: Self.other).count == 1)
  }

  @Test(arguments: [ModelFault.webPage, .answer(207)])
  func `and where the look comes to nothing, nobody knows`(fault: ModelFault) async throws {
    let (model, from, to) = try await bench()
    model.server.interfere { request in
      switch request.method {
      case "MOVE": return fault
      case "GET": return .webPage
      default: return nil
      }
    }
    let outcomes = await from.move([(ItemID("a"), href)], to: to)
    #expect(isUnclear(outcomes.first))
  }

  /// Other statuses than 405 and 501 do not say that there is no multiget.
  @Test(arguments: [400, 403, 404, 500])
  func `where a multiget is refused, a look at each shows what stays`(status: Int) async throws {
    let (model, from, to) = try await bench()
    model.server.interfere { $0.method == "REPORT" ? .answer(status) : nil }
    model.server.plan(.answer(201), for: "MOVE", times: 2)
    for _ in 0..<2 {
      #expect(await from.move([(ItemID("a"), href)], to: to) == [.refused])
    }
    #expect(await from.move([(ItemID("a"), href)], to: to) == [.moved])
    #expect(model.server.count("MOVE") == 3 && model.content("a.ics") == nil)
  }

  @Test func `what the answer does not tell, a look does`() async throws {
    for fault in [ModelFault.lostAfter, .unanswered(isDone: true), .actThenAnswer(500)] {
      let (model, from, to) = try await bench()
      model.server.plan(fault, for: "MOVE")
      #expect(await from.move([(ItemID("a"), href)], to: to) == [.moved])
      #expect(model.server.count("MOVE") == 1)
    }
  }

  /// The request went out twice, and the answer to the first one was lost.
  @Test(arguments: [404, 410, 412], [false, true])
  func `what has left when it was asked for once more is moved`(
    status: Int, movesToUIDs: Bool
  ) async throws {
    let (model, from, to) = try await bench { $0.movesToUIDs = movesToUIDs }
    model.server.plan(.actThenAnswer(status), for: "MOVE")
    #expect(await from.move([(ItemID("a"), href)], to: to) == [.moved])
    #expect(model.server.count("MOVE") == 1)
    #expect(model.server.items(in: Self.other).count == 1)
  }

  /// As with PUT and DELETE. Behind a gateway the first one may have been carried out.
  @Test(arguments: [429, 503], [false, true])
  func `a server that asks to wait is asked again, and has moved it once`(
    status: Int, isDone: Bool
  ) async throws {
    let (model, from, to) = try await bench()
    model.server.plan(
      isDone ? .actThenAnswer(status) : .answer(status, headers: [["Retry-After", "2"]]),
      for: "MOVE")
    #expect(await from.move([(ItemID("a"), href)], to: to) == [.moved])
    #expect(model.server.count("MOVE") == 2 && model.content("a.ics") == nil)
    #expect(model.server.items(in: Self.other).count == 1)
  }

  @Test func `what somebody has deleted just before is not`() async throws {
    let (model, from, to) = try await bench()
    model.remove("a.ics")
    #expect(await from.move([(ItemID("a"), href)], to: to) == [.refused])
    #expect(model.server.items(in: Self.other).isEmpty)
  }

  /// Sent another way as well, it would be there twice.
  @Test(arguments: [ModelFault.lostBefore, .answer(202), .answer(503), .answer(504)])
  func `what may come yet goes no other way in this run`(fault: ModelFault) async throws {
    let (model, from, to) = try await bench()
    model.server.plan(fault, for: "MOVE", times: 9)
    let outcomes = await from.move([(ItemID("a"), href)], to: to)
    #expect(isUnclear(outcomes.first))
  }
}
