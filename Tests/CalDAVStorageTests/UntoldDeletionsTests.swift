import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Servers whose lists of changes leave deletions out, as Bedework's: a run that sees it at a
/// comparison of all tags teaches it to the next ones.
@Suite struct UntoldDeletionsTests {
  private static let day: Int64 = 86_400_000
  private let b = ModelAccount.href("b.ics")

  /// One run after the other over a calendar with the items a, b and c.
  private final class Runs {
    let model: ModelAccount
    private var learned: CalDAVAccount.Learned?
    private var cursor: Cursor?

    init(_ change: (inout ModelSwitches) -> Void = { _ in }) async throws {
      model = ModelAccount(change)
      for name in ["a", "b", "c"] { model.put("\(name).ics", event(name)) }
      _ = try await list()
    }

    /// What is known of the server by now.
    var finding: ServerProfile.Finding? { learned?.profile[.deletionsInChanges] }

    /// What a run lists, and what it then finds absent of `missing`.
    func list(
      missing: [Href] = []
    ) async throws -> (pages: [ChangePage], absent: [Href]) {
      var options = model.remembered
      options.learned = learned
      let account = try model.account(options: options)
      let work = try #require(try await account.listCollections().first { $0.name == "work" })
      let storage = try await account.openCalendar(work)
      model.server.forgetRequests()
      let (pages, next) = try await listAll(storage, since: cursor)
      let absent = missing.isEmpty ? [] : try await storage.confirmAbsence(of: missing)
      cursor = next
      learned = account.learned
      return (pages, absent)
    }
  }

  @Test func `a deletion that shows at the daily comparison alone makes it one of each change`()
    async throws
  {
    let runs = try await Runs { $0.forgetsDeletions = true }
    runs.model.put("a.ics", event("a", "Doctor"))
    runs.model.remove("b.ics")
    let early = try await runs.list()
    #expect(early.pages.map(\.extent) == [.changesOnly] && early.pages[0].gone.isEmpty)
    #expect(runs.finding == nil)

    runs.model.clock.advance(milliseconds: Self.day)
    let daily = try await runs.list(missing: [b])
    #expect(daily.pages.map(\.extent) == [.everything] && daily.absent == [b])
    let finding = try #require(runs.finding)
    #expect(!finding.holds && finding.request == "REPORT sync-collection")
    #expect(finding.answer.contains(b.text))

    runs.model.put("c.ics", event("c", "Doctor"))
    runs.model.remove("a.ics")
    let next = try await runs.list()
    #expect(next.pages.map(\.extent) == [.everything])
    #expect(next.pages[0].present.map(\.href) == [ModelAccount.href("c.ics")])
    let allNews = next.pages[0].present.allSatisfy { $0.isNews }
    #expect(allNews)
    #expect(runs.model.server.requests.map(\.method) == ["REPORT", "PROPFIND"])

    let quiet = try await runs.list()
    #expect(quiet.pages.map(\.extent) == [.changesOnly])
    #expect(runs.model.server.requests.isEmpty)
  }

  @Test func `a deletion without a word is learned at once where the CTag moves`() async throws {
    let runs = try await Runs { $0.forgetsDeletions = true }
    runs.model.remove("b.ics")
    let seen = try await runs.list(missing: [b])
    #expect(seen.pages.map(\.extent) == [.everything])
    #expect(runs.finding?.holds == false)
  }

  @Test func `a server that names a deletion later is believed from then on`() async throws {
    let runs = try await Runs { $0.forgetsDeletions = true }
    runs.model.remove("b.ics")
    _ = try await runs.list(missing: [b])
    runs.model.server.change { $0.forgetsDeletions = false }
    runs.model.remove("a.ics")
    #expect(try await runs.list().pages.map(\.extent) == [.everything])
    #expect(runs.finding?.holds == true)
    runs.model.put("c.ics", event("c", "Doctor"))
    #expect(try await runs.list().pages.map(\.extent) == [.changesOnly])
  }

  @Test func `an item that was told to be gone and waited for a day teaches nothing`() async throws
  {
    let runs = try await Runs()
    runs.model.remove("b.ics")
    let told = try await runs.list()
    #expect(told.pages.flatMap(\.gone) == [b])
    #expect(runs.finding?.holds == true && runs.finding?.answer == "\(b.text) is gone")
    runs.model.put("a.ics", event("a", "Doctor"))
    runs.model.clock.advance(milliseconds: Self.day)
    #expect(try await runs.list(missing: [b]).absent == [b])
    #expect(runs.finding?.holds == true)
  }

  @Test func `items of a calendar that was made anew teach nothing`() async throws {
    let runs = try await Runs { $0.givesResourceIDs = true }
    runs.model.server.removeCalendar(ModelAccount.work)
    runs.model.server.makeCalendar("work", components: ["VEVENT"])
    runs.model.put("new.ics", event("new"))
    let seen = try await runs.list(missing: [b])
    #expect(seen.pages.map(\.extent) == [.everything] && seen.absent == [b])
    #expect(runs.finding == nil)
  }
}
