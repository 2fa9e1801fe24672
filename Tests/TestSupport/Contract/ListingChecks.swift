import SyncModel

extension StorageContract {
  static let listingChecks: [Check] = [
    Check(name: "the first listing is complete") { bench in
      let empty = try await bench.list(since: nil)
      try bench.require(empty.hrefs.isEmpty, "an empty collection lists \(empty.hrefs.count)")
      var made: Set<Href> = []
      for number in 0..<12 {
        made.insert(try await bench.create("item\(number)", event("item\(number)", "A")).href)
      }
      let other = bench.storage.freshHref(for: ItemID("other"), attempt: 0)
      try await bench.fixture.put(other, event("other", "B"))
      made.insert(other)
      let listing = try await bench.list(since: nil)
      try bench.require(listing.isComplete, "a first listing claims to hold changes only")
      try bench.require(listing.hrefs == made, "it lists \(listing.hrefs.map(\.text).sorted())")
    },

    Check(name: "a listing shows what another client creates") { bench in
      try await bench.create("one", event("one", "First"))
      let cursor = try await bench.list(since: nil).cursor
      let new = bench.storage.freshHref(for: ItemID("two"), attempt: 0)
      try await bench.fixture.put(new, event("two", "Second"))
      let listing = try await bench.list(since: cursor)
      try bench.require(listing.present[new] != nil, "the new item is not listed")
    },

    Check(name: "a listing shows what another client changes, even at once") { bench in
      let (href, _) = try await bench.create("one", event("one", "First"))
      let cursor = try await bench.list(since: nil).cursor
      let old = try await bench.found(href).version
      try await bench.fixture.put(href, event("one", "Newer"))
      let listing = try await bench.list(since: cursor)
      try bench.require(listing.showsChange(of: href, from: old), "the change is not listed")
    },

    Check(name: "a listing shows a change of what is long settled") { bench in
      let (href, _) = try await bench.create("one", event("one", "First"))
      try await bench.fixture.settle()
      let cursor = try await bench.list(since: nil).cursor
      let old = try await bench.found(href).version
      try await bench.fixture.settle()
      try await bench.fixture.put(href, event("one", "Newer"))
      try await bench.fixture.settle()
      let listing = try await bench.list(since: cursor)
      try bench.require(listing.showsChange(of: href, from: old), "the change is not listed")
    },

    Check(name: "a listing shows what another client deletes") { bench in
      let (one, _) = try await bench.create("one", event("one", "First"))
      let (two, _) = try await bench.create("two", event("two", "Second"))
      let cursor = try await bench.list(since: nil).cursor
      try await bench.fixture.remove(one)
      let listing = try await bench.list(since: cursor)
      try bench.require(listing.lacks(one), "the deleted item is still listed")
      try bench.require(!listing.lacks(two), "an item that is there counts as gone")
    },

    Check(name: "without a change nothing is to be read once it is settled") { bench in
      let (href, _) = try await bench.create("one", event("one", "First"))
      try await bench.fixture.settle()
      let cursor = try await bench.list(since: nil).cursor
      let known = try await bench.found(href).version
      try await bench.fixture.settle()
      let listing = try await bench.list(since: cursor)
      try bench.require(!listing.lacks(href), "the item counts as gone")
      guard let item = listing.present[href] else { return }
      try bench.require(
        item.tag != nil && item.tag == known.tag, "an unchanged item would be read again")
    },

    Check(name: "absence is confirmed for what is absent and for nothing else") { bench in
      let (one, _) = try await bench.create("one", event("one", "First"))
      let (two, _) = try await bench.create("two", event("two", "Second"))
      try await bench.fixture.remove(one)
      try await bench.fixture.settle()
      _ = try await bench.list(since: nil)
      let absent = try await bench.storage.confirmAbsence(of: [one, two])
      try bench.require(absent == [one], "confirmed: \(absent.map(\.text))")
    },
  ]

  static let batchChecks: [Check] = [
    Check(name: "empty batches do nothing") { bench in
      let outcomes = await bench.storage.carryOut([])
      try bench.require(outcomes.isEmpty, "no writes gave \(outcomes.count) outcomes")
      let read = try await bench.storage.read([])
      try bench.require(read.isEmpty, "no reads gave \(read.count) outcomes")
      let absent = try await bench.storage.confirmAbsence(of: [])
      try bench.require(absent.isEmpty, "nothing asked, \(absent.count) confirmed")
      try await bench.storage.discard([])
    },

    Check(name: "outcomes come in the order asked, and one failure leaves the others") { bench in
      let hrefs = ["a", "b", "c"].map { bench.storage.freshHref(for: ItemID($0), attempt: 0) }
      let there = event("b", "There")
      try await bench.fixture.put(hrefs[1], there)
      let outcomes = await bench.storage.carryOut(
        zip(["a", "b", "c"], hrefs).map { .create($1, event($0, "New")) })
      try bench.require(outcomes.map(\.href) == hrefs, "outcomes are not in the order asked")
      let stored = outcomes.map { outcome in
        if case .stored = outcome.result { true } else { false }
      }
      try bench.require(stored == [true, false, true], "stored: \(stored)")
      try bench.require(
        outcomes[1].result == .changedMeanwhile, "the second gave \(outcomes[1].result)")
      try await bench.requireContent(hrefs[1], there)
    },

    Check(name: "reads come in the order asked, with what is missing") { bench in
      let (one, _) = try await bench.create("one", event("one", "First"))
      let (two, _) = try await bench.create("two", event("two", "Second"))
      let missing = bench.storage.freshHref(for: ItemID("missing"), attempt: 0)
      let outcomes = try await bench.storage.read([two, missing, one])
      try bench.require(outcomes.map(\.href) == [two, missing, one], "not in the order asked")
      try bench.require(outcomes[1].result == .missing, "the missing one is \(outcomes[1].result)")
      for (outcome, text) in [
        (outcomes[0], event("two", "Second")), (outcomes[2], event("one", "First")),
      ] {
        guard case .found(_, let data, _) = outcome.result else {
          throw bench.fail("\(outcome.href.text) is not found")
        }
        try bench.require(bench.fixture.sameContent(data, text), "contents are mixed up")
      }
    },

    Check(name: "a large batch is stored and read in full") { bench in
      let traits = bench.storage.traits
      let count = min(traits.writeBatch, traits.readBatch, 60)
      let texts = (0..<count).map { event("item\($0)", "Number \($0)") }
      let hrefs = (0..<count).map {
        bench.storage.freshHref(for: ItemID("item\($0)"), attempt: 0)
      }
      let outcomes = await bench.storage.carryOut(zip(hrefs, texts).map { .create($0, $1) })
      var stored: [Href] = []
      for outcome in outcomes {
        guard case .stored(let href, _, _) = outcome.result else {
          throw bench.fail("\(outcome.href.text) gave \(outcome.result)")
        }
        stored.append(href)
      }
      let read = try await bench.storage.read(stored)
      try bench.require(read.count == count, "\(read.count) of \(count) were read")
      for (outcome, text) in zip(read, texts) {
        guard case .found(_, let data, _) = outcome.result else {
          throw bench.fail("\(outcome.href.text) is not found")
        }
        try bench.require(bench.fixture.sameContent(data, text), "contents are mixed up")
      }
    },
  ]
}
