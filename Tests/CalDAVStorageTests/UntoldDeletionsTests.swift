import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Servers whose lists of changes leave deletions out, as Bedework's: a run that sees it at a
/// comparison of all tags teaches it to the next ones.
@Suite struct UntoldDeletionsTests {
  private static let day: Int64 = 86_400_000
  private let b = ModelAccount.href("b.ics")

  /// Runs over a calendar with the items a, b and c.
  private func runs(
    _ change: (inout ModelSwitches) -> Void = { _ in }
  ) async throws -> RunsInTurn {
    try await RunsInTurn(["a", "b", "c"], change)
  }

  @Test func `a deletion that shows at the daily comparison alone makes it one of each change`()
    async throws
  {
    let runs = try await runs { $0.forgetsDeletions = true }
    runs.model.put("a.ics", event("a", "Doctor"))
    runs.model.remove("b.ics")
    let early = try await runs.run()
    #expect(early.extents == [.changesOnly] && early.pages[0].gone.isEmpty)
    #expect(runs.finding(.deletionsInChanges) == nil)

    runs.model.clock.advance(milliseconds: Self.day)
    let daily = try await runs.run(missing: [b])
    #expect(daily.extents == [.everything] && daily.absent == [b])
    let finding = try #require(runs.finding(.deletionsInChanges))
    #expect(!finding.holds && finding.request == "REPORT sync-collection")
    #expect(finding.answer.contains(b.text))

    runs.model.put("c.ics", event("c", "Doctor"))
    runs.model.remove("a.ics")
    let next = try await runs.run()
    #expect(next.extents == [.everything])
    #expect(next.present == [ModelAccount.href("c.ics")])
    let allNews = next.pages[0].present.allSatisfy { $0.isNews }
    #expect(allNews)
    #expect(runs.model.server.requests.map(\.method) == ["REPORT", "PROPFIND"])

    let quiet = try await runs.run()
    #expect(quiet.extents == [.changesOnly])
    #expect(runs.model.server.requests.isEmpty)
  }

  @Test func `a deletion without a word is learned at once where the CTag moves`() async throws {
    let runs = try await runs { $0.forgetsDeletions = true }
    runs.model.remove("b.ics")
    let seen = try await runs.run(missing: [b])
    #expect(seen.extents == [.everything])
    #expect(runs.finding(.deletionsInChanges)?.holds == false)
  }

  @Test func `what a look shows to be gone teaches it at once`() async throws {
    let runs = try await runs { $0.forgetsDeletions = true }
    runs.model.put("moved.ics", event("b"))
    runs.model.remove("b.ics")
    #expect(try await runs.run(untold: [b]).extents == [.changesOnly])
    let finding = try #require(runs.finding(.deletionsInChanges))
    #expect(!finding.holds && finding.answer.contains(b.text))
    runs.model.put("c.ics", event("c", "Doctor"))
    #expect(try await runs.run().extents == [.everything])
  }

  @Test func `such a look teaches nothing of a server that has named a deletion`() async throws {
    let runs = try await runs()
    runs.model.remove("a.ics")
    _ = try await runs.run()
    _ = try await runs.run(untold: [b])
    #expect(runs.finding(.deletionsInChanges)?.holds == true)
  }

  @Test func `a server that names a deletion later is believed from then on`() async throws {
    let runs = try await runs { $0.forgetsDeletions = true }
    runs.model.remove("b.ics")
    _ = try await runs.run(missing: [b])
    runs.model.server.change { $0.forgetsDeletions = false }
    runs.model.remove("a.ics")
    #expect(try await runs.run().extents == [.everything])
    #expect(runs.finding(.deletionsInChanges)?.holds == true)
    runs.model.put("c.ics", event("c", "Doctor"))
    #expect(try await runs.run().extents == [.changesOnly])
  }

  @Test func `an item that was told to be gone and waited for a day teaches nothing`() async throws
  {
    let runs = try await runs()
    runs.model.remove("b.ics")
    let told = try await runs.run()
    #expect(told.pages.flatMap(\.gone) == [b])
    #expect(
      runs.finding(.deletionsInChanges)?.holds == true
        && runs.finding(.deletionsInChanges)?.answer == "\(b.text) is gone")
    runs.model.put("a.ics", event("a", "Doctor"))
    runs.model.clock.advance(milliseconds: Self.day)
    #expect(try await runs.run(missing: [b]).absent == [b])
    #expect(runs.finding(.deletionsInChanges)?.holds == true)
  }

  // MARK: Servers that named deletions once

  /// Runs over the items a to e, the last of which was deleted, and named.
  private func runsOfTeller() async throws -> RunsInTurn {
    let runs = try await RunsInTurn(["a", "b", "c", "d", "e"])
    runs.model.remove("e.ics")
    _ = try await runs.run()
    #expect(runs.finding(.deletionsInChanges)?.holds == true)
    runs.model.server.change { $0.forgetsDeletions = true }
    return runs
  }

  /// Deletes an item of which a run hears at a comparison alone. Gives what is known after it.
  private func loseUntold(_ name: String, in runs: RunsInTurn) async throws -> Bool? {
    runs.model.remove(name)
    let place = ModelAccount.href(name)
    #expect(try await runs.run(missing: [place]).absent == [place])
    return runs.finding(.deletionsInChanges)?.holds
  }

  @Test func `what two runs see outweighs a deletion that was named once`() async throws {
    let runs = try await runsOfTeller()
    #expect(try await loseUntold("b.ics", in: runs) == true)
    #expect(try await loseUntold("c.ics", in: runs) == false)
    let finding = try #require(runs.finding(.deletionsInChanges))
    #expect(finding.answer == "nothing of \(ModelAccount.href("c.ics").text), which is gone")
    runs.model.put("a.ics", event("a", "Doctor"))
    #expect(try await runs.run().extents == [.everything])
  }

  @Test func `a deletion that is named in between makes the first sight chance`() async throws {
    let runs = try await runsOfTeller()
    #expect(try await loseUntold("b.ics", in: runs) == true)
    #expect(runs.finding(.deletionsInChanges)?.doubts != nil)
    runs.model.server.change { $0.forgetsDeletions = false }
    runs.model.remove("d.ics")
    _ = try await runs.run()
    #expect(runs.finding(.deletionsInChanges)?.doubts == nil)
    runs.model.server.change { $0.forgetsDeletions = true }
    #expect(try await loseUntold("c.ics", in: runs) == true)
  }

  /// It may have been told of before, and wait as long as its file cannot be deleted.
  @Test func `one item that is missing in two runs counts once`() async throws {
    let runs = try await runsOfTeller()
    #expect(try await loseUntold("b.ics", in: runs) == true)
    runs.model.put("a.ics", event("a", "Doctor"))
    runs.model.clock.advance(milliseconds: Self.day)
    let daily = try await runs.run(missing: [b])
    #expect(daily.extents == [.everything] && daily.absent == [b])
    #expect(runs.finding(.deletionsInChanges)?.holds == true)
  }

  @Test func `two items that one run misses count once`() async throws {
    let runs = try await runsOfTeller()
    for name in ["b.ics", "c.ics"] { runs.model.remove(name) }
    _ = try await runs.run(missing: [b], untold: [ModelAccount.href("c.ics")])
    let finding = try #require(runs.finding(.deletionsInChanges))
    #expect(finding.holds && finding.doubts == [b, ModelAccount.href("c.ics")].map(\.text))
  }

  @Test func `items of a calendar that was made anew teach nothing`() async throws {
    let runs = try await runs { $0.givesResourceIDs = true }
    runs.model.server.removeCalendar(ModelAccount.work)
    runs.model.server.makeCalendar("work", components: ["VEVENT"])
    runs.model.put("new.ics", event("new"))
    let seen = try await runs.run(missing: [b])
    #expect(seen.extents == [.everything] && seen.absent == [b])
    #expect(runs.finding(.deletionsInChanges) == nil)
  }
}
