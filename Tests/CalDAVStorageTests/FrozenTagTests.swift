import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Servers without a list of changes whose CTag stays the same: what a run wrote itself shows it.
@Suite struct FrozenTagTests {
  private final class Runs {
    let model: ModelAccount
    private(set) var learned: CalDAVAccount.Learned?
    private var cursor: Cursor?

    init(_ change: (inout ModelSwitches) -> Void = { _ in }) async throws {
      model = ModelAccount {
        $0.hasSyncCollection = false
        change(&$0)
      }
      model.put("a.ics", event("a"))
      _ = try await run()
    }

    var finding: ServerProfile.Finding? { learned?.profile[.movesCalendarTag] }

    /// What a run lists before it carries out some writes.
    func run(_ writes: [GuardedWrite] = []) async throws -> ChangePage {
      model.clock.advance(milliseconds: 60_000)
      var options = model.remembered
      options.learned = learned
      let account = try model.account(options: options)
      let work = try #require(try await account.listCollections().first { $0.name == "work" })
      let storage = try await account.openCalendar(work)
      model.server.forgetRequests()
      let page = try await storage.listChanges(since: cursor)
      cursor = page.next
      for outcome in await storage.carryOut(writes) {
        guard case .stored = outcome.result else { throw StorageError(.io, "not stored") }
      }
      learned = account.learned
      return page
    }
  }

  private let new = GuardedWrite.create(ModelAccount.href("n.ics"), event("n"))
  private let an = ["a.ics", "n.ics"].map(ModelAccount.href)

  @Test func `a CTag that stays the same in spite of a write is believed no more`() async throws {
    let runs = try await Runs { $0.calendarTagIsConstant = true }
    #expect(try await runs.run([new]).extent == .changesOnly)
    #expect(runs.finding == nil)

    runs.model.put("a.ics", event("a", "Doctor"))
    for _ in 0..<2 {
      let next = try await runs.run()
      #expect(next.extent == .everything && next.present.map(\.href) == an)
      #expect(runs.finding?.holds == false)
      #expect(runs.model.server.requests.map(\.method) == ["PROPFIND"])
    }
    let finding = try #require(runs.finding)
    #expect(finding.request == "PROPFIND of the calendars" && finding.answer.contains("getctag"))
  }

  @Test func `one that moves costs nothing`() async throws {
    let runs = try await Runs()
    #expect(try await runs.run([new]).extent == .changesOnly)
    #expect(try await runs.run().present.map(\.href) == an)
    #expect(runs.finding?.holds == true)
    #expect(try await runs.run().extent == .changesOnly)
    #expect(runs.model.server.requests.isEmpty)
  }

  @Test func `one that moves again is believed again`() async throws {
    let runs = try await Runs { $0.calendarTagIsConstant = true }
    _ = try await runs.run([new])
    _ = try await runs.run()
    #expect(runs.finding?.holds == false)
    runs.model.server.change { $0.calendarTagIsConstant = false }
    // What it says before this run writes is the first of the two that are compared.
    _ = try await runs.run([.create(ModelAccount.href("o.ics"), event("o"))])
    _ = try await runs.run()
    #expect(runs.finding?.holds == true)
    #expect(try await runs.run().extent == .changesOnly)
    #expect(runs.model.server.requests.isEmpty)
  }

  @Test func `where changes are listed the CTag is not asked`() async throws {
    let runs = try await Runs {
      $0.hasSyncCollection = true
      $0.calendarTagIsConstant = true
    }
    _ = try await runs.run([new])
    _ = try await runs.run()
    #expect(runs.finding == nil && runs.learned?.writtenTags == [])
  }
}
