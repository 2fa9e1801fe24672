import SyncModel

private typealias Sample = JournalSample

extension JournalRule {
  static let agreementRules = [
    JournalRule("an agreement settles the observations that say the same") { journal, check in
      let agreement = Sample.agreement("u", "A")
      try await journal.record(
        read: [
          Sample.seen(
            .local, "u.ics", .read(Sample.item("u", at: "u.ics", "A", tag: "older")),
            wait: Sample.refusal("A"))
        ], on: .local, contents: [Sample.content("A")])
      try await journal.record(
        page: [Sample.seen(.remote, "/u", .unread(agreement.remote.version.tag))], on: .remote,
        cursor: Cursor(bytes: [1]))
      try await journal.agree([agreement])
      check.equal(try await journal.differing().observations, [], "observations")
      check.equal(try await journal.agreement(of: ItemID("u")), agreement, "agreement")
      check.equal(try await journal.agreementCount(), 1, "count")
    },

    JournalRule("an agreement leaves news as it is") { journal, check in
      let states: [Observation.State] = [
        .unread(nil), .unread(Sample.tag("B")), .unread(Sample.tag("A", isStrong: false)),
        .read(Sample.item("u", at: "u.ics", "B")), .obstructed(Sample.tag("A"), Sample.problem),
        .read(Sample.item("other", at: "u.ics", "B", tag: "A")),
      ]
      for state in states {
        try await journal.record(
          read: [Sample.seen(.local, "u.ics", state)], on: .local, contents: [])
        try await journal.agree([Sample.agreement("u", "A")])
        check.equal(try await journal.differing().observations.map(\.state), [state], "news")
      }
      try await journal.record(
        read: [Sample.seen(.local, "u.ics", .gone)], on: .local, contents: [])
      try await journal.agree([Sample.agreement("u", "A")])
      check.equal(try await journal.differing().observations.map(\.state), [.gone], "gone")
    },

    JournalRule("an item that moved keeps its agreement, and its old name is free") {
      journal, check in
      try await journal.agree([Sample.agreement("u", "A")])
      var moved = Sample.agreement("u", "A")
      moved.local = Sample.item("u", at: "new.ics", "A")
      try await journal.record(
        read: [Sample.seen(.local, "u.ics", .gone), Sample.read(.local, moved.local)],
        on: .local, contents: [])
      try await journal.agree([moved])
      check.equal(try await journal.agreement(of: ItemID("u")), moved, "agreement")
      check.equal(try await journal.differing().observations, [], "observations")
      check.equal(try await journal.known(.local).map(\.href), [Href("new.ics")], "known")
      check.equal(try await journal.agreementCount(), 1, "count")
    },

    JournalRule("what is still there under an item's old name stays observed") {
      journal, check in
      try await journal.agree([Sample.agreement("u", "A")])
      try await journal.record(
        read: [Sample.seen(.local, "u.ics", .unread(Sample.tag("A")))], on: .local, contents: [])
      var moved = Sample.agreement("u", "A")
      moved.local = Sample.item("u", at: "new.ics", "A")
      try await journal.agree([moved])
      check.equal(try await journal.unread(.local), [Href("u.ics")], "unread")
    },

    JournalRule("of two agreements on one resource the later has it") { journal, check in
      try await journal.agree([Sample.agreement("x", "A")])
      var taker = Sample.agreement("y", "B")
      taker.local = Sample.item("y", at: "x.ics", "B")
      try await journal.agree([taker])
      check.equal(try await journal.agreement(of: ItemID("x")), nil, "the earlier")
      check.equal(try await journal.agreement(of: ItemID("y")), taker, "the later")
      let lost = Observation(side: .remote, href: Href("/x"), state: .unread(Sample.tag("A")))
      check.equal(
        try await journal.differing().observations, [lost], "the other side is looked at again")
    },

    JournalRule("what the earlier agreement knew to be gone is forgotten, news is kept") {
      journal, check in
      try await journal.agree([Sample.agreement("x", "A"), Sample.agreement("y", "A")])
      let news = Sample.item("y", at: "/y", "C")
      try await journal.record(
        read: [Sample.seen(.remote, "/x", .gone), Sample.read(.remote, news)], on: .remote,
        contents: [])
      for (taker, file) in [("s", "x.ics"), ("t", "y.ics")] {
        var agreement = Sample.agreement(taker, "B")
        agreement.local = Sample.item(taker, at: file, "B")
        try await journal.agree([agreement])
      }
      check.equal(
        try await journal.differing().observations,
        [Observation(side: .remote, href: Href("/y"), state: .read(news))], "observations")
    },

    JournalRule("at a vacated place an item is gone, until it is somewhere again") {
      journal, check in
      try await journal.agree([Sample.agreement("x", "A")])
      var left = Sample.agreement("x", "A")
      left.local.href = Href("x.ics").vacated(by: left.uid)
      try await journal.agree([left])
      var heir = Sample.agreement("y", "B")
      heir.local = Sample.item("y", at: "x.ics", "B")
      try await journal.agree([heir])
      check.equal(try await journal.agreement(of: ItemID("x")), left, "the one that left")
      check.equal(try await journal.agreement(of: ItemID("y")), heir, "its heir")
      let gone = Observation(side: .local, href: left.local.href, state: .gone)
      check.equal(try await journal.differing().observations, [gone], "it is gone")
      let wait = WaitChange(side: .local, href: gone.href, wait: Sample.refusal("A"))
      try await journal.setWaits([wait], history: [], contents: [])
      try await journal.agree([left])
      check.equal(
        try await journal.differing().observations.map(\.wait), [Sample.refusal("A")], "it waits")

      left.local = Sample.item("x", at: "new.ics", "A")
      try await journal.agree([left])
      check.equal(try await journal.differing().observations, [], "it is back")
    },

    JournalRule("two items that exchanged their names stay agreed") { journal, check in
      try await journal.agree([Sample.agreement("x", "A"), Sample.agreement("y", "B")])
      var first = Sample.agreement("x", "A")
      first.local = Sample.item("x", at: "y.ics", "A")
      var second = Sample.agreement("y", "B")
      second.local = Sample.item("y", at: "x.ics", "B")
      try await journal.agree([first, second])
      check.equal(try await journal.agreement(of: ItemID("x")), first, "one")
      check.equal(try await journal.agreement(of: ItemID("y")), second, "the other")
      check.equal(try await journal.differing().observations, [], "observations")
    },

    JournalRule("what is forgotten leaves nothing but what is still there") { journal, check in
      try await journal.agree([Sample.agreement("u", "A"), Sample.agreement("v", "A")])
      try await journal.record(
        read: [Sample.seen(.local, "u.ics", .gone), Sample.seen(.local, "v.ics", .gone)],
        on: .local, contents: [])
      try await journal.record(
        read: [Sample.seen(.remote, "/u", .gone), Sample.seen(.remote, "/v", .unread(nil))],
        on: .remote, contents: [])
      try await journal.forget([ItemID("u"), ItemID("v"), ItemID("never")])
      check.equal(try await journal.agreementCount(), 0, "count")
      check.equal(try await journal.known(.local), [], "local")
      check.equal(try await journal.known(.remote).map(\.href), [Href("/v")], "remote")
    },
  ]
}
