import SyncExecution
import SyncModel
import TestSupport
import Testing

extension ServerSemantics {
  /// The catalogue, by number.
  static let all: [ServerSemantics] = tags + rewriting + addresses + listings + writes

  private static let tags = [
    ServerSemantics(1, "no ETag after PUT", "the item is read back", { $0.putTag = .none }),
    ServerSemantics(
      2, "weak ETags", "they tell of changes and guard nothing: a read comes before each write",
      { $0.putTag = .weak }, { $0.tagForm = .weak }),
    ServerSemantics(
      3, "unquoted ETags", "quoted for the guard, else kept as they are",
      { $0.tagForm = .unquoted }),
    ServerSemantics(
      4, "ETags with the suffix of a compressing proxy",
      "opaque, since no compression is asked for",
      { $0.tagForm = .gzip }, { $0.tagForm = .brotli }),
    ServerSemantics(
      5, "a wrong ETag after PUT", "what is read back counts", { $0.putTag = .wrong }),
    ServerSemantics(
      6, "a new ETag at every read", "the content decides", { $0.tagChangesOnRead = true }),
    ServerSemantics(
      7, "ETags of one second", "a later change is seen, at the latest by the sync token",
      { $0.tagIsSecond = true }),
    ServerSemantics(
      8, "no getetag in listings", "the item is there, and read to tell",
      { $0.listsTags = false }),
  ]

  private static let rewriting = [
    ServerSemantics(
      9, "another order and folding", "the same by meaning, so nothing is sent again",
      { $0.rewritesOrder = true }),
    ServerSemantics(
      10, "X- properties and RELATED-TO dropped", "the folder keeps them",
      { $0.dropsExtensions = true },
      story: { pair in
        let own = ["X-KEEP:this", "RELATED-TO:other"]
        pair.putFile("k", ModelPair.event("k", "A", own))
        try await pair.settle()
        try await pair.expectSilence()
        pair.putRemote("k", ModelPair.event("k", "B"))
        try await pair.settle()
        #expect(pair.summaries("k") == "B|B")
        let file = try #require(pair.files("k").first)
        #expect(file.contains("X-KEEP:this\r\n") && file.contains("RELATED-TO:other\r\n"))
        try await pair.makeRound()
      }),
    ServerSemantics(
      11, "LAST-MODIFIED added", "no change worth a write", { $0.addsStamps = true }),
    ServerSemantics(
      12, "an alarm added", "the folder does not get it as an echo of its own upload",
      { $0.addsAlarm = true },
      story: { pair in
        try await pair.makeRound()
        #expect(pair.remotes("a").allSatisfy { $0.contains("BEGIN:VALARM") })
        #expect(pair.files("a").allSatisfy { !$0.contains("BEGIN:VALARM") })
      }),
    ServerSemantics(
      13, "SCHEDULE-STATUS and PARTSTAT change later", "pulled, and not sent back",
      { _ in },
      story: { pair in
        pair.putFile("m", ModelPair.meeting("m", "A"))
        try await pair.settle()
        pair.putRemote("m", ModelPair.meeting("m", "A", answer: "ACCEPTED"))
        let mails = pair.server.mails
        pair.server.forgetRequests()
        try await pair.settle()
        #expect(pair.files("m").first?.contains("PARTSTAT=ACCEPTED") == true)
        #expect(pair.server.count("PUT") == 0)
        #expect(pair.server.mails == mails)
        try await pair.expectSilence()
      }),
  ]

  private static let addresses = [
    ServerSemantics(
      14, "an item is moved to the server's own href, and Location says so",
      "known where it is", { $0.choosesNames = true }),
    ServerSemantics(
      15, "an item is moved to a random href, and nothing says so", "found by its UID",
      {
        $0.choosesNames = true
        $0.tellsNames = false
      }),
    ServerSemantics(
      16, "hrefs spelled otherwise in each answer", "compared by decoded octets",
      { $0.hrefForm = .alternating }, { $0.hrefForm = .reencoded }),
    ServerSemantics(
      17, "hrefs as absolute URLs", "the same as paths", { $0.hrefForm = .absolute }),
    ServerSemantics(18, "hrefs twice", "taken once", { $0.duplicatesHrefs = true }),
    ServerSemantics(
      19, "members that nobody asked for", "never asked for, and nothing of ours",
      { $0.addsUnsolicited = true }, { $0.listsStrangers = true }),
    ServerSemantics(
      20, "an item is listed, and GET says 404", "the others go on", { $0.listsPhantom = true }),
  ]

  private static let aDay: Int64 = 24 * 3_600_000

  private static let listings = [
    ServerSemantics(
      21, "a new item shows later in listings", "a GET decides, so no file is deleted",
      { $0.lag = 3000 }, { $0.lag = 180_000 },
      story: { pair in
        pair.putFile("n", ModelPair.event("n", "A"))
        for _ in 0..<3 { try await pair.sync() }
        #expect(pair.summaries("n") == "A|A")
        try await pair.makeRound()
      }),
    ServerSemantics(
      22, "a deleted item is listed for some time", "a GET decides, so it does not come back",
      { $0.lag = 180_000 },
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
      { $0.hasSyncCollection = false }, { _ in },
      story: { pair in
        let old = ModelPair.event("old", "A").replacing("20260301", with: "19990301")
        pair.putRemote("old", old)
        try await pair.makeRound()
        #expect(pair.summaries("old") == "A|A")
      }),
    ServerSemantics(
      24, "no sync-collection", "CTag and tags",
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
      25, "tokens that run out", "everything is listed once, at the latest the day after",
      { $0.tokenLifetime = 0 }, { $0.tokenLifetime = 1 },
      {
        $0.tokenLifetime = 0
        $0.invalidTokenListsAll = true
      },
      story: { try await $0.makeRound(after: aDay) }),
    ServerSemantics(
      26, "tokens of one second", "the CTag that moved leads to a full comparison",
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
      27, "the same token again with 507", "an error, and nothing is decided by it",
      {
        $0.pageSize = 1
        $0.repeatsToken = true
      },
      story: { pair in
        for uid in ["e", "f"] { pair.putRemote(uid, ModelPair.event(uid, "A")) }
        pair.putFile("g", ModelPair.event("g", "A"))
        let report = try await pair.sync()
        guard case .storage(.remote, let error) = report.failure else {
          Issue.record("it gave \(String(describing: report.failure))")
          return
        }
        #expect(error.kind == .protocolBroken)
        #expect(pair.summaries("g") == "A|-")
        pair.server.change { $0.repeatsToken = false }
        try await pair.makeRound()
      }),
    ServerSemantics(
      28, "tokens without deletions",
      "a CTag that moved without news leads to a full comparison, and so does a day",
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
      29, "pages", "all of them, before anything counts as absent",
      { $0.pageSize = 1 }, { $0.pageSize = 3 }),
    ServerSemantics(
      30, "a CTag that never moves", "the token tells, else the daily comparison",
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
      }),
  ]
}
