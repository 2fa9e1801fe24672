import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// What becomes of a write whose connection ended before its answer (SERVERS.md, SOGo; SIMULATION
/// C4 8 to 10).
@Suite struct BrokenConnectionTests {
  private let href = ModelAccount.href("a.ics")
  private let new = ModelAccount.href("n.ics")

  private func writes(_ version: Version) -> [GuardedWrite] {
    [
      .create(new, event("n")), .replace(href, expecting: version, with: event("a", "Ours")),
      .delete(href, expecting: version),
    ]
  }

  private func sent(_ model: ModelAccount) -> [ModelRequest] {
    model.server.requests.filter { ["PUT", "DELETE"].contains($0.method) }
  }

  private func isDone(_ result: WriteOutcome.Result) -> Bool {
    switch result {
    case .stored, .removed: true
    case .changedMeanwhile, .refused, .unknown, .failed: false
    }
  }

  /// With weak tags nothing guards it but the look that comes before each sending.
  @Test(arguments: 0..<3, [ModelSwitches.TagForm.quoted, .weak])
  func `a write that did nothing goes out once more, on a connection of its own`(
    index: Int, tags: ModelSwitches.TagForm
  ) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem { $0.tagForm = tags }
    let write = writes(version)[index]
    model.server.plan(.unanswered(isDone: false), for: write.method)
    let outcome = await storage.carryOut([write])[0]
    #expect(isDone(outcome.result), "\(outcome.result)")
    #expect(sent(model).map(\.wantsNewConnection) == [false, true])
  }

  @Test(arguments: 0..<3)
  func `a write that was done is not sent again`(index: Int) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    let write = writes(version)[index]
    model.server.plan(.unanswered(isDone: true), for: write.method)
    let outcome = await storage.carryOut([write])[0]
    #expect(isDone(outcome.result), "\(outcome.result)")
    #expect(sent(model).count == 1)
  }

  @Test(arguments: 0..<3)
  func `a write whose second connection breaks too is unknown`(index: Int) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    let write = writes(version)[index]
    model.server.plan(.unanswered(isDone: false), for: write.method, times: 2)
    let outcome = await storage.carryOut([write])[0]
    guard case .unknown = outcome.result else {
      Issue.record("it gave \(outcome.result)")
      return
    }
    #expect(sent(model).count == 2)
  }

  @Test func `what is there by then is not written over`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    model.server.plan(.unanswered(isDone: false), for: "PUT")
    model.put("a.ics", event("a", "Theirs"))
    let outcome = await storage.carryOut([writes(version)[1]])[0]
    guard case .unknown = outcome.result else {
      Issue.record("it gave \(outcome.result)")
      return
    }
    #expect(sent(model).count == 1)
    let kept = model.server.data(Array("a.ics".utf8), in: ModelAccount.work)
    #expect(kept == event("a", "Theirs").bytes)
  }

  @Test(arguments: [1, 2])
  func `a new item that is shown late is not taken for refused, nor for another's`(
    looks: Int
  ) async throws {
    let (model, storage, _) = try await ModelAccount.withOneItem { $0.addsStamps = true }
    model.server.plan(.unanswered(isDone: true), for: "PUT")
    model.server.plan(.answer(404), for: "GET", times: looks)
    let outcome = await storage.carryOut([.create(new, event("n"))])[0]
    guard case .unknown = outcome.result else {
      Issue.record("it gave \(outcome.result)")
      return
    }
    #expect(model.server.names(in: ModelAccount.work).count == 2)
  }

  @Test(arguments: [false, true])
  func `a write is waited for where the server is known to do writes late`(
    isKnown: Bool
  ) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    model.clock.advance(milliseconds: 60_000)
    model.server.change { $0.writeLag = 2_000 }
    if isKnown {
      _ = await storage.carryOut([.create(new, event("n"))])
      _ = try await storage.read([new])
    }
    model.server.forgetRequests()
    model.server.plan(.unanswered(isDone: true), for: "PUT")
    let outcome = await storage.carryOut([writes(version)[1]])[0]
    #expect(isDone(outcome.result) == isKnown, "\(outcome.result)")
    #expect(sent(model).count == (isKnown ? 1 : 2))
  }

  @Test func `a meeting is not sent again, since mail may be out`() async throws {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    model.server.plan(.unanswered(isDone: false), for: "PUT")
    let text = String(decoding: event("n").bytes, as: UTF8.self)
      .replacing("SUMMARY", with: "ORGANIZER:mailto:a@example.org\r\nSUMMARY")
    let outcome = await storage.carryOut([.create(new, ItemData(bytes: Array(text.utf8)))])[0]
    guard case .unknown = outcome.result else {
      Issue.record("it gave \(outcome.result)")
      return
    }
    #expect(sent(model).count == 1)
  }

  @Test(arguments: [(false, false), (true, true), (true, false)])
  func `a server that ends its connections gets a new one for each write, but over HTTP/2`(
    wasMultiplexed: Bool, isMultiplexed: Bool
  ) async throws {
    let (model, storage, _) = try await ModelAccount.withOneItem {
      $0.isMultiplexed = wasMultiplexed
    }
    model.server.change { $0.isMultiplexed = isMultiplexed }
    for name in ["b", "c", "d", "e"] {
      if name < "d" { model.server.plan(.unanswered(isDone: false), for: "PUT") }
      let create = GuardedWrite.create(ModelAccount.href("\(name).ics"), event(name))
      let outcome = await storage.carryOut([create])[0]
      #expect(isDone(outcome.result), "\(outcome.result)")
    }
    let pattern =
      isMultiplexed
      ? [false, true, false, true, false, false] : [false, true, false, true, true, true]
    #expect(sent(model).map(\.wantsNewConnection) == pattern)
    let reads = model.server.requests.filter { $0.method == "GET" }
    #expect(reads.allSatisfy { !$0.wantsNewConnection })
  }

  @Test(arguments: 0..<3)
  func `a write that HTTP 2 itself ended goes out once more, over HTTP 1`(
    index: Int
  ) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem { $0.isMultiplexed = true }
    let write = writes(version)[index]
    model.server.plan(.brokenHTTP2, for: write.method, times: 2)
    let outcome = await storage.carryOut([write])[0]
    #expect(isDone(outcome.result), "\(outcome.result)")
    #expect(sent(model).map(\.avoidsHTTP2) == [false, true])
  }

  @Test func `where HTTP 2 failed, a write is content with a connection that is kept open`()
    async throws
  {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    model.server.plan(.brokenHTTP2, for: "PUT", times: 4)
    for name in ["b", "c", "d"] {
      let create = GuardedWrite.create(ModelAccount.href("\(name).ics"), event(name))
      let outcome = await storage.carryOut([create])[0]
      #expect(isDone(outcome.result), "\(outcome.result)")
    }
    #expect(sent(model).map(\.avoidsHTTP2) == [false, true, false, true, false])
    #expect(sent(model).last?.wantsNewConnection == false)
  }

  /// It may speak nothing else.
  @Test func `that HTTP 2 failed once is not kept where nothing else was answered`() async throws {
    let model = ModelAccount { $0.isMultiplexed = true }
    model.server.plan(.brokenHTTP2, for: "PROPFIND")
    let account = try model.account(options: model.remembered)
    _ = try await account.listCollections()
    account.learnThrottling()
    #expect(account.learned.profile[.http2] == nil)
  }

  @Test func `that HTTP 2 fails is kept for later runs, until a week has passed`() async throws {
    let model = ModelAccount()
    model.server.plan(.brokenHTTP2, for: "PROPFIND")
    /// Whether a run avoids HTTP/2 from its beginning; it lists the calendars.
    func run(_ options: inout CalDAVAccount.Options) async throws -> Bool {
      model.server.forgetRequests()
      let account = try model.account(options: options)
      _ = try? await account.listCollections()
      account.learnThrottling()
      options.learned = account.learned
      return model.server.requests.allSatisfy(\.avoidsHTTP2)
    }
    var options = model.remembered
    let avoidsAtFirst = try await run(&options)
    #expect(!avoidsAtFirst)
    let finding = try #require(options.learned?.profile[.http2])
    #expect(!finding.holds && finding.answer == "HTTP/2 failed", "\(finding)")
    #expect(finding.request.hasPrefix("PROPFIND "))
    let avoidsThen = try await run(&options)
    #expect(avoidsThen)
    #expect(options.learned?.profile[.http2] == finding)
    model.clock.advance(milliseconds: 8 * 86_400_000)
    model.server.change { $0.isMultiplexed = true }
    let avoidsLater = try await run(&options)
    #expect(!avoidsLater)
    #expect(options.learned?.profile[.http2]?.holds == true)
  }

  /// A proxy delivered it twice, and the second met what the first one had done; or it is another's
  /// change.
  @Test(arguments: 0..<3)
  func `a guard that failed, on what nobody can say, leaves open what became of a write`(
    index: Int
  ) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    let write = writes(version)[index]
    model.server.plan(.actThenAnswer(412), for: write.method)
    model.server.plan(.silent, for: "GET", times: 9)
    let outcome = await storage.carryOut([write])[0]
    guard case .unknown = outcome.result else {
      Issue.record("\(outcome.result)")
      return
    }
    #expect(sent(model).count == 1)
  }
}
