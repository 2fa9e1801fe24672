import EventEditing
import EventStore
import ICalendar
import SyncModel
import TestSupport
import Testing
import VdirStorage

@Suite struct CommitTests {
  private func series(_ uid: String) -> String {
    item(mondays).replacing("mondays", with: uid).replacing("Jour fixe", with: uid)
  }

  private func bench(_ kind: StoreKind = .memory) throws -> StoreBench {
    let bench = try StoreBench(kind)
    for uid in ["a", "b", "c"] { bench.put("\(uid).ics", series(uid)) }
    return bench
  }

  private func events(_ bench: StoreBench, _ day: String = "2026-01-19") async throws
    -> [CalendarEvent]
  {
    try await bench.events(day + "T00:00:00Z", day + "T23:00:00Z")
  }

  @Test(arguments: StoreKind.allCases)
  func `staged changes are written by the commit and not before`(kind: StoreKind) async throws {
    let bench = try bench(kind)
    let store = bench.store
    for var event in try await events(bench) {
      event.title = "\(event.title)!"
      try await store.save(event, span: .futureEvents, commit: false)
    }
    let new = CalendarEvent(
      in: StoreBench.calendar, title: "new", start: try DateTime("2026-01-19"),
      end: try DateTime("2026-01-20"))
    try await store.save(new, commit: false)
    #expect(await store.stagedItems.count == 7)
    #expect(bench.text("a.ics") == series("a"))
    #expect(try await bench.names().count == 3)
    try await store.commit()
    #expect(await store.stagedItems.isEmpty)
    #expect(try await bench.names().count == 7)
    #expect(
      try await bench.agenda("2026-01-12", "2026-01-20").map { String($0.suffix(2)) }
        == [" a", " b", " c", "ew", "a!", "b!", "c!"])
  }

  @Test func `a reset forgets what is staged`() async throws {
    let bench = try bench()
    let event = try #require(try await events(bench).first)
    try await bench.store.remove(event, span: .futureEvents, commit: false)
    await bench.store.reset()
    try await bench.store.commit()
    #expect(try await events(bench).count == 3)
    #expect(bench.text("a.ics") == series("a"))
  }

  @Test(arguments: StoreKind.allCases)
  func `several changes of one series in a batch build on each other`(kind: StoreKind) async throws
  {
    let bench = try bench(kind)
    let store = bench.store
    let listed = try await bench.events("2026-01-01", "2026-12-31").filter { $0.title == "a" }
    var second = listed[1]
    second.title = "two"
    second = try await store.save(second, commit: false)
    second.location = "Linz"
    try await store.save(second, commit: false)
    try await store.remove(listed[3], commit: false)
    var sixth = listed[5]
    sixth.title = "six"
    sixth = try await store.save(sixth, span: .futureEvents, commit: false)
    sixth.location = "Wien"
    try await store.save(sixth, span: .thisEvent, commit: false)
    try await store.commit()
    let after = try await bench.events("2026-01-01", "2026-12-31")
      .filter { !["b", "c"].contains($0.title) }
    #expect(
      after.map { "\($0.start.civil.date) \($0.title) \($0.location ?? "-")" } == [
        "2026-01-05 a -", "2026-01-12 two Linz", "2026-01-19 a -", "2026-02-02 a -",
        "2026-02-09 six Wien", "2026-02-16 six -", "2026-02-23 six -", "2026-03-02 six -",
        "2026-03-09 six -",
      ])
  }

  @Test func `a new event that is removed again is never written`() async throws {
    let bench = try StoreBench()
    let new = CalendarEvent(
      in: StoreBench.calendar, title: "new", start: try DateTime("2026-01-19"),
      end: try DateTime("2026-01-20"))
    let saved = try await bench.store.save(new, commit: false)
    try await bench.store.remove(saved, commit: false)
    try await bench.store.commit()
    #expect(try await bench.names().isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `what others changed meanwhile is named, and the rest is written`(kind: StoreKind)
    async throws
  {
    let bench = try bench(kind)
    let store = bench.store
    for var event in try await events(bench) {
      event.title += "!"
      try await store.save(event, span: .futureEvents, commit: false)
    }
    let theirs = series("b").replacing("SUMMARY:b", with: "SUMMARY:theirs")
    bench.put("b.ics", theirs)
    let error = await #expect(throws: EventStoreError.self) { try await store.commit() }
    guard case .notWritten(let failures)? = error else {
      Issue.record("not .notWritten")
      return
    }
    let named = failures.filter { $0.reason == .changedMeanwhile }.map(\.item.externalIdentifier)
    #expect(named == ["b"])
    // The later part of b was taken back.
    #expect(failures.count == 2)
    #expect(try await bench.names().count == 5)
    #expect(bench.text("b.ics")?.hasPrefix(theirs.prefix(200)) == true)
    #expect(await store.stagedItems.isEmpty)
    try await store.refresh()
    #expect(try await events(bench).map(\.title).sorted() == ["a!", "c!", "theirs"])
  }

  @Test func `what a side in trouble did not take stays staged`() async throws {
    let bench = try bench()
    let memory = try #require(bench.memoryStorage)
    var event = try #require(try await events(bench).first)
    event.title = "mine"
    try await bench.store.save(event, commit: false)
    memory.fuse.stop(at: memory.fuse.effects + 1, .before)
    await #expect(throws: EventStoreError.self) { try await bench.store.commit() }
    #expect(await bench.store.stagedItems.map(\.externalIdentifier) == ["a"])
    memory.fuse.replace()
    try await bench.store.commit()
    #expect(bench.text("a.ics")?.contains("SUMMARY:mine") == true)
  }

  @Test func `a refused half of a split leaves the series whole`() async throws {
    let bench = try bench()
    let memory = try #require(bench.memoryStorage)
    memory.refuse(Href("a.ics"), ItemProblem(.refused, "no", hint: ""))
    var event = try #require(try await events(bench).first)
    event.title = "later"
    await #expect(throws: EventStoreError.self) {
      try await bench.store.save(event, span: .futureEvents)
    }
    #expect(bench.text("a.ics") == series("a"))
    #expect(try await bench.names().count == 3)
    #expect(await bench.store.stagedItems.isEmpty)
    memory.refuse(Href("a.ics"), nil)
    try await bench.store.save(event, span: .futureEvents)
    #expect(try await bench.names().count == 4)
  }

  @Test func `calls at the same time wait for each other`() async throws {
    let bench = try bench()
    let listed = try await bench.events("2026-01-01", "2026-12-31").filter { $0.title == "a" }
    await withTaskGroup(of: Void.self) { group in
      for event in listed {
        group.addTask {
          var event = event
          event.location = "\(event.start.civil.date)"
          do { try await bench.store.save(event) } catch { Issue.record(error) }
        }
      }
    }
    let after = try await bench.events("2026-01-01", "2026-12-31").filter { $0.title == "a" }
    #expect(after.map(\.location) == listed.map { "\($0.start.civil.date)" })
  }

  @Test func `what goes to a server is in wire form, and a folder's line ends stay`() async throws {
    for (wantsWire, ending) in [(true, "\r\n"), (false, "\n")] {
      var traits = StorageTraits()
      traits.wantsWireForm = wantsWire
      let bench = try StoreBench(.memory, traits: traits)
      bench.put("a.ics", item(mondays).replacing("\r\n", with: "\n"))
      var event = try #require(try await events(bench).first)
      event.title = "changed"
      try await bench.store.save(event, span: .thisEvent)
      let text = try #require(bench.text("a.ics"))
      #expect(text.contains("SUMMARY:changed\(ending)"))
      #expect(text.contains("SUMMARY:Jour fixe\(ending)"))
      // What was sent is what was seen: the next look finds no change by others.
      var again = try #require(try await events(bench).first)
      try await bench.store.refresh()
      again.title = "again"
      try await bench.store.save(again)
    }
  }

  @Test func `a calendar in trouble does not hold up another one`() async throws {
    let time = ModelClock()
    let calendars = ["one", "two"].map { EventCalendar(id: $0, name: $0) }
    let storages = calendars.map { _ in MemoryStorage(surroundings: time.surroundings) }
    for storage in storages {
      storage.put(Href("a.ics"), ItemData(bytes: Array(series("a").utf8)))
    }
    let store = EventStore(
      zip(calendars, storages).map { CalendarSource($0, storage: $1) }, zones: .machine,
      surroundings: time.surroundings)
    let range = EventPredicate(from: try instant("2026-01-05"), to: try instant("2026-01-06"))
    for var event in try await store.events(matching: range) {
      event.title = "new title"
      try await store.save(event, span: .futureEvents, commit: false)
    }
    storages[0].fuse.stop(at: storages[0].fuse.effects + 1, .before)
    let error = await #expect(throws: EventStoreError.self) { try await store.commit() }
    guard case .notWritten(let failures)? = error, let failure = failures.first else {
      Issue.record("not .notWritten")
      return
    }
    #expect(failures.map(\.item.description) == ["one/a"])
    #expect("\(failure.reason)".isEmpty == false)
    let texts = storages.map {
      String(decoding: $0.items[Href("a.ics")]?.bytes ?? [], as: UTF8.self)
    }
    #expect(texts.map { $0.contains("new title") } == [false, true])
    #expect(await store.stagedItems.map(\.calendar) == ["one"])
  }

  @Test func `replaced files are let go of, but not one that an editor wrote into`() async throws {
    let files = ModelFileSystem()
    let fixture = try ModelVdirFixture(files)
    for uid in ["a", "b"] {
      fixture.put(Href("\(uid).ics"), ItemData(bytes: Array(series(uid).utf8)))
    }
    fixture.settle()
    let store = EventStore(
      [CalendarSource(StoreBench.calendar, storage: fixture.vdir)], zones: .machine,
      surroundings: files.surroundings)
    let range = EventPredicate(from: try instant("2026-01-05"), to: try instant("2026-01-06"))
    for var event in try await store.events(matching: range) {
      event.title += "!"
      try await store.save(event)
    }
    let kept = try await fixture.vdir.displaced()
    #expect(kept.count == 2)
    let name = try #require(kept.first { $0.href == Href("b.ics") }?.name)
    let late = Array("BEGIN:VCALENDAR\r\nX-LATE:1\r\nEND:VCALENDAR\r\n".utf8)
    files.save(String(decoding: name, as: UTF8.self), late, in: ModelVdirFixture.path)
    let left = try await store.tidyUp()
    #expect(left.map(\.data.bytes) == [late])
    #expect(try await fixture.vdir.displaced().map(\.data.bytes) == [late])
  }
}
