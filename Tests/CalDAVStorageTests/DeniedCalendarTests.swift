import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Answers with status 207 that say of the calendar itself that it may not be seen, or that the
/// server fails at it: nothing that they leave out is gone.
@Suite struct DeniedCalendarTests {
  struct Failure: Sendable {
    let status: Int
    let kind: StorageError.Kind

    init(_ status: Int, _ kind: StorageError.Kind) {
      self.status = status
      self.kind = kind
    }
  }

  private static let failures = [
    Failure(401, .denied), Failure(403, .denied), Failure(500, .protocolBroken),
    Failure(502, .unreachable), Failure(503, .protocolBroken),
  ]

  /// How an answer says it: of the calendar, or of all that was asked for.
  enum Form: CaseIterable, Sendable {
    case status, propstats

    func says(_ statuses: [Int]) -> String {
      let lines = statuses.map { "<D:status>HTTP/1.1 \($0) X</D:status>" }
      return switch self {
      case .status: lines[0]
      case .propstats:
        lines.map { "<D:propstat><D:prop><D:getetag/></D:prop>\($0)</D:propstat>" }.joined()
      }
    }
  }

  /// An answer about the calendar, with a token where it is one to a report, and perhaps items.
  private static func answer(
    _ own: String, token: String? = nil, items: String = ""
  ) -> ModelFault {
    let end = token.map { "<D:sync-token>\($0)</D:sync-token>" } ?? ""
    return .answer(
      207, headers: [["Content-Type", "application/xml"]],
      body: "<D:multistatus xmlns:D='DAV:'><D:response><D:href>\(ModelAccount.work)</D:href>"
        + "\(own)</D:response>\(items)\(end)</D:multistatus>")
  }

  /// An account with the items a and b, and the cursor of a run that listed them; then c came.
  private func listed(hasSync: Bool) async throws -> (ModelAccount, Cursor) {
    let model = ModelAccount { $0.hasSyncCollection = hasSync }
    for name in ["a", "b"] { model.put("\(name).ics", event(name)) }
    let cursor = try await listAll(try await model.storage()).cursor
    model.put("c.ics", event("c"))
    return (model, cursor)
  }

  /// What is told of it: which calendar, why, and what to do.
  private func expect(_ error: StorageError, _ failure: Failure) {
    #expect(error.kind == failure.kind, "\(error)")
    #expect(error.message.contains(ModelAccount.work), "\(error)")
    #expect(error.why.contains("\(failure.status)") && !error.hint.isEmpty, "\(error)")
  }

  private let abc = ["a.ics", "b.ics", "c.ics"].map(ModelAccount.href)

  @Test(arguments: failures, Form.allCases)
  func `a listing of a calendar that is kept back is none`(
    failure: Failure, form: Form
  ) async throws {
    let (model, cursor) = try await listed(hasSync: false)
    let storage = try await model.storage()
    let denial = Self.answer(form.says([failure.status]))
    model.server.interfere { $0.line == "PROPFIND \(ModelAccount.work)" ? denial : nil }
    let error = try await #require(throws: StorageError.self) {
      _ = try await storage.listChanges(since: cursor)
    }
    expect(error, failure)
    // What the calendar is at is asked first by a second listing.
    let again = try await #require(throws: StorageError.self) {
      _ = try await storage.listChanges(since: cursor)
    }
    expect(again, failure)
    model.server.interfere(nil)
    let page = try await model.storage().listChanges(since: cursor)
    #expect(page.present.map(\.href) == abc, "the next run goes on from where it was")
  }

  @Test(arguments: failures, Form.allCases)
  func `so is a report of all, or of changes, where the calendar itself cannot be seen`(
    failure: Failure, form: Form
  ) async throws {
    let (model, cursor) = try await listed(hasSync: true)
    for known in [nil, cursor] {
      let storage = try await model.storage()
      model.server.interfere { request in
        guard request.path == ModelAccount.work else { return nil }
        let token = request.method == "REPORT" ? "urn:later" : nil
        return Self.answer(form.says([failure.status]), token: token)
      }
      let error = try await #require(throws: StorageError.self) {
        _ = try await storage.listChanges(since: known)
      }
      expect(error, failure)
      model.server.interfere(nil)
    }
    let page = try await model.storage().listChanges(since: cursor)
    #expect(page.present.map(\.href) == [ModelAccount.href("c.ics")])
  }

  @Test(arguments: [403, 500], Form.allCases)
  func `where it can be seen, a report that fails at it is made up for by a whole listing`(
    status: Int, form: Form
  ) async throws {
    let (model, cursor) = try await listed(hasSync: true)
    for known in [nil, cursor] {
      let storage = try await model.storage()
      let token = String(decoding: try #require(SyncCursor(cursor)?.token), as: UTF8.self)
      model.server.plan(Self.answer(form.says([status]), token: token), for: "REPORT")
      let page = try await storage.listChanges(since: known)
      #expect(page.extent == .everything && page.present.map(\.href) == abc)
    }
  }

  @Test(arguments: failures, Form.allCases)
  func `nothing is absent from a calendar that is kept back`(
    failure: Failure, form: Form
  ) async throws {
    let (model, _) = try await listed(hasSync: true)
    let storage = try await model.storage()
    model.remove("a.ics")
    let denial = Self.answer(form.says([failure.status]))
    model.server.interfere { $0.method == "PROPFIND" ? denial : nil }
    for isRead in [false, true] {
      let error = try await #require(throws: StorageError.self) {
        if isRead {
          _ = try await storage.read([ModelAccount.href("a.ics")])
        } else {
          _ = try await storage.confirmAbsence(of: [ModelAccount.href("a.ics")])
        }
      }
      expect(error, failure)
    }
    model.server.interfere(nil)
    let absent = try await storage.confirmAbsence(of: [ModelAccount.href("a.ics")])
    #expect(absent == [ModelAccount.href("a.ics")])
  }

  @Test func `nor from one of which nobody says what it is`() async throws {
    let (model, _) = try await listed(hasSync: true)
    let storage = try await model.storage()
    model.remove("a.ics")
    model.server.plan(Self.answer(Form.propstats.says([404])), for: "PROPFIND")
    let error = try await #require(throws: StorageError.self) {
      _ = try await storage.confirmAbsence(of: [ModelAccount.href("a.ics")])
    }
    expect(error, Failure(404, .protocolBroken))
  }

  @Test func `one that forbids a look at itself is there while it is listed`() async throws {
    let (model, _) = try await listed(hasSync: true)
    let storage = try await model.storage()
    model.remove("a.ics")
    let denial = Self.answer(Form.status.says([403]))
    model.server.interfere { request in
      request.method == "PROPFIND" && request.headers["depth"] == "0" ? denial : nil
    }
    let absent = try await storage.confirmAbsence(of: [ModelAccount.href("a.ics")])
    #expect(absent == [ModelAccount.href("a.ics")])
  }

  /// An answer that keeps the calendar back names none of those that were asked for.
  @Test func `a deletion is not done because such an answer leaves the item out`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    let denial = Self.answer(Form.status.says([403]))
    model.server.interfere { request in
      ["PROPFIND", "REPORT"].contains(request.method) ? denial : .answer(404)
    }
    let outcome = await storage.carryOut([
      .delete(ModelAccount.href("a.ics"), expecting: version)
    ])[0]
    guard case .failed(let error) = outcome.result else {
      Issue.record("it gave \(outcome)")
      return
    }
    #expect(error.kind == .denied && model.content("a.ics") != nil)
  }

  /// The calendar has no entity tag; what else it does not have says nothing against it either.
  @Test(arguments: [[404], [200, 404], [200, 403], [403, 200], [404, 200]])
  func `what the server says of a property of the calendar is no failure`(
    statuses: [Int]
  ) async throws {
    let (model, cursor) = try await listed(hasSync: true)
    let storage = try await model.storage()
    let item =
      "<D:response><D:href>\(ModelAccount.work)c.ics</D:href><D:propstat><D:prop><D:getetag>"
      + "\"c\"</D:getetag></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
    let own = Form.propstats.says(statuses)
    model.server.plan(Self.answer(own, token: "urn:later", items: item), for: "REPORT")
    model.server.forgetRequests()
    let page = try await storage.listChanges(since: cursor)
    #expect(page.extent == .changesOnly)
    #expect(page.present.map(\.href) == [ModelAccount.href("c.ics")])
    #expect(model.server.requests.map(\.method) == ["REPORT"])

    let (other, known) = try await listed(hasSync: false)
    let listing = try await other.storage()
    other.server.plan(Self.answer(own, items: item), for: "PROPFIND")
    let whole = try await listing.listChanges(since: known)
    #expect(whole.present.map(\.href) == [ModelAccount.href("c.ics")])
  }
}
