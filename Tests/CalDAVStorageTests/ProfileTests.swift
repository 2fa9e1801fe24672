import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// What is learned of a server from its answers, and what follows from it.
@Suite struct ProfileTests {
  private let href = ModelAccount.href("a.ics")

  /// Lists, reads together, creates, reads and replaces.
  private func useAll(_ storage: CalDAVStorage) async throws {
    let (pages, _) = try await listAll(storage)
    _ = try await storage.readAll(pages.flatMap(\.present).map(\.href))
    let new = ModelAccount.href("n.ics")
    _ = await storage.carryOut([.create(new, event("n"))])
    guard case .found(let version, _, _) = try await storage.read([new])[0].result else { return }
    _ = await storage.carryOut([.replace(new, expecting: version, with: event("n", "Doctor"))])
  }

  private static let shown: [(ServerVariant, [(ServerProfile.Capability, Bool)])] = [
    (
      ServerVariant("a strict server") { _ in },
      [
        (.syncCollection, true), (.multiget, true), (.strongTags, true), (.quotedTags, true),
        (.tagAfterPut, true), (.keepsBytes, true), (.keepsNames, true), (.calendarTag, true),
        (.componentSets, true), (.promptWrites, true), (.timesInMultiget, true),
      ]
    ), (ServerVariant("no CTag") { $0.hasCalendarTag = false }, [(.calendarTag, false)]),
    (ServerVariant("times by GET alone") { $0.hidesTimes = true }, [(.timesInMultiget, false)]),
    (ServerVariant("a size limit") { $0.maxResourceSize = 100_000 }, [(.sizeLimit, true)]),
    (ServerVariant("no tag after PUT") { $0.putTag = .none }, [(.tagAfterPut, false)]),
    (ServerVariant("a weak tag after PUT") { $0.putTag = .weak }, [(.tagAfterPut, false)]),
    (
      ServerVariant("weak tags") { $0.tagForm = .weak },
      [(.strongTags, false), (.quotedTags, true)]
    ),
    (
      ServerVariant("bare tags") { $0.tagForm = .unquoted },
      [(.strongTags, true), (.quotedTags, false)]
    ), (ServerVariant("another order") { $0.rewritesOrder = true }, [(.keepsBytes, false)]),
    (ServerVariant("names of its own") { $0.choosesNames = true }, [(.keepsNames, false)]),
  ]

  @Test(arguments: shown)
  func `answers tell what a server does`(
    variant: ServerVariant, expected: [(ServerProfile.Capability, Bool)]
  ) async throws {
    let model = ModelAccount(variant.switches)
    model.put("a.ics", event("a"))
    let (account, storage) = try await model.open()
    try await useAll(storage)
    for (capability, holds) in expected {
      let finding = try #require(account.learned.profile[capability], "\(capability)")
      #expect(finding.holds == holds, "\(capability)")
      #expect(!finding.request.isEmpty && !finding.answer.isEmpty)
      #expect(finding.time == model.clock.now)
    }
  }

  @Test(arguments: [405, 501])
  func `a report that a server does not have is not asked for again, until a week has passed`(
    status: Int
  ) async throws {
    let model = ModelAccount()
    model.put("a.ics", event("a"))
    model.server.plan(.answer(status), for: "REPORT")
    let (first, storage) = try await model.open()
    _ = try await storage.listChanges(since: nil)
    #expect(first.learned.profile[.syncCollection]?.holds == false)
    for (days, reports) in [(0, 0), (6, 0), (2, 1)] as [(Int64, Int)] {
      model.clock.advance(milliseconds: days * 86_400_000)
      let (_, storage) = try await model.open(first.learned)
      model.server.forgetRequests()
      _ = try await storage.listChanges(since: nil)
      #expect(model.server.count("REPORT") == reports)
    }
    let (again, other) = try await model.open(first.learned)
    _ = try await other.listChanges(since: nil)
    #expect(again.learned.profile[.syncCollection]?.holds == true)
  }

  /// Where no other listing works, either, it is the calendar that is out of order.
  @Test(arguments: [403, 405, 500, 501])
  func `a calendar that can be listed in no way says nothing of a report`(
    status: Int
  ) async throws {
    let model = ModelAccount()
    model.put("a.ics", event("a"))
    let (account, storage) = try await model.open()
    model.server.interfere { request in
      let isListing =
        request.method == "REPORT"
        || request.line == "PROPFIND \(ModelAccount.work)" && request.headers["depth"] == "1"
      return isListing ? .answer(status) : nil
    }
    await #expect(throws: StorageError.self) { _ = try await storage.listChanges(since: nil) }
    #expect(account.learned.profile[.syncCollection]?.holds != false)
    model.server.interfere(nil)
    let (_, later) = try await model.open(account.learned)
    model.server.forgetRequests()
    #expect(try await later.listChanges(since: nil).present.count == 1)
    #expect(model.server.count("REPORT") == 1)
  }

  @Test(arguments: [true, false])
  func `where If-Match is known to be ignored, a read comes before each write`(
    isChanged: Bool
  ) async throws {
    let (model, _, version) = try await ModelAccount.withOneItem { $0.ignoresIfMatch = true }
    let (account, storage) = try await model.open()
    for capability in [ServerProfile.Capability.ifMatch, .ifMatchOnDelete] {
      account.learn(
        capability, holds: false, request: "PUT with another If-Match", answer: "204")
    }
    if isChanged { model.put("a.ics", event("a", "Theirs")) }
    for write in [
      GuardedWrite.replace(href, expecting: version, with: event("a", "Ours")),
      .delete(href, expecting: Version(tag: version.tag, digest: sha256(event("a", "Ours").bytes))),
    ] {
      model.server.forgetRequests()
      let outcome = await storage.carryOut([write])[0]
      #expect((outcome.result == .changedMeanwhile) == isChanged)
      #expect(outcome.isUnguarded == !isChanged)
    }
    #expect((model.content("a.ics") == event("a", "Theirs").bytes) == isChanged)
  }

  /// SOGo counts the writes of an item, and begins anew with an item that is made anew.
  @Test func `where two items have one entity tag, an equal tag proves nothing`() async throws {
    let model = ModelAccount { $0.tagIsCounter = true }
    for uid in ["a", "b"] { model.put("\(uid).ics", event(uid)) }
    let (account, storage) = try await model.open()
    let (_, cursor) = try await listAll(storage)
    #expect(account.learned.profile[.ownTags]?.holds == false)
    guard case .found(let version, _, _) = try await storage.read([href])[0].result else {
      Issue.record("a.ics cannot be read")
      return
    }
    model.remove("a.ics")
    model.put("a.ics", event("a", "Theirs"))
    guard case .found(let now, _, _) = try await storage.read([href])[0].result else { return }
    #expect(now.tag == version.tag && now.digest != version.digest)

    let (pages, _) = try await listAll(storage, since: cursor)
    #expect(pages.flatMap(\.present) == [ListedItem(href: href, tag: now.tag, isNews: true)])
    for write in [
      GuardedWrite.replace(href, expecting: version, with: event("a", "Ours")),
      .delete(href, expecting: version),
    ] {
      let outcome = await storage.carryOut([write])[0]
      #expect(outcome.result == .changedMeanwhile)
    }
    #expect(model.content("a.ics") == event("a", "Theirs").bytes)
    let outcome = await storage.carryOut([.delete(href, expecting: now)])[0]
    #expect(outcome.result == .removed && !outcome.isUnguarded)
  }

  @Test func `a comparison of all tags looks at what the server names as changed`() async throws {
    let model = ModelAccount { $0.tagIsCounter = true }
    for uid in ["a", "b"] { model.put("\(uid).ics", event(uid)) }
    let (_, storage) = try await model.open()
    let (_, cursor) = try await listAll(storage)
    model.remove("a.ics")
    model.put("a.ics", event("a", "Theirs"))
    model.clock.advance(milliseconds: 24 * 3600 * 1000)
    let (pages, _) = try await listAll(storage, since: cursor)
    #expect(pages.map(\.extent) == [.everything])
    let news = pages.flatMap(\.present).filter(\.isNews)
    #expect(news.map(\.href) == [href])
  }

  @Test func `a guard that is kept to contradicts what was known`() async throws {
    let (model, _, version) = try await ModelAccount.withOneItem()
    let (account, storage) = try await model.open()
    account.learn(.ifNoneMatch, holds: false, request: "a probe", answer: "204")
    for summary in ["Ours", "Again"] {
      _ = await storage.carryOut([
        .create(href, event("b")), .replace(href, expecting: version, with: event("a", summary)),
      ])
    }
    #expect(account.learned.profile[.ifNoneMatch]?.holds == true)
    #expect(account.learned.profile[.ifMatch]?.holds == true)
  }

  @Test(arguments: [true, false])
  func `what a probe found about guards is known from then on`(areIgnored: Bool) async throws {
    let model = ModelAccount {
      $0.ignoresIfMatch = areIgnored
      $0.ignoresIfNoneMatch = areIgnored
    }
    let (account, _) = try await model.open()
    _ = try await account.probe()
    for capability in [ServerProfile.Capability.ifMatch, .ifMatchOnDelete, .ifNoneMatch] {
      #expect(account.learned.profile[capability]?.holds == !areIgnored, "\(capability)")
    }
  }

  @Test func `a probe's calendar goes for good, also where there is a trash bin`() async throws {
    let model = ModelAccount()
    let (account, _) = try await model.open()
    _ = try await account.probe()
    let removal = try #require(model.server.requests.last { $0.method == "DELETE" })
    #expect(removal.path.hasSuffix("/"))
    let header = removal.headers.first { $0.key.lowercased() == "x-nc-caldav-no-trashbin" }
    #expect(header?.value == "1")
  }

  @Test(arguments: [nil, "<D:error xmlns:D=\"DAV:\"><D:need-privileges/></D:error>"])
  func `a probe where no calendar may be made says so`(body: String?) async throws {
    let model = ModelAccount()
    for method in ["MKCALENDAR", "MKCOL"] {
      model.server.plan(.answer(403, body: body ?? ""), for: method, times: 9)
    }
    let (account, _) = try await model.open()
    let failure = try await #require(throws: ProbeFailure.self) { _ = try await account.probe() }
    #expect(failure.cause.kind == .cannotCreate)
    #expect(failure.left == nil && model.server.count("DELETE") == 0, "nothing was made")
  }

  @Test func `that a UID is taken once is learned`() async throws {
    let model = ModelAccount { $0.uidConflictStatus = 403 }
    let (account, storage) = try await model.open()
    for name in ["a.ics", "b.ics"] {
      _ = await storage.carryOut([.create(ModelAccount.href(name), event("a"))])
    }
    let finding = try #require(account.learned.profile[.uniqueUIDs])
    #expect(finding.holds && finding.answer == "403 no-uid-conflict")
  }

  @Test func `that an item was too large is learned, whatever the calendar says of sizes`()
    async throws
  {
    let model = ModelAccount()
    let (account, storage) = try await model.open()
    #expect(account.learned.profile[.sizeLimit] == nil)
    model.server.plan(.answer(413), for: "PUT")
    _ = await storage.carryOut([.create(href, event("a"))])
    let finding = try #require(account.learned.profile[.sizeLimit])
    #expect(finding.holds && finding.request == "PUT \(href.text)", "\(finding)")
    #expect(finding.answer == "413 to \(event("a").bytes.count) bytes")
    let (later, next) = try await model.open(account.learned)
    for (uid, summary, holds) in [("b", "D", true), ("c", "Dentist", false)] {
      _ = await next.carryOut([.create(ModelAccount.href("\(uid).ics"), event(uid, summary))])
      #expect(later.learned.profile[.sizeLimit]?.holds == holds)
    }
  }

  @Test func `that listings leave items out is learned, and that they do not`() async throws {
    let model = ModelAccount()
    model.put("a.ics", event("a"))
    let (account, storage) = try await model.open()
    #expect(try await storage.confirmAbsence(of: [href]).isEmpty)
    #expect(account.learned.profile[.wholeListings]?.holds == false)
    model.remove("a.ics")
    #expect(try await storage.confirmAbsence(of: [href]) == [href])
    #expect(account.learned.profile[.wholeListings]?.holds == true)
  }

  /// What a listing left out once may not be all that it left out; a server that always leaves out
  /// something is not listed anew in each run.
  @Test(arguments: [false, true])
  func `after a listing that a look refutes all is compared once more`(isKnown: Bool) async throws {
    let model = ModelAccount()
    model.put("a.ics", event("a"))
    var learned: CalDAVAccount.Learned?
    if isKnown {
      let (account, storage) = try await model.open()
      _ = try await storage.confirmAbsence(of: [href])
      learned = account.learned
    }
    let (account, storage) = try await model.open(learned)
    var cursor = try await storage.listChanges(since: nil).next
    _ = try await storage.confirmAbsence(of: [href])
    cursor = try await storage.listChanges(since: cursor).next
    let (_, next) = try await model.open(account.learned)
    #expect(
      try await next.listChanges(since: cursor).extent == (isKnown ? .changesOnly : .everything))
  }

  @Test func `that clients are asked to wait is learned`() async throws {
    let model = ModelAccount()
    let (account, storage) = try await model.open()
    #expect(account.learned.profile[.unthrottled] == nil)
    model.server.plan(.answer(429), for: "REPORT")
    _ = try? await storage.listChanges(since: nil)
    #expect(account.learned.profile[.unthrottled] == nil, "a look teaches nothing")
    account.learnThrottling()
    let finding = try #require(account.learned.profile[.unthrottled])
    #expect(!finding.holds && finding.answer == "429 without Retry-After")
  }

  @Test(arguments: [true, false])
  func `how calendars are made is learned`(hasMakeCalendar: Bool) async throws {
    let model = ModelAccount { $0.hasMakeCalendar = hasMakeCalendar }
    let (account, _) = try await model.open()
    _ = try await account.createCollection(CollectionProposal(name: "new"))
    #expect(account.learned.profile[.makeCalendar]?.holds == hasMakeCalendar)
  }

  @Test func `a profile is kept as text, and what is unknown in it is left out`() {
    var profile = ServerProfile()
    let finding = ServerProfile.Finding(
      holds: false, request: "PUT /a b/%41.ics\nx", answer: "204 \"\u{E4}\"",
      time: Instant(milliseconds: -5), doubts: ["/a%20b", "/=c"])
    for capability in ServerProfile.Capability.allCases { profile.learn(capability, finding) }
    #expect(ServerProfile(encoded: profile.encoded) == profile)
    let more = profile.encoded + Array("\ncapability=telepathy time=1\nnonsense\n=".utf8)
    #expect(ServerProfile(encoded: more) == profile)
    #expect(ServerProfile(encoded: []) == ServerProfile())
    // As releases wrote it that knew of no doubts.
    let former = Array("capability=move holds=yes time=1 request=r answer=a".utf8)
    let known = ServerProfile.Finding(
      holds: true, request: "r", answer: "a", time: Instant(milliseconds: 1))
    #expect(ServerProfile(encoded: former)[.moves] == known)
  }

  @Test func `the same again keeps the first evidence for a day`() {
    var profile = ServerProfile()
    func learn(_ hours: Int64, _ holds: Bool) -> Int64? {
      let time = Instant(milliseconds: hours * 3_600_000)
      profile.learn(
        .multiget, ServerProfile.Finding(holds: holds, request: "r", answer: "a", time: time))
      return profile[.multiget].map { $0.time.milliseconds / 3_600_000 }
    }
    #expect(learn(0, true) == 0)
    #expect(learn(23, true) == 0)
    #expect(learn(24, true) == 24)
    #expect(learn(25, false) == 25)
  }

  // MARK: Schedule-Tags

  private static func meeting(_ summary: String) -> ItemData {
    let text = String(decoding: event("m", summary).bytes, as: UTF8.self)
    let people = "ORGANIZER:mailto:alice@example.org\r\nATTENDEE:mailto:bob@example.org\r\n"
    return ItemData(
      bytes: Array(text.replacing("END:VEVENT", with: people + "END:VEVENT").utf8))
  }

  @Test(arguments: [true, false])
  func `a meeting is replaced by its Schedule-Tag, in a later run too`(
    hasMultiget: Bool
  ) async throws {
    let model = ModelAccount {
      $0.givesScheduleTags = true
      $0.hasMultiget = hasMultiget
    }
    let meeting = ModelAccount.href("m.ics")
    model.put("m.ics", Self.meeting("A"))
    let (first, reader) = try await model.open()
    guard case .found(let version, _, _) = try await reader.read([meeting])[0].result else {
      Issue.record("it cannot be read")
      return
    }
    #expect(first.learned.profile[.scheduleTag]?.holds == true)
    let (_, storage) = try await model.open(first.learned)
    model.server.forgetRequests()
    let outcomes = await storage.carryOut([
      .replace(meeting, expecting: version, with: Self.meeting("B"))
    ])
    guard case .stored = outcomes[0].result else {
      Issue.record("it gave \(outcomes[0].result)")
      return
    }
    let put = try #require(model.server.requests.first { $0.method == "PUT" })
    #expect(put.headers["if-schedule-tag-match"]?.hasPrefix("\"s") == true)
    #expect(put.headers["if-match"]?.hasPrefix("\"r") == true)
    // Its own change made another tag; the old one holds no more.
    let again = await storage.carryOut([
      .replace(meeting, expecting: version, with: Self.meeting("C"))
    ])
    #expect(again[0].result == .changedMeanwhile)
  }

  @Test func `no other item and no other server gets that guard`() async throws {
    for gives in [true, false] {
      let model = ModelAccount { $0.givesScheduleTags = gives }
      model.put("m.ics", gives ? event("m") : Self.meeting("A"))
      let (account, storage) = try await model.open()
      let href = ModelAccount.href("m.ics")
      guard case .found(let version, _, _) = try await storage.read([href])[0].result else {
        continue
      }
      _ = await storage.carryOut([.replace(href, expecting: version, with: event("m", "B"))])
      let put = try #require(model.server.requests.first { $0.method == "PUT" })
      #expect(put.headers["if-schedule-tag-match"] == nil)
      #expect(account.learned.profile[.scheduleTag] == nil)
    }
  }
}
