import CalgwKit
import SyncModel
import Testing

@Suite struct ReportTests {
  @Test(
    arguments: [
      ([], 0), ([0], 0), ([0, 1], 1), ([1, 75], 75), ([75, 69], 69), ([69, 76], 76),
      ([76, 77], 77),
      ([77, 78], 78), ([78, 73], 73), ([73, 74], 74), ([74, 130], 130), ([130, 0, 1, 75], 130),
      ([1, 0, 69, 78, 74], 74), ([143, 74], 143), ([129, 1], 129),
    ] as [([Int32], Int32)])
  func `the status of several pairs is the first present of the order`(
    parts: [Int32], whole: Int32
  ) {
    let statuses = parts.compactMap(ExitStatus.init(rawValue:))
    #expect(statuses.count == parts.count)
    #expect(ExitStatus.combined(statuses).rawValue == whole)
    #expect(ExitStatus.combined(statuses.reversed()).rawValue == whole)
  }

  @Test(
    arguments: [
      (StorageError.Kind.unreachable, 69), (.tryLater(nil), 75), (.protocolBroken, 76),
      (.denied, 77), (.vanished, 74), (.cannotCreate, 73), (.io, 74), (.stopped, 130),
    ] as [(StorageError.Kind, Int32)])
  func `a storage's trouble has its status`(kind: StorageError.Kind, status: Int32) {
    let failure = RunFailure(StorageError(kind, "it failed", why: "w", hint: "h"), place: "pair a")
    #expect(failure.status.rawValue == status)
    #expect(failure.place == "pair a")
  }

  @Test(
    arguments: [
      (JournalError.Kind.busy, 75), (.cannotWrite, 74), (.unusable, 74), (.stopped, 130),
    ] as [(JournalError.Kind, Int32)])
  func `a journal's trouble has its status`(kind: JournalError.Kind, status: Int32) {
    #expect(RunFailure(JournalError(kind, "m", hint: "h"), place: "").status.rawValue == status)
  }

  @Test(arguments: [
    (StorageError.Kind.unreachable, Int32(75)), (.denied, 77), (.io, 74), (.protocolBroken, 76),
  ])
  func `a server that did not answer before the deadline is not what ended the run`(
    kind: StorageError.Kind, status: Int32
  ) {
    let failure = RunFailure(StorageError(kind, "m"), place: "", stop: .deadline)
    #expect(failure.status.rawValue == status)
  }

  @Test(
    arguments: [
      (StopReason.interrupted, 130), (.hungUp, 129), (.terminated, 143), (.deadline, 75),
    ] as [(StopReason, Int32)])
  func `each reason to stop has its status`(reason: StopReason, status: Int32) {
    #expect(RunFailure.stopped(reason, place: "").status.rawValue == status)
    let failure = RunFailure(StorageError(.stopped, "m"), place: "", stop: reason)
    #expect(failure.status.rawValue == status)
  }

  @Test(arguments: [(StopReason.deadline, "the server asked to wait"), (.interrupted, "")])
  func `a run whose time was over says what a server asked to wait for`(
    stop: StopReason, why: String
  ) {
    var report = PairReport(pair: "p", direction: .both, isDryRun: false)
    var collection = CollectionReport(name: "work")
    collection.failure = .stopped
    report.collections = [collection]
    report.stop = stop
    report.askedWait = "the server asked to wait"
    #expect(report.failures.map(\.why) == [why])
  }

  @Test func `one collection's failure does not hide another's`() {
    var report = PairReport(pair: "p", direction: .both, isDryRun: false)
    var first = CollectionReport(name: "a")
    first.failure = .storage(.remote, StorageError(.unreachable, "no connection", hint: "h"))
    var second = CollectionReport(name: "b")
    second.failure = .storage(.local, StorageError(.io, "disk full", hint: "h"))
    report.collections = [first, second]
    #expect(report.status == .io)
    #expect(report.gravestFailure?.message == "disk full")
    #expect(report.failures.map(\.message) == ["no connection", "disk full"])
  }

  @Test func `what a person settles after a run counts as done by it`() {
    var report = PairReport(pair: "p", direction: .both, isDryRun: false)
    var settled = report
    var collection = CollectionReport(name: "work")
    collection.invitations = 1
    report.collections = [collection]
    collection.pushed.updated = 1
    collection.invitations = 2
    settled.collections = [collection]
    report.include(settled)
    #expect(report.collections.map(\.invitations) == [3])
    #expect(report.collections.map(\.pushed.updated) == [1])
  }

  /// As the new part of a series, which waited until the conflict of the series was settled.
  @Test func `what such a settlement wrote waits no more, and what it names does`() {
    func item(_ uid: String?) -> ReportedItem {
      ReportedItem(uid: uid.map { ItemID($0) }, file: nil, href: nil, summary: "")
    }
    func problem(_ uid: String?) -> ReportedProblem {
      ReportedProblem(item: item(uid), problem: ItemProblem(.refused, "m", hint: "h"))
    }
    var report = PairReport(pair: "p", direction: .both, isDryRun: false)
    var settled = report
    var (work, home) = (CollectionReport(name: "work"), CollectionReport(name: "home"))
    work.problems = ["part", "refused", "other", nil].map { problem($0) }
    home.problems = [problem("part")]
    report.collections = [work, home]
    work.problems = [problem("refused")]
    work.actions = ["part", "refused"].map {
      ReportedAction(kind: .create, side: .remote, item: item($0))
    }
    settled.collections = [work]
    report.include(settled)
    let left = report.collections.map { $0.problems.map { $0.item.uid?.text } }
    #expect(left == [["refused", "other", nil], ["part"]])
  }

  @Test(arguments: [(StopReason.deadline, Int32(75)), (.terminated, 143), (.hungUp, 129)])
  func `what ends a settlement ends the run`(reason: StopReason, status: Int32) {
    var report = PairReport(pair: "p", direction: .both, isDryRun: false)
    var settled = report
    var collection = CollectionReport(name: "work")
    report.collections = [collection]
    collection.failure = .stopped
    settled.collections = [collection]
    settled.stop = reason
    report.include(settled)
    #expect(report.status.rawValue == status)
  }

  @Test func `the report of a run is one line of JSON as in the contract`() {
    var collection = CollectionReport(name: "work")
    collection.pulled.created = 3
    collection.pushed.updated = 1
    collection.pushed.deleted = 2
    collection.unchanged = 40
    collection.invitations = 1
    let item = ReportedItem(
      uid: ItemID("u1"), file: Href("a.ics"), href: Href("/dav/work/a.ics"), summary: "Den\"tist")
    let digest = liveDigest([])
    collection.conflicts = [
      ReportedConflict(item: item, reason: .bothChanged, local: digest, remote: digest)
    ]
    let odd = Href([UInt8(ascii: "c"), 0xE9, UInt8(ascii: "%"), 0xC3, 0xA9])
    collection.problems = [
      ReportedProblem(
        item: ReportedItem(uid: nil, file: odd, href: nil, summary: ""),
        problem: ItemProblem(.incomplete, "cut off", hint: "mend it"))
    ]
    collection.actions = [ReportedAction(kind: .create, side: .local, item: item)]
    var report = PairReport(pair: "personal", direction: .both, isDryRun: false)
    report.collections = [collection]
    report.traffic.requests = 7
    report.traffic.bytesIn = 1 << 40
    report.elapsed = .milliseconds(1234)
    let plain =
      #"{"pair":"personal","direction":"both","dryRun":false,"status":1,"error":null,"#
      + #""collections":[{"name":"work","pulled":{"created":3,"updated":0,"deleted":0},"#
      + #""pushed":{"created":0,"updated":1,"deleted":2},"merged":0,"unchanged":40,"#
      + #""invitations":1,"conflicts":[{"uid":"u1","file":"a.ics","href":"/dav/work/a.ics","#
      + #""summary":"Den\"tist","reason":"both-changed"}],"#
      + #""problems":[{"uid":null,"file":"c%E9%25é","fileEncoded":true,"href":null,"#
      + #""code":"incomplete","message":"cut off","hint":"mend it"}]"#
    let actions =
      #","actions":[{"action":"create","side":"local","uid":"u1","file":"a.ics","#
      + #""href":"/dav/work/a.ics","summary":"Den\"tist"}]"#
    let end = #"}],"requests":7,"bytesIn":1099511627776,"bytesOut":0,"seconds":1.234}"#
    #expect(report.json(withActions: false).text == plain + end)
    #expect(report.json(withActions: true).text == plain + actions + end)
    report.isDryRun = true
    #expect(report.json(withActions: false).text.contains(actions))
  }

  @Test func `a failure is in the report with code, message and hint`() {
    var report = PairReport(pair: "p", direction: .pull, isDryRun: false)
    report.failure = RunFailure(
      .unreachable, code: "unreachable", message: "no connection", why: "refused", hint: "try")
    let error = #""error":{"code":"unreachable","message":"no connection: refused","hint":"try"}"#
    #expect(report.json(withActions: false).text.contains(error))
    #expect(report.json(withActions: false).text.contains(#""status":69"#))
  }

  @Test func `an item that is not in step is one line of JSON as in the contract`() {
    let item = ReportedItem(uid: ItemID("u"), file: Href("a.ics"), href: nil, summary: "S")
    var entry = PendingEntry(pair: "p", collection: "c", item: item)
    entry.local = .created
    let start = #"{"pair":"p","collection":"c","uid":"u","file":"a.ics","href":null,"summary":"S","#
    let changes = #","localChanges":[],"remoteChanges":[]}"#
    #expect(
      entry.json.text
        == start + #""local":"created","remote":"unchanged","conflict":null,"problem":null"#
        + changes)
    entry.conflict = .neverAgreed
    entry.problem = ItemProblem(.refused, "m", hint: "h")
    #expect(
      entry.json.text
        == start + #""local":"created","remote":"unchanged","conflict":"never-agreed","#
        + #""problem":{"code":"refused","message":"m","hint":"h"}"# + changes)
  }

  @Test func `a version of the log is one line of JSON as in the contract`() {
    let entry = HistoryEntry(
      time: Instant(milliseconds: 1_767_600_000_123), uid: ItemID("u"), side: .remote,
      action: .deleted, reason: "deleted here", href: Href("/x"), before: nil, after: nil)
    let version = KeptVersion(
      id: "p/7", pair: "p", collection: "c", entry: entry,
      before: ItemData(bytes: Array("A\r\n".utf8)))
    let line =
      #"{"id":"p/7","time":"2026-01-05T08:00:00.123Z","pair":"p","collection":"c","uid":"u","#
      + #""side":"remote","action":"deleted","reason":"deleted here""#
    #expect(version.json(withContent: false).text == line + "}")
    #expect(
      version.json(withContent: true).text == line + #","before":"A\r\n","after":null}"#)
  }

  @Test(
    arguments: [
      (.displayname, "Work", "A \"b\"\nc", "the name was \"Work\", set to \"A \"b\" c\""),
      (.color, nil, "#112233", "there was no colour, set to \"#112233\""),
      (.description, "Rooms", nil, "the description was \"Rooms\", removed"),
      (.order, "3", "4", "the order was \"3\", set to \"4\""),
    ] as [(MetadataKey, String?, String?, String)])
  func `a replaced value is told in words`(
    key: MetadataKey, before: String?, after: String?, words: String
  ) {
    let change = ValueChange(
      time: Instant(milliseconds: 0), side: .local, key: key, before: before, after: after)
    let value = ReplacedValue(id: "p/value-1", pair: "p", collection: "c", change: change)
    #expect(value.words == words)
  }

  @Test func `a replaced value has every key of a version, and one of its own`() {
    let change = ValueChange(
      time: Instant(milliseconds: 1_767_600_000_123), side: .remote, key: .color, before: "#112233",
      after: "")
    let value = ReplacedValue(id: "p/value-7", pair: "p", collection: "c", change: change)
    let line =
      #"{"id":"p/value-7","time":"2026-01-05T08:00:00.123Z","pair":"p","collection":"c","#
      + ##""uid":null,"side":"remote","action":"deleted","##
      + ##""reason":"the colour was \"#112233\", removed""##
    let own = ##","metadata":{"key":"color","before":"#112233","after":null}}"##
    #expect(value.json(withContent: false).text == line + own)
    #expect(value.json(withContent: true).text == line + #","before":null,"after":null"# + own)
  }

  @Test(
    arguments: [
      ([0xE9], "6Q=="), ([0x41, 0xE9], "Qek="), ([0x41, 0xE9, 0x42], "QelC"),
      ([0xFF, 0xFE, 0xFD, 0x00], "//79AA=="),
    ] as [([UInt8], String)])
  func `of a text that is not UTF-8 the log has every byte`(bytes: [UInt8], encoded: String) {
    let entry = HistoryEntry(
      time: Instant(milliseconds: 0), uid: ItemID("u"), side: .local, action: .replaced,
      reason: "r", href: Href("x"), before: nil, after: nil)
    let version = KeptVersion(
      id: "p/7", pair: "p", collection: "c", entry: entry, before: ItemData(bytes: bytes),
      after: ItemData(bytes: []))
    let json = version.json(withContent: true).text
    #expect(json.hasSuffix(#","beforeBase64":"\#(encoded)","after":""}"#), "\(json)")
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
      (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
    ] as [(Int64, String)])
  func `a time is RFC 3339 in UTC`(milliseconds: Int64, text: String) {
    #expect(timestamp(Instant(milliseconds: milliseconds)) == text)
  }

  @Test(arguments: [Int64.min, Int64.max])
  func `an absurd time is shown and stops nothing`(milliseconds: Int64) {
    #expect(timestamp(Instant(milliseconds: milliseconds)).hasSuffix("Z"))
  }
}
