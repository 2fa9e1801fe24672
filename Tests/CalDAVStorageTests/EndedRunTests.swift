import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// A run that is told to stop while a storage is at work: by a signal, or by its deadline.
@Suite struct EndedRunTests {
  private let href = ModelAccount.href("a.ics")
  private let new = ModelAccount.href("n.ics")

  private func isStopped(_ outcome: WriteOutcome) -> Bool {
    if case .failed(let error) = outcome.result { error.kind == .stopped } else { false }
  }

  private func isStored(_ outcome: WriteOutcome) -> Bool {
    if case .stored = outcome.result { true } else { false }
  }

  @Test(arguments: [false, true])
  func `of a batch, what is on its way is finished and nothing more is sent`(
    isMultiplexed: Bool
  ) throws {
    let executor = StepExecutor(seed: 1)
    var switches = ModelSwitches()
    switches.isMultiplexed = isMultiplexed
    let server = ModelServer(switches, surroundings: executor.surroundings) { _ in 50 }
    server.makeCalendar("work", displayName: "Work", color: "#FF8800FF", components: ["VEVENT"])
    var options = CalDAVAccount.Options()
    options.found = FoundLocation(
      .homeSets([ModelServer.origin + ModelServer.homePath]), foundAt: executor.surroundings.now())
    let account = try CalDAVAccount(
      url: ModelServer.origin, credentials: nil, transport: server,
      surroundings: executor.surroundings, digest: sha256, options: options)
    let outcomes = try executor.run {
      let listed = try await account.listCollections()
      let storage = try await account.openCalendar(try #require(listed.first))
      let writes = (0..<40).map { number in
        GuardedWrite.create(ModelAccount.href("\(number).ics"), event("\(number)"))
      }
      return await RunBudget.until(nil, shouldStop: { server.count("PUT") >= 6 }) {
        await storage.carryOut(writes)
      }
    }
    let stored = outcomes.count(where: isStored)
    // Those beside the sixth had set out before it came.
    #expect((6..<(isMultiplexed ? 22 : 10)).contains(stored))
    #expect(stored == server.count("PUT"))
    #expect(stored == server.names(in: ModelAccount.work).count)
    let stopped = outcomes.count(where: isStopped)
    #expect(stored + stopped == 40)
  }

  @Test func `a write that waits for its turn is not sent any more, and waits no longer`()
    async throws
  {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    let start = model.clock.now.milliseconds
    model.server.plan(.answer(429, headers: [["Retry-After", "30"]]), for: "PUT")
    let shouldStop = { @Sendable in model.clock.now.milliseconds >= start + 1_000 }
    let outcomes = await RunBudget.until(nil, shouldStop: shouldStop) {
      await storage.carryOut([.replace(href, expecting: version, with: event("a", "Doctor"))])
    }
    #expect(isStopped(outcomes[0]), "\(outcomes[0].result)")
    #expect(model.server.count("PUT") == 1)
    #expect(model.clock.now.milliseconds - start < 2_000)
  }

  @Test func `without a reason to stop it is waited for as ever`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    let start = model.clock.now.milliseconds
    model.server.plan(.answer(429, headers: [["Retry-After", "30"]]), for: "PUT")
    let outcomes = await RunBudget.until(nil, shouldStop: { false }) {
      await storage.carryOut([.replace(href, expecting: version, with: event("a", "Doctor"))])
    }
    #expect(isStored(outcomes[0]), "\(outcomes[0].result)")
    #expect(model.clock.now.milliseconds - start >= 30_000)
  }

  @Test func `of a write that was to go out a second time nobody knows what became of it`()
    async throws
  {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    model.server.plan(.unanswered(isDone: false), for: "PUT")
    let outcomes = await RunBudget.until(nil, shouldStop: { model.server.count("PUT") > 0 }) {
      await storage.carryOut([.replace(href, expecting: version, with: event("a", "Doctor"))])
    }
    guard case .unknown = outcomes[0].result else {
      Issue.record("it gave \(outcomes[0].result)")
      return
    }
    #expect(model.server.count("PUT") == 1)
  }

  @Test func `what does not show yet is not waited for, and does not count as missing`()
    async throws
  {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    model.clock.advance(milliseconds: 60_000)
    model.server.change { $0.writeLag = 60_000 }
    _ = await storage.carryOut([.create(new, event("n"))])
    let start = model.clock.now.milliseconds
    let shouldStop = { @Sendable in model.clock.now.milliseconds >= start + 200 }
    let both = await read([href, new], of: storage, shouldStop)
    // The other one was given all the same.
    #expect(try both.get().map(\.href) == [href])
    #expect(model.clock.now.milliseconds - start < 500)
    guard case .failure(let error) = await read([new], of: storage, shouldStop) else {
      Issue.record("it was read")
      return
    }
    #expect(error.kind == .stopped)
  }

  private typealias Reading = Result<[ReadOutcome], StorageError>

  private func read(
    _ hrefs: [Href], of storage: CalDAVStorage, _ shouldStop: @escaping @Sendable () -> Bool
  ) async -> Reading {
    await RunBudget.until(nil, shouldStop: shouldStop) { () -> Reading in
      do throws(StorageError) { return .success(try await storage.read(hrefs)) } catch {
        return .failure(error)
      }
    }
  }
}
