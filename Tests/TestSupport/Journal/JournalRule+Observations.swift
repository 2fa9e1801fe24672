import SyncModel

private typealias Sample = JournalSample

private func instant(_ milliseconds: Int64?) -> Instant? {
  milliseconds.map(Instant.init(milliseconds:))
}

private func instants(_ times: ClosedRange<Int64>) -> ClosedRange<Instant> {
  Instant(milliseconds: times.lowerBound)...Instant(milliseconds: times.upperBound)
}

extension JournalRule {
  static let observationRules = [
    JournalRule("a page and its cursor are recorded together") { journal, check in
      check.equal(try await journal.cursor(.remote), nil, "before")
      let page = [Sample.seen(.remote, "/x", .unread(Sample.tag("1")))]
      try await journal.record(page: page, on: .remote, cursor: Cursor(bytes: [1, 0, 255]))
      check.equal(try await journal.cursor(.remote), Cursor(bytes: [1, 0, 255]), "cursor")
      check.equal(try await journal.cursor(.local), nil, "the other side's cursor")
      check.equal(try await journal.unread(.remote), [Href("/x")], "what it named")
      try await journal.record(page: [], on: .remote, cursor: Cursor(bytes: []))
      check.equal(try await journal.cursor(.remote), Cursor(bytes: []), "the next cursor")
      try await journal.record(page: [], on: .local, cursor: Cursor(bytes: [2]))
      try await journal.forgetCursor(.remote)
      check.equal(try await journal.cursor(.remote), nil, "a cursor that was forgotten")
      check.equal(try await journal.cursor(.local), Cursor(bytes: [2]), "the other side's stays")
    },

    JournalRule("an observation takes the place of the one before it, its wait too") {
      journal, check in
      let first = Sample.item("u", at: "/x", "A")
      try await journal.record(
        read: [Sample.seen(.remote, "/x", .read(first), wait: .conflict)], on: .remote,
        contents: [Sample.content("A")])
      check.equal(try await journal.differing().observations.map(\.wait), [.conflict], "wait")
      try await journal.record(
        read: [Sample.seen(.remote, "/x", .unread(nil))], on: .remote, contents: [])
      check.equal(
        try await journal.differing().observations,
        [Observation(side: .remote, href: Href("/x"), state: .unread(nil))], "in its place")
    },

    JournalRule("it says when what is there came, and in which time the item of the place went") {
      journal, check in
      try await journal.agree([Sample.agreement("u", "A")])
      let (own, other) = (Sample.item("u", at: "u.ics", "B"), Sample.item("v", at: "u.ics", "B"))
      let broken = Observation.State.obstructed(Sample.tag("2"), Sample.problem)
      let states: [(Observation.State, at: Int64?, since: Int64?, missed: ClosedRange<Int64>?)] = [
        (.unread(nil), at: nil, since: nil, missed: nil),
        (.unread(Sample.tag("1")), at: 1, since: 1, missed: nil),
        // However often it is saved.
        (broken, at: 2, since: 1, missed: nil),
        (.unread(Sample.tag("3")), at: 3, since: 1, missed: nil),
        // Its own file was broken: it may have gone whenever that was so.
        (.read(other), at: 4, since: 1, missed: 1...4), (.gone, at: 5, since: 5, missed: 1...4),
        // What is there by now came later.
        (.unread(Sample.tag("1")), at: 6, since: 6, missed: 1...4),
        (broken, at: 7, since: 6, missed: 1...4), (.gone, at: 8, since: 8, missed: 1...4),
        (.read(own), at: 9, since: 9, missed: nil), (.gone, at: 10, since: 10, missed: 10...10),
        (.gone, at: 11, since: 10, missed: 10...10), (broken, at: 12, since: 12, missed: 10...10),
        (.read(own), at: 13, since: 12, missed: nil),
        (.unread(Sample.tag("4")), at: 14, since: 14, missed: nil),
        (.gone, at: 15, since: 15, missed: 14...15), (.read(own), at: 16, since: 16, missed: nil),
        (.gone, at: nil, since: nil, missed: nil), (.gone, at: 17, since: 17, missed: 17...17),
        // The clock was set back.
        (.read(own), at: 18, since: 18, missed: nil),
        (.unread(nil), at: 19, since: 19, missed: nil),
        (.gone, at: 3, since: 3, missed: 3...19), (.unread(nil), at: 4, since: 4, missed: 3...19),
      ]
      for (number, (state, at, since, missed)) in states.enumerated() {
        let seen = Observation(
          side: .local, href: Href("u.ics"), state: state, since: instant(at))
        try await journal.record(
          read: [.observed(seen)], on: .local, contents: [Sample.content("B")])
        let seenNow = try await journal.differing().observations
        check.equal(seenNow.map(\.since), [instant(since)], "step \(number)")
        check.equal(seenNow.map(\.missed), [missed.map(instants)], "step \(number)")
      }
    },

    JournalRule("what is no item is there since it came, and nothing is missed there") {
      journal, check in
      for (since, state) in [
        (1, .unread(nil)), (2, .obstructed(Sample.tag("1"), Sample.problem)),
        (3, .unread(Sample.tag("2"))), (4, .obstructed(Sample.tag("2"), Sample.problem)),
      ] as [(Int64, Observation.State)] {
        let seen = Observation(
          side: .local, href: Href("new.ics"), state: state, since: Instant(milliseconds: since))
        try await journal.record(read: [.observed(seen)], on: .local, contents: [])
        check.equal(
          try await journal.differing().observations,
          [
            Observation(
              side: .local, href: seen.href, state: state, since: Instant(milliseconds: 1))
          ], "saved at \(since)")
      }
    },

    JournalRule("what has taken a place did not go when its former owner did") { journal, check in
      try await journal.agree([Sample.agreement("u", "A")])
      let other = Sample.item("other", at: "u.ics", "B")
      func see(_ state: Observation.State, at time: Int64) async throws {
        let seen = Observation(
          side: .local, href: other.href, state: state, since: Instant(milliseconds: time))
        try await journal.record(
          read: [.observed(seen)], on: .local, contents: [Sample.content("B")])
      }
      try await see(.read(other), at: 1)
      var taker = Sample.agreement("other", "A")
      taker.local.href = other.href
      try await journal.agree([taker])
      try await see(.gone, at: 2)
      let time = Instant(milliseconds: 2)
      check.equal(
        try await journal.differing().observations.filter { $0.side == .local },
        [
          Observation(
            side: .local, href: other.href, state: .gone, since: time, missed: time...time)
        ], "its own time")
    },

    JournalRule("nor when nothing can be read there yet") { journal, check in
      try await journal.agree([Sample.agreement("u", "A")])
      let place = Href("u.ics")
      func see(_ state: Observation.State, at time: Int64) async throws {
        let seen = Observation(
          side: .local, href: place, state: state, since: Instant(milliseconds: time))
        try await journal.record(read: [.observed(seen)], on: .local, contents: [])
      }
      try await see(.gone, at: 1)
      try await see(.obstructed(nil, Sample.problem), at: 2)
      var moved = Sample.agreement("u", "A")
      moved.local.href = Href("moved.ics")
      var taker = Sample.agreement("other", "A")
      taker.local.href = place
      try await journal.agree([moved, taker])
      check.equal(
        try await journal.differing().observations.filter { $0.side == .local }.map(\.missed),
        [nil], "the file of the taker")
      try await see(.gone, at: 3)
      check.equal(
        try await journal.differing().observations.filter { $0.side == .local }.map(\.missed),
        [instants(2...3)], "its own time")
    },

    JournalRule("an item went when another one was found in its place") { journal, check in
      try await journal.agree([Sample.agreement("u", "A")])
      let other = Sample.item("other", at: "u.ics", "B")
      for (time, state) in [(7, .unread(nil)), (8, .read(other))] as [(Int64, Observation.State)] {
        let seen = Observation(
          side: .local, href: other.href, state: state, since: Instant(milliseconds: time))
        try await journal.record(
          read: [.observed(seen)], on: .local, contents: [Sample.content("B")])
      }
      var moved = Sample.agreement("u", "A")
      moved.local.href = moved.local.href.vacated(by: moved.uid)
      for _ in 0..<2 {
        try await journal.agree([moved])
        check.equal(
          try await journal.differing().observations.filter { $0.state == .gone },
          [
            Observation(
              side: .local, href: moved.local.href, state: .gone, since: Instant(milliseconds: 7),
              missed: instants(7...8))
          ], "vacated")
      }
    },

    JournalRule("what is no item keeps the UIDs that stand in it, and touches no agreement by them")
    {
      journal, check in
      try await journal.agree([Sample.agreement("u", "A")])
      let seen = Observation(
        side: .remote, href: Href("/two"), state: .obstructed(nil, Sample.severalUIDs))
      try await journal.record(read: [.observed(seen)], on: .remote, contents: [])
      check.equal(
        try await journal.differing(), Differing(observations: [seen], agreements: []), "kept")
    },

    JournalRule("gone is news of an agreement only") { journal, check in
      try await journal.record(
        read: [
          Sample.seen(.local, "never", .gone), Sample.seen(.local, "once", .unread(nil)),
          Sample.seen(.local, "once", .gone),
        ], on: .local, contents: [])
      check.equal(try await journal.differing().observations, [], "never agreed on")
      try await journal.agree([Sample.agreement("u", "A")])
      try await journal.record(
        read: [Sample.seen(.local, "u.ics", .gone)], on: .local, contents: [])
      check.equal(
        try await journal.known(.local),
        [KnownResource(href: Href("u.ics"), tag: nil, digest: nil, isAgreed: false, isGone: true)],
        "agreed on")
    },

    JournalRule("what is dropped is as agreed again, or unknown") { journal, check in
      try await journal.agree([Sample.agreement("u", "A")])
      try await journal.record(
        read: [
          Sample.seen(.local, "u.ics", .unread(nil)), Sample.seen(.local, "v.ics", .unread(nil)),
          .dropped(Href("u.ics")), .dropped(Href("v.ics")), .dropped(Href("w.ics")),
        ], on: .local, contents: [])
      check.equal(try await journal.known(.local).map(\.href), [Href("u.ics")], "known")
      check.equal(try await journal.known(.local).map(\.isAgreed), [true], "agreed")
    },

    JournalRule("what is refreshed replaces its side of the agreement and ends its observation") {
      journal, check in
      let old = Sample.agreement("u", "A")
      try await journal.agree([old])
      try await journal.record(
        page: [Sample.seen(.remote, "/u", .unread(nil), wait: .conflict)], on: .remote,
        cursor: Cursor(bytes: [1]))
      var new = Sample.item("u", at: "/u", "B", tag: "9")
      new.href = Href(spelling: Array("/%75".utf8), key: Array("/u".utf8))
      try await journal.record(
        read: [.refreshed(new)], on: .remote, contents: [Sample.content("B")])
      let now = try await journal.agreement(of: ItemID("u"))
      check.equal(now, Agreement(uid: ItemID("u"), local: old.local, remote: new), "agreement")
      check.equal(now?.remote.href.spelling, Array("/%75".utf8), "spelling")
      check.equal(try await journal.differing().observations, [], "observations")
    },

    JournalRule("what is refreshed without an agreement is kept as read") { journal, check in
      let item = Sample.item("u", at: "/u", "A")
      try await journal.record(
        read: [.refreshed(item)], on: .remote, contents: [Sample.content("A")])
      check.equal(
        try await journal.differing().observations,
        [Observation(side: .remote, href: item.href, state: .read(item))], "observations")
    },

    JournalRule("known is sorted by the bytes of the keys, and the observation wins") {
      journal, check in
      try await journal.agree(
        ["a", "b", "c", "d"].map { Sample.agreement($0, "A") } + [Sample.agreement("é", "B")])
      let read = Sample.item("b", at: "b.ics", "B")
      try await journal.record(
        read: [
          Sample.seen(.local, "a.ics", .unread(Sample.tag("t", isStrong: false))),
          Sample.read(.local, read),
          Sample.seen(.local, "c.ics", .obstructed(Sample.tag("o"), Sample.problem)),
          Sample.seen(.local, "B.ics", .unread(nil)),
        ], on: .local, contents: [])
      let agreed = Sample.item("d", at: "d.ics", "A")
      check.equal(
        try await journal.known(.local),
        [
          KnownResource(href: Href("B.ics"), tag: nil, digest: nil, isAgreed: false),
          KnownResource(
            href: Href("a.ics"), tag: Sample.tag("t", isStrong: false), digest: nil,
            isAgreed: false),
          KnownResource(
            href: Href("b.ics"), tag: read.version.tag, digest: read.version.digest,
            isAgreed: false),
          KnownResource(href: Href("c.ics"), tag: Sample.tag("o"), digest: nil, isAgreed: false),
          KnownResource(
            href: Href("d.ics"), tag: agreed.version.tag, digest: agreed.version.digest,
            isAgreed: true),
          KnownResource(
            href: Href("é.ics"), tag: Sample.tag("B"), digest: Sample.digest("B"), isAgreed: true),
        ], "known")
    },

    JournalRule("known of some hrefs goes by their keys and leaves the others out") {
      journal, check in
      try await journal.agree([Sample.agreement("a", "A"), Sample.agreement("b", "A")])
      let other = Href(spelling: Array("/%61".utf8), key: Array("/a".utf8))
      let known = try await journal.known(.remote, hrefs: [Href("/z"), other, other])
      check.equal(known.map(\.href.spelling), [Array("/a".utf8)], "spelling as stored")
      check.equal(known.map(\.isAgreed), [true], "agreed")
      check.equal(try await journal.known(.remote, hrefs: []), [], "none")
    },

    JournalRule("differing touches agreements by href on the side, and by the UID that was read") {
      journal, check in
      try await journal.agree(["d", "c", "b", "a"].map { Sample.agreement($0, "A") })
      try await journal.record(
        read: [Sample.seen(.remote, "/b", .gone), Sample.seen(.remote, "c.ics", .unread(nil))],
        on: .remote, contents: [])
      try await journal.record(
        read: [
          Sample.read(.local, Sample.item("a", at: "moved.ics", "A")),
          Sample.read(.local, Sample.item("new", at: "d.ics", "B")),
        ], on: .local, contents: [Sample.content("B")])
      let differing = try await journal.differing()
      check.equal(
        differing.observations.map { "\($0.side) \($0.href.text)" },
        ["local d.ics", "local moved.ics", "remote /b", "remote c.ics"], "observations")
      check.equal(differing.agreements.map(\.uid.text), ["a", "b", "d"], "agreements")
    },

    JournalRule("a wait is set and taken away where something was observed") { journal, check in
      let item = Sample.item("u", at: "u.ics", "A")
      try await journal.record(read: [Sample.read(.local, item)], on: .local, contents: [])
      let wait = Sample.refusal("A")
      let entry = Sample.entry("u", at: 5, "A")
      try await journal.setWaits(
        [
          WaitChange(side: .local, href: Href("u.ics"), wait: wait),
          WaitChange(side: .remote, href: Href("u.ics"), wait: .conflict),
        ], history: [entry], contents: [Sample.content("A")])
      let seen = Observation(side: .local, href: item.href, state: .read(item), wait: wait)
      check.equal(try await journal.differing().observations, [seen], "set")
      check.equal(try await journal.history(of: nil).map(\.entry), [entry], "history")
      try await journal.setWaits(
        [WaitChange(side: .local, href: Href("u.ics"), wait: nil)], history: [], contents: [])
      check.equal(try await journal.differing().observations.map(\.wait), [nil], "taken away")
    },

    JournalRule("odd bytes come back as they were given") { journal, check in
      var item = Sample.item("", at: "", "A")
      item.version.tag = EntityTag(bytes: [], isStrong: false)
      item.summary = "before\u{0}after \u{1F389}"
      item.components = ["VEVENT", "", "X-ODD"]
      item.modified = Instant(milliseconds: .min)
      item.lastModified = Instant(milliseconds: .max)
      var other = item
      other.href = Href(spelling: [0, 255, 37], key: [255, 0])
      other.summary = ""
      other.components = []
      other.version.tag = nil
      let agreement = Agreement(uid: ItemID(bytes: []), local: item, remote: other)
      try await journal.agree([agreement])
      let got = try await journal.agreement(of: ItemID(bytes: []))
      check.equal(got, agreement, "agreement")
      check.equal(got?.remote.href.spelling, [0, 255, 37], "spelling")
      check.equal(try await journal.known(.local).map(\.tag), [item.version.tag], "empty tag")
      try await journal.record(
        read: [Sample.seen(.local, "", .unread(EntityTag(bytes: [])))], on: .local, contents: [])
      check.equal(try await journal.known(.local).map(\.tag?.bytes), [[]], "observed empty tag")
    },
  ]
}
