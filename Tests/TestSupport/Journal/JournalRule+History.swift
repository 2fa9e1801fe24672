import SyncModel

private typealias Sample = JournalSample

extension JournalRule {
  static let historyRules = [
    JournalRule("history is given newest first, of all items or of one") { journal, check in
      let entries = [
        Sample.entry("a", at: 30, "A", after: "B"), Sample.entry("b", at: 10, "C"),
        Sample.entry("a", at: 20, "B", after: "D"),
      ]
      try await journal.keep(Array(entries.prefix(2)), contents: [Sample.content("A")])
      try await journal.keep(Array(entries.suffix(1)), contents: [])
      let all = try await journal.history(of: nil)
      check.equal(all.map(\.entry), entries.reversed(), "of all")
      check.equal(all.map(\.number), all.map(\.number).sorted(by: >), "numbers")
      check.equal(
        try await journal.history(of: ItemID("a")).map(\.entry), [entries[2], entries[0]],
        "of one")
      check.equal(try await journal.history(of: ItemID("c")), [], "of none")
    },

    JournalRule("history goes when it is both too old and beyond the newest versions") {
      journal, check in
      let entries = [
        Sample.entry("a", at: 1, "A"), Sample.entry("a", at: 90, "B"),
        Sample.entry("a", at: 2, "C"), Sample.entry("a", at: 3, "D"),
        Sample.entry("b", at: 1, "E"),
      ]
      try await journal.keep(entries, contents: ["A", "B", "C", "D", "E"].map(Sample.content))
      try await journal.prune(olderThan: Instant(seconds: 90), versionsAnItem: 2)
      check.equal(
        try await journal.history(of: nil).map(\.entry), [4, 3, 2, 1].map { entries[$0] },
        "the newest two of each item, and what is not older than the limit")
      let kept = try await journal.contents(["A", "B", "C", "D", "E"].map(Sample.digest))
      check.equal(
        Set(kept.keys), Set(["B", "C", "D", "E"].map(Sample.digest)), "texts of what is kept")
    },

    JournalRule("both sides of a conflict stay in the history for as long as it waits") {
      journal, check in
      var entries = [
        Sample.entry("u", at: 1, "before"), Sample.entry("u", at: 2, "here"),
        Sample.entry("u", at: 2, "there"), Sample.entry("v", at: 2, "other"),
      ]
      for index in 1...3 { entries[index].action = .conflict }
      let item = Sample.item("u", at: "u.ics", "here")
      try await journal.record(read: [Sample.read(.local, item)], on: .local, contents: [])
      try await journal.setWaits(
        [WaitChange(side: .local, href: item.href, wait: .conflict)], history: entries,
        contents: ["here", "there"].map(Sample.content))
      try await journal.prune(olderThan: Instant(seconds: 9), versionsAnItem: 0)
      check.equal(
        try await journal.history(of: nil).map(\.entry), [entries[2], entries[1]], "it waits")
      let texts = try await journal.contents(["here", "there"].map(Sample.digest))
      check.equal(texts.count, 2, "their texts")
      try await journal.setWaits(
        [WaitChange(side: .local, href: item.href, wait: nil)], history: [], contents: [])
      try await journal.prune(olderThan: Instant(seconds: 9), versionsAnItem: 0)
      check.equal(try await journal.history(of: nil), [], "it waits no more")
    },

    JournalRule("a number of the history is never used again") { journal, check in
      try await journal.keep([Sample.entry("a", at: 1, "A")], contents: [])
      let last = try await journal.history(of: nil).map(\.number)
      try await journal.prune(olderThan: Instant(seconds: 100), versionsAnItem: 0)
      check.equal(try await journal.history(of: nil), [], "pruned")
      try await journal.keep([Sample.entry("a", at: 2, "A")], contents: [])
      let next = try await journal.history(of: nil).map(\.number)
      check.equal(zip(last, next).allSatisfy { $0 < $1 }, true, "a new number")
    },

    JournalRule("a write that is tried again has one entry, as it was tried last") {
      journal, check in
      var last = Sample.entry("a", at: 3, "A", after: "D")
      (last.reason, last.href) = ("changed here", Href("moved.ics"))
      let other = Sample.entry("b", at: 2, "A", after: "B")
      for entries in [[Sample.entry("a", at: 1, "A", after: "B")], [other, last], [last]] {
        _ = try await journal.begin([], history: entries, contents: [])
      }
      let all = try await journal.history(of: nil)
      check.equal(all.map(\.entry), [other, last], "each in its place")
      check.equal(all.map(\.number), all.map(\.number).sorted(by: >), "numbers")
      check.equal(all.map(\.entry.href.spelling), [other, last].map(\.href.spelling), "names")
      let deletion = Sample.entry("a", at: 1, "A")
      for time in [5, 4] as [Int64] {
        var tried = deletion
        tried.time = Instant(seconds: time)
        _ = try await journal.begin([], history: [tried], contents: [])
      }
      let times = try await journal.history(of: ItemID("a")).map(\.entry.time)
      check.equal(times, [Instant(seconds: 4), last.time], "the last one's, whatever the clock")
    },

    JournalRule("only the newest entry of an item and side is of the same write") {
      journal, check in
      let first = Sample.entry("a", at: 1, "A", after: "B")
      var there = first
      there.side = .remote
      let deletion = Sample.entry("a", at: 2, "A")
      let back = Sample.entry("a", at: 3, "B", after: "A")
      var created = first
      created.before = nil
      let written = [first, there, deletion, first, back, first, created, created]
      for entry in written { _ = try await journal.begin([], history: [entry], contents: []) }
      check.equal(
        try await journal.history(of: nil).map(\.entry), written.reversed(), "each is another")
      // The other side has had no write since.
      there.time = Instant(seconds: 9)
      _ = try await journal.begin([], history: [there], contents: [])
      check.equal(
        try await journal.history(of: nil).map(\.entry).filter { $0.side == .remote }, [there],
        "of the other side")
    },

    JournalRule("what became of an item on the other side since makes it another write") {
      journal, check in
      let here = Sample.entry("a", at: 10, "A", after: "B")
      var there = Sample.entry("a", at: 20, "B", after: "A")
      there.side = .remote
      var again = Sample.entry("a", at: 30, "A", after: "C")
      for entry in [here, there, again] {
        _ = try await journal.begin([], history: [entry], contents: [])
      }
      check.equal(try await journal.history(of: nil).map(\.entry), [again, there, here], "each")
      again.time = Instant(seconds: 40)
      _ = try await journal.begin([], history: [again], contents: [])
      check.equal(
        try await journal.history(of: nil).map(\.entry), [again, there, here], "tried again")
    },

    JournalRule("what is written once the sides have agreed is no other try") { journal, check in
      let intent = Sample.replacement(
        of: Sample.item("a", at: "a.ics", "A"), on: .local, by: Sample.item("a", at: "/a", "B"))
      let agreed = Sample.agreement("a", "B")
      func attempt(at time: Int64, _ outcome: IntentOutcome) async throws {
        let ids = try await journal.begin(
          [intent], history: [Sample.entry("a", at: time, "A", after: "B")], contents: [])
        try await journal.close(ids.map { ClosedIntent(id: $0, outcome: outcome) }, contents: [])
      }
      func times() async throws -> [Instant] {
        try await journal.history(of: nil).map(\.entry.time)
      }
      try await attempt(at: 1, .refused(Sample.refusal("B")))
      try await attempt(at: 2, .lookAgain)
      try await attempt(at: 3, .nothingWritten)
      try await attempt(at: 4, .agreed(agreed))
      check.equal(try await times(), [4].map(Instant.init(seconds:)), "tried until it was done")
      try await attempt(at: 5, .forgotten)
      try await attempt(at: 6, .nothingWritten)
      check.equal(try await times(), [6, 5, 4].map(Instant.init(seconds:)), "done twice")
      try await journal.agree([agreed])
      try await attempt(at: 7, .nothingWritten)
      try await journal.forget([agreed.uid])
      try await attempt(at: 8, .nothingWritten)
      try await attempt(at: 9, .nothingWritten)
      check.equal(
        try await times(), [9, 7, 6, 5, 4].map(Instant.init(seconds:)), "agreed, forgotten")
    },

    JournalRule("what no write of a run replaced has an entry each time") { journal, check in
      let edit = Sample.entry("a", at: 1, "A", after: "B")
      var waiting = edit
      waiting.action = .conflict
      try await journal.keep([edit], contents: [])
      try await journal.keep([edit], contents: [])
      try await journal.setWaits([], history: [waiting], contents: [])
      try await journal.setWaits([], history: [waiting], contents: [])
      _ = try await journal.begin([], history: [edit], contents: [])
      check.equal(
        try await journal.history(of: nil).map(\.entry), [edit, waiting, waiting, edit, edit],
        "newest first")
    },

    JournalRule("an entry of a write is as old as its last try") { journal, check in
      let texts = ["A", "B", "C", "D"]
      for (time, after) in [(1, "B"), (90, "C")] as [(Int64, String)] {
        _ = try await journal.begin(
          [], history: [Sample.entry("a", at: time, "A", after: after)],
          contents: texts.map(Sample.content))
      }
      try await journal.keep([Sample.entry("a", at: 2, "D")], contents: [])
      try await journal.prune(olderThan: Instant(seconds: 90), versionsAnItem: 0)
      check.equal(
        try await journal.history(of: nil).map(\.entry),
        [Sample.entry("a", at: 90, "A", after: "C")], "not older than the limit")
      let kept = try await journal.contents(texts.map(Sample.digest))
      check.equal(Set(kept.keys), Set(["A", "C"].map(Sample.digest)), "its texts")
      try await journal.prune(olderThan: Instant(seconds: 91), versionsAnItem: 0)
      check.equal(try await journal.history(of: nil), [], "older")
    },

    JournalRule("a text is kept for as long as something refers to it") { journal, check in
      var agreement = Sample.agreement("u", "local")
      agreement.remote = Sample.item("u", at: "/u", "remote")
      try await journal.agree([agreement])
      try await journal.record(
        read: [Sample.read(.local, Sample.item("s", at: "s.ics", "seen"))], on: .local,
        contents: [])
      let intent = Sample.replacement(
        of: Sample.item("r", at: "/r", "expected"), on: .remote,
        by: Sample.item("r", at: "r.ics", "new"))
      let create = Intent(
        uid: ItemID("c"), side: .remote, effect: .create(Href("/c"), Sample.digest("created")),
        source: Sample.item("c", at: "c.ics", "source"))
      let words = [
        "local", "remote", "seen", "expected", "new", "source", "created", "before", "after",
        "nobody",
      ]
      let ids = try await journal.begin(
        [intent, create], history: [Sample.entry("h", at: 1, "before", after: "after")],
        contents: words.map(Sample.content))
      let everything = words.map(Sample.digest)
      try await journal.prune(olderThan: Instant(seconds: 0), versionsAnItem: 0)
      check.equal(
        Set(try await journal.contents(everything).keys),
        Set(words.dropLast().map(Sample.digest)), "referred to")
      try await journal.close(
        ids.map { ClosedIntent(id: $0, outcome: .nothingWritten) }, contents: [])
      try await journal.forget([ItemID("u")])
      try await journal.record(read: [.dropped(Href("s.ics"))], on: .local, contents: [])
      try await journal.prune(olderThan: Instant(seconds: 2), versionsAnItem: 0)
      check.equal(try await journal.contents(everything), [:], "nothing refers to them")
    },

    JournalRule("texts that are not kept are left out") { journal, check in
      let content = Sample.content("A")
      try await journal.keep([], contents: [content, content])
      check.equal(
        try await journal.contents([Sample.digest("B"), content.digest, content.digest]),
        [content.digest: content.data], "texts")
      check.equal(try await journal.contents([]), [:], "none")
      check.equal(
        try await journal.sizes(of: [Sample.digest("B"), content.digest, content.digest]),
        [content.digest: content.data.bytes.count], "sizes")
    },
  ]
}
