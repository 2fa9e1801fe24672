import CalgwKit
import SyncModel
import TestSupport
import Testing

/// A server that fails for good at making a calendar, in runs at times that the test chooses.
@Suite struct FailedMakingTests {
  private static let taken = ModelServer.homePath + "new/"
  private let folder: TemporaryFolder
  private let model: ModelServer
  private let server: ScriptedServer

  init() throws {
    let model = ModelServer(surroundings: ModelClock().surroundings)
    model.makeCalendar("work")
    folder = try TemporaryFolder()
    server = try ScriptedServer { model.steps(for: $0) }
    self.model = model
    try folder.write("here/new/n.ics", GatewayWorld.event("n", "New"))
    try folder.write("here/work/w.ics", GatewayWorld.event("w", "Work"))
  }

  /// Syncs some minutes after the first run; gives the paths at which a calendar was asked for.
  private func sync(after minutes: Int64) async throws -> (PairReport, Set<String>) {
    let run = try await TimedAccount(folder: folder, server: server).sync(after: minutes * 60)
    return (run.report, Set(run.requests.filter { $0.method.hasPrefix("MK") }.map(\.target)))
  }

  /// Nextcloud's trash bin keeps an address, and MKCALENDAR meets an error of its database there.
  @Test func `an address that stays out of use is replaced by another after ten minutes`()
    async throws
  {
    model.interfere { request in
      request.method.hasPrefix("MK") && request.path == Self.taken ? .answer(500) : nil
    }
    for minutes in [0, 5] as [Int64] {
      let (report, asked) = try await sync(after: minutes)
      #expect(report.status == .protocolBroken && asked == [Self.taken], "\(report.failures)")
      #expect(model.calendarPaths.count == 1)
    }
    #expect(server.requests.contains { $0.method == "PUT" }, "others are synced")
    let (report, asked) = try await sync(after: 11)
    #expect(report.status == .success && asked.count == 2, "\(report.failures)")
    #expect(model.calendarPaths.count == 2)
    let (later, none) = try await sync(after: 12)
    #expect(later.status == .success && none.isEmpty, "\(later.failures)")
    #expect(model.calendarPaths.count == 2)
  }

  /// As where runs are hourly: what an earlier run asked for is known for longer than it is waited
  /// for.
  @Test func `a server that fails at any address is asked for one other, and makes one in the end`()
    async throws
  {
    model.interfere { $0.method.hasPrefix("MK") ? .answer(500) : nil }
    var places: Set<String> = []
    for minutes in [0, 60, 61, 120, 1440] as [Int64] {
      let (report, asked) = try await sync(after: minutes)
      #expect(report.status == .protocolBroken, "\(report.failures)")
      places.formUnion(asked)
    }
    #expect(places.count == 2 && model.calendarPaths.count == 1)
    model.interfere(nil)
    #expect(try await sync(after: 1500).0.status == .success)
    #expect(model.calendarPaths.count == 2)
  }
}
