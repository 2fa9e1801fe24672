import SyncModel

extension StorageContract {
  static let writingChecks: [Check] = [
    Check(name: "what is created reads the same") { bench in
      let data = event("one", "Dentist")
      let (href, _) = try await bench.create("one", data)
      try await bench.requireContent(href, data)
    },

    Check(name: "what is replaced reads as the new content") { bench in
      let (href, _) = try await bench.create("one", event("one", "Dentist"))
      let old = try await bench.found(href).version
      let new = event("one", "Doctor")
      guard
        case .stored(let stored, _, _) = try await bench.carryOut(
          .replace(href, expecting: old, with: new))
      else { throw bench.fail("the replace was not stored") }
      try await bench.requireContent(stored, new)
      let read = try await bench.found(stored).version
      try bench.require(read.digest != old.digest, "old and new content have one digest")
    },

    Check(name: "what is deleted is missing") { bench in
      let (href, _) = try await bench.create("one", event("one", "Dentist"))
      let version = try await bench.found(href).version
      let result = try await bench.carryOut(.delete(href, expecting: version))
      try bench.require(result == .removed, "the delete gave \(result)")
      try bench.require(try await bench.read(href) == .missing, "the deleted item can be read")
      let seen = try await bench.fixture.content(of: href)
      try bench.require(seen == nil, "another client still sees the deleted item")
    },

    Check(name: "a delete of what is missing is done") { bench in
      let (href, _) = try await bench.create("one", event("one", "Dentist"))
      let version = try await bench.found(href).version
      try await bench.fixture.remove(href)
      let result = try await bench.carryOut(.delete(href, expecting: version))
      try bench.require(result == .removed, "the delete gave \(result)")
    },

    Check(name: "a version that a write gave guards the next write") { bench in
      let (href, created) = try await bench.create("one", event("one", "First"))
      // A side that rewrites, or gives no tag, is read back before the next write.
      if bench.storage.traits.mayRewrite || created.tag == nil { return }
      guard
        case .stored(let next, let version, _) = try await bench.carryOut(
          .replace(href, expecting: created, with: event("one", "Second")))
      else { throw bench.fail("a replace at the version of the create was not stored") }
      if version.tag == nil { return }
      let result = try await bench.carryOut(.delete(next, expecting: version))
      try bench.require(
        result == .removed, "a delete at the version of the replace gave \(result)")
    },

    Check(name: "a name that was deleted can be created again") { bench in
      let (href, _) = try await bench.create("one", event("one", "First"))
      let version = try await bench.found(href).version
      _ = try await bench.carryOut(.delete(href, expecting: version))
      let again = event("one", "Again")
      guard case .stored(let stored, _, _) = try await bench.carryOut(.create(href, again))
      else { throw bench.fail("the second create was not stored") }
      try await bench.requireContent(stored, again)
    },

    Check(name: "displaced files hold what was replaced, and go when discarded") { bench in
      let (href, _) = try await bench.create("one", event("one", "First"))
      let old = try await bench.found(href)
      _ = try await bench.carryOut(
        .replace(href, expecting: old.version, with: event("one", "Second")))
      let displaced = try await bench.storage.displaced()
      for file in displaced {
        try bench.require(file.href == href, "a displaced file names \(file.href.text)")
        try bench.require(
          bench.fixture.sameContent(file.data, old.data), "it does not hold the old content")
      }
      try await bench.storage.discard(displaced)
      let left = try await bench.storage.displaced()
      try bench.require(left.isEmpty, "\(left.count) displaced files are left after discard")
      let listed = try await bench.list(since: nil).hrefs
      try bench.require(listed == [href], "discard changed what is listed")
    },
  ]

  static let guardChecks: [Check] = [
    Check(name: "a create on a taken name changes nothing") { bench in
      let there = event("one", "There")
      let href = bench.storage.freshHref(for: ItemID("one"), attempt: 0)
      try await bench.fixture.put(href, there)
      let result = try await bench.carryOut(.create(href, event("one", "Newer")))
      try bench.require(result == .changedMeanwhile, "the create gave \(result)")
      try await bench.requireContent(href, there)
    },

    // The same size, at once: neither size nor a coarse time can tell the two apart.
    Check(name: "a replace at a stale version changes nothing") { bench in
      let (href, _) = try await bench.create("one", event("one", "First"))
      let stale = try await bench.found(href).version
      let newer = event("one", "Newer")
      try await bench.fixture.put(href, newer)
      let result = try await bench.carryOut(
        .replace(href, expecting: stale, with: event("one", "Third")))
      try bench.require(result == .changedMeanwhile, "the replace gave \(result)")
      try await bench.requireContent(href, newer)
    },

    Check(name: "a replace of what is missing creates nothing") { bench in
      let (href, _) = try await bench.create("one", event("one", "First"))
      let stale = try await bench.found(href).version
      try await bench.fixture.remove(href)
      let result = try await bench.carryOut(
        .replace(href, expecting: stale, with: event("one", "Third")))
      try bench.require(result == .changedMeanwhile, "the replace gave \(result)")
      let seen = try await bench.fixture.content(of: href)
      try bench.require(seen == nil, "the deleted item is back")
    },

    Check(name: "a delete at a stale version changes nothing") { bench in
      let (href, _) = try await bench.create("one", event("one", "First"))
      let stale = try await bench.found(href).version
      let newer = event("one", "Newer")
      try await bench.fixture.put(href, newer)
      let result = try await bench.carryOut(.delete(href, expecting: stale))
      try bench.require(result == .changedMeanwhile, "the delete gave \(result)")
      try await bench.requireContent(href, newer)
    },
  ]
}
