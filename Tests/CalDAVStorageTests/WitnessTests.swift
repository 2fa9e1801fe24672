import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Servers whose tokens count the changes of a calendar, and that take those of the one that was
/// there before it and say no date (Baikal, Davis, Nextcloud): one item tells the two apart.
@Suite struct WitnessTests {
  /// A calendar with the items a, b and c, and the cursor of a run that listed it.
  private func listed(
    _ change: (inout ModelSwitches) -> Void = { _ in }
  ) async throws -> (ModelAccount, Cursor) {
    let model = ModelAccount {
      $0.tokenIsCount = true
      change(&$0)
    }
    for name in ["a", "b", "c"] { model.put("\(name).ics", event(name)) }
    return (model, try await listAll(try await model.storage()).cursor)
  }

  /// The calendar is made anew with other items, and has more changes by now than it had.
  private func makeAnew(_ model: ModelAccount, with names: [String]) {
    model.clock.advance(milliseconds: 5_000)
    model.server.removeCalendar(ModelAccount.work)
    model.server.makeCalendar("work", components: ["VEVENT"])
    for name in names { model.put("\(name).ics", event(name, "Other")) }
  }

  /// What a run lists, and the methods of its requests.
  private func list(
    _ model: ModelAccount, since cursor: Cursor
  ) async throws -> (page: ChangePage, methods: [String]) {
    model.server.forgetRequests()
    let page = try await model.storage().listChanges(since: cursor)
    return (page, model.server.requests.map(\.method))
  }

  private let others = (0..<6).map { "n\($0)" }

  @Test func `where it is gone, all tags are compared`() async throws {
    let (model, cursor) = try await listed()
    makeAnew(model, with: others)
    let (page, methods) = try await list(model, since: cursor)
    #expect(page.extent == .everything)
    #expect(page.present.map(\.href) == others.map { ModelAccount.href("\($0).ics") })
    #expect(methods == ["PROPFIND", "REPORT", "REPORT", "GET", "PROPFIND"])

    let quiet = try await list(model, since: page.next)
    #expect(quiet.page.extent == .changesOnly && quiet.methods == ["PROPFIND"])
    model.put("e.ics", event("e"))
    let later = try await list(model, since: quiet.page.next)
    #expect(later.page.extent == .changesOnly)
    #expect(later.page.present.map(\.href) == [ModelAccount.href("e.ics")])
    #expect(later.methods == ["PROPFIND", "REPORT", "REPORT"], "one look, and all is well")
  }

  @Test func `where it is another one, all tags are compared`() async throws {
    let (model, cursor) = try await listed()
    makeAnew(model, with: ["a"] + others)
    let (page, methods) = try await list(model, since: cursor)
    #expect(page.extent == .everything && page.present.count == 7)
    #expect(methods == ["PROPFIND", "REPORT", "REPORT", "PROPFIND"])
  }

  @Test func `what went with the former calendar teaches nothing of reports`() async throws {
    let (model, cursor) = try await listed()
    makeAnew(model, with: others)
    let (account, storage) = try await model.open()
    _ = try await storage.listChanges(since: cursor)
    let a = ModelAccount.href("a.ics")
    #expect(try await storage.confirmAbsence(of: [a]) == [a])
    #expect(account.learned.profile[.deletionsInChanges] == nil)
  }

  @Test func `a report that names it needs no look`() async throws {
    let (model, cursor) = try await listed()
    model.put("a.ics", event("a", "Doctor"))
    let edited = try await list(model, since: cursor)
    #expect(edited.page.extent == .changesOnly)
    #expect(edited.methods == ["PROPFIND", "REPORT"])
    model.put("d.ics", event("d"))
    let looked = try await list(model, since: edited.page.next)
    #expect(looked.page.extent == .changesOnly, "it is known as it is by now")
    #expect(looked.methods == ["PROPFIND", "REPORT", "REPORT"])
    model.remove("a.ics")
    let gone = try await list(model, since: looked.page.next)
    #expect(gone.page.gone == [ModelAccount.href("a.ics")])
    #expect(gone.methods == ["PROPFIND", "REPORT"])
    model.put("e.ics", event("e"))
    let another = try await list(model, since: gone.page.next)
    #expect(another.methods == ["PROPFIND", "REPORT"], "there is none, and e is one from now on")
    makeAnew(model, with: others + ["n6", "n7"])
    #expect(try await list(model, since: another.page.next).page.extent == .everything)
  }

  @Test func `a look that fails says nothing`() async throws {
    let (model, cursor) = try await listed()
    model.put("d.ics", event("d"))
    model.server.plan(.answer(403), for: "REPORT", skipping: 1)
    let (page, methods) = try await list(model, since: cursor)
    #expect(page.extent == .changesOnly)
    #expect(methods == ["PROPFIND", "REPORT", "REPORT"])
  }

  /// A name that the multiget of some servers misses, and GET finds.
  @Test func `what a look leaves out is there if a second one finds it`() async throws {
    let model = ModelAccount {
      $0.tokenIsCount = true
      $0.multigetMissesOddNames = true
    }
    model.put("a#.ics", event("a"))
    let cursor = try await listAll(try await model.storage()).cursor
    model.put("b.ics", event("b"))
    let (page, methods) = try await list(model, since: cursor)
    #expect(page.extent == .changesOnly)
    #expect(methods == ["PROPFIND", "REPORT", "REPORT", "GET"])
  }

  enum Server: CaseIterable, Sendable {
    case givesWeakTags, givesResourceIDs, refusesFormerTokens
  }

  @Test(arguments: Server.allCases)
  func `where it is of no use, it is not looked at`(server: Server) async throws {
    let (model, cursor) = try await listed { switches in
      switch server {
      case .givesWeakTags: switches.tagForm = .weak
      case .givesResourceIDs: switches.givesResourceIDs = true
      case .refusesFormerTokens: switches.tokenIsCount = false
      }
    }
    model.put("d.ics", event("d"))
    let (page, methods) = try await list(model, since: cursor)
    #expect(page.extent == .changesOnly)
    #expect(methods == ["PROPFIND", "REPORT"])
  }

  @Test func `a cursor from before it is taken on`() async throws {
    let (model, cursor) = try await listed()
    let text = String(decoding: cursor.bytes, as: UTF8.self)
    let words = text.split(separator: " ").filter { !$0.hasPrefix("witness") }
    #expect(words.count == text.split(separator: " ").count - 3)
    model.put("d.ics", event("d"))
    let former = Cursor(bytes: Array(words.joined(separator: " ").utf8))
    let (page, methods) = try await list(model, since: former)
    #expect(page.extent == .changesOnly)
    #expect(methods == ["PROPFIND", "REPORT"])
    model.put("e.ics", event("e"))
    #expect(try await list(model, since: page.next).methods == ["PROPFIND", "REPORT", "REPORT"])
  }
}
