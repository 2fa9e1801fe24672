import CalDAVStorage
import SyncModel
import TestSupport
import Testing

@Suite struct RefusalTests {
  private let href = ModelAccount.href("a.ics")

  // MARK: Refusals

  private static let xml = [["Content-Type", "application/xml"]]

  private static func precondition(_ name: String, _ namespace: String = "C") -> String {
    """
    <?xml version="1.0"?><D:error xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"
    xmlns:CR="urn:ietf:params:xml:ns:carddav"><\(namespace):\(name)/></D:error>
    """
  }

  @Test(arguments: [
    (403, "no-uid-conflict", ItemProblem.Code.refused), (409, "no-uid-conflict", .refused),
    (412, "no-uid-conflict", .refused), (403, "unique-scheduling-object-resource", .refused),
    (403, "valid-calendar-data", .refused), (412, "valid-calendar-data", .refused),
    (403, "max-resource-size", .tooLarge), (403, "supported-calendar-component", .unsupported),
    (403, "need-privileges", .readOnly), (403, "", .refused), (400, "", .refused),
    (413, "", .tooLarge), (415, "", .unsupported), (423, "", .refused), (507, "", .refused),
    (405, "", .refused), (412, "", .refused), (409, "", .refused), (404, "", .refused),
  ])
  func `what a server refuses about a new item has its code`(
    status: Int, element: String, expected: ItemProblem.Code
  ) async throws {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    model.server.plan(
      .answer(
        status, headers: Self.xml, body: element.isEmpty ? "" : Self.precondition(element)),
      for: "PUT")
    let outcomes = await storage.carryOut([.create(ModelAccount.href("n.ics"), event("n"))])
    #expect(outcomes[0].refusal == expected)
    guard case .refused(let problem) = outcomes[0].result else { return }
    #expect(problem.hint.contains("\(status)"))
    #expect(element.isEmpty || problem.hint.contains(element))
    let isAboutUID = ["no-uid-conflict", "unique-scheduling-object-resource"].contains(element)
    #expect(problem.message.contains(isAboutUID ? "another item of this UID" : "n.ics"))
  }

  @Test(arguments: [
    (403, "quota-not-exceeded"), (409, "sufficient-disk-space"), (412, "quota-not-exceeded"),
    (507, ""),
  ])
  func `a full account passes, and is told as one`(status: Int, element: String) async throws {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    let body = element.isEmpty ? "" : Self.precondition(element, "D")
    model.server.plan(.answer(status, headers: Self.xml, body: body), for: "PUT")
    let outcomes = await storage.carryOut([.create(ModelAccount.href("n.ics"), event("n"))])
    guard case .refused(let problem) = outcomes[0].result else {
      Issue.record("it gave \(outcomes[0].result)")
      return
    }
    #expect(problem.code == .refused && outcomes[0].isTransient)
    #expect(problem.hint.hasPrefix("make room on the server; "), "\(problem.hint)")
    #expect(problem.cause == .outOfRoom)
  }

  @Test func `a guard that fails is told by what it guarded`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    for (write, isNew) in [
      (GuardedWrite.create(ModelAccount.href("n.ics"), event("n")), true),
      (.replace(href, expecting: version, with: event("a", "Ours")), false),
    ] {
      model.server.plan(.answer(412), for: "PUT")
      let outcomes = await storage.carryOut([write])
      guard case .refused(let problem) = outcomes[0].result else {
        Issue.record("it gave \(outcomes[0].result)")
        continue
      }
      #expect(problem.hint.contains("entity tag") != isNew, "\(problem.hint)")
      #expect(problem.hint.contains("nothing is there") == isNew, "\(problem.hint)")
    }
  }

  @Test(arguments: [
    (403, "", "", true), (400, "", "", true), (404, "", "", true), (422, "", "", true),
    (403, "valid-calendar-data", "", true), (403, "max-instances", "", false), (405, "", "", false),
    (403, "", "DURATION:PT1H", false), (403, "", "DTEND;TZID=Europe/Vienna:20250301T100000", false),
    (403, "", "BEGIN:VALARM\r\nACTION:AUDIO\r\nDURATION:PT5M\r\nEND:VALARM", true),
    // The item is there twice, and that is told.
    (400, "", "END:VEVENT\r\nBEGIN:VEVENT\r\nUID:n\r\nDTSTART:20260101T000000Z", false),
  ])
  func `a refused event without an end is told so`(
    status: Int, element: String, line: String, isTold: Bool
  ) async throws {
    let text = String(decoding: event("n").bytes, as: UTF8.self)
      .replacing("DTEND:20250301T100000Z\r\n", with: line.isEmpty ? "" : line + "\r\n")
    let body = element.isEmpty ? "" : Self.precondition(element)
    let hint = try #require(await refused(text, status, body)).hint
    // It may be anything else that is wrong with the item.
    let words = "it may be that it has no end (DTEND), which some servers (iCloud) want"
    #expect(hint.contains(words) == isTold, "\(hint)")
    #expect(hint.contains("two components with one UID") == line.contains("UID:n"))
  }

  @Test func `of an event without a start nothing is said of its end`() async throws {
    let text = String(decoding: event("n").bytes, as: UTF8.self)
    let hint = try #require(await refused(text.replacing(/DT(START|END)/, with: "X"), 400, "")).hint
    #expect(!hint.contains("no end"), "\(hint)")
  }

  /// What becomes of a new item at which the server answers so; nil where it is not refused.
  private func refused(_ text: String, _ status: Int, _ body: String) async throws -> ItemProblem? {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    model.server.plan(.answer(status, headers: Self.xml, body: body), for: "PUT")
    let write = GuardedWrite.create(ModelAccount.href("n.ics"), ItemData(bytes: Array(text.utf8)))
    guard case .refused(let problem) = await storage.carryOut([write])[0].result else { return nil }
    return problem
  }

  @Test(arguments: [
    (
      500,
      "the server failed with it, and its own log says why; if it stays, see whether the server's"
        + " own pages delete it"
    ),
    (403, "ask for the right to delete it"),
  ])
  func `a refused deletion is told with what may help`(status: Int, mend: String) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    model.server.plan(.answer(status), for: "DELETE")
    let write = GuardedWrite.delete(ModelAccount.href("a.ics"), expecting: version)
    guard case .refused(let problem) = await storage.carryOut([write])[0].result else {
      Issue.record("it is not refused")
      return
    }
    #expect(problem.hint.hasPrefix(mend), "\(problem.hint)")
  }

  @Test(arguments: [
    ("", "correct the item; or keep items of this kind"),
    ("supported-calendar-component", "keep items of this kind"),
  ])
  func `415 may be said of the text`(element: String, mend: String) async throws {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    let body = element.isEmpty ? "DTEND MUST be after DTSTART" : Self.precondition(element)
    model.server.plan(.answer(415, headers: Self.xml, body: body), for: "PUT")
    let write = GuardedWrite.create(ModelAccount.href("n.ics"), event("n"))
    guard case .refused(let problem) = await storage.carryOut([write])[0].result else {
      Issue.record("it is not refused")
      return
    }
    #expect(problem.code == .unsupported)
    #expect(problem.hint.hasPrefix(mend), "\(problem.hint)")
  }

  @Test func `a UID conflict is told with the place of the other item`() async throws {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    let body = """
      <D:error xmlns:D='DAV:' xmlns:C='urn:ietf:params:xml:ns:caldav'><C:no-uid-conflict>
      <D:href>/calendars/alice/home/old.ics</D:href></C:no-uid-conflict></D:error>
      """
    model.server.plan(.answer(403, headers: Self.xml, body: body), for: "PUT")
    let outcomes = await storage.carryOut([.create(ModelAccount.href("n.ics"), event("n"))])
    guard case .refused(let problem) = outcomes[0].result else {
      Issue.record("\(outcomes[0])")
      return
    }
    #expect(problem.message.hasSuffix(", at /calendars/alice/home/old.ics"))
    #expect(!outcomes[0].isTransient)
  }

  @Test func `a UID conflict is known in the address book's namespace too`() async throws {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    model.server.plan(
      .answer(409, headers: Self.xml, body: Self.precondition("no-uid-conflict", "CR")), for: "PUT")
    let outcomes = await storage.carryOut([.create(ModelAccount.href("n.ics"), event("n"))])
    #expect(outcomes[0].refusal == .refused)
  }

  @Test(arguments: [412, 409])
  func `a replace that comes too late has changed meanwhile`(status: Int) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    model.put("a.ics", event("a", "Theirs"))
    model.server.plan(.answer(status), for: "PUT")
    let outcomes = await storage.carryOut([
      .replace(href, expecting: version, with: event("a", "Ours"))
    ])
    #expect(outcomes[0].result == .changedMeanwhile)
  }

  @Test func `a replace refused with 412 for its content is refused, not tried for ever`()
    async throws
  {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    model.server.plan(.answer(412), for: "PUT", times: 9)
    let outcomes = await storage.carryOut([
      .replace(href, expecting: version, with: event("a", "Ours"))
    ])
    #expect(outcomes[0].refusal == .refused)
    #expect(model.server.count("PUT") == 1)
  }

  @Test func `a write into a calendar that is gone fails as a whole`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    model.server.removeCalendar(ModelAccount.work)
    for write in [
      GuardedWrite.create(ModelAccount.href("n.ics"), event("n")),
      .replace(href, expecting: version, with: event("a", "Ours")),
    ] {
      let outcomes = await storage.carryOut([write])
      guard case .failed(let error) = outcomes[0].result else {
        Issue.record("it gave \(outcomes[0].result)")
        continue
      }
      #expect(error.kind == .vanished)
    }
  }

  @Test(arguments: [404, 410])
  func `a delete of what is gone is done`(status: Int) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    model.remove("a.ics")
    model.server.plan(.answer(status), for: "DELETE")
    let outcomes = await storage.carryOut([.delete(href, expecting: version)])
    #expect(outcomes[0].result == .removed)
  }

  // MARK: Lost answers and trouble

  @Test(arguments: [303, 408, 423, 425, 507])
  func `an answer that says nothing of the item passes`(status: Int) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    for write in [
      GuardedWrite.create(ModelAccount.href("n.ics"), event("n")),
      .replace(href, expecting: version, with: event("a", "Ours")),
      .delete(href, expecting: version),
    ] {
      model.server.plan(.answer(status), for: write.method)
      let outcomes = await storage.carryOut([write])
      guard case .refused(let problem) = outcomes[0].result else {
        Issue.record("it gave \(outcomes[0].result)")
        continue
      }
      #expect(outcomes[0].isTransient)
      #expect(!problem.hint.contains("correct the item"), "\(problem.hint)")
    }
  }

  @Test(arguments: [
    ModelFault.lostBefore, .lostAfter, .answer(502), .answer(504), .actThenAnswer(502),
  ])
  func `a lost answer is unknown and is not sent again`(fault: ModelFault) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    for write in [
      GuardedWrite.create(ModelAccount.href("n.ics"), event("n")),
      .replace(href, expecting: version, with: event("a", "Ours")),
    ] {
      model.server.forgetRequests()
      model.server.plan(fault, for: "PUT")
      let outcomes = await storage.carryOut([write])
      guard case .unknown = outcomes[0].result else {
        Issue.record("it gave \(outcomes[0].result)")
        continue
      }
      #expect(model.server.count("PUT") == 1)
    }
  }

  @Test(arguments: [500, 501, 508])
  func `a failure that left everything as it was is a refusal that may pass`(status: Int)
    async throws
  {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    for write in [
      GuardedWrite.create(ModelAccount.href("n.ics"), event("n")),
      .replace(href, expecting: version, with: event("a", "Ours")),
      .delete(href, expecting: version),
    ] {
      model.server.plan(.answer(status), for: write.method)
      let outcomes = await storage.carryOut([write])
      guard case .refused(let problem) = outcomes[0].result else {
        Issue.record("it gave \(outcomes[0].result)")
        continue
      }
      #expect(problem.code == .refused)
      #expect(
        problem.hint.hasPrefix(
          "the server failed with it, and its own log says why; if it stays, "),
        "\(problem.hint)")
      #expect(outcomes[0].isTransient)
    }
  }

  @Test func `a write that was done although the server said that it failed is done`()
    async throws
  {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    for write in [
      GuardedWrite.create(ModelAccount.href("n.ics"), event("n")),
      .replace(href, expecting: version, with: event("a", "Ours")),
    ] {
      model.server.plan(.actThenAnswer(500), for: "PUT")
      let outcomes = await storage.carryOut([write])
      guard case .stored = outcomes[0].result else {
        Issue.record("it gave \(outcomes[0].result)")
        continue
      }
    }
  }

  @Test func `a create that arrived although its answer was lost is found stored`() async throws {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    let write = GuardedWrite.create(ModelAccount.href("n.ics"), event("n"))
    model.server.plan(.lostAfter, for: "PUT")
    _ = await storage.carryOut([write])
    let again = await storage.carryOut([write])
    guard case .stored = again[0].result else {
      Issue.record("it gave \(again[0].result)")
      return
    }
    #expect(model.server.names(in: ModelAccount.work).count == 2)
  }

  @Test func `a login page is no success`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    model.server.plan(.webPage, for: "PUT")
    model.server.plan(.webPage, for: "DELETE")
    let outcomes = await storage.carryOut([
      .create(ModelAccount.href("n.ics"), event("n")), .delete(href, expecting: version),
    ])
    for outcome in outcomes {
      guard case .unknown = outcome.result else {
        Issue.record("it gave \(outcome.result)")
        continue
      }
    }
  }

  @Test(arguments: [
    (ModelFault.noConnection, StorageError.Kind.unreachable),
    (.answer(429, headers: [["Retry-After", "3600"]]), .tryLater(3_600_000)),
  ])
  func `trouble of the account stops what was not sent`(
    fault: ModelFault, kind: StorageError.Kind
  ) async throws {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    model.server.plan(fault, for: "PUT", times: 100)
    let writes = (0..<50).map { number in
      GuardedWrite.create(ModelAccount.href("n\(number).ics"), event("n\(number)"))
    }
    let outcomes = await storage.carryOut(writes)
    #expect(outcomes.count == 50)
    for outcome in outcomes {
      guard case .failed(let error) = outcome.result else {
        Issue.record("it gave \(outcome.result)")
        continue
      }
      #expect(error.kind == kind)
    }
    #expect(model.server.count("PUT") <= 4)
  }

  @Test func `a redirect keeps method, body and guard on its own server`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    let target = ModelAccount.work + "a.ics"
    model.server.plan(.answer(307, headers: [["Location", target]]), for: "PUT")
    let outcomes = await storage.carryOut([
      .replace(href, expecting: version, with: event("a", "Doctor"))
    ])
    guard case .stored = outcomes[0].result else {
      Issue.record("it gave \(outcomes[0].result)")
      return
    }
    let puts = model.server.requests.filter { $0.method == "PUT" }
    #expect(puts.count == 2)
    #expect(puts[0].headers["if-match"] == puts[1].headers["if-match"])
    #expect(puts[0].bodyBytes == puts[1].bodyBytes)
  }

  @Test(arguments: [
    "https://elsewhere.example/x", "http://127.0.0.1:8081/x", "file:///etc/passwd", "//h",
  ])
  func `a redirect of a write to elsewhere is refused`(location: String) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    model.server.plan(.answer(308, headers: [["Location", location]]), for: "PUT")
    let outcomes = await storage.carryOut([
      .replace(href, expecting: version, with: event("a", "Doctor"))
    ])
    guard case .refused(let problem) = outcomes[0].result else {
      Issue.record("it gave \(outcomes[0].result)")
      return
    }
    #expect(problem.code == .refused && outcomes[0].isTransient)
    #expect(model.server.requests.allSatisfy { $0.url.hasPrefix(ModelServer.origin + "/") })
  }
}
