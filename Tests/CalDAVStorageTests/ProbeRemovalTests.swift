import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// What a probe removes: its own calendar, whatever the server says of where that is.
@Suite struct ProbeRemovalTests {
  private let model = ModelAccount()

  init() { model.put("a.ics", event("a")) }

  /// - Parameter later: what comes to be there while the new calendar is waited for.
  private func failure(
    later: @escaping @Sendable (ModelServer) -> Void = { _ in }
  ) async throws -> ProbeFailure {
    let account = try model.account(later: later)
    return try await #require(throws: ProbeFailure.self) { _ = try await account.probe() }
  }

  /// Nothing was removed, or tried to be, but at addresses that a probe has chosen.
  private func expectOwnAlone(_ location: SourceLocation = #_sourceLocation) {
    let own = ModelServer.homePath + "calgw-doctor-"
    let removed = model.server.requests.filter { $0.method == "DELETE" }.map(\.path)
    #expect(removed.allSatisfy { $0.hasPrefix(own) }, "\(removed)", sourceLocation: location)
    #expect(model.content("a.ics") == event("a").bytes, sourceLocation: location)
  }

  private static let places = [
    ModelAccount.work, ModelServer.homePath, "/", ModelAccount.work + "a.ics", "/elsewhere/17/",
  ]

  @Test(arguments: places)
  func `an address that the server gives for it is not removed by that`(
    place: String
  ) async throws {
    model.server.plan(.answer(201, headers: [["Location", place]]), for: "MKCALENDAR")
    let failure = try await failure()
    #expect(failure.cause.kind == .vanished && failure.left == nil, "\(failure)")
    #expect(model.server.count("PUT") == 0 && model.server.count("DELETE") == 1)
    expectOwnAlone()
  }

  @Test(arguments: places, [403, 500])
  func `nor is it where nothing can be looked at any more`(
    place: String, status: Int
  ) async throws {
    model.server.plan(.answer(201, headers: [["Location", place]]), for: "MKCALENDAR")
    model.server.plan(.answer(status), for: "PROPFIND", skipping: 2, times: 99)
    _ = try await failure()
    #expect(model.server.count("DELETE") == 1)
    expectOwnAlone()
  }

  @Test(arguments: [404, 403, 500])
  func `somebody else's new calendar is not tried, and not removed`(status: Int) async throws {
    model.server.plan(.answer(201), for: "MKCALENDAR")
    model.server.interfere { request in
      let isOwn = request.path.hasPrefix(ModelServer.homePath + "calgw-doctor-")
      return request.method == "PROPFIND" && isOwn ? ModelFault.answer(status) : nil
    }
    _ = try await failure { $0.makeCalendar("theirs", displayName: "Theirs") }
    #expect(model.server.calendarPaths == [ModelServer.homePath + "theirs/", ModelAccount.work])
    #expect(model.server.count("PUT") == 0)
    expectOwnAlone()
  }

  @Test(arguments: [true, false])
  func `a calendar at an address of the server's own is known by its name`(
    isSaid: Bool
  ) async throws {
    model.server.change { switches in
      switches.choosesCalendarNames = true
      switches.locatesCalendars = isSaid
    }
    let probe = try await model.account { _ in }.probe()
    #expect(probe.left == nil && probe.listsWrites == .holds)
    #expect(model.server.calendarPaths == [ModelAccount.work])
  }

  @Test func `one that has another name is neither tried nor removed, and is named`() async throws {
    model.server.change { switches in
      switches.choosesCalendarNames = true
      switches.locatesCalendars = true
      switches.newCalendar = ("Untitled", nil)
    }
    let failure = try await failure()
    #expect(failure.cause.kind == .protocolBroken)
    #expect(failure.cause.why.contains("“Untitled”"), "\(failure)")
    let made = try #require(model.server.calendarPaths.first { $0 != ModelAccount.work })
    #expect(failure.left?.address == ModelServer.origin + made)
    #expect(failure.left?.mayBeOfOthers == true && failure.left?.isCertain == true)
    #expect(model.server.count("PUT") == 0)
    expectOwnAlone()
  }

  @Test func `one that holds something from the start is neither tried nor removed`() async throws {
    model.server.plan(.answer(201), for: "MKCALENDAR")
    let failure = try await failure { server in
      let asked = server.requests.last { $0.method == "MKCALENDAR" }?.path ?? ""
      let name = String(asked.dropFirst(ModelServer.homePath.count).dropLast())
      server.makeCalendar(name, displayName: name)
      server.put(Array("b.ics".utf8), event("b").bytes, in: asked)
    }
    #expect(failure.cause.message.hasSuffix("is not tried"), "\(failure)")
    #expect(failure.left?.reason == "it holds what calgw did not put there", "\(failure)")
    #expect(failure.left?.mayBeOfOthers == true)
    #expect(model.server.count("PUT") == 0 && model.server.count("DELETE") == 0)
    #expect(model.server.calendarPaths.count == 2)
  }

  @Test(arguments: [ModelServer.homePath, "/", ModelAccount.work])
  func `a removal that is led elsewhere is not one`(place: String) async throws {
    // Those of the trials, and the event's.
    model.server.plan(.answer(301, headers: [["Location", place]]), for: "DELETE", skipping: 3)
    let probe = try await model.account { _ in }.probe()
    let reason = probe.left?.reason ?? ""
    let way = "is not followed: it leads to \(ModelServer.origin)\(place)"
    #expect(reason.contains(way), "\(reason)")
    #expect(probe.left?.mayBeOfOthers == false)
    #expect(model.server.calendarPaths.count == 2)
    expectOwnAlone()
  }
}
