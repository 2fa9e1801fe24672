import CalDAVStorage
import SyncModel
import TestSupport
import Testing
import WebDAV

/// Names, colours and the like of a calendar: set one by one, and what the server shows counts.
@Suite struct MetadataTests {
  private func change(
    _ values: [MetadataKey: String], _ model: ModelAccount
  ) async throws -> MetadataOutcome {
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
    let outcome = try await change(all, model)
    let after = outcome.collection
    #expect(MetadataKey.allCases.allSatisfy { after[$0] == all[$0] })
    #expect(outcome.fates.isEmpty)
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

  @Test func `an empty value is removed, and a server that keeps it is found out`() async throws {
    let model = ModelAccount()
    _ = try await change(all, model)
    let none = Dictionary(uniqueKeysWithValues: MetadataKey.allCases.map { ($0, "") })
    let outcome = try await change(none, model)
    #expect(outcome.fates.isEmpty)
    #expect(MetadataKey.allCases.allSatisfy { outcome.collection[$0] == nil })
    #expect(model.server.metadata(of: ModelAccount.work) == [:])

    let refusing = ModelAccount { $0.refusedProperties = ["displayname"] }
    let refused = try await change([.displayname: "", .color: ""], refusing)
    #expect(refused.fates == [.displayname: .refused("the server answered 403")])
    #expect(refused.collection.displayName == "Work")
    #expect(refused.collection.color == nil)
    let keeping = ModelAccount()
    keeping.server.plan(.answer(200), for: "PROPPATCH")
    let kept = try await change([.color: ""], keeping)
    #expect(kept.fates == [.color: .notShown])
    #expect(kept.collection.color == "#ff8800")
  }

  @Test func `what a server refuses stays, and the rest is set`() async throws {
    let model = ModelAccount { $0.refusedProperties = ["calendar-color"] }
    let outcome = try await change(all, model)
    let after = outcome.collection
    #expect(outcome.fates == [.color: .refused("the server answered 403")])
    #expect(after.color == "#ff8800")
    #expect(after.displayName == "N\u{E4}m\u{E9} & <x>")
    #expect(after.order == "3")
  }

  @Test func `a value of the server's own choice is what counts`() async throws {
    let model = ModelAccount { $0.ownOrder = "17" }
    let outcome = try await change([.order: "3"], model)
    #expect(outcome.collection.order == "17")
    #expect(outcome.fates == [.order: .replaced])
  }

  @Test func `an alpha is sent, and a server that drops it has made no other colour`() async throws
  {
    let model = ModelAccount()
    let kept = try await change([.color: "#00ff0080"], model)
    #expect(kept.collection.color == "#00ff0080")
    #expect(kept.fates.isEmpty)
    #expect(model.server.metadata(of: ModelAccount.work)["color"] == "#00FF0080")
    let dropped = try await change([.color: "#00ff0080"], ModelAccount { $0.hasNoAlpha = true })
    #expect(dropped.collection.color == "#00ff00")
    #expect(dropped.fates.isEmpty)
  }

  @Test func `what was there before is not what the server made of a value`() async throws {
    let model = ModelAccount()
    model.server.plan(.answer(200), for: "PROPPATCH", times: 2)
    let outcome = try await change([.displayname: "Office", .color: "#00ff00"], model)
    #expect(outcome.fates == [.displayname: .notShown, .color: .notShown])
    #expect(outcome.collection.displayName == "Work")
    #expect(outcome.collection.color == "#ff8800")
  }

  @Test(arguments: [400, 403, 404, 405, 409, 424, 501])
  func `a refusal lasts`(status: Int) async throws {
    let model = ModelAccount()
    model.server.plan(.answer(status), for: "PROPPATCH")
    let outcome = try await change([.color: "#00ff00"], model)
    #expect(outcome.fates == [.color: .refused("the server answered \(status)")])
    #expect(outcome.doubts.isEmpty)
  }

  @Test(arguments: [408, 423, 425, 500, 502, 504, 505, 507, 520])
  func `trouble passes`(status: Int) async throws {
    let model = ModelAccount()
    model.server.plan(.answer(status), for: "PROPPATCH")
    let outcome = try await change([.order: "3", .color: "#00ff00"], model)
    guard case .failed(let error)? = outcome.fates[.color] else {
      Issue.record("it gave \(outcome.fates)")
      return
    }
    #expect(error.why == "the server answered \(status)")
    // These may be about this value.
    let isFault = [500, 505, 507, 520].contains(status)
    #expect(outcome.doubts == (isFault ? [.color: "the server answered \(status)"] : [:]))
    // The other one was set all the same.
    #expect(outcome.collection.order == "3")
    #expect(outcome.fates.count == 1)
  }

  @Test func `trouble within a multistatus passes, too`() async throws {
    let model = ModelAccount()
    let body = """
      <multistatus xmlns="DAV:"><response><href>/calendars/alice/work/</href><propstat><prop>
      <displayname/></prop><status>HTTP/1.1 423 Locked</status></propstat></response></multistatus>
      """
    model.server.plan(
      .answer(207, headers: [["Content-Type", "application/xml"]], body: body), for: "PROPPATCH")
    let outcome = try await change([.displayname: "Office"], model)
    guard case .failed? = outcome.fates[.displayname] else {
      Issue.record("it gave \(outcome.fates)")
      return
    }
    #expect(outcome.collection.displayName == "Work")
  }

  /// RFC 4918 §11.4: in one response, in one for each, and where nothing says whose failure it was.
  @Test(
    arguments: [
      (["424 403"], 403), (["403 424"], 403), (["424", "403"], 403), (["424"], 424),
    ] as [([String], Int)])
  func `what fails with another property alone does not hide the refusal`(
    responses: [String], told: Int
  ) async throws {
    let model = ModelAccount()
    let parts = responses.map { statuses in
      let propstats = statuses.split(separator: " ").map {
        "<propstat><prop><displayname/></prop><status>HTTP/1.1 \($0) No</status></propstat>"
      }
      return "<response><href>\(ModelAccount.work)</href>\(propstats.joined())</response>"
    }
    model.server.plan(
      .answer(
        207, headers: [["Content-Type", "application/xml"]],
        body: "<multistatus xmlns=\"DAV:\">\(parts.joined())</multistatus>"), for: "PROPPATCH")
    let outcome = try await change([.displayname: "Office"], model)
    #expect(outcome.fates == [.displayname: .refused("the server answered \(told)")])
    #expect(outcome.collection.displayName == "Work")
  }

  @Test func `a value that was set although the answer is an error shows as it is`() async throws {
    let model = ModelAccount()
    model.server.plan(.actThenAnswer(500), for: "PROPPATCH")
    #expect(try await change([.color: "#00ff00"], model).collection.color == "#00ff00")
  }

  @Test func `a page for people is no success`() async throws {
    let model = ModelAccount()
    model.server.plan(.webPage, for: "PROPPATCH")
    guard case .failed? = try await change([.color: "#00ff00"], model).fates[.color] else {
      Issue.record("it was taken for a success")
      return
    }
  }

  /// Of any length, and with what joins emoji or turns the direction of text.
  @Test(
    arguments: [
      (String(repeating: "x", count: 5000), nil),
      ("\u{1F468}\u{200D}\u{1F469} \u{2764}\u{FE0F}", nil),
      ("\u{5E9}\u{5DC}\u{200F} \u{202A}ok\u{202C}", nil), ("A  B\u{A0}C\u{AD}\u{85}D", nil),
      ("One\n    line", "One line"), ("\n  Work\t", "Work"), ("a\r\nb\n\nc", "a b c"),
    ] as [(String, String?)])
  func `a name is what the server has, on one line`(stored: String, read: String?) async throws {
    let model = ModelAccount()
    model.server.makeCalendar("other", displayName: stored)
    let listed = try await model.account(options: model.remembered).listCollections()
    let name = listed.first { $0.name == "other" }?.displayName ?? ""
    #expect(Array(name.utf8) == Array((read ?? stored).utf8))
  }

  /// DAViCal gives `&amp;`, and some cut what is long.
  @Test(arguments: [
    ("A & B", "A &amp; B", true), ("A <x>", "A &lt;x&gt;", true), ("A", "B", false),
    ("Nice", "NICE", false), ("\u{1F468}\u{200D}\u{1F469}", "\u{1F468}\u{200D}\u{1F469}", true),
    (String(repeating: "x", count: 300), String(repeating: "x", count: 300), true),
    (String(repeating: "x", count: 300), String(repeating: "x", count: 100), false),
  ])
  func `another form of a value is no other value`(
    given: String, stored: String, isForm: Bool
  ) async throws {
    let model = ModelAccount { $0.ownDisplayName = stored }
    let outcome = try await change([.displayname: given], model)
    let expected: [MetadataKey: MetadataFate] = isForm ? [:] : [.displayname: .replaced]
    #expect(outcome.fates == expected)
  }

  @Test func `a calendar that its new name moves is found again`() async throws {
    let model = ModelAccount { $0.renamesMove = true }
    let after = try await change([.displayname: "Office"], model).collection
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
