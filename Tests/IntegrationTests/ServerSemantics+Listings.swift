import SyncExecution
import SyncModel
import TestSupport
import Testing

extension ServerSemantics {
  /// In milliseconds.
  private static let anHour: Int64 = 3_600_000
  private static let aDay: Int64 = 24 * anHour

  /// Of the catalogue: what listings show.
  static let listings = [
    ServerSemantics(
      21, "a new item shows later in listings", "a GET decides, so no file is deleted",
      acts: [.lateListing],
      { $0.lag = 3000 }, { $0.lag = 180_000 },
      story: { pair in
        pair.putFile("n", ModelPair.event("n", "A"))
        for _ in 0..<3 { try await pair.sync() }
        #expect(pair.summaries("n") == "A|A")
        try await pair.makeRound()
      }),
    ServerSemantics(
      22, "a deleted item is listed for some time", "a GET decides, so it does not come back",
      acts: [.lateListing], { $0.lag = 3000 }, { $0.lag = 180_000 },
      story: { pair in
        pair.putFile("n", ModelPair.event("n", "A"))
        try await pair.settle()
        pair.removeFile("n")
        for _ in 0..<3 { try await pair.sync() }
        #expect(pair.summaries("n") == "-|-")
        try await pair.settle()
        try await pair.expectSilence()
      }),
    ServerSemantics(
      23, "calendar-query shows a year and no more", "listings never go by it",
      { $0.queryYears = 1 },
      {
        $0.queryYears = 1
        $0.hasSyncCollection = false
      },
      story: { pair in
        for (uid, year) in [("old", "1999"), ("new", "2026")] {
          let text = ModelPair.event(uid, "A").replacing("20260301", with: "\(year)0301")
          pair.putRemote(uid, text)
        }
        let shown = try await pair.query()
        #expect(shown.contains("new.ics") && !shown.contains("old.ics"), "\(shown)")
        try await pair.makeRound()
        #expect(pair.summaries("old") == "A|A", "it comes")
        pair.clock.advance(milliseconds: aDay)
        try await pair.settle()
        try await pair.sync(with: MemoryJournal())
        #expect(pair.summaries("old") == "A|A", "it stays, also when everything is compared")
        pair.removeFile("old")
        try await pair.settle()
        #expect(pair.summaries("old") == "-|-")
        try await pair.expectSilence()
      }),
    ServerSemantics(
      24, "no sync-collection", "CTag and tags", acts: [.noSyncCollection],
      { $0.hasSyncCollection = false },
      {
        $0.hasSyncCollection = false
        $0.advertisesReports = false
      },
      {
        $0.hasSyncCollection = false
        $0.hasCalendarTag = false
      }),
    ServerSemantics(
      25, "tokens that run out", "everything is listed once",
      acts: [.tokenRefused, .listingForToken],
      { $0.tokenLifetime = 0 }, { $0.tokenLifetime = 1 }, { $0.tokenAge = anHour },
      {
        $0.tokenLifetime = 0
        $0.invalidTokenListsAll = true
      },
      story: { pair in try await pair.makeRound(after: anHour) }),
    ServerSemantics(
      26, "tokens of one second", "the CTag that moved leads to a full comparison",
      acts: [.tokenOfSecond],
      { $0.tokenIsSecond = true },
      story: { pair in
        pair.putRemote("e", ModelPair.event("e", "A"))
        try await pair.sync()
        pair.putRemote("f", ModelPair.event("f", "A"))
        try await pair.sync()
        #expect(pair.summaries("f") == "A|A")
        try await pair.makeRound()
      }),
    ServerSemantics(
      27, "the same token again with 507", "what there is is listed whole, and shows all of it",
      acts: [.sameToken],
      {
        $0.pageSize = 1
        $0.repeatsToken = true
      },
      story: { pair in
        for uid in ["e", "f"] { pair.putRemote(uid, ModelPair.event(uid, "A")) }
        pair.putFile("g", ModelPair.event("g", "A"))
        let report = try await pair.sync()
        #expect(report.failure == nil)
        for uid in ["e", "f", "g"] { #expect(pair.summaries(uid) == "A|A") }
        pair.removeRemote("e")
        try await pair.sync()
        #expect(pair.summaries("e") == "-|-")
        pair.server.change { $0.repeatsToken = false }
        try await pair.makeRound()
      }),
    ServerSemantics(
      28, "tokens without deletions",
      "a CTag that moved without news leads to a full comparison, and so does a day",
      acts: [.deletionUntold],
      { $0.forgetsDeletions = true },
      story: { pair in
        pair.putRemote("z", ModelPair.event("z", "A"))
        try await pair.settle()
        pair.removeRemote("z")
        try await pair.sync()
        #expect(pair.summaries("z") == "-|-")
        try await pair.makeRound(after: aDay)
      }),
    ServerSemantics(
      29, "pages", "all of them, before anything counts as absent", acts: [.page],
      { $0.pageSize = 1 }, { $0.pageSize = 3 }, { $0.mostInWholeReport = 1 }),
    ServerSemantics(
      30, "a CTag that never moves", "the token tells, else the daily comparison",
      acts: [.sameCalendarTag],
      { $0.calendarTagIsConstant = true },
      {
        $0.calendarTagIsConstant = true
        $0.hasSyncCollection = false
      },
      story: { pair in
        pair.putFile("n", ModelPair.event("n", "A"))
        try await pair.settle()
        pair.putRemote("n", ModelPair.event("n", "B"))
        pair.clock.advance(milliseconds: aDay)
        try await pair.settle()
        #expect(pair.summaries("n") == "B|B")
        try await pair.expectSilence()
        pair.removeRemote("n")
        pair.clock.advance(milliseconds: aDay)
        try await pair.settle()
        #expect(pair.summaries("n") == "-|-")
      }),
  ]
}
