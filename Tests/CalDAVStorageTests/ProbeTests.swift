import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// What a probe concludes from errors, and what it leaves behind.
@Suite struct ProbeTests {
  private let model = ModelAccount()

  private func account() throws -> CalDAVAccount {
    try model.account(options: model.remembered)
  }

  private func isUntried(_ trial: CalendarProbe.Trial) -> Bool {
    if case .untried(let reason) = trial { reason.contains("500") } else { false }
  }

  /// Of the trials two, and the event's, before that of the calendar.
  private static let deletionsBefore = 3

  /// Nothing but the calendar of the model is there.
  private func expectClean(_ account: CalDAVAccount) async throws {
    let names = try await account.listCollections().map(\.name)
    #expect(names == ["work"])
  }

  @Test(
    arguments: [
      (403, .denied), (500, .protocolBroken), (502, .unreachable), (507, .io),
    ] as [(Int, StorageError.Kind)])
  func `an event that cannot be stored is what the answer says`(
    status: Int, kind: StorageError.Kind
  ) async throws {
    model.server.plan(.answer(status), for: "PUT")
    let account = try account()
    let failure = try await #require(throws: ProbeFailure.self) { _ = try await account.probe() }
    #expect(failure.cause.kind == kind)
    #expect(failure.cause.why == "the server answered \(status)")
    #expect(failure.left == nil)
    try await expectClean(account)
  }

  @Test func `a quota is a full disk, whatever its status`() async throws {
    let body = "<D:error xmlns:D=\"DAV:\"><D:quota-not-exceeded/></D:error>"
    model.server.plan(.answer(403, body: body), for: "PUT")
    let account = try account()
    let failure = try await #require(throws: ProbeFailure.self) { _ = try await account.probe() }
    #expect(failure.cause.kind == .io)
    #expect(failure.cause.hint == "make room on the server")
  }

  /// What is answered with 500, after how many of its method, and what it was to show.
  private static let errors: [(String, Int, @Sendable (CalendarProbe) -> CalendarProbe.Trial)] = [
    ("GET", 0, { $0.keepsBytes }), ("PUT", 1, { $0.guardsCreation }),
    ("PUT", 2, { $0.guardsReplacement }), ("DELETE", 0, { $0.guardsDeletion }),
  ]

  @Test(arguments: errors.indices)
  func `an error shows nothing of what was tried`(index: Int) async throws {
    let (method, skipped, trial) = Self.errors[index]
    model.server.plan(.answer(500), for: method, skipping: skipped)
    let account = try account()
    let probe = try await account.probe()
    let trials = [
      probe.keepsBytes, probe.guardsCreation, probe.guardsReplacement, probe.guardsDeletion,
    ]
    #expect(isUntried(trial(probe)), "\(probe)")
    #expect(trials.filter { $0 == .holds }.count == 3, "\(probe)")
    let guards: [ServerProfile.Capability] = [.ifNoneMatch, .ifMatch, .ifMatchOnDelete]
    let learned = guards.compactMap { account.learned.profile[$0] }
    let allHold = learned.allSatisfy { $0.holds }
    #expect(learned.count == (method == "GET" ? 3 : 2) && allHold)
    #expect(probe.left == nil)
    try await expectClean(account)
  }

  /// Google and others choose the name of an item themselves, and say which in Location, or do not.
  @Test(arguments: [true, false])
  func `an event under a name of the server's own is found there`(isSaid: Bool) async throws {
    model.server.change { switches in
      switches.choosesNames = true
      switches.tellsNames = isSaid
    }
    let account = try account()
    let probe = try await account.probe()
    let trials = [
      probe.keepsBytes, probe.listsWrites, probe.guardsCreation, probe.guardsReplacement,
      probe.guardsDeletion,
    ]
    #expect(trials.allSatisfy { $0 == .holds }, "\(probe)")
    #expect(probe.left == nil)
    try await expectClean(account)
  }

  @Test(
    arguments: [
      (0, 2_500, 0, 3_000), (2_500, 0, 3_000, 0), (500, 6_000, 1_000, 7_000),
    ] as [(Int64, Int64, Int64, Int64)])
  func `a write that shows late is waited for, and is at fault for nothing else`(
    toRead: Int64, toList: Int64, readAfter: Int64, listedAfter: Int64
  ) async throws {
    model.server.change { switches in
      switches.writeLag = toRead
      switches.lag = toList
    }
    let account = try account()
    let probe = try await account.probe()
    #expect(probe.waitForText.milliseconds == readAfter, "\(probe)")
    #expect(probe.waitForListing.milliseconds == listedAfter, "\(probe)")
    #expect(!probe.waitForText.isLong && !probe.waitForListing.isVain, "\(probe)")
    let trials = [
      probe.keepsBytes, probe.listsWrites, probe.guardsCreation, probe.guardsReplacement,
      probe.guardsDeletion,
    ]
    #expect(trials.allSatisfy { $0 == .holds }, "\(probe)")
    #expect(probe.left == nil)
  }

  @Test func `a write that does not show is waited for fifteen seconds`() async throws {
    model.server.change { switches in
      switches.writeLag = 60_000
      switches.lag = 60_000
    }
    let account = try account()
    let probe = try await account.probe()
    for wait in [probe.waitForText, probe.waitForListing] {
      #expect(wait.isVain && wait.isLong && wait.milliseconds == 15_000, "\(wait)")
    }
    #expect(probe.keepsBytes == .untried("the server answered 404"))
    #expect(probe.listsWrites == .fails)
    #expect(probe.guardsReplacement == .holds && probe.left == nil, "\(probe)")
  }

  @Test(arguments: [ModelFault.lostAfter, .lostBefore, .unanswered(isDone: true)])
  func `a calendar that may have been made is removed`(fault: ModelFault) async throws {
    model.server.plan(fault, for: "MKCALENDAR")
    let account = try account()
    let failure = try await #require(throws: ProbeFailure.self) { _ = try await account.probe() }
    #expect(failure.cause.kind == .unreachable)
    #expect(failure.left == nil)
    #expect(model.server.count("DELETE") == 1)
    try await expectClean(account)
  }

  @Test(arguments: [403, 503])
  func `a calendar that was made and cannot be looked at is removed`(status: Int) async throws {
    model.server.plan(.answer(status), for: "PROPFIND", skipping: 2, times: 99)
    let account = try account()
    let failure = try await #require(throws: ProbeFailure.self) { _ = try await account.probe() }
    #expect(failure.left == nil)
    #expect(model.server.count("MKCALENDAR") == 1)
    #expect(model.server.count("DELETE") == 1)
  }

  /// The first name is said to be taken, and the answer to the second is lost.
  @Test func `a calendar that may have been made under another name is removed`() async throws {
    model.server.plan(.answer(405), for: "MKCALENDAR")
    model.server.plan(.answer(405), for: "MKCOL")
    model.server.plan(.lostAfter, for: "MKCALENDAR", skipping: 1)
    let account = try account()
    let failure = try await #require(throws: ProbeFailure.self) { _ = try await account.probe() }
    #expect(failure.cause.kind == .unreachable)
    #expect(failure.left == nil)
    let asked = model.server.requests.filter { $0.method == "MKCALENDAR" }.map(\.path)
    let removed = model.server.requests.filter { $0.method == "DELETE" }.map(\.path)
    #expect(Set(asked).count == 2 && removed == Array(asked.suffix(1)), "\(asked) \(removed)")
    try await expectClean(account)
  }

  @Test func `where nothing was asked for, nothing is removed`() async throws {
    model.server.plan(.answer(502), for: "PROPFIND", times: 99)
    let account = try account()
    let failure = try await #require(throws: ProbeFailure.self) { _ = try await account.probe() }
    #expect(failure.left == nil)
    #expect(model.server.requests.allSatisfy { $0.method == "PROPFIND" })
  }

  @Test func `a calendar that may be left is named with its address`() async throws {
    model.server.plan(.lostAfter, for: "MKCALENDAR")
    model.server.plan(.answer(403), for: "DELETE")
    let account = try account()
    let failure = try await #require(throws: ProbeFailure.self) { _ = try await account.probe() }
    let left = try #require(failure.left)
    #expect(!left.isCertain && left.reason == "the server answered 403")
    let made = try #require(model.server.requests.first { $0.method == "MKCALENDAR" })
    #expect(left.address == ModelServer.origin + made.path)
  }

  @Test(
    arguments: [
      ModelFault.answer(423), .answer(500), .answer(503), .lostAfter, .lostBefore,
      .unanswered(isDone: false),
    ])
  func `a removal that fails in passing is tried again`(fault: ModelFault) async throws {
    model.server.plan(fault, for: "DELETE", skipping: Self.deletionsBefore)
    let account = try account()
    let probe = try await account.probe()
    #expect(probe.left == nil)
    #expect(probe.guardsDeletion == .holds)
    try await expectClean(account)
  }

  @Test(arguments: [(403, 1), (500, 3)])
  func `a removal that stays refused ends`(status: Int, tries: Int) async throws {
    model.server.plan(.answer(status), for: "DELETE", skipping: 2, times: 9)
    let account = try account()
    let probe = try await account.probe()
    #expect(probe.left?.reason == "the server answered \(status)")
    #expect(probe.left?.isCertain == true)
    // The event is asked for each time, too.
    #expect(model.server.count("DELETE") == 2 + 2 * tries)
  }

  /// A server that lets nobody remove calendars, and events all the same (Synology).
  @Test func `the event goes first, and the calendar that stays is used again`() async throws {
    model.server.plan(.answer(403), for: "DELETE", skipping: Self.deletionsBefore)
    let first = try await account().probe()
    let left = try #require(first.left)
    #expect(!first.isInLeftover && left.reason == "the server answered 403")
    let path = String(left.address.dropFirst(ModelServer.origin.count))
    #expect(model.server.names(in: path).isEmpty)
    let again = try account()
    let listed = try await again.listCollections()
    #expect(listed.filter(\.isLeftByProbe).count == 1)

    let second = try await again.probe()
    #expect(second.isInLeftover && second.left == nil)
    #expect(second.guardsDeletion == .holds && second.listsWrites == .holds)
    #expect(model.server.count("MKCALENDAR") == 1)
    try await expectClean(again)
  }

  @Test(arguments: [("calgw-doctor-0", true), ("x", false)])
  func `an event that an earlier probe left goes, and what is not ours stays`(
    uid: String, isOurs: Bool
  ) async throws {
    let path = ModelServer.homePath + "calgw-doctor-0a1b2c3d/"
    model.server.makeCalendar("calgw-doctor-0a1b2c3d", components: ["VEVENT"])
    model.server.put(Array("e.ics".utf8), event(uid).bytes, in: path)
    let account = try account()
    let probe = try await account.probe()
    #expect(probe.isInLeftover == isOurs && probe.listsWrites == .holds && probe.left == nil)
    #expect(model.server.count("MKCALENDAR") == (isOurs ? 0 : 1))
    let names = try await account.listCollections().map(\.name)
    #expect(names == (isOurs ? ["work"] : ["calgw-doctor-0a1b2c3d", "work"]))
  }

  @Test func `a calendar that somebody has renamed is his, although it is empty`() async throws {
    model.server.makeCalendar(
      "calgw-doctor-0a1b2c3d", displayName: "Holidays 2027", components: ["VEVENT"])
    let account = try account()
    let probe = try await account.probe()
    #expect(!probe.isInLeftover && probe.left == nil)
    let names = try await account.listCollections().map(\.name)
    #expect(names == ["calgw-doctor-0a1b2c3d", "work"])
  }

  @Test(arguments: [(nil, false), ("calgw-doctor-0", false), ("x", true)] as [(String?, Bool)])
  func `a calendar of a probe is used once it holds what no probe put there`(
    uid: String?, isUsed: Bool
  ) async throws {
    model.server.makeCalendar("calgw-doctor-0a1b2c3d", components: ["VEVENT"])
    if let uid {
      let path = ModelServer.homePath + "calgw-doctor-0a1b2c3d/"
      model.server.put(Array("e.ics".utf8), event(uid).bytes, in: path)
    }
    let account = try account()
    let left = try #require(try await account.listCollections().first { $0.isLeftByProbe })
    #expect(try await account.holdsOthers(left) == isUsed)
    #expect(!model.server.requests.contains { ["PUT", "DELETE"].contains($0.method) })
  }

  @Test(arguments: [
    ("calgw-doctor-0a1b2c3d", true), ("calgw-doctor-0a1b2c3", false),
    ("calgw-doctor-0a1b2c3dd", false), ("calgw-doctor-visits", false),
    ("my calgw-doctor-0a1b2c3d", false), ("calgw-doctor-0a1b2c3x", false),
  ])
  func `a calendar of a probe is known by its name`(name: String, isLeft: Bool) {
    #expect(
      CollectionDescription(href: Href("x"), name: name, identity: "").isLeftByProbe == isLeft)
    let shown = CollectionDescription(
      href: Href("x"), name: "17", displayName: name, identity: "")
    #expect(shown.isLeftByProbe == isLeft)
    let renamed = CollectionDescription(
      href: Href("x"), name: name, displayName: "Holidays 2027", identity: "")
    #expect(!renamed.isLeftByProbe)
  }

  @Test func `told to stop it goes straight to the removal`() async throws {
    let server = model.server
    let account = try account()
    let probe = try await account.probe(shouldStop: { server.count("PUT") > 0 })
    #expect(probe.left == nil)
    #expect(probe.guardsCreation == .untried("it was not come to"))
    let methods = server.requests.map(\.method)
    let put = try #require(methods.firstIndex(of: "PUT"))
    #expect(methods[(put + 1)...] == ["DELETE", "DELETE"])
    #expect(account.learned.profile[.ifNoneMatch] == nil)
    try await expectClean(account)
  }

  @Test(
    arguments: [
      ("read bind", [.change, .remove]), ("read write-content", [.add, .remove]),
      ("read write", []), ("all", []), ("read", []), ("", []),
      ("read bind unbind write-content", []),
    ] as [(String, Set<CalendarAbilities.Right>)])
  func `what may not be done in a calendar is known by its privileges`(
    privileges: String, forbidden: Set<CalendarAbilities.Right>
  ) async throws {
    let names = privileges.split(separator: " ").map { "<D:privilege><D:\($0)/></D:privilege>" }
    let body = """
      <D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:response>
      <D:href>\(ModelAccount.work)</D:href><D:propstat><D:prop>
      <D:resourcetype><D:collection/><C:calendar/></D:resourcetype>
      <D:current-user-privilege-set>\(names.joined())</D:current-user-privilege-set>
      </D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>
      """
    model.server.plan(
      .answer(207, headers: [["Content-Type", "application/xml"]], body: body), for: "PROPFIND")
    var options = CalDAVAccount.Options()
    options.found = FoundLocation(
      .calendar(ModelServer.origin + ModelAccount.work), foundAt: model.clock.now)
    let account = try model.account(options: options)
    let work = try #require(try await account.listCollections().first)
    #expect(try await account.abilities(of: work).forbidden == forbidden)
  }
}
