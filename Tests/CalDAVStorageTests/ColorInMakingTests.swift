import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// A property that cannot be set fails the whole request for a calendar (RFC 4791 §5.3.1).
@Suite struct ColorInMakingTests {
  private let color = "calendar-color"

  private func proposal(color: String? = "#00ff00") -> CollectionProposal {
    CollectionProposal(name: "new", color: color, components: ["VEVENT", "VTODO"])
  }

  /// The methods of what was asked, but for the listing of the home.
  private func asked(_ model: ModelAccount) -> [String] {
    model.server.requests.filter { $0.path != ModelServer.homePath }.map(\.method)
  }

  /// Whether the server has MKCALENDAR, says what it refuses, and what it is asked.
  @Test(
    arguments: [
      (true, false, ["MKCALENDAR", "PROPFIND", "MKCOL", "MKCALENDAR"]),
      (true, true, ["MKCALENDAR", "MKCALENDAR"]),
      (false, true, ["MKCALENDAR", "PROPFIND", "MKCOL", "MKCALENDAR", "PROPFIND", "MKCOL"]),
    ] as [(Bool, Bool, [String])])
  func `a calendar that is refused with its colour is made without it, of the same kinds`(
    hasMakeCalendar: Bool, isNamed: Bool, methods: [String]
  ) async throws {
    let model = ModelAccount {
      $0.hasMakeCalendar = hasMakeCalendar
      $0.propertiesRefusedInMaking = [color]
      $0.namesPropertiesInMaking = isNamed
    }
    let made = try await model.account(options: model.remembered).createCollection(proposal())
    #expect(made.name == "new" && made.color == nil)
    #expect(made.components == ["VEVENT", "VTODO"])
    #expect(asked(model) == methods)
  }

  /// Against RFC 4791 §5.3.1; with the name that was to be set in the same request, or without it.
  @Test(arguments: ["new", nil] as [String?])
  func `a calendar that is made although its colour is refused is found`(
    name: String?
  ) async throws {
    let model = ModelAccount {
      $0.propertiesRefusedInMaking = [color]
      $0.namesPropertiesInMaking = true
      $0.makesWhatItRefuses = true
      $0.newCalendar = (name, nil)
    }
    let made = try await model.account(options: model.remembered).createCollection(proposal())
    #expect(made.href == Href(ModelServer.homePath + "new/") && made.color == nil)
    #expect(model.server.calendarPaths.sorted() == [made.href.text, ModelAccount.work])
    #expect(!asked(model).contains("MKCOL"), "\(asked(model))")
  }

  /// The name of what is at the address, whether anything is in it, and whether it is taken.
  @Test(arguments: [(nil, true, false), ("Other", false, false), (nil, false, true)])
  func `a calendar that somebody uses is not what was made with a refused colour`(
    name: String?, isInUse: Bool, isTaken: Bool
  ) async throws {
    let model = ModelAccount()
    let path = model.server.makeCalendar("new", displayName: name)
    model.server.change { $0.unlistedCalendars = [path] }
    if isInUse { model.server.put(Array("a.ics".utf8), event("a").bytes, in: path) }
    let body = """
      <multistatus xmlns="DAV:"><response><href>\(path)</href><propstat><prop>
      <calendar-color xmlns="http://apple.com/ns/ical/"/></prop>
      <status>HTTP/1.1 403 Forbidden</status></propstat></response></multistatus>
      """
    model.server.plan(
      .answer(207, headers: [["Content-Type", "application/xml"]], body: body), for: "MKCALENDAR")
    let made = try await model.account(options: model.remembered).createCollection(proposal())
    #expect((made.href == Href(path)) == isTaken)
    #expect(model.server.calendarPaths.count == (isTaken ? 2 : 3))
  }

  @Test func `a refusal that names the kinds is no reason to leave out the colour`() async throws {
    let model = ModelAccount { $0.mostKinds = 1 }
    let made = try await model.account(options: model.remembered).createCollection(proposal())
    #expect(made.components == ["VEVENT"] && made.color == "#00ff00")
  }

  /// Three requests for each try: both methods, and the look at the address in between.
  @Test func `a server that refuses everything costs one try more for a colour`() async throws {
    for (color, tries) in [(nil, 3), ("#00ff00", 4)] as [(String?, Int)] {
      let model = ModelAccount()
      model.server.interfere { $0.method.hasPrefix("MK") ? .answer(403) : nil }
      let account = try model.account(options: model.remembered)
      let error = await #expect(throws: StorageError.self) {
        _ = try await account.createCollection(proposal(color: color))
      }
      #expect(error?.kind == .denied)
      #expect(asked(model).count == 3 * tries, "\(asked(model))")
    }
  }

  /// By the name, the address, the account or the hour, none of which a colour changes.
  @Test(
    arguments: [
      (401, ""), (409, ""), (423, ""), (500, ""), (501, ""), (507, ""),
      (403, "<D:need-privileges/>"), (403, "<D:resource-must-be-null/>"),
    ] as [(Int, String)])
  func `a refusal for another reason costs nothing more for a colour`(
    status: Int, precondition: String
  ) async throws {
    let refusal = ModelFault.answer(
      status, headers: [["Content-Type", "application/xml"]],
      body: precondition.isEmpty ? "" : "<D:error xmlns:D=\"DAV:\">\(precondition)</D:error>")
    var counts: [Int] = []
    for color in [nil, "#00ff00"] as [String?] {
      let model = ModelAccount()
      model.server.interfere { $0.method.hasPrefix("MK") ? refusal : nil }
      let account = try model.account(options: model.remembered)
      await #expect(throws: StorageError.self) {
        _ = try await account.createCollection(proposal(color: color))
      }
      counts.append(asked(model).count)
    }
    #expect(counts[0] > 0 && counts[0] == counts[1], "\(counts)")
  }

  @Test func `what a 207 refuses is told by its own status and by its name`() async throws {
    let model = ModelAccount {
      $0.propertiesRefusedInMaking = ["displayname"]
      $0.namesPropertiesInMaking = true
    }
    model.server.plan(.answer(501), for: "MKCALENDAR", times: 99)
    let account = try model.account(options: model.remembered)
    let error = await #expect(throws: StorageError.self) {
      _ = try await account.createCollection(proposal())
    }
    #expect(error?.kind == .cannotCreate)
    #expect(error?.why == "the server answered 403 (displayname)")
    #expect(asked(model) == ["MKCALENDAR", "MKCOL"], "neither colour nor kinds are to blame")
  }
}
