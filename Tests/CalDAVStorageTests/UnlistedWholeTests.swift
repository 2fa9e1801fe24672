import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Servers that answer one way of listing a calendar, and never another.
@Suite struct UnlistedWholeTests {
  private static let endless: [ModelFault] = [.answer(502), .answer(504), .silent, .lostBefore]

  private static func isWholeListing(_ request: ModelRequest) -> Bool {
    request.line == "PROPFIND \(ModelAccount.work)" && request.headers["depth"] == "1"
  }

  /// Five items, in pages of two.
  private func parts() -> ModelAccount {
    let model = ModelAccount { $0.pageSize = 2 }
    for number in 0..<5 { model.put("i\(number).ics", event("i\(number)")) }
    return model
  }

  @Test(arguments: endless)
  func `the parts have to do where the whole never comes`(fault: ModelFault) async throws {
    let model = parts()
    model.server.interfere { Self.isWholeListing($0) ? fault : nil }
    let (pages, first) = try await listAll(try await model.storage())
    #expect(Set(pages.flatMap(\.present).map(\.href)).count == 5)
    // A comparison of all tags is due, and what changed comes without it, on any day.
    var cursor = first
    for name in ["n", "o"] {
      model.put("\(name).ics", event(name))
      let (changes, next) = try await listAll(try await model.storage(), since: cursor)
      #expect(changes.allSatisfy { $0.extent == .changesOnly })
      #expect(changes.flatMap(\.present).map(\.href) == [ModelAccount.href("\(name).ics")])
      cursor = next
      model.clock.advance(milliseconds: 25 * 3600 * 1000)
    }
    model.server.interfere(nil)
    let (whole, _) = try await listAll(try await model.storage(), since: cursor)
    #expect(whole.first?.extent == .everything && whole.flatMap(\.present).count == 7)
  }

  @Test func `a whole that never comes is asked for once an hour`() async throws {
    let model = parts()
    model.server.interfere { Self.isWholeListing($0) ? .answer(504) : nil }
    var (_, cursor) = try await listAll(try await model.storage())
    for (minutes, tries) in [(0, 0), (59, 0), (1, 1), (0, 0), (60, 1)] as [(Int64, Int)] {
      model.clock.advance(milliseconds: minutes * 60_000)
      model.server.forgetRequests()
      (_, cursor) = try await listAll(try await model.storage(), since: cursor)
      #expect(model.server.requests.filter(Self.isWholeListing).count == tries)
    }
  }

  @Test func `a server that is away by the end of the parts is no such server`() async throws {
    let model = parts()
    let storage = try await model.storage()
    model.server.interfere { $0.method == "PROPFIND" ? .answer(502) : nil }
    let error = try await #require(throws: StorageError.self) { _ = try await listAll(storage) }
    #expect(error.kind == .unreachable)
  }

  @Test(arguments: [502, 504])
  func `a gateway that has no report is asked for the whole`(status: Int) async throws {
    let model = ModelAccount()
    for name in ["a", "b"] { model.put("\(name).ics", event(name)) }
    model.server.interfere { $0.method == "REPORT" ? .answer(status) : nil }
    let (first, cursor) = try await listAll(try await model.storage())
    #expect(first.flatMap(\.present).count == 2)
    model.remove("b.ics")
    let page = try await model.storage().listChanges(since: cursor)
    #expect(page.extent == .everything)
    #expect(page.present.map(\.href) == [ModelAccount.href("a.ics")])
    // Nothing is concluded from it: a gateway may have more patience the next time.
    model.server.interfere(nil)
    model.put("c.ics", event("c"))
    let changes = try await model.storage().listChanges(since: page.next)
    #expect(changes.extent == .changesOnly && changes.present.count == 1)
  }
}
