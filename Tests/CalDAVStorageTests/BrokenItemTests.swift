import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Items at which a server's program dies, or which it never ends with: they are problems of their
/// own and spoil no other, as long as the server answers otherwise.
@Suite struct BrokenItemTests {
  private static let faults: [ModelFault] = [
    .lostBefore, .unanswered(isDone: false), .truncated(50), .silent,
  ]

  /// Ten items, and a storage over them.
  private func bench(
    _ change: (inout ModelSwitches) -> Void = { _ in }
  ) async throws -> (ModelAccount, CalDAVStorage, [Href]) {
    let model = ModelAccount(change)
    for number in 0..<10 { model.put("i\(number).ics", event("i\(number)")) }
    let storage = try await model.storage()
    model.server.forgetRequests()
    return (model, storage, (0..<10).map { ModelAccount.href("i\($0).ics") })
  }

  private func isFound(_ outcome: ReadOutcome) -> Bool {
    if case .found = outcome.result { true } else { false }
  }

  @Test(arguments: faults, [true, false])
  func `one that breaks what asks for it is named, and the others are read`(
    fault: ModelFault, hasMultiget: Bool
  ) async throws {
    let (model, storage, hrefs) = try await bench { $0.hasMultiget = hasMultiget }
    // Every multiget of the test asks for the item.
    model.server.interfere { request in
      request.method == "REPORT" || request.line.hasSuffix("/i0.ics") ? fault : nil
    }
    let read = try await storage.read(hrefs)
    #expect(read.map(\.href) == hrefs)
    #expect(read.dropFirst().allSatisfy(isFound))
    guard case .problem(let problem) = read[0].result else {
      Issue.record("it gave \(read[0].result)")
      return
    }
    #expect(problem.code == .brokenRemote && problem.message.contains("i0.ics"))
    // It may be well by the next run, whatever its tag.
    #expect(!read[0].isLasting)
  }

  @Test(arguments: faults) func `one alone is a problem too`(fault: ModelFault) async throws {
    let (model, storage, hrefs) = try await bench()
    model.server.interfere { ["REPORT", "GET"].contains($0.method) ? fault : nil }
    let read = try await storage.read([hrefs[0]])
    guard case .problem(let problem) = read[0].result else {
      Issue.record("it gave \(read[0].result)")
      return
    }
    #expect(problem.code == .brokenRemote)
  }

  @Test(arguments: faults) func `a server that answers nothing ends the read soon`(
    fault: ModelFault
  ) async throws {
    let (model, storage, hrefs) = try await bench()
    model.server.interfere { _ in fault }
    let error = try await #require(throws: StorageError.self) {
      _ = try await storage.read(hrefs)
    }
    #expect(error.kind == .unreachable && error.message.contains("REPORT"))
    #expect(model.server.count("GET") == 0)
    // The report, and a look whether anything is answered; what broke off goes out once more.
    #expect(model.server.requests.count == (fault == .silent ? 2 : 4))
  }

  @Test(arguments: faults) func `a server that gives no item is not asked for each`(
    fault: ModelFault
  ) async throws {
    let (model, storage, hrefs) = try await bench()
    model.server.interfere { ["REPORT", "GET"].contains($0.method) ? fault : nil }
    let error = try await #require(throws: StorageError.self) {
      _ = try await storage.read(hrefs)
    }
    #expect(error.kind == .unreachable)
    let asked = Set(model.server.requests.filter { $0.method == "GET" }.map(\.url))
    #expect(asked.count < 10)
  }

  @Test func `a server that is gone by the time of a read is asked no more`() async throws {
    let (model, storage, hrefs) = try await bench { $0.hasMultiget = false }
    model.server.interfere { _ in .noConnection }
    let error = try await #require(throws: StorageError.self) {
      _ = try await storage.read(hrefs)
    }
    #expect(error.kind == .unreachable)
    #expect(model.server.requests.count < 40)
  }

  @Test(arguments: [(1, 0), (2, 10)])
  func `a multiget that is dropped now and then is no item's problem`(
    drops: Int, gets: Int
  ) async throws {
    let (model, storage, hrefs) = try await bench()
    model.server.plan(.lostBefore, for: "REPORT", times: drops)
    #expect(try await storage.read(hrefs).allSatisfy(isFound))
    #expect(model.server.count("GET") == gets)
  }

  @Test func `multigets that are waited for in vain come to an end`() async throws {
    let (model, storage, hrefs) = try await bench()
    model.server.interfere { $0.method == "REPORT" ? .silent : nil }
    for _ in 0..<6 {
      #expect(try await storage.read(hrefs).allSatisfy(isFound))
    }
    #expect(model.server.count("REPORT") == 4)
  }

  @Test func `what is Windows-1252 on the server is read as what it means`() async throws {
    let (model, storage, hrefs) = try await bench { $0.hasMultiget = false }
    let text = String(decoding: event("i0", "Cafe").bytes, as: UTF8.self)
    let bytes = Array(text.utf8).flatMap { $0 == UInt8(ascii: "f") ? [0x66, 0xE9] : [$0] }
    model.put("i0.ics", ItemData(bytes: bytes))
    let read = try await storage.read([hrefs[0]])
    guard case .found(_, let data, _) = read[0].result else {
      Issue.record("it gave \(read[0].result)")
      return
    }
    #expect(String(decoding: data.bytes, as: UTF8.self).contains("SUMMARY:Caf\u{E9}e\r\n"))
  }
}
