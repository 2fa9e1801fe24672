import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// 403 with a precondition.
private func forbidden(_ precondition: String) -> ModelFault {
  .answer(
    403, headers: [["Content-Type", "application/xml"]],
    body: "<D:error xmlns:D=\"DAV:\"><D:\(precondition)/></D:error>")
}

/// What a server that makes no calendars is asked, and for how long its answer holds.
@Suite struct RefusedMakingTests {
  /// What `createCollection` left, and what was asked in it, but for the listing.
  private struct Attempt {
    var error: StorageError
    var trace: MakingTrace
    var methods: [String]
  }

  private func proposal(_ name: String) -> CollectionProposal {
    var proposal = CollectionProposal(name: name, components: ["VEVENT", "VTODO", "VJOURNAL"])
    proposal.kinds = ["VEVENT"]
    return proposal
  }

  private func model(answering fault: ModelFault) -> ModelAccount {
    let model = ModelAccount()
    model.server.interfere { ["MKCALENDAR", "MKCOL"].contains($0.method) ? fault : nil }
    return model
  }

  private func attempt(
    _ name: String = "new", of account: CalDAVAccount, on model: ModelAccount
  ) async throws -> Attempt {
    model.server.forgetRequests()
    var trace = MakingTrace()
    do throws(StorageError) {
      _ = try await account.createCollection(proposal(name), leaving: &trace)
    } catch {
      let listing = ModelServer.homePath
      let asked = model.server.requests.filter { $0.path != listing }
      return Attempt(error: error, trace: trace, methods: asked.map(\.method))
    }
    throw StorageError(.io, "the calendar was made")
  }

  /// A server that lacks the methods has 405 for what it does not know, and others have it for a
  /// name that is taken: those get one more name.
  @Test(
    arguments: [
      (.answer(501), ["MKCALENDAR", "MKCOL"]),
      (forbidden("need-privileges"), ["MKCALENDAR", "PROPFIND"]),
      (
        .answer(405),
        ["MKCALENDAR", "PROPFIND", "MKCOL", "MKCALENDAR", "PROPFIND", "MKCOL"]
      ),
    ] as [(ModelFault, [String])])
  func `a refusal that is not about the kinds is asked for once`(
    answer: ModelFault, methods: [String]
  ) async throws {
    let model = model(answering: answer)
    let attempt = try await attempt(of: model.account(options: model.remembered), on: model)
    #expect(attempt.methods == methods)
  }

  @Test func `a forbidden calendar is refused in the same words by either answer`() async throws {
    for answer in [.answer(403), forbidden("need-privileges")] as [ModelFault] {
      let model = model(answering: answer)
      let attempt = try await attempt(of: model.account(options: model.remembered), on: model)
      #expect(attempt.error.kind == .denied)
      #expect(attempt.error.message.contains("the calendar “new” cannot be made at"))
      #expect(attempt.error.hint.hasPrefix("make it on the server's own pages"))
    }
  }

  @Test func `a locked home passes`() async throws {
    let model = model(answering: .answer(423))
    let attempt = try await attempt(of: model.account(options: model.remembered), on: model)
    #expect(attempt.error.kind == .cannotCreate && !attempt.trace.isRefused)
    #expect(attempt.error.hint.hasPrefix("a lock passes: try again later, or make it on"))
  }

  @Test(arguments: [405, 501])
  func `a server without the methods is not asked for a second calendar`(status: Int) async throws {
    let model = model(answering: .answer(status))
    let account = try model.account(options: model.remembered)
    let first = try await attempt(of: account, on: model)
    let second = try await attempt("more", of: account, on: model)
    #expect(!first.methods.isEmpty)
    #expect(model.server.requests.isEmpty)
    #expect(second.error.kind == first.error.kind && second.error.why == first.error.why)
    #expect(second.error.message.contains("“more”"), "\(second.error)")
    #expect(second.trace.isRefused)
  }

  /// The name may be what is forbidden.
  @Test func `a server that forbids one calendar is asked for the next one`() async throws {
    let model = model(answering: .answer(403))
    let account = try model.account(options: model.remembered)
    _ = try await attempt(of: account, on: model)
    #expect(try await attempt("more", of: account, on: model).methods.contains("MKCALENDAR"))
  }

  @Test(
    arguments: [
      (.answer(400), true), (.answer(403), true), (.answer(405), true), (.answer(409), true),
      (.answer(501), true), (forbidden("resource-must-be-null"), true), (.answer(500), false),
      (.answer(502), false), (.answer(507), false), (forbidden("quota-not-exceeded"), false),
    ] as [(ModelFault, Bool)])
  func `a refusal lasts, and a failure may pass`(answer: ModelFault, lasts: Bool) async throws {
    let model = model(answering: answer)
    let attempt = try await attempt(of: model.account(options: model.remembered), on: model)
    #expect(attempt.trace.isRefused == lasts)
  }

  @Test func `a calendar that could not even be asked for is not refused`() async throws {
    let model = ModelAccount()
    model.server.plan(.answer(502), for: "PROPFIND", times: 99)
    let attempt = try await attempt(of: model.account(options: model.remembered), on: model)
    #expect(!attempt.trace.isRefused)
  }

  @Test func `a time to wait is that of calendars alone, and the next is asked for after it`()
    async throws
  {
    let model = model(answering: .answer(503, headers: [["Retry-After", "600"]]))
    let account = try model.account(options: model.remembered)
    let first = try await attempt(of: account, on: model)
    #expect(first.error.kind == .tryLater(600_000) && !first.trace.isRefused)
    #expect(first.methods == ["MKCALENDAR"])
    #expect(try await account.listCollections().map(\.name) == ["work"])
    model.clock.advance(milliseconds: 400_000)
    let second = try await attempt("more", of: account, on: model)
    #expect(second.error.kind == .tryLater(200_000) && !second.trace.isRefused)
    #expect(second.error.message == "the calendar “more” is not made yet")
    #expect(model.server.requests.isEmpty)
    model.clock.advance(milliseconds: 200_000)
    #expect(try await attempt("more", of: account, on: model).methods == ["MKCALENDAR"])
  }

  @Test(arguments: [[["Retry-After", "2"]], []])
  func `a short time to wait before the next calendar is waited for`(headers: [[String]])
    async throws
  {
    let model = model(answering: .answer(429, headers: headers))
    let account = try model.account(options: model.remembered)
    _ = try await attempt(of: account, on: model)
    let start = model.clock.now.milliseconds
    // One that the server names is waited for once more.
    let times = headers.isEmpty ? 1 : 2
    let methods = try await attempt("more", of: account, on: model).methods
    #expect(methods == Array(repeating: "MKCALENDAR", count: times))
    #expect(model.clock.now.milliseconds - start >= (headers.isEmpty ? 1_000 : 2_000))
  }

  // MARK: A home that is itself a calendar

  private func account(_ model: ModelAccount, homes: [String]) throws -> CalDAVAccount {
    var options = CalDAVAccount.Options()
    options.found = FoundLocation(
      .homeSets(homes.map { ModelServer.origin + $0 }), foundAt: model.clock.now)
    return try model.account(options: options)
  }

  @Test func `a home set that is itself a calendar is listed, without its items`() async throws {
    let model = ModelAccount()
    model.put("a.ics", event("a"))
    let listed = try await account(model, homes: [ModelAccount.work]).listCollections()
    #expect(listed.map(\.name) == ["work"])
    #expect(listed.first?.href == ModelAccount.href(""))
    #expect(listed.first?.displayName == "Work")
  }

  @Test func `no calendar is made within a calendar`() async throws {
    let model = ModelAccount()
    let account = try account(model, homes: [ModelAccount.work])
    let attempt = try await attempt(of: account, on: model)
    #expect(attempt.error.kind == .cannotCreate)
    #expect(attempt.error.why.contains("is itself a calendar"), "\(attempt.error)")
    #expect(attempt.error.hint.hasPrefix("make it on the server's own pages"))
    #expect(attempt.trace.isRefused)
    #expect(!attempt.methods.contains("MKCALENDAR") && !attempt.methods.contains("MKCOL"))
  }

  @Test func `beside a home set that is a calendar another one takes the new one`() async throws {
    let model = ModelAccount()
    let account = try account(model, homes: [ModelAccount.work, ModelServer.homePath])
    let made = try await account.createCollection(proposal("new"))
    #expect(made.href.text == ModelServer.homePath + "new/")
  }

  // MARK: Several homes

  private static let group = "/groups/team/"

  /// A server with a further home set, that of a group: it is empty, and stays so.
  private func modelWithGroup(refusing isRefused: @escaping @Sendable (String) -> Bool)
    -> ModelAccount
  {
    let model = ModelAccount()
    model.server.interfere { request in
      let (path, group) = (request.path, Self.group)
      if ["MKCALENDAR", "MKCOL"].contains(request.method) {
        return isRefused(path) ? .answer(403) : nil
      }
      guard path.hasPrefix(group) else { return nil }
      if path != group { return .answer(404) }
      return .answer(
        207, headers: [["Content-Type", "application/xml"]],
        body: "<multistatus xmlns=\"DAV:\"><response><href>\(group)</href>"
          + "<status>HTTP/1.1 200 OK</status></response></multistatus>")
    }
    return model
  }

  @Test func `a home that is not there is no place for a calendar`() async throws {
    let lost = "/lost/"
    let model = ModelAccount()
    model.server.interfere { request in
      guard request.path.hasPrefix(lost) else { return nil }
      return .answer(request.method == "PROPFIND" ? 404 : 409)
    }
    let homes = [lost, ModelServer.homePath].map { ModelServer.origin + $0 }
    var options = CalDAVAccount.Options()
    options.found = FoundLocation(
      .homeSets(homes), failedHomes: [homes[0]], foundAt: model.clock.now)
    let account = try model.account(options: options)
    let made = try await account.createCollection(proposal("new"))
    #expect(made.href.text == ModelServer.homePath + "new/")
    let asked = model.server.requests.filter { $0.method != "PROPFIND" }.map(\.path)
    #expect(asked.allSatisfy { $0.hasPrefix(ModelServer.homePath) }, "\(asked)")
  }

  @Test func `where one home takes none the next one does`() async throws {
    let model = modelWithGroup { $0.hasPrefix(Self.group) }
    let account = try account(model, homes: [Self.group, ModelServer.homePath])
    let made = try await account.createCollection(proposal("new"))
    #expect(made.href.text == ModelServer.homePath + "new/")
    let asked = model.server.requests.filter { $0.method == "MKCALENDAR" }.map(\.path)
    #expect(asked.first?.hasPrefix(Self.group) == true, "in the server's order: \(asked)")
  }

  @Test func `where none takes one the first refusal is told`() async throws {
    let model = modelWithGroup { _ in true }
    let account = try account(model, homes: [ModelServer.homePath, Self.group])
    let attempt = try await attempt(of: account, on: model)
    #expect(attempt.trace.isRefused && attempt.error.kind == .denied)
    #expect(attempt.error.message.contains(ModelServer.homePath), "\(attempt.error)")
    #expect(model.server.requests.contains { $0.path.hasPrefix(Self.group + "new") })
  }
}
