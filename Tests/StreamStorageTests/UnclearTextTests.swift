import ICalendar
import StreamStorage
import SyncModel
import TestSupport
import Testing

/// Texts that do not say for certain what items they hold.
@Suite struct UnclearTextTests {
  // MARK: Without a UID

  @Test func `what is not to be found is not gone while something has no UID`() async throws {
    let fixture = try FileFixture()
    try fixture.save(calendar(component("a", "A"), component("b", "B")))
    let first = try await fixture.stream.listChanges(since: nil)
    #expect(first.extent == .everything)
    let known = try #require(try await fixture.stream.read([Href("b")]).first?.version)

    try fixture.save(calendar(component("a", "A"), component(nil, "B"), component(nil, "C")))
    let page = try await fixture.stream.listChanges(since: first.next)
    #expect(page.extent == .changesOnly)
    #expect(page.gone.isEmpty)
    #expect(page.present.map(\.problem?.code) == [nil, .noUID])
    let problem = try #require(page.present.last?.problem)
    #expect(problem.message.contains("lines 10, 15"))
    let read = try await fixture.stream.read([Href("a"), Href("b")] + page.present.map(\.href))
    #expect(read.map(\.problem?.code) == [nil, .noUID, nil, .noUID])
    #expect(try await fixture.stream.confirmAbsence(of: [Href("b")]).isEmpty)
    let before = fixture.text
    let outcomes = await fixture.stream.carryOut([.delete(Href("b"), expecting: known)])
    #expect(outcomes.map(\.result) == [.changedMeanwhile])
    #expect(fixture.text == before)

    try fixture.save(calendar(component("a", "A")))
    let last = try await fixture.stream.listChanges(since: page.next)
    #expect(last.extent == .everything)
    #expect(last.present.map(\.href) == [Href("a")])
    #expect(try await fixture.stream.confirmAbsence(of: [Href("b")]) == [Href("b")])
  }

  @Test func `an item may have the UID that stands for none`() async throws {
    let fixture = try FileFixture()
    try fixture.save(calendar(component("(no UID)", "Named"), component(nil, "Nameless")))
    let page = try await fixture.stream.listChanges(since: nil)
    #expect(page.present.map(\.problem?.code) == [nil, .noUID])
    #expect(Set(page.present.map(\.href)).count == 2)
    let read = try await fixture.stream.read(page.present.map(\.href))
    #expect(read.map(\.problem?.code) == [nil, .noUID])
    let old = try #require(read.first?.version)
    let new = ItemData(bytes: calendar(component("(no UID)", "New")))
    let outcomes = await fixture.stream.carryOut([
      .replace(Href("(no UID)"), expecting: old, with: new)
    ])
    #expect(outcomes.first?.isStored == true)
    #expect(
      fixture.text == calendar(component("(no UID)", "New"), component(nil, "Nameless")))
  }

  // MARK: Not UTF-8

  /// A text in Windows-1252.
  private func latin(_ text: [UInt8]) -> [UInt8] {
    String(decoding: text, as: UTF8.self).unicodeScalars.map { UInt8($0.value) }
  }

  @Test func `what is not UTF-8 is left alone, and the rest goes on`() async throws {
    let fixture = try FileFixture()
    try fixture.save(latin(calendar(component("a", "Grün"), component("b", "B"))))
    let page = try await fixture.stream.listChanges(since: nil)
    #expect(page.extent == .everything)
    #expect(page.present.map(\.href) == [Href("a"), Href("b")])
    #expect(page.present.map(\.problem?.code) == [.unreadable, nil])
    let problem = try #require(page.present.first?.problem)
    #expect(problem.message.hasSuffix("not UTF-8, in line 8"))
    let old = try #require(try await fixture.stream.read([Href("b")]).first?.version)
    let new = { (uid: String) in ItemData(bytes: calendar(component(uid, "New"))) }
    let outcomes = await fixture.stream.carryOut([
      .replace(Href("b"), expecting: old, with: new("b")), .create(Href("c"), new("c")),
      .create(Href("a"), new("a")),
    ])
    #expect(outcomes.prefix(2).allSatisfy { $0.isStored })
    guard case .refused(let refusal) = outcomes.last?.result else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(refusal.code == .unreadable)
    #expect(outcomes.last?.isTransient == true, "it can go once the file is mended")
    let after = calendar(component("a", "Grün"), component("b", "New"), component("c", "New"))
    #expect(fixture.text == latin(after))
  }

  @Test func `what lost its UID to another encoding may be any item`() async throws {
    let fixture = try FileFixture()
    try fixture.save(latin(calendar(component("ü", "A"), component("b", "B"))))
    let page = try await fixture.stream.listChanges(since: nil)
    #expect(page.extent == .changesOnly)
    #expect(page.present.map(\.problem?.code) == [nil, .noUID])
    #expect(page.present.last?.problem?.message.contains("without a UID in UTF-8") == true)
  }

  // MARK: One UID for several

  @Test(arguments: ["VEVENT", "VTODO"])
  func `what has one UID and is not one item is left alone`(kind: String) async throws {
    let fixture = try FileFixture()
    let text = calendar(component("a", "A"), component("b", "B"), component("a", "A2", kind: kind))
    try fixture.save(text)
    let page = try await fixture.stream.listChanges(since: nil)
    #expect(page.extent == .everything)
    #expect(page.present.map(\.href) == [Href("a"), Href("b")])
    #expect(page.present.map(\.problem?.code) == [.duplicateUID, nil])
    #expect(page.present.first?.problem?.message.contains("lines 4, 16") == true)
    let read = try await fixture.stream.read([Href("a"), Href("b")])
    #expect(read.map(\.problem?.code) == [.duplicateUID, nil])
    #expect(read.first?.isLasting == true)
    #expect(try await fixture.stream.confirmAbsence(of: [Href("a")]).isEmpty)
    let new = ItemData(bytes: calendar(component("a", "Mine")))
    let outcome = try #require(await fixture.stream.carryOut([.create(Href("a"), new)]).first)
    guard case .refused(let problem) = outcome.result else {
      Issue.record("\(outcome.result)")
      return
    }
    #expect(problem.code == .duplicateUID)
    #expect(outcome.isTransient, "it can go once the file is mended")
    #expect(fixture.text == text)
  }

  @Test func `copies but for the stamp are one item, and a write leaves one`() async throws {
    let fixture = try FileFixture()
    try fixture.save(
      calendar(
        component("a", "A"), component("b", "B"), component("a", "A", stamp: "20260202T000000Z")))
    let page = try await fixture.stream.listChanges(since: nil)
    #expect(page.present.map(\.problem) == [nil, nil])
    let outcome = try #require(try await fixture.stream.read([Href("a")]).first)
    guard case .found(let version, let data, _) = outcome.result else {
      Issue.record("\(outcome.result)")
      return
    }
    #expect(data.bytes == calendar(component("a", "A")))
    let new = ItemData(bytes: calendar(component("a", "New")))
    let written = await fixture.stream.carryOut([
      .replace(Href("a"), expecting: version, with: new)
    ])
    let isWritten = written.allSatisfy { $0.isStored }
    #expect(isWritten)
    #expect(fixture.text == calendar(component("a", "New"), component("b", "B")))
  }

  @Test func `a text of two items under one UID is not written`() async throws {
    let fixture = try FileFixture()
    let two = ItemData(bytes: calendar(component("a", "A"), component("a", "A2")))
    let outcomes = await fixture.stream.carryOut([.create(Href("a"), two)])
    guard case .refused(let problem) = outcomes.first?.result else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(problem.code == .incomplete)
  }

  // MARK: Size

  @Test func `texts are given as many at once as may be held`() async throws {
    let fixture = try FileFixture()
    let long = String(repeating: "x", count: StorageTraits.usualBytesAtOnce * 2 / 3)
    try fixture.save(calendar(component("a", long), component("b", long), component("c", "C")))
    let first = try await fixture.stream.read(["a", "b", "c"].map { Href($0) })
    #expect(first.map(\.href) == [Href("a")])
    #expect(try await fixture.stream.read([Href("b")]).first?.version != nil)
    let all = try await fixture.stream.readAll(["a", "b", "c"].map { Href($0) })
    #expect(all.compactMap(\.version).count == 3)
  }

  @Test func `a time zone that is copied into each item has a limit`() async throws {
    let fixture = try FileFixture()
    let large = zone("Large", bytes: CalendarStream.zoneLimit + 100)
    // Nothing names it.
    try fixture.save(calendar(large, component("a", "A")))
    #expect(try await fixture.stream.listChanges(since: nil).present.count == 1)

    let item = ItemData(bytes: calendar(large, component("b", "B", zone: "Large")))
    let outcome = try #require(await fixture.stream.carryOut([.create(Href("b"), item)]).first)
    guard case .refused(let problem) = outcome.result else {
      Issue.record("\(outcome.result)")
      return
    }
    #expect(problem.code == .tooLarge)

    try fixture.save(calendar(large, component("a", "A", zone: "Large")))
    let error = await #expect(throws: StorageError.self) {
      _ = try await fixture.stream.listChanges(since: nil)
    }
    #expect(error?.kind == .io)
    #expect(error?.why.contains("time zone in line 4") == true)
  }

  @Test func `items with their time zones have a limit together`() async throws {
    let fixture = try FileFixture()
    let large = zone("Large", bytes: CalendarStream.zoneLimit - 1000)
    let mostItems = CalendarStream.itemsLimit / CalendarStream.zoneLimit
    let items = (0...(mostItems + 40)).map { component("u\($0)", "E", zone: "Large") }
    try fixture.save(calendar(large + items.joined()))
    let error = await #expect(throws: StorageError.self) {
      _ = try await fixture.stream.listChanges(since: nil)
    }
    #expect(error?.why.contains("1 GiB") == true)
  }

  // MARK: Feeds

  /// What a URL gives.
  private struct Feed: StreamSource {
    let name: String
    let isReadOnly = true
    let text: [UInt8]

    func fetch(unless known: StreamState?) async throws(StorageError) -> FetchedStream {
      let digest = sha256(text)
      return .text(
        ItemData(bytes: text), Version(tag: nil, digest: digest), StreamState(bytes: digest.bytes))
    }
    func replace(_ expected: Version?, with text: ItemData) async -> WriteOutcome {
      WriteOutcome(href: Href(name), result: .changedMeanwhile)
    }
    func displaced() async throws(StorageError) -> [DisplacedFile] { [] }
    func discard(_ files: [DisplacedFile]) async throws(StorageError) {}
  }

  private func hrefs(_ address: String, for name: String) async throws -> [Href] {
    var options = StreamStorage.Options(digest: sha256, isKnownZone: { _ in true })
    options.nameForUIDs = name
    let text = calendar(component(nil, "A"), component("b", "B"), component(nil, "C"))
    let page = try await StreamStorage(Feed(name: address, text: text), options: options)
      .listChanges(since: nil)
    #expect(page.extent == .everything)
    #expect(page.present.allSatisfy { $0.problem == nil })
    return page.present.map(\.href)
  }

  @Test func `what a feed says that gives nothing is true at its first fetch, too`() async throws {
    let options = StreamStorage.Options(digest: sha256, isKnownZone: { _ in true })
    let feed = Feed(name: "https://example.org/", text: [])
    let error = await #expect(throws: StorageError.self) {
      _ = try await StreamStorage(feed, options: options).listChanges(since: nil)
    }
    #expect(error?.hint == "try again later; nothing is deleted meanwhile")
  }

  @Test func `an item that needs two time zones of one name is left alone`() async throws {
    let zones = ["+0100", "+0500"].map { offset in
      "BEGIN:VTIMEZONE\r\nTZID:Office\r\nX-OFFSET:\(offset)\r\nEND:VTIMEZONE\r\n"
    }
    let override = component("a", "A2", zone: "Office")
      .replacing("DTSTART", with: "RECURRENCE-ID")
    let text =
      calendar(zones[0], component("a", "A", zone: "Office"))
      + calendar(zones[1], override, component("b", "B", zone: "Office"))
    func codes(isKnownZone: Bool) async throws -> [ItemProblem.Code?] {
      let options = StreamStorage.Options(digest: sha256, isKnownZone: { _ in isKnownZone })
      let stream = StreamStorage(Feed(name: "https://example.org/", text: text), options: options)
      let page = try await stream.listChanges(since: nil)
      #expect(page.extent == .everything)
      #expect(page.present.map(\.href) == [Href("a"), Href("b")])
      let read = try await stream.read(page.present.map(\.href))
      #expect(read.map { $0.problem?.code } == page.present.map { $0.problem?.code })
      return page.present.map { $0.problem?.code }
    }
    #expect(try await codes(isKnownZone: false) == [.unsupported, nil])
    #expect(try await codes(isKnownZone: true) == [nil, nil])
  }

  @Test func `an item without a UID stays the same when its feed moves`() async throws {
    let before = try await hrefs("https://old.example/", for: "holidays")
    #expect(before.count == 3)
    #expect(try await hrefs("https://new.example/", for: "holidays") == before)
    #expect(try await hrefs("https://old.example/", for: "others") != before)
  }
}

extension ReadOutcome {
  fileprivate var problem: ItemProblem? {
    if case .problem(let problem) = result { problem } else { nil }
  }
}
