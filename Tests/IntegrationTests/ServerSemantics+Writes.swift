import SyncExecution
import SyncModel
import TestSupport
import Testing

extension ServerSemantics {
  static func codes(_ report: CollectionReport) -> [ItemProblem.Code] {
    report.problems.map(\.problem.code)
  }

  /// Of the catalogue: what becomes of writes.
  static let writes = guards + uids + limits

  private static let guards = [
    ServerSemantics(
      31, "If-None-Match ignored", "names are random, so nothing is there to be overwritten",
      acts: [.ifNoneMatchIgnored], { $0.ignoresIfNoneMatch = true },
      story: { pair in
        // Another client takes the name of the file meanwhile.
        pair.putFile("n", ModelPair.event("n", "A"))
        pair.before(["PUT"]) {
          pair.server.put("n.ics", ModelPair.event("z", "Theirs"), in: ModelPair.calendar)
        }
        try await pair.settle()
        #expect(pair.summaries("n") == "A|A")
        #expect(pair.summaries("z") == "Theirs|Theirs")
        // Nor is a second one made where an answer was lost.
        pair.server.plan(.lostAfter, for: "PUT")
        pair.putFile("m", ModelPair.event("m", "A"))
        try await pair.settle()
        #expect(pair.summaries("m") == "A|A")
        // A write that is delivered twice meets itself.
        pair.takeAddress(with: nil)
        pair.putFile("t", ModelPair.event("t", "A"))
        #expect(codes(try await pair.sync()) == [])
        #expect(pair.summaries("t") == "A|A")
        // Nothing but chance guards the name: who hit it would be written over, and nothing be said
        // (docs/security.md).
        pair.takeAddress(with: ModelPair.event("y", "Theirs"))
        pair.putFile("g", ModelPair.event("g", "A"))
        #expect(codes(try await pair.sync()) == [])
        try await pair.settle()
        #expect(pair.summaries("g") == "A|A")
        #expect(pair.summaries("y") == "-|-")
        try await pair.makeRound()
      }),
    ServerSemantics(
      32, "If-Match ignored", "a look comes before each write, and it is said",
      acts: [.ifMatchIgnored, .deleteGuardIgnored],
      { $0.ignoresIfMatch = true }, { $0.ignoresIfMatchOnDelete = true },
      story: { pair in
        try await pair.probe()
        let told: [ItemProblem.Code] = pair.server.switches.ignoresIfMatch ? [.unguarded] : []
        #expect(codes(try await pair.makeOvertaken()) == told)
        // An edit between the listing and the look before a deletion saves the item.
        pair.removeFile("o")
        pair.before(["GET", "DELETE"]) { pair.putRemote("o", ModelPair.event("o", "C")) }
        #expect(codes(try await pair.sync()) == [])
        #expect(pair.summaries("o") == "C|C")
        try await pair.settle()
        // After the look nothing helps: that is said, and what the look showed is kept.
        pair.removeFile("o")
        pair.before(["DELETE"]) { pair.putRemote("o", ModelPair.event("o", "D")) }
        #expect(codes(try await pair.sync()) == [.unguarded])
        #expect(pair.summaries("o") == "-|-")
        #expect(pair.isKept(ModelPair.event("o", "C")))
        try await pair.makeRound()
      }),
  ]

  private static let uids = [
    ServerSemantics(
      33, "a UID of another calendar is refused", "said, and the other items go on",
      acts: [.uidRefused],
      {
        $0.uidConflictStatus = 403
        $0.uidsSpanCalendars = true
      },
      story: { pair in
        let other = pair.server.makeCalendar("other")
        pair.server.put("u.ics", ModelPair.event("u", "Theirs"), in: other)
        pair.putFile("u", ModelPair.event("u", "Ours"))
        pair.putFile("v", ModelPair.event("v", "A"))
        let report = try await pair.sync()
        #expect(codes(report) == [.refused])
        #expect(pair.summaries("u") == "Ours|-")
        #expect(pair.summaries("v") == "A|A")
        #expect(pair.server.data(Array("u.ics".utf8), in: other) != nil)
        try await pair.expectSilence()
      }),
    ServerSemantics(
      34, "a UID of another calendar moves", "it is once on the server, as it was written last",
      acts: [.uidMoved], { $0.movesUIDs = true },
      story: { pair in
        let other = pair.server.makeCalendar("other")
        pair.server.put("u.ics", ModelPair.event("u", "Theirs"), in: other)
        pair.putFile("u", ModelPair.event("u", "Ours"))
        try await pair.settle()
        #expect(pair.summaries("u") == "Ours|Ours")
        #expect(pair.server.items(in: other).isEmpty)
        try await pair.makeRound()
      }),
    ServerSemantics(
      35, "a bin keeps the name and the UID of a deleted item",
      "a new item gets a new name; its UID is said to lie there, and the other items go on",
      acts: [.nameStaysTaken, .uidStaysTaken],
      { $0.trashBlocksNames = true },
      {
        $0.trashBlocksNames = true
        $0.trashBlocksUIDs = true
      },
      story: { pair in
        try await pair.makeRound()
        guard pair.server.switches.trashBlocksUIDs else { return try await editDeleted(pair) }
        pair.putFile("b", ModelPair.event("b", "C"))
        pair.putFile("v", ModelPair.event("v", "A"))
        let report = try await pair.sync()
        #expect(codes(report) == [.refused])
        #expect(report.problems.first?.problem.hint.contains("empty the bin") == true)
        #expect(pair.summaries("b") == "C|-")
        #expect(pair.summaries("v") == "A|A")
        try await pair.expectSilence()
        // After a day it is tried again.
        pair.server.emptyBin(of: ModelPair.calendar)
        pair.clock.advance(milliseconds: 86_400_000)
        try await pair.settle()
        #expect(pair.summaries("b") == "C|C")
        try await pair.expectSilence()
      }),
  ]

  /// An item is deleted in the moment in which an edit of it is sent, and its name is in the bin.
  @Sendable private static func editDeleted(_ pair: ModelPair) async throws {
    pair.putFile("e", ModelPair.event("e", "A"))
    try await pair.settle()
    pair.putFile("e", ModelPair.event("e", "B"))
    pair.before(["PUT"]) { pair.removeRemote("e") }
    #expect(codes(try await pair.sync()).contains(.refused))
    #expect(pair.summaries("e") == "B|-")
    // After a day it is tried again, and under another name.
    pair.clock.advance(milliseconds: 86_400_000)
    try await pair.settle()
    #expect(pair.summaries("e") == "B|B")
    try await pair.expectSilence()
  }

  private static let limits = [
    ServerSemantics(
      36, "read-only, and said otherwise; or the reverse",
      "the edit stays in the folder, and is named", acts: [.writeRefused, .readOnlyTold],
      { $0.refusesWrites = true }, { $0.advertisesReadOnly = true },
      story: { pair in
        pair.putFile("a", ModelPair.event("a", "A"))
        pair.putRemote("c", ModelPair.event("c", "A"))
        let report = try await pair.sync()
        #expect(codes(report) == [.readOnly])
        #expect(pair.summaries("a") == "A|-")
        #expect(pair.summaries("c") == "A|A")
        try await pair.expectSilence()
      }),
    ServerSemantics(
      37, "a calendar without VTODO", "the task is not sent, and named",
      { $0.enforcesComponents = true },
      story: { pair in
        pair.putFile("t", ModelPair.event("t", "A").replacing("VEVENT", with: "VTODO"))
        pair.putFile("a", ModelPair.event("a", "A"))
        let report = try await pair.sync()
        #expect(codes(report) == [.unsupported])
        #expect(pair.server.count("PUT") == 1)
        #expect(pair.summaries("t") == "A|-")
        try await pair.expectSilence()
      }),
    ServerSemantics(
      38, "exceptions become resources of their own", "the file stays whole", acts: [.split],
      { $0.splitsOverrides = true },
      story: { pair in
        let series = ModelPair.event("s", "A", ["RRULE:FREQ=DAILY;COUNT=5"])
        let moved = ModelPair.event("s", "Moved", ["RECURRENCE-ID:20260302T090000Z"])
        let start = try #require(moved.firstRange(of: "BEGIN:VEVENT"))
        let end = try #require(moved.firstRange(of: "END:VEVENT"))
        let override = moved[start.lowerBound..<end.upperBound]
        let text = series.replacing(
          "END:VEVENT\r\n", with: "END:VEVENT\r\n\(override)\r\n")
        pair.putFile("s", text)
        try await pair.settle()
        #expect(pair.files("s") == [text])
        try await pair.expectSilence()
        try await pair.makeRound()
      }),
    ServerSemantics(
      39, "immutable once created", "the edit stays in the folder, and is named",
      acts: [.replacementRefused],
      { $0.isImmutable = true },
      story: { pair in
        pair.putFile("a", ModelPair.event("a", "A"))
        try await pair.settle()
        pair.putFile("a", ModelPair.event("a", "B"))
        let report = try await pair.sync()
        #expect(codes(report) == [.refused])
        #expect(pair.summaries("a") == "B|A")
        try await pair.expectSilence()
      }),
    ServerSemantics(
      40, "mail for every PUT and DELETE of a meeting", "one write for one edit, none of itself",
      { _ in }, { $0.rewritesOrder = true }, { $0.putTag = .none }, { $0.addsStamps = true },
      story: { pair in
        pair.putFile("m", ModelPair.meeting("m", "A"))
        try await pair.settle()
        #expect(pair.server.mails == 1)
        try await pair.expectSilence()
        pair.putFile("m", ModelPair.meeting("m", "B"))
        try await pair.settle()
        #expect(pair.server.mails == 2)
        pair.removeFile("m")
        try await pair.settle()
        #expect(pair.server.mails == 3)
      }),
    ServerSemantics(
      41, "control bytes that XML cannot carry", "that item is named, the others are synced",
      { _ in }, { $0.hasMultiget = false },
      story: { pair in
        pair.putRemote("bad", ModelPair.event("bad", "Bell \u{07}"))
        try await pair.makeRound()
        #expect(codes(try await pair.sync()) == [.brokenRemote])
        #expect(pair.files("bad") == [])
        #expect(pair.remotes("bad").count == 1)
      }),
    ServerSemantics(
      42, "text cut off", "the folder keeps what it has", acts: [.cutOff],
      { $0.truncatesAt = 40 },
      story: { pair in
        let long = "DESCRIPTION:" + String(repeating: "long ", count: 12)
        pair.putFile("l", ModelPair.event("l", "A", [long]))
        try await pair.settle()
        try await pair.expectSilence()
        pair.putFile("l", ModelPair.event("l", "B", [long]))
        try await pair.settle()
        #expect(pair.summaries("l") == "B|B")
        #expect(pair.files("l").first?.contains(long) == true)
        try await pair.makeRound()
      }),
  ]
}
