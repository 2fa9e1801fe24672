import SyncModel

private typealias Sample = JournalSample

extension JournalRule {
  static let intentRules = [
    JournalRule("intents come back whole, in order, with numbers that are never used again") {
      journal, check in
      let source = Sample.item("c", at: "c.ics", "C")
      let intents = [
        Intent(
          uid: ItemID("c"), side: .remote,
          effect: .create(
            Href(spelling: Array("/%63".utf8), key: Array("/c".utf8)), Sample.digest("C")),
          source: source),
        Sample.replacement(
          of: Sample.item("r", at: "r.ics", "A"), on: .local,
          by: Sample.item("r", at: "/r", "B")),
        Sample.deletion(of: Sample.item("d", at: "/d", "A"), on: .remote),
      ]
      let entry = Sample.entry("r", at: 1, "A", after: "B")
      let ids = try await journal.begin(
        intents, history: [entry], contents: [Sample.content("A")])
      check.equal(ids, ids.sorted(), "numbers ascend")
      check.equal(Set(ids).count, 3, "numbers differ")
      let open = try await journal.openIntents()
      check.equal(
        open, zip(ids, intents).map { OpenIntent(id: $0, intent: $1) }, "open intents")
      check.equal(open.first?.intent.href.spelling, Array("/%63".utf8), "spelling")
      check.equal(try await journal.history(of: nil).map(\.entry), [entry], "history")
      check.equal(
        try await journal.contents([Sample.digest("A")]),
        [Sample.digest("A"): Sample.content("A").data], "texts")
      try await journal.close(
        ids.map { ClosedIntent(id: $0, outcome: .nothingWritten) }, contents: [])
      check.equal(try await journal.openIntents(), [], "closed")
      let next = try await journal.begin([intents[2]], history: [], contents: [])
      check.equal(next.allSatisfy { $0 > ids[2] }, true, "a new number")
    },

    JournalRule("a success settles what it replaced and what it carried over") {
      journal, check in
      try await journal.agree([Sample.agreement("u", "A")])
      let source = Sample.item("u", at: "u.ics", "B")
      let target = Sample.item("u", at: "/u", "C")
      try await journal.record(read: [Sample.read(.local, source)], on: .local, contents: [])
      try await journal.record(read: [Sample.read(.remote, target)], on: .remote, contents: [])
      let ids = try await journal.begin(
        [Sample.replacement(of: target, on: .remote, by: source)], history: [], contents: [])
      let result = Agreement(
        uid: ItemID("u"), local: source, remote: Sample.item("u", at: "/own", "B2"))
      try await journal.close(
        ids.map { ClosedIntent(id: $0, outcome: .agreed(result)) },
        contents: [Sample.content("B2")])
      check.equal(try await journal.agreement(of: ItemID("u")), result, "agreement")
      check.equal(try await journal.differing().observations, [], "observations")
      check.equal(try await journal.openIntents(), [], "intents")
      check.equal(
        try await journal.contents([Sample.digest("B2")]).count, 1, "text of what was read back")
    },

    JournalRule("a success leaves what was seen of neither version") { journal, check in
      let states: [Observation.State] = [
        .unread(nil), .unread(Sample.tag("new")), .read(Sample.item("u", at: "/u", "D")), .gone,
      ]
      for state in states {
        try await journal.agree([Sample.agreement("u", "A")])
        try await journal.record(
          read: [Sample.seen(.remote, "/u", state)], on: .remote, contents: [])
        let source = Sample.item("u", at: "u.ics", "B")
        let ids = try await journal.begin(
          [
            Sample.replacement(
              of: Sample.item("u", at: "/u", "A"), on: .remote, by: source)
          ],
          history: [], contents: [])
        let result = Agreement(
          uid: ItemID("u"), local: source, remote: Sample.item("u", at: "/u", "B"))
        try await journal.close(
          ids.map { ClosedIntent(id: $0, outcome: .agreed(result)) }, contents: [])
        check.equal(try await journal.differing().observations.map(\.state), [state], "news")
      }
    },

    JournalRule("a creation settles that nothing was there") { journal, check in
      try await journal.agree([Sample.agreement("u", "A")])
      try await journal.record(
        read: [Sample.seen(.remote, "/u", .gone)], on: .remote, contents: [])
      let source = Sample.item("u", at: "u.ics", "B")
      let intent = Intent(
        uid: ItemID("u"), side: .remote, effect: .create(Href("/u"), Sample.digest("B")),
        source: source)
      let ids = try await journal.begin([intent], history: [], contents: [])
      let result = Agreement(
        uid: ItemID("u"), local: source, remote: Sample.item("u", at: "/u", "B"))
      try await journal.close(
        ids.map { ClosedIntent(id: $0, outcome: .agreed(result)) }, contents: [])
      check.equal(try await journal.differing().observations, [], "observations")
    },

    JournalRule("a deletion forgets the item on both sides") { journal, check in
      try await journal.agree([Sample.agreement("u", "A")])
      let edited = Sample.item("u", at: "/u", "B")
      try await journal.record(
        read: [Sample.seen(.local, "u.ics", .gone)], on: .local, contents: [])
      try await journal.record(read: [Sample.read(.remote, edited)], on: .remote, contents: [])
      let ids = try await journal.begin(
        [Sample.deletion(of: edited, on: .remote)], history: [], contents: [])
      try await journal.close(
        ids.map { ClosedIntent(id: $0, outcome: .forgotten) }, contents: [])
      check.equal(try await journal.agreementCount(), 0, "count")
      check.equal(try await journal.differing().observations, [], "observations")
      check.equal(try await journal.openIntents(), [], "intents")
    },

    JournalRule("a deletion keeps another item that has its name by now") { journal, check in
      try await journal.agree([Sample.agreement("u", "A")])
      let other = Sample.item("other", at: "u.ics", "B")
      try await journal.record(read: [Sample.read(.local, other)], on: .local, contents: [])
      let ids = try await journal.begin(
        [Sample.deletion(of: Sample.item("u", at: "/u", "A"), on: .remote)], history: [],
        contents: [])
      try await journal.close(
        ids.map { ClosedIntent(id: $0, outcome: .forgotten) }, contents: [])
      check.equal(
        try await journal.differing().observations,
        [Observation(side: .local, href: other.href, state: .read(other))], "observations")
    },

    JournalRule("where nothing was written nothing changes") { journal, check in
      try await journal.agree([Sample.agreement("u", "A")])
      let source = Sample.item("u", at: "u.ics", "B")
      try await journal.record(read: [Sample.read(.local, source)], on: .local, contents: [])
      let before = try await journal.differing()
      let ids = try await journal.begin(
        [Sample.replacement(of: Sample.item("u", at: "/u", "A"), on: .remote, by: source)],
        history: [], contents: [])
      try await journal.close(
        ids.map { ClosedIntent(id: $0, outcome: .nothingWritten) }, contents: [])
      check.equal(try await journal.differing(), before, "differing")
      check.equal(try await journal.openIntents(), [], "intents")
    },

    JournalRule("a target that nobody knows is to be read again") { journal, check in
      try await journal.agree([Sample.agreement("u", "A")])
      let target = Sample.item("u", at: "/u", "C")
      try await journal.record(read: [Sample.read(.remote, target)], on: .remote, contents: [])
      let ids = try await journal.begin(
        [
          Sample.replacement(
            of: target, on: .remote, by: Sample.item("u", at: "u.ics", "B"))
        ],
        history: [], contents: [])
      try await journal.close(
        ids.map { ClosedIntent(id: $0, outcome: .lookAgain) }, contents: [])
      check.equal(
        try await journal.differing().observations,
        [Observation(side: .remote, href: Href("/u"), state: .unread(nil))], "observations")
      check.equal(try await journal.agreementCount(), 1, "the agreement stays")
    },

    JournalRule("what was refused waits at its source") { journal, check in
      try await journal.agree([Sample.agreement("d", "A")])
      let seen = Sample.item("s", at: "s.ics", "B")
      try await journal.record(
        read: [Sample.read(.local, seen), Sample.seen(.local, "d.ics", .gone)], on: .local,
        contents: [])
      let unseen = Sample.item("t", at: "t.ics", "C")
      var intents = [seen, unseen].map {
        Intent(
          uid: $0.uid, side: .remote,
          effect: .create(Href("/" + $0.uid.text), $0.version.digest), source: $0)
      }
      intents.append(Sample.deletion(of: Sample.item("d", at: "/d", "A"), on: .remote))
      let ids = try await journal.begin(intents, history: [], contents: [])
      let wait = Sample.refusal("B")
      try await journal.close(
        ids.map { ClosedIntent(id: $0, outcome: .refused(wait)) }, contents: [])
      check.equal(
        try await journal.differing().observations,
        [
          Observation(side: .local, href: Href("d.ics"), state: .gone, wait: wait),
          Observation(side: .local, href: seen.href, state: .read(seen), wait: wait),
          Observation(side: .local, href: unseen.href, state: .read(unseen), wait: wait),
        ], "observations")
      check.equal(try await journal.openIntents(), [], "intents")
    },

    JournalRule("an intent is closed once") { journal, check in
      try await journal.agree([Sample.agreement("u", "A")])
      let ids = try await journal.begin(
        [Sample.deletion(of: Sample.item("u", at: "/u", "A"), on: .remote)], history: [],
        contents: [])
      for outcome in [IntentOutcome.nothingWritten, .forgotten, .lookAgain] {
        try await journal.close(
          ids.map { ClosedIntent(id: $0, outcome: outcome) }, contents: [])
      }
      check.equal(try await journal.agreementCount(), 1, "count")
      check.equal(try await journal.differing().observations, [], "observations")
    },
  ]
}
