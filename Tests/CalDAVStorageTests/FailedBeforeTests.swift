import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Items at which a server failed in an earlier run, and at which its multigets fail once more.
@Suite struct FailedBeforeTests {
  private static let names = (0..<10).map { "h\($0).ics" }
  private static let hrefs = names.map(ModelAccount.href)

  /// A multiget fails at all of them, and a GET at those that are to fail.
  private func bench(
    failing: @escaping @Sendable (_ path: String) -> Bool = { _ in true }
  ) async throws -> (ModelAccount, CalDAVStorage) {
    let model = ModelAccount()
    for name in Self.names { model.put(name, event(name)) }
    let storage = try await model.storage()
    let entries = Self.hrefs.map { href in
      "<D:response><D:href>\(href.text)</D:href>"
        + "<D:status>HTTP/1.1 500 Internal Server Error</D:status></D:response>"
    }
    let multistatus = "<D:multistatus xmlns:D='DAV:'>\(entries.joined())</D:multistatus>"
    model.server.interfere { request in
      switch request.method {
      case "REPORT":
        .answer(207, headers: [["Content-Type", "application/xml"]], body: multistatus)
      case "GET": failing(request.path) ? .answer(500) : nil
      default: nil
      }
    }
    model.server.forgetRequests()
    return (model, storage)
  }

  private func problems(_ read: [ReadOutcome]) -> [ItemProblem] {
    read.compactMap { if case .problem(let problem) = $0.result { problem } else { nil } }
  }

  @Test func `a few of them are asked for by themselves, and all are named`() async throws {
    let (model, storage) = try await bench()
    await storage.noteUnread(Self.hrefs)
    let read = try await storage.readAll(Self.hrefs)
    #expect(read.map(\.href) == Self.hrefs)
    #expect(read.allSatisfy { !$0.isLasting })
    let words = problems(read).map(\.message)
    #expect(words.count == 10)
    #expect(words.allSatisfy { $0.contains("the server answers 500 for ") }, "\(words)")
    #expect(model.server.count("GET") == 3 && model.server.count("REPORT") == 1)
  }

  @Test func `where GET gives one of them, all are asked for`() async throws {
    let (model, storage) = try await bench { $0.hasSuffix("/h7.ics") }
    await storage.noteUnread(Self.hrefs)
    let read = try await storage.readAll(Self.hrefs)
    #expect(problems(read).count == 1)
    #expect(model.server.count("GET") == 13)
  }

  @Test func `of those that no earlier run has asked for each is`() async throws {
    let (model, storage) = try await bench { !$0.hasSuffix("/h9.ics") }
    await storage.noteUnread(Array(Self.hrefs.prefix(5)))
    let read = try await storage.readAll(Self.hrefs)
    #expect(problems(read).count == 9)
    let asked = Set(model.server.requests.filter { $0.method == "GET" }.map(\.path))
    #expect(asked.isSuperset(of: Self.hrefs.suffix(5).map(\.text)))
  }
}
