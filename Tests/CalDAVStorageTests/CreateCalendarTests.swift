import CalDAVStorage
import SyncModel
import TestSupport
import Testing

@Suite struct CreateCalendarTests {
  private let proposal = CollectionProposal(
    name: "reisen", displayName: "Reisen & <mehr>", color: "#00ff00", components: ["VEVENT"])

  @Test func `MKCALENDAR makes a calendar with name, colour and components`() async throws {
    let model = ModelAccount()
    let made = try await model.account(options: model.remembered).createCollection(proposal)
    #expect(made.name == "reisen")
    #expect(made.displayName == "Reisen & <mehr>")
    #expect(made.color == "#00ff00")
    #expect(made.components == ["VEVENT"])
    #expect(model.server.count("MKCALENDAR") == 1)
    #expect(model.server.count("MKCOL") == 0)
  }

  @Test func `a server without MKCALENDAR gets an extended MKCOL`() async throws {
    let model = ModelAccount { $0.hasMakeCalendar = false }
    let made = try await model.account(options: model.remembered).createCollection(proposal)
    #expect(made.displayName == "Reisen & <mehr>")
    #expect(model.server.count("MKCOL") == 1)
  }

  @Test func `a server that fails at each MKCALENDAR gets an extended MKCOL`() async throws {
    let model = ModelAccount()
    model.server.plan(.answer(500), for: "MKCALENDAR", times: 99)
    let made = try await model.account(options: model.remembered).createCollection(proposal)
    #expect(made.name == "reisen" && made.displayName == "Reisen & <mehr>")
    #expect(model.server.count("MKCOL") == 1)
    #expect(model.server.calendarPaths.count == 2)
  }

  @Test func `a name that is taken is replaced by another`() async throws {
    let model = ModelAccount()
    let account = try model.account(options: model.remembered)
    var taken = proposal
    taken.name = "work"
    let made = try await account.createCollection(taken)
    #expect(made.name != "work")
    #expect(made.displayName == "Reisen & <mehr>")
    #expect(model.server.calendarPaths.count == 2)
    let asked = model.server.requests.filter { $0.method == "MKCALENDAR" }.map(\.path)
    #expect(asked.count == 1 && !asked.contains(ModelAccount.work), "the listing has it")
  }

  /// Something that is no calendar, and so in no listing of them.
  @Test func `a name that is taken is seen where the server only fails, too`() async throws {
    let model = ModelAccount()
    let folder = """
      <multistatus xmlns="DAV:"><response><href>/calendars/alice/reisen/</href><propstat><prop>
      <resourcetype><collection/></resourcetype></prop><status>HTTP/1.1 200 OK</status></propstat>
      </response></multistatus>
      """
    let answer = ModelFault.answer(
      207, headers: [["Content-Type", "application/xml"]], body: folder)
    model.server.interfere { request in
      guard request.path.hasSuffix("/reisen/") else { return nil }
      return request.method == "PROPFIND" ? answer : ModelFault.answer(500)
    }
    let account = try model.account(options: model.remembered)
    let made = try await account.createCollection(proposal)
    #expect(made.name != "reisen")
    let there = model.server.requests.filter { $0.path.hasSuffix("/reisen/") }.map(\.method)
    #expect(there == ["MKCALENDAR", "PROPFIND"])
  }

  @Test func `a calendar that was made although the answer is an error is the one`() async throws {
    let model = ModelAccount()
    model.server.plan(.actThenAnswer(500), for: "MKCALENDAR")
    let made = try await model.account(options: model.remembered).createCollection(proposal)
    #expect(made.name == "reisen")
    #expect(model.server.calendarPaths.count == 2)
    #expect(model.server.count("MKCALENDAR") + model.server.count("MKCOL") == 1)
  }

  @Test func `a server that fails is asked no more for fewer kinds`() async throws {
    let model = ModelAccount()
    for method in ["MKCALENDAR", "MKCOL"] {
      model.server.plan(.answer(500), for: method, times: 99)
    }
    let account = try model.account(options: model.remembered)
    let error = try await #require(throws: StorageError.self) {
      _ = try await account.createCollection(asking(Self.all, for: ["VEVENT"]))
    }
    #expect(error.kind == .protocolBroken)
    #expect(error.message.contains("the calendar “new” cannot be made at"), "\(error.message)")
    #expect(error.why == "the server answered 500")
    #expect(error.hint.contains("the server's own log"), "\(error.hint)")
    #expect(model.server.count("MKCALENDAR") == 1)
    #expect(model.server.count("MKCOL") == 1)
  }

  @Test func `a server that fails at the kinds, by its words, is asked for fewer`() async throws {
    let model = ModelAccount()
    let words = ModelFault.answer(
      500, headers: [["Content-Type", "text/plain"]], body: "Unknown component VJOURNAL")
    for method in ["MKCALENDAR", "MKCOL"] { model.server.plan(words, for: method) }
    let account = try model.account(options: model.remembered)
    let made = try await account.createCollection(asking(Self.all, for: ["VEVENT"]))
    #expect(made.components == ["VEVENT", "VTODO"])
    #expect(made.name == "new")
  }

  /// Nextcloud's trash bin keeps the address of a deleted calendar and shows nothing there.
  @Test(arguments: [
    (405, ""), (409, ""), (400, "The calendar already exists"),
    (500, "SQLSTATE[23000]: Integrity constraint violation: 1062 Duplicate entry 'reisen'"),
  ])
  func `an address that is taken although nothing is there is replaced by another, once`(
    status: Int, words: String
  ) async throws {
    let refusal = ModelFault.answer(
      status, headers: [["Content-Type", "text/plain"]], body: words)
    let model = ModelAccount()
    model.server.interfere { request in
      let isMaking = ["MKCALENDAR", "MKCOL"].contains(request.method)
      return isMaking && request.path.hasSuffix("/reisen/") ? refusal : nil
    }
    let made = try await model.account(options: model.remembered).createCollection(proposal)
    #expect(made.name != "reisen")
    #expect(made.displayName == "Reisen & <mehr>")

    model.server.interfere { request in
      ["MKCALENDAR", "MKCOL"].contains(request.method) ? refusal : nil
    }
    model.server.forgetRequests()
    let account = try model.account(options: model.remembered)
    let error = try await #require(throws: StorageError.self) {
      _ = try await account.createCollection(proposal)
    }
    #expect(error.kind == .cannotCreate)
    let addresses = model.server.requests.filter { $0.method == "MKCALENDAR" }.map(\.path)
    #expect(Set(addresses).count == 2)
  }

  /// The status of the command is by the kind (docs/cli.md).
  @Test(
    arguments: [
      (400, "", .cannotCreate), (403, "", .denied), (403, "<D:need-privileges/>", .denied),
      (403, "<D:resource-must-be-null/>", .cannotCreate), (403, "<D:quota-not-exceeded/>", .io),
      (405, "", .cannotCreate), (501, "", .cannotCreate), (500, "", .protocolBroken),
      (502, "", .unreachable), (507, "", .io),
    ] as [(Int, String, StorageError.Kind)])
  func `a refusal is told as what it is`(
    status: Int, precondition: String, kind: StorageError.Kind
  ) async throws {
    let model = ModelAccount()
    let refusal = ModelFault.answer(
      status, headers: [["Content-Type", "application/xml"]],
      body: precondition.isEmpty
        ? "" : "<D:error xmlns:D=\"DAV:\">\(precondition)</D:error>")
    model.server.interfere { request in
      ["MKCALENDAR", "MKCOL"].contains(request.method) ? refusal : nil
    }
    let account = try model.account(options: model.remembered)
    let error = try await #require(throws: StorageError.self) {
      _ = try await account.createCollection(proposal)
    }
    #expect(error.kind == kind, "\(error)")
    #expect(error.why.hasPrefix("the server answered \(status)"), "\(error)")
    #expect(model.server.calendarPaths == [ModelAccount.work])
  }

  @Test func `a calendar that is refused for another reason is asked for under one name`()
    async throws
  {
    let model = ModelAccount()
    model.server.plan(.answer(403), for: "MKCALENDAR", times: 9)
    model.server.plan(.answer(403), for: "MKCOL", times: 9)
    let account = try model.account(options: model.remembered)
    await #expect(throws: StorageError.self) { _ = try await account.createCollection(proposal) }
    #expect(Set(model.server.requests.filter { $0.method == "MKCOL" }.map(\.path)).count == 1)
  }

  /// Some servers lose a calendar with such a name, or themselves.
  @Test(arguments: ["bob's cal", "a+b@c;d", "what?", "\u{FC}mlaut #1", "100%25", "a~b", ".x", "/"])
  func `a name that is no plain one stands in no address`(name: String) async throws {
    let model = ModelAccount()
    let made = try await model.account(options: model.remembered).createCollection(
      CollectionProposal(name: name))
    #expect(made.displayName == name)
    let address = try #require(model.server.calendarPaths.first { $0 != ModelAccount.work })
    #expect(address.wholeMatch(of: #/.*/[0-9A-Za-z-]{36}//#) != nil, "\(address)")
  }

  @Test func `an address of the server's own choice is found`() async throws {
    let model = ModelAccount { $0.choosesCalendarNames = true }
    let made = try await model.account(options: model.remembered).createCollection(proposal)
    #expect(made.displayName == "Reisen & <mehr>")
    #expect(made.name != "reisen")
    #expect(model.server.calendarPaths.contains(made.href.text))
  }

  @Test func `one that answers at the address asked for is known by the one that is listed`()
    async throws
  {
    let model = ModelAccount { $0.listsCalendarsElsewhere = true }
    let made = try await model.account(options: model.remembered).createCollection(proposal)
    #expect(made.displayName == "Reisen & <mehr>")
    let listed = try await model.account(options: model.remembered).listCollections()
    #expect(listed.map(\.href).contains(made.href))
  }

  /// Zimbra may call it otherwise by then, too: its new name does not show that it is the one.
  @Test func `where the answer says where a calendar is, nothing is waited for`() async throws {
    let model = ModelAccount {
      $0.choosesCalendarNames = true
      $0.locatesCalendars = true
      $0.newCalendar = ("Untitled", nil)
    }
    let start = model.clock.now
    let made = try await model.account(options: model.remembered).createCollection(proposal)
    #expect(made.displayName == "Untitled")
    #expect(model.server.requests.count == 3)
    #expect(model.clock.now == start)
  }

  @Test func `an address that was there before is not the new calendar's`() async throws {
    let model = ModelAccount()
    model.server.plan(
      .answer(201, headers: [["Location", ModelAccount.work]]), for: "MKCALENDAR")
    let account = try model.account(options: model.remembered)
    let error = try await #require(throws: StorageError.self) {
      _ = try await account.createCollection(proposal)
    }
    #expect(error.kind == .vanished)
  }

  /// Makes a calendar that shows so many milliseconds after the server said that it was made.
  private func create(shownAfter delay: Int64) async throws -> (ModelAccount, CollectionDescription)
  {
    let model = ModelAccount()
    model.server.plan(.answer(201), for: "MKCALENDAR")
    let shown = model.clock.now.milliseconds + delay
    var surroundings = model.clock.surroundings
    surroundings.pause = { pause in
      model.clock.advance(milliseconds: pause)
      if model.clock.now.milliseconds >= shown, model.server.calendarPaths.count == 1 {
        model.server.makeCalendar("reisen", displayName: "Reisen & <mehr>", components: ["VEVENT"])
      }
    }
    let account = try model.account(options: model.remembered, surroundings: surroundings)
    return (model, try await account.createCollection(proposal))
  }

  @Test func `a calendar that shows later is waited for`() async throws {
    let (model, made) = try await create(shownAfter: 20_000)
    #expect(made.displayName == "Reisen & <mehr>")
    #expect(model.server.count("MKCALENDAR") == 1)
  }

  @Test func `one that does not show within half a minute is an error`() async throws {
    let error = try await #require(throws: StorageError.self) {
      _ = try await create(shownAfter: 40_000)
    }
    #expect(error.kind == .vanished)
    #expect(error.message.contains("was made at"))
  }

  @Test func `one that cannot be read for another reason is looked at once`() async throws {
    let model = ModelAccount()
    model.server.plan(.answer(502), for: "PROPFIND", skipping: 1, times: 99)
    let account = try model.account(options: model.remembered)
    let error = try await #require(throws: StorageError.self) {
      _ = try await account.createCollection(proposal)
    }
    #expect(error.kind == .unreachable)
    #expect(error.message.contains("was made at"), "\(error.message)")
    #expect(model.server.count("PROPFIND") == 2)
  }

  @Test func `a server that makes no calendars is told of`() async throws {
    let model = ModelAccount {
      $0.hasMakeCalendar = false
      $0.hasMakeCollection = false
    }
    let account = try model.account(options: model.remembered)
    let error = try await #require(throws: StorageError.self) {
      _ = try await account.createCollection(proposal)
    }
    #expect(error.kind == .cannotCreate)
    #expect(model.server.calendarPaths == [ModelAccount.work])
  }

  @Test func `beside a single calendar none can be made`() async throws {
    let model = ModelAccount()
    let account = try model.account(at: ModelAccount.work)
    let error = try await #require(throws: StorageError.self) {
      _ = try await account.createCollection(proposal)
    }
    #expect(error.kind == .cannotCreate)
  }

  // MARK: Kinds

  private func asking(
    _ components: Set<String>?, for kinds: Set<String>
  ) -> CollectionProposal {
    var proposal = CollectionProposal(name: "new", components: components)
    proposal.kinds = kinds
    return proposal
  }

  private static let all: Set = ["VEVENT", "VTODO", "VJOURNAL"]

  @Test func `a server that takes the kinds is asked once`() async throws {
    let model = ModelAccount { $0.usualKinds = ["VEVENT"] }
    let account = try model.account(options: model.remembered)
    let made = try await account.createCollection(asking(Self.all, for: ["VEVENT"]))
    #expect(made.components == Self.all)
    #expect(model.server.count("MKCALENDAR") == 1)
    #expect(model.server.requests.count == 3)
  }

  @Test(
    arguments: [
      (["VEVENT", "VTODO", "VJOURNAL"], ["VEVENT"], ["VEVENT"]),
      (["VEVENT", "VTODO", "VJOURNAL"], ["VEVENT", "VTODO"], ["VEVENT"]),
      (["VEVENT", "VTODO", "VJOURNAL"], [], ["VEVENT"]), (["VTODO"], ["VTODO"], ["VTODO"]),
      (["VJOURNAL", "VTODO"], ["VJOURNAL", "VTODO"], ["VTODO"]), (["VTODO"], [], ["VTODO"]),
      (nil, [], ["VEVENT"]),
    ] as [(Set<String>?, Set<String>, Set<String>)])
  func `a server that wants one kind a calendar is asked for fewer`(
    asked: Set<String>?, held: Set<String>, expected: Set<String>
  ) async throws {
    let model = ModelAccount {
      $0.mostKinds = 1
      $0.usualKinds = ["VEVENT"]
    }
    let account = try model.account(options: model.remembered)
    let made = try await account.createCollection(asking(asked, for: held))
    #expect(made.components == expected)
    #expect(made.name == "new")
  }

  @Test func `events alone are asked for before the choice is left to the server`() {
    let two: Set = ["VEVENT", "VTODO"]
    #expect(asking(Self.all, for: two).componentSets == [Self.all, two, ["VEVENT"], nil])
    #expect(asking(two, for: []).componentSets == [two, ["VEVENT"], nil])
    #expect(asking(["VTODO"], for: []).componentSets == [["VTODO"]])
  }

  @Test func `a server that has two kinds and not the third is asked for the two`() async throws {
    let model = ModelAccount {
      $0.mostKinds = 2
      $0.usualKinds = ["VEVENT"]
    }
    let account = try model.account(options: model.remembered)
    let made = try await account.createCollection(asking(Self.all, for: ["VEVENT"]))
    #expect(made.components == ["VEVENT", "VTODO"])
  }

  @Test func `a calendar that could hold no item is not made`() async throws {
    let model = ModelAccount {
      $0.mostKinds = 0
      $0.usualKinds = ["VEVENT"]
    }
    let account = try model.account(options: model.remembered)
    let error = try await #require(throws: StorageError.self) {
      _ = try await account.createCollection(asking(["VTODO"], for: ["VTODO"]))
    }
    #expect(error.kind == .cannotCreate)
    #expect(error.hint.contains("as one that takes VTODO"), "\(error.hint)")
    #expect(model.server.calendarPaths == [ModelAccount.work])
  }

  @Test func `a server that makes another calendar than it was asked for is told of`() async throws
  {
    let model = ModelAccount {
      $0.ignoresKinds = true
      $0.usualKinds = ["VEVENT"]
    }
    let account = try model.account(options: model.remembered)
    let error = try await #require(throws: StorageError.self) {
      _ = try await account.createCollection(asking(["VTODO"], for: ["VTODO"]))
    }
    #expect(error.kind == .cannotCreate)
    #expect(error.message.contains("was made at"), "\(error.message)")
    #expect(error.why == "the server was asked for VTODO and made one for VEVENT")
    #expect(error.hint.hasPrefix("remove it there, and make it on the server's own pages as one"))
  }

  @Test func `a new calendar can be opened and written to`() async throws {
    let model = ModelAccount()
    let account = try model.account(options: model.remembered)
    let storage = try await account.open(try await account.createCollection(proposal))
    let href = storage.freshHref(for: ItemID("x"), attempt: 0)
    let outcomes = await storage.carryOut([.create(href, event("x"))])
    guard case .stored = outcomes[0].result else {
      Issue.record("it gave \(outcomes[0].result)")
      return
    }
  }
}
