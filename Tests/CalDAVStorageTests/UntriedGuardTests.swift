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

  @Test func `a listing of this run is as good as one of the calendars`() async throws {
    model.clock.advance(milliseconds: 600_000)
    _ = try await listAll(storage)
    model.server.forgetRequests()
    _ = await replaceAll()
    #expect(methods == ["PUT", "PUT"])
  }

  /// The batch is looked at in vain, and then each by itself.
  @Test func `where the look fails, each is read before it is written over`() async throws {
    model.put("a.ics", event("a", "Theirs"))
    model.clock.advance(milliseconds: 2_000)
    model.server.plan(.answer(501), for: "REPORT")
    #expect(await replaceAll()[0] == .changedMeanwhile)
    #expect(methods.sorted() == ["GET", "GET", "PUT", "REPORT"])
    #expect(model.content("b.ics") == event("b", "Ours").bytes)
  }

  /// A GET that gives no tag, or a weak one, takes the guard of before away from nothing.
  @Test(arguments: [true, false])
  func `a look without a strong tag leaves the guard that there was`(isWeak: Bool) async throws {
    model.clock.advance(milliseconds: 2_000)
    model.server.change { if isWeak { $0.weakensTagsOfTexts = true } else { $0.readsTags = false } }
    model.server.interfere { $0.method == "REPORT" ? .answer(501) : nil }
    _ = await replaceAll()
    let guards = model.server.requests.filter { $0.method == "PUT" }.map { $0.headers["if-match"] }
    let expected = versions.map { $0.tag.map { String(decoding: $0.bytes, as: UTF8.self) } }
    #expect(Set(guards) == Set(expected) && !guards.contains(nil))
  }

  /// The calendars were listed some time ago, and that said that this one is as it was.
  @Test func `a listing that asked nothing is as old as that of the calendars`() async throws {
    let (_, first) = try await listAll(storage)
    let (_, cursor) = try await listAll(storage, since: first)
    let (_, again) = try await model.open(account.learned)
    model.put("a.ics", event("a", "Theirs"))
    model.clock.advance(milliseconds: 2_000)
    model.server.forgetRequests()
    #expect(try await listAll(again, since: cursor).pages.flatMap(\.present).isEmpty)
    #expect(methods == [])
    let outcome = await again.carryOut([
      .replace(ModelAccount.href("a.ics"), expecting: versions[0], with: event("a", "Ours"))
    ])
    #expect(outcome[0].result == .changedMeanwhile)
    #expect(model.content("a.ics") == event("a", "Theirs").bytes)
  }

  /// A touch gives another tag to the same text.
  @Test(arguments: [true, false])
  func `another tag of what is expected keeps nothing from being written`(
    isDeletion: Bool
  ) async throws {
    model.clock.advance(milliseconds: 2_000)
    for name in Self.names { model.server.touch(Array("\(name).ics".utf8), in: ModelAccount.work) }
    guard isDeletion else {
      #expect(await replaceAll().allSatisfy { if case .stored = $0 { true } else { false } })
      return
    }
    let deletions = zip(Self.names, versions).map { name, version in
      GuardedWrite.delete(ModelAccount.href("\(name).ics"), expecting: version)
    }
    #expect(await storage.carryOut(deletions).allSatisfy { $0.result == .removed })
  }

  /// The report shows other tags than all else; nothing was edited.
  @Test func `a report with tags of its own keeps nothing from being written`() async throws {
    model.clock.advance(milliseconds: 2_000)
    let other = """
      <D:multistatus xmlns:D="DAV:"><D:response><D:href>\(ModelAccount.work)a.ics</D:href>
      <D:propstat><D:prop><D:getetag>"another"</D:getetag></D:prop>
      <D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>
      """
    let href = ModelAccount.href("a.ics")
    model.server.plan(.answer(207, body: other), for: "REPORT")
    let edit = event("a", "Ours")
    guard
      case .stored = await storage.carryOut([
        .replace(href, expecting: versions[0], with: edit)
      ])[0].result
    else {
      Issue.record("it was not stored")
      return
    }
    #expect(methods == ["REPORT", "GET", "PUT"])
    guard case .found(let version, _, _) = try await storage.read([href])[0].result else {
      Issue.record("it is not found")
      return
    }
    model.server.plan(.answer(207, body: other), for: "REPORT")
    let removal = await storage.carryOut([.delete(href, expecting: version)])[0]
    #expect(removal.result == .removed)
  }

  /// Policies decide what becomes of an edit here where the item was deleted there.
  @Test func `what is gone by then is not made anew`() async throws {
    model.remove("a.ics")
    model.clock.advance(milliseconds: 2_000)
    #expect(await replaceAll()[0] == .changedMeanwhile)
    #expect(model.content("a.ics") == nil)
  }

  /// What it lists is for the one item alone.
  @Test func `the search for a lost item makes no listing new`() async throws {
    model.put("a.ics", event("a", "Theirs"))
    model.clock.advance(milliseconds: 2_000)
    model.server.plan(.unanswered(isDone: false), for: "PUT")
    _ = await storage.carryOut([.create(ModelAccount.href("n.ics"), event("n"))])
    #expect(methods.contains("PROPFIND"))
    #expect(await replaceAll()[0] == .changedMeanwhile)
    #expect(model.content("a.ics") == event("a", "Theirs").bytes)
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
