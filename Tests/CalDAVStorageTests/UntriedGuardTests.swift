import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Whether a server keeps to `If-Match` shows in its first `412` or in a probe. Until then what was
/// listed a while ago is looked at again before it is written over.
@Suite struct UntriedGuardTests {
  private static let names = ["a", "b"]

  private let model: ModelAccount
  private let account: CalDAVAccount
  private let storage: CalDAVStorage
  private let versions: [Version]

  init() async throws {
    model = ModelAccount { $0.ignoresIfMatch = true }
    for name in Self.names { model.put("\(name).ics", event(name)) }
    (account, storage) = try await model.open()
    versions = try await storage.read(Self.names.map { ModelAccount.href("\($0).ics") }).map {
      guard case .found(let version, _, _) = $0.result else {
        throw StorageError(.io, "an item cannot be read")
      }
      return version
    }
    model.server.forgetRequests()
  }

  private func replaceAll() async -> [WriteOutcome.Result] {
    let writes = zip(Self.names, versions).map { name, version in
      GuardedWrite.replace(
        ModelAccount.href("\(name).ics"), expecting: version, with: event(name, "Ours"))
    }
    return await storage.carryOut(writes).map(\.result)
  }

  private var methods: [String] { model.server.requests.map(\.method) }

  @Test func `an edit since the listing is not written over where no guard holds`() async throws {
    model.put("a.ics", event("a", "Theirs"))
    model.clock.advance(milliseconds: 2_000)
    let results = await replaceAll()
    #expect(results[0] == .changedMeanwhile)
    #expect(model.content("a.ics") == event("a", "Theirs").bytes)
    guard case .stored = results[1] else {
      Issue.record("the other one gave \(results[1])")
      return
    }
    #expect(model.content("b.ics") == event("b", "Ours").bytes)
    #expect(methods.sorted() == ["GET", "PUT", "REPORT"], "one look for both, one at the edit")
  }

  /// How long ago was the listing, in milliseconds, and what is known of the guard?
  @Test(
    arguments: [
      (1_999, nil, []), (2_000, nil, ["REPORT"]), (600_000, nil, ["REPORT"]),
      (-2_000, nil, ["REPORT"]), (600_000, true, []),
    ] as [(Int64, Bool?, [String])])
  func `it costs one report a batch, and none where it is new or the guard was seen to hold`(
    age: Int64, holds: Bool?, looks: [String]
  ) async throws {
    if let holds { account.learn(.ifMatch, holds: holds, request: "PUT", answer: "412") }
    model.clock.advance(milliseconds: age)
    _ = await replaceAll()
    #expect(methods == looks + ["PUT", "PUT"])
  }

  @Test func `a listing counts from its beginning`() async throws {
    model.clock.advance(milliseconds: 600_000)
    _ = try await listAll(storage)
    model.server.forgetRequests()
    _ = await replaceAll()
    #expect(methods == ["PUT", "PUT"])
  }

  @Test func `a look that fails keeps nothing from being written`() async throws {
    model.clock.advance(milliseconds: 2_000)
    model.server.plan(.answer(500), for: "REPORT")
    for result in await replaceAll() {
      guard case .stored = result else {
        Issue.record("it gave \(result)")
        return
      }
    }
  }

  /// A look would show what was there before, on a server that shows writes some time later.
  @Test func `what this run has written is not looked at`() async throws {
    let first = await replaceAll()
    guard case .stored(let href, let version, _) = first[0] else {
      Issue.record("it gave \(first[0])")
      return
    }
    model.clock.advance(milliseconds: 600_000)
    model.server.forgetRequests()
    _ = await storage.carryOut([.replace(href, expecting: version, with: event("a", "Again"))])
    #expect(methods == ["PUT"])
  }
}
