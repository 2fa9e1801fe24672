import SyncExecution
import SyncModel
import TestSupport
import Testing

extension ServerSemantics {
  /// The catalogue, by number.
  static let all: [ServerSemantics] = tags + rewriting + addresses + listings + writes

  private static let tags = [
    ServerSemantics(
      1, "no ETag after PUT", "the item is read back", acts: [.noTagAfterPut],
      { $0.putTag = .none }, story: overtaken),
    ServerSemantics(
      2, "weak ETags", "they tell of changes and guard nothing: a read comes before each write",
      acts: [.weakTag], { $0.putTag = .weak }, { $0.tagForm = .weak },
      story: { pair in
        let told: [ItemProblem.Code] =
          pair.server.switches.tagForm == .weak ? [.unguarded] : []
        #expect(codes(try await pair.makeOvertaken()) == told)
        try await pair.makeRound()
      }),
    ServerSemantics(
      3, "unquoted ETags", "quoted for the guard, else kept as they are", acts: [.unquotedTag],
      { $0.tagForm = .unquoted },
      {
        $0.tagForm = .unquoted
        $0.comparesTagsAsGiven = true
      }, story: overtaken),
    ServerSemantics(
      4, "ETags with the suffix of a compressing proxy",
      "opaque, since no compression is asked for", acts: [.gzipTag],
      { $0.tagForm = .gzip }, { $0.tagForm = .brotli }, story: overtaken),
    ServerSemantics(
      5, "a wrong ETag after PUT", "what is read back counts", acts: [.wrongTagAfterPut],
      { $0.putTag = .wrong }, story: overtaken),
    ServerSemantics(
      6, "a new ETag at every read", "the content decides", acts: [.newTagAtRead],
      { $0.tagChangesOnRead = true },
      {
        // Each run lists all tags.
        $0.tagChangesOnRead = true
        $0.hasSyncCollection = false
        $0.hasCalendarTag = false
      }, story: overtaken),
    ServerSemantics(
      7, "ETags of one second", "a later change is seen, at the latest by the sync token",
      acts: [.tagOfSecond], { $0.tagIsSecond = true },
      story: { pair in
        for summary in ["A", "B"] {
          pair.putRemote("s", ModelPair.event("s", summary))
          try await pair.sync()
          #expect(pair.summaries("s") == "\(summary)|\(summary)", "twice in one second")
        }
        try await pair.makeRound()
      }),
    ServerSemantics(
      8, "no getetag in listings", "the item is there, and read to tell", acts: [.tagLeftOut],
      { $0.listsTags = false }, story: overtaken),
  ]

  /// Another client's edit comes between a look and a write; then as ever.
  @Sendable private static func overtaken(_ pair: ModelPair) async throws {
    #expect(codes(try await pair.makeOvertaken()) == [])
    try await pair.makeRound()
  }

  private static let rewriting = [
    ServerSemantics(
      9, "another order and folding, PRODID and DTSTAMP of its own",
      "the same by meaning, so nothing is sent again", acts: [.reordered, .authored],
      { $0.rewritesOrder = true },
      {
        $0.rewritesOrder = true
        $0.isAuthor = true
      },
      story: { pair in
        try await pair.makeRound()
        let own = pair.remotes("a").allSatisfy { $0.contains("PRODID:-//model//server//EN\r\n") }
        #expect(own == pair.server.switches.isAuthor)
      }),
    ServerSemantics(
      10, "X- properties and RELATED-TO dropped", "the folder keeps them",
      acts: [.extensionsDropped],
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
      11, "LAST-MODIFIED added, DTSTAMP set", "no change worth a write",
      acts: [.stamped, .authored], { $0.addsStamps = true },
      {
        $0.addsStamps = true
        $0.isAuthor = true
      }),
    ServerSemantics(
      12, "an alarm added", "the folder does not get it as an echo of its own upload",
      acts: [.alarmAdded],
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
        pair.putRemote(
          "m", ModelPair.meeting("m", "A", answer: "ACCEPTED;SCHEDULE-STATUS=\"2.0\""))
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
      "known where it is", acts: [.ownAddress], { $0.choosesNames = true }),
    ServerSemantics(
      15, "an item is moved to a random href, and nothing says so", "found by its UID",
      acts: [.ownAddress],
      {
        $0.choosesNames = true
        $0.tellsNames = false
      }),
    ServerSemantics(
      16, "hrefs spelled otherwise in each answer", "compared by decoded octets",
      acts: [.respelledAddress],
      { $0.hrefForm = .alternating }, { $0.hrefForm = .reencoded },
      story: { pair in
        // The letter `e` has the other spelling.
        pair.putRemote("eel", ModelPair.event("eel", "A"))
        try await pair.settle()
        try await pair.expectSilence()
        pair.editFile("eel", ModelPair.event("eel", "B"))
        try await pair.settle()
        #expect(pair.summaries("eel") == "B|B")
        try await pair.makeRound()
        pair.removeFile("eel")
        try await pair.settle()
        #expect(pair.summaries("eel") == "-|-")
      }),
    ServerSemantics(
      17, "hrefs as absolute URLs", "the same as paths", acts: [.addressWithHost],
      { $0.hrefForm = .absolute }),
    ServerSemantics(
      18, "hrefs twice", "taken once", acts: [.namedTwice], { $0.duplicatesHrefs = true }),
    ServerSemantics(
      19, "members that nobody asked for", "never asked for, and nothing of ours",
      acts: [.unsolicited, .stranger], { $0.addsUnsolicited = true }, { $0.listsStrangers = true },
      story: { pair in
        for uid in ["x", "y", "z"] { pair.putRemote(uid, ModelPair.event(uid, "A")) }
        try await pair.settle()
        // Two are asked for, and the first one comes with them.
        for uid in ["y", "z"] { pair.putRemote(uid, ModelPair.event(uid, "B")) }
        try await pair.settle()
        #expect(["x", "y", "z"].map(pair.summaries) == ["A|A", "B|B", "B|B"])
        let own = ModelServer.origin + ModelServer.homePath
        #expect(pair.server.requests.allSatisfy { $0.url.hasPrefix(own) })
        try await pair.makeRound()
      }),
    ServerSemantics(
      20, "an item is listed, and GET says 404", "the others go on", acts: [.phantom],
      { $0.listsPhantom = true }),
  ]
}
