import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// How much may go wrong at single items before a run asks for no more of them, or ends.
@Suite struct ToleranceTests {
  /// A storage without multiget over items of some names, which sends one request at a time.
  private func bench(
    _ names: [String], hasMultiget: Bool = false, connections: Int = 1
  ) async throws -> (ModelAccount, CalDAVStorage, [Href]) {
    let model = ModelAccount { $0.hasMultiget = hasMultiget }
    for name in names { model.put("\(name).ics", event(name)) }
    var options = model.remembered
    options.maxConnections = connections
    let account = try model.account(options: options)
    let calendar = try #require(try await account.listCollections().first)
    let storage = try await account.openCalendar(calendar)
    model.server.forgetRequests()
    return (model, storage, names.map { ModelAccount.href("\($0).ics") })
  }

  private static func numbered(_ letter: String, _ count: Int) -> [String] {
    (0..<count).map { "\(letter)\($0)" }
  }

  /// The names of the items that were asked for by GET, in order.
  private func asked(_ model: ModelAccount) -> [String] {
    model.server.requests.filter { $0.method == "GET" }.map { request in
      String(request.path.dropFirst(ModelAccount.work.count).dropLast(".ics".count))
    }
  }

  private func problem(_ outcome: ReadOutcome) -> ItemProblem? {
    if case .problem(let problem) = outcome.result { problem } else { nil }
  }

  private func isFound(_ outcome: ReadOutcome) -> Bool {
    if case .found = outcome.result { true } else { false }
  }

  /// Every GET of an item whose name begins with `h` is waited for in vain.
  private func hang(_ model: ModelAccount) {
    let clock = model.clock
    model.server.interfere { request in
      guard request.method == "GET", request.path.hasPrefix(ModelAccount.work + "h") else {
        return nil
      }
      clock.advance(milliseconds: 30_000)
      return .silent
    }
  }

  // MARK: Items that hang

  @Test func `five items are waited for in vain in a run, and the rest is named`() async throws {
    let (model, storage, hrefs) = try await bench(["a"] + Self.numbered("h", 8) + ["z"])
    hang(model)
    let read = try await storage.readAll(hrefs)
    #expect(read.map(\.href) == hrefs)
    #expect(isFound(read[0]))
    for outcome in read.dropFirst() { #expect(problem(outcome)?.code == .brokenRemote) }
    #expect(read.allSatisfy { !$0.isLasting })
    let left = read.compactMap(problem).filter { $0.message.contains("not asked for in this run") }
    #expect(left.count == 4)
    #expect(asked(model) == ["a"] + Self.numbered("h", 5))
    // It holds for the whole run.
    let later = try await storage.read([hrefs[6], hrefs[7]]).count
    #expect(later == 0 && asked(model).count == 6)
  }

  @Test func `what a multiget gives comes all the same`() async throws {
    let (model, storage, hrefs) = try await bench(
      ["a"] + Self.numbered("h", 8) + Self.numbered("z", 5), hasMultiget: true)
    hang(model)
    // The first one asks for an item that hangs; the next one is without it.
    model.server.plan(.silent, for: "REPORT")
    let read = try await storage.readAll(hrefs)
    #expect(read.compactMap(problem).count == 5)
    #expect(read.suffix(5).allSatisfy(isFound))
    #expect(asked(model) == ["a"] + Self.numbered("h", 5))
  }

  @Test func `a connection that ends at once is not waited for, however many do`() async throws {
    let (model, storage, hrefs) = try await bench(["a"] + Self.numbered("h", 8) + ["z"])
    model.server.interfere { request in
      request.path.hasPrefix(ModelAccount.work + "h") ? .lostBefore : nil
    }
    let read = try await storage.readAll(hrefs)
    #expect(isFound(read[0]) && isFound(read[9]))
    #expect(read.compactMap(problem).count == 8)
  }

  // MARK: Before something is given

  @Test(arguments: [ModelFault.lostBefore, .silent, .answer(302), .answer(500), .answer(502)])
  func `items that are all in trouble are their own, where the calendar gives others`(
    fault: ModelFault
  ) async throws {
    let (model, storage, hrefs) = try await bench(["a"] + Self.numbered("h", 6) + ["z"])
    model.server.interfere { request in
      request.path.hasPrefix(ModelAccount.work + "h") ? fault : nil
    }
    // The others were read by earlier runs.
    let read = try await storage.readAll(Array(hrefs[1...6]))
    #expect(read.map { problem($0)?.code } == Array(repeating: .brokenRemote, count: 6))
    #expect(asked(model).count { $0 == "a" || $0 == "z" } <= 2)
  }

  @Test func `items that are broken where the listing ends are their own as well`() async throws {
    let (model, storage, hrefs) = try await bench(Self.numbered("a", 10) + Self.numbered("h", 10))
    model.server.interfere { request in
      request.path.hasPrefix(ModelAccount.work + "h") ? .lostBefore : nil
    }
    // The others were read by earlier runs.
    let read = try await storage.readAll(Array(hrefs[10...]))
    #expect(read.map { problem($0)?.code } == Array(repeating: .brokenRemote, count: 10))
  }

  @Test(arguments: [
    (ModelFault.lostBefore, StorageError.Kind.unreachable), (.answer(302), .protocolBroken),
    (.answer(500), .tryLater(nil)), (.answer(502), .tryLater(nil)),
  ])
  func `a calendar that gives no item is in trouble itself`(
    fault: ModelFault, kind: StorageError.Kind
  ) async throws {
    let (model, storage, hrefs) = try await bench(Self.numbered("h", 10))
    model.server.interfere { $0.method == "GET" ? fault : nil }
    let error = try await #require(throws: StorageError.self) {
      _ = try await storage.readAll(hrefs)
    }
    #expect(error.kind == kind)
    #expect(Set(asked(model)).count < 10)
  }

  @Test func `an item that is too large to be taken now was not given`() async throws {
    let (model, storage, hrefs) = try await bench(Self.numbered("h", 5))
    model.put("big.ics", event("big", String(repeating: "x", count: 3 << 20)))
    model.server.interfere { request in
      request.path.hasPrefix(ModelAccount.work + "h") ? .lostBefore : nil
    }
    let read = try await storage.read([ModelAccount.href("big.ics")] + hrefs)
    #expect(read.map(\.href) == hrefs && read.compactMap(problem).count == 5)
    // So it takes another look to know that the calendar gives any.
    #expect(asked(model).count { $0 == "big" } == 2)
  }

  // MARK: A server that asks to wait

  @Test(arguments: [
    ModelFault.answer(503), .answer(429), .answer(503, headers: [["Retry-After", "1"]]),
  ])
  func `one item that is answered so for ever is its own problem`(fault: ModelFault) async throws {
    let (model, storage, hrefs) = try await bench(Self.numbered("i", 10))
    model.server.interfere { $0.path.hasSuffix("/i0.ics") ? fault : nil }
    let read = try await storage.readAll(hrefs)
    #expect(problem(read[0])?.code == .brokenRemote)
    #expect(read.dropFirst().allSatisfy(isFound))
    // Asked for again when the others were there, each time as often as the client has patience.
    #expect(asked(model).count { $0 == "i0" } == 12)
    #expect(asked(model).count == 12 + 9)
  }

  @Test func `many items that are answered so are the server's wish`() async throws {
    let (model, storage, hrefs) = try await bench(["a"] + Self.numbered("i", 10))
    model.server.interfere { request in
      request.path.hasPrefix(ModelAccount.work + "i") ? .answer(429) : nil
    }
    let error = try await #require(throws: StorageError.self) {
      for href in hrefs { _ = try await storage.read([href]) }
    }
    #expect(error.kind == .tryLater(nil))
    #expect(Set(asked(model)) == ["a", "i0", "i1", "i2", "i3"])
  }

  @Test(arguments: [ModelFault.answer(503), .answer(429, headers: [["Retry-After", "7200"]])])
  func `a server that answers everything so is asked for one item`(fault: ModelFault) async throws {
    let (model, storage, hrefs) = try await bench(Self.numbered("i", 10))
    model.server.interfere { _ in fault }
    let error = try await #require(throws: StorageError.self) {
      _ = try await storage.readAll(hrefs)
    }
    guard case .tryLater = error.kind else {
      Issue.record("it gave \(error.kind)")
      return
    }
    #expect(Set(asked(model)) == ["i0"])
  }

  @Test func `an item that no multiget is answered with spoils no other`() async throws {
    let (model, storage, hrefs) = try await bench(Self.numbered("i", 10), hasMultiget: true)
    model.server.interfere { request in
      request.method == "REPORT" || request.path.hasSuffix("/i0.ics") ? .answer(503) : nil
    }
    let read = try await storage.readAll(hrefs)
    #expect(problem(read[0])?.code == .brokenRemote)
    #expect(read.dropFirst().allSatisfy(isFound))
    // Once it was in trouble, no multiget asks for it.
    #expect(model.server.count("REPORT") == 6)
    #expect(asked(model).count { $0 == "i0" } == 12)
  }

  @Test(arguments: [
    (ModelFault.answer(503), ["REPORT", "PROPFIND"]),
    (.answer(503, headers: [["Retry-After", "7200"]]), ["REPORT"]),
  ])
  func `a server that has no time for a multiget is asked for no item`(
    fault: ModelFault, methods: [String]
  ) async throws {
    let (model, storage, hrefs) = try await bench(Self.numbered("i", 10), hasMultiget: true)
    model.server.interfere { _ in fault }
    let error = try await #require(throws: StorageError.self) {
      _ = try await storage.readAll(hrefs)
    }
    guard case .tryLater = error.kind else {
      Issue.record("it gave \(error.kind)")
      return
    }
    #expect(Set(model.server.requests.map(\.method)) == Set(methods))
  }

  // MARK: A refused user

  @Test func `a user who is refused by now is shown to the server three times`() async throws {
    let (model, storage, hrefs) = try await bench(Self.numbered("i", 10))
    model.server.interfere { _ in .answer(401) }
    for _ in 0..<2 {
      let error = try await #require(throws: StorageError.self) {
        _ = try await storage.readAll(hrefs)
      }
      #expect(error.kind == .denied)
    }
    // The item, its calendar, and what was let in before.
    #expect(model.server.requests.map(\.method) == ["GET", "PROPFIND", "PROPFIND"])
  }

  @Test func `items that the user may not see are theirs, and after three none is tried`()
    async throws
  {
    let (model, storage, hrefs) = try await bench(["a"] + Self.numbered("i", 5) + ["z"])
    model.server.interfere { request in
      request.path.hasPrefix(ModelAccount.work + "i") ? .answer(401) : nil
    }
    let read = try await storage.readAll(hrefs)
    #expect(isFound(read[0]))
    for outcome in read.dropFirst() { #expect(problem(outcome)?.code == .brokenRemote) }
    #expect(Set(asked(model)) == ["a", "i0", "i1", "i2"])
  }

  @Test func `of several requests at once no more are refused than were under way`() async throws {
    let (model, storage, hrefs) = try await bench(Self.numbered("i", 20), connections: 4)
    model.server.interfere { $0.method == "GET" ? .answer(401) : nil }
    let read = try await storage.readAll(hrefs)
    #expect(read.compactMap(problem).count == 20)
    // Two, four under way by then, and the one that was sent twice.
    #expect(asked(model).count <= 7)
  }

  @Test func `one item that the user may not see spoils no other`() async throws {
    let (model, storage, hrefs) = try await bench(Self.numbered("i", 10))
    model.server.interfere { $0.path.hasSuffix("/i4.ics") ? .answer(401) : nil }
    let read = try await storage.readAll(hrefs)
    #expect(read.filter(isFound).count == 9)
    #expect(problem(read[4])?.code == .brokenRemote)
  }
}
