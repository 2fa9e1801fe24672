import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Servers without a list of changes whose CTag stays the same: what a run wrote itself shows it.
@Suite struct FrozenTagTests {
  /// Runs over a calendar with one item, on a server that lists no changes.
  private func runs(
    _ change: (inout ModelSwitches) -> Void = { _ in }
  ) async throws -> RunsInTurn {
    try await RunsInTurn(["a"]) {
      $0.hasSyncCollection = false
      change(&$0)
    }
  }

  private let new = GuardedWrite.create(ModelAccount.href("n.ics"), event("n"))
  private let an = ["a.ics", "n.ics"].map(ModelAccount.href)

  @Test func `a CTag that stays the same in spite of a write is believed no more`() async throws {
    let runs = try await runs { $0.calendarTagIsConstant = true }
    #expect(try await runs.run(writes: [new]).extents == [.changesOnly])
    #expect(runs.finding(.movesCalendarTag) == nil)

    runs.model.put("a.ics", event("a", "Doctor"))
    for _ in 0..<2 {
      let next = try await runs.run()
      #expect(next.extents == [.everything] && next.present == an)
      #expect(runs.finding(.movesCalendarTag)?.holds == false)
      #expect(runs.model.server.requests.map(\.method) == ["PROPFIND"])
    }
    let finding = try #require(runs.finding(.movesCalendarTag))
    #expect(finding.request == "PROPFIND of the calendars" && finding.answer.contains("getctag"))
  }

  @Test func `one that moves costs nothing`() async throws {
    let runs = try await runs()
    #expect(try await runs.run(writes: [new]).extents == [.changesOnly])
    #expect(try await runs.run().present == an)
    #expect(runs.finding(.movesCalendarTag)?.holds == true)
    #expect(try await runs.run().extents == [.changesOnly])
    #expect(runs.model.server.requests.isEmpty)
  }

  @Test func `one that moves again is believed again`() async throws {
    let runs = try await runs { $0.calendarTagIsConstant = true }
    _ = try await runs.run(writes: [new])
    _ = try await runs.run()
    #expect(runs.finding(.movesCalendarTag)?.holds == false)
    runs.model.server.change { $0.calendarTagIsConstant = false }
    // What it says before this run writes is the first of the two that are compared.
    _ = try await runs.run(writes: [.create(ModelAccount.href("o.ics"), event("o"))])
    _ = try await runs.run()
    #expect(runs.finding(.movesCalendarTag)?.holds == true)
    #expect(try await runs.run().extents == [.changesOnly])
    #expect(runs.model.server.requests.isEmpty)
  }

  /// One that drops what was added to an item has the text that it had, and nothing to tell.
  @Test(
    arguments: [("X-FOO:bar", nil), ("LOCATION:There", false)] as [(String, Bool?)])
  func `only what changed something there is to move it`(
    line: String, moves: Bool?
  ) async throws {
    let runs = try await runs {
      $0.calendarTagIsConstant = true
      $0.dropsExtensions = true
      $0.passesOverEqualTexts = true
    }
    let href = ModelAccount.href("a.ics")
    let found = try await runs.model.storage().read([href])
    guard case .found(let version, let data, _) = found[0].result else {
      Issue.record("a.ics cannot be read")
      return
    }
    let text = String(decoding: data.bytes, as: UTF8.self)
      .replacing("SUMMARY", with: line + "\r\nSUMMARY")
    let edited = ItemData(bytes: Array(text.utf8))
    _ = try await runs.run(writes: [.replace(href, expecting: version, with: edited)])
    #expect((runs.model.content("a.ics") == data.bytes) == (moves == nil))
    let next = try await runs.run()
    #expect(next.extents == [moves == nil ? .changesOnly : .everything])
    #expect(runs.model.server.requests.count == (moves == nil ? 0 : 1))
    #expect(runs.finding(.movesCalendarTag)?.holds == moves)
  }

  @Test func `where changes are listed the CTag is not asked`() async throws {
    let runs = try await runs {
      $0.hasSyncCollection = true
      $0.calendarTagIsConstant = true
    }
    _ = try await runs.run(writes: [new])
    _ = try await runs.run()
    #expect(runs.finding(.movesCalendarTag) == nil && runs.learned?.writtenTags == [])
  }
}
