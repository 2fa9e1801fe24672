import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Which of the calendars that are new is taken for the one that was asked for.
@Suite struct FindMadeTests {
  private static let asked = ModelServer.homePath + "reisen/"
  private let proposal = CollectionProposal(name: "reisen", displayName: "Reisen")

  /// A calendar as an address describes itself.
  private static func calendar(_ href: String, called name: String) -> ModelFault {
    .answer(
      207, headers: [["Content-Type", "application/xml"]],
      body: """
        <D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:response>
        <D:href>\(href)</D:href><D:propstat><D:prop><D:displayname>\(name)</D:displayname>
        <D:resourcetype><D:collection/><C:calendar/></D:resourcetype></D:prop>
        <D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>
        """)
  }

  /// Asks for a calendar that the server only says to have made.
  ///
  /// - Parameters:
  ///   - place: where it says that it is.
  ///   - answers: what it answers to a look at a path.
  ///   - later: what comes to be there by the first look but one.
  private func create(
    on model: ModelAccount, naming place: String? = nil, answering answers: [String: ModelFault],
    later: @escaping @Sendable (ModelServer) -> Void
  ) async throws -> CollectionDescription {
    let headers = place.map { [["Location", $0]] } ?? []
    model.server.plan(.answer(201, headers: headers), for: "MKCALENDAR")
    model.server.interfere { $0.method == "PROPFIND" ? answers[$0.path] : nil }
    return try await model.account(later: later).createCollection(proposal)
  }

  @Test(
    arguments: [(404, .vanished), (403, .denied), (500, .protocolBroken)]
      as [(Int, StorageError.Kind)])
  func `another program's new calendar is not the one, and is named`(
    status: Int, kind: StorageError.Kind
  ) async throws {
    let model = ModelAccount()
    let start = model.clock.now.milliseconds
    let error = try await #require(throws: StorageError.self) {
      _ = try await create(on: model, answering: [Self.asked: .answer(status)]) {
        $0.makeCalendar("theirs", displayName: "Theirs")
      }
    }
    #expect(error.kind == kind)
    #expect(error.message.contains("“reisen” was made at"), "\(error)")
    #expect(error.why.contains("“Theirs” is new there, and may be somebody else's"), "\(error)")
    #expect(error.hint.contains("call it “Reisen” there, and sync again"), "\(error)")
    #expect(model.clock.now.milliseconds - start >= 20_000, "it is waited for")
  }

  /// Robur says 403 for whatever is missing.
  @Test(arguments: [403, 404, 500])
  func `one at an address of the server's own shows by its name, also later`(
    status: Int
  ) async throws {
    let model = ModelAccount()
    let made = try await create(on: model, answering: [Self.asked: .answer(status)]) {
      $0.makeCalendar("theirs", displayName: "Theirs")
      $0.makeCalendar("17", displayName: "Reisen")
    }
    #expect(made.name == "17")
  }

  @Test func `one that has another name shows by the end of its address`() async throws {
    let model = ModelAccount()
    let made = try await create(on: model, answering: [:]) {
      $0.makeCalendar("team/reisen", displayName: "Untitled")
      $0.makeCalendar("theirs", displayName: "Theirs")
    }
    #expect(made.name == "reisen" && made.displayName == "Untitled")
  }

  @Test(arguments: [
    ModelServer.homePath, "/", ModelAccount.work, ModelAccount.work + "17/", "/elsewhere/17/",
  ])
  func `an address counts where it is in the home, and nothing was there`(
    place: String
  ) async throws {
    let model = ModelAccount()
    let answers = ["/elsewhere/17/", ModelAccount.work + "17/"].map {
      ($0, Self.calendar($0, called: "Theirs"))
    }
    let made = try await create(
      on: model, naming: place, answering: Dictionary(uniqueKeysWithValues: answers)
    ) {
      $0.makeCalendar("reisen", displayName: "Reisen")
    }
    #expect(made.href.text == Self.asked)
  }

  @Test func `what answers as a calendar that was there before is that one`() async throws {
    let model = ModelAccount()
    let answer = Self.calendar(ModelAccount.work, called: "Work")
    let error = try await #require(throws: StorageError.self) {
      _ = try await create(on: model, answering: [Self.asked: answer]) { _ in }
    }
    #expect(error.kind == .vanished)
  }

  /// As OX does it: nothing shows at the address that was asked for.
  @Test(arguments: [500, 502, 504], ["MKCALENDAR", "MKCOL"])
  func `one that was made elsewhere before the server failed is found, and no second is made`(
    status: Int, method: String
  ) async throws {
    let model = ModelAccount {
      $0.choosesCalendarNames = true
      $0.hasMakeCalendar = method == "MKCALENDAR"
    }
    model.server.plan(.actThenAnswer(status), for: method)
    let account = try model.account(options: model.remembered)
    let made = try await account.createCollection(proposal)
    #expect(made.displayName == "Reisen" && made.name != "reisen")
    #expect(model.server.calendarPaths.count == 2, "\(model.server.calendarPaths)")
  }

  @Test func `where the listing after a failure has gaps, no second is asked for`() async throws {
    let model = ModelAccount { $0.choosesCalendarNames = true }
    model.server.plan(.actThenAnswer(502), for: "MKCALENDAR")
    let gap = """
      <multistatus xmlns="DAV:"><response><href>\(ModelServer.homePath)17/</href>
      <status>HTTP/1.1 500 Internal Server Error</status></response>
      <response><href>\(ModelServer.homePath)</href><status>HTTP/1.1 200 OK</status></response>
      </multistatus>
      """
    // The listing before, and a look at the address, are as ever.
    model.server.plan(
      .answer(207, headers: [["Content-Type", "application/xml"]], body: gap), for: "PROPFIND",
      skipping: 2)
    let account = try model.account(options: model.remembered)
    let error = try await #require(throws: StorageError.self) {
      _ = try await account.createCollection(proposal)
    }
    #expect(error.kind == .unreachable && error.why == "the server answered 502", "\(error)")
    #expect(model.server.count("MKCOL") == 0)
  }
}
