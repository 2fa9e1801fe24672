import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// A server that gives only so many items at once.
@Suite struct LargeMultigetTests {
  private let items = 50

  private func reports(of model: ModelAccount, reading hrefs: [Href], by storage: CalDAVStorage)
    async throws -> (reports: Int, gets: Int)
  {
    model.server.forgetRequests()
    let read = try await storage.read(hrefs)
    for outcome in read {
      guard case .found = outcome.result else {
        Issue.record("\(outcome.href.text) gave \(outcome.result)")
        continue
      }
    }
    #expect(read.count == hrefs.count)
    let methods = model.server.requests.map(\.method)
    return (methods.count { $0 == "REPORT" }, methods.count { $0 == "GET" })
  }

  private func server(
    most: Int, _ status: Int = 507
  ) async throws -> (ModelAccount, CalDAVStorage, [Href]) {
    let model = ModelAccount {
      $0.mostInMultiget = most
      $0.multigetRefusal = status
    }
    for number in 0..<items { model.put("i\(number).ics", event("i\(number)")) }
    let hrefs = (0..<items).map { ModelAccount.href("i\($0).ics") }
    return (model, try await model.storage(), hrefs)
  }

  @Test(arguments: [413, 507])
  func `it is asked for fewer, and for no more from then on`(status: Int) async throws {
    let (model, storage, hrefs) = try await server(most: 30, status)
    let first = try await reports(of: model, reading: hrefs, by: storage)
    #expect(first == (reports: 3, gets: 0))
    let second = try await reports(of: model, reading: hrefs, by: storage)
    #expect(second == (reports: 2, gets: 0))
  }

  @Test func `one that gives none so is not asked so for ever`() async throws {
    let (model, storage, hrefs) = try await server(most: 0)
    let first = try await reports(of: model, reading: hrefs, by: storage)
    #expect(first.gets == items)
    #expect(first.reports <= 24, "50, 25, 12, 6, 3, 1, four times")
    let second = try await reports(of: model, reading: hrefs, by: storage)
    #expect(second == (reports: 0, gets: items))
  }
}
