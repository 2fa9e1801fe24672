import EventEditing
import EventStore
import ICalendar
import SyncModel
import TestSupport
import Testing

@Suite struct RefusalTests {
  private func first(_ bench: StoreBench) async throws -> CalendarEvent {
    try #require(try await bench.events("2026-01-01", "2026-12-31").first)
  }

  @Test(arguments: StoreKind.allCases, [true, false])
  func `a change is refused where others changed the item since it was read`(
    kind: StoreKind, isSeen: Bool
  ) async throws {
    let bench = try StoreBench(kind)
    bench.put("a.ics", item(mondays))
    var event = try await first(bench)
    let theirs = item(mondays + ["LOCATION:Graz"])
    bench.put("a.ics", theirs)
    if isSeen { try await bench.store.refresh() }
    event.title = "mine"
    let before = bench.text("a.ics")
    let error = await #expect(throws: EventStoreError.self) { try await bench.store.save(event) }
    let id = try #require(event.id)
    #expect(error == .changedMeanwhile(id))
    #expect(bench.text("a.ics") == before)
    #expect(await bench.store.stagedItems.isEmpty)
    // Read again, it goes through, and theirs is kept.
    try await bench.store.refresh()
    var again = try await first(bench)
    again.title = "mine"
    try await bench.store.save(again, span: .futureEvents)
    let text = try #require(bench.text("a.ics"))
    #expect(text.contains("SUMMARY:mine") && text.contains("LOCATION:Graz"))
  }

  @Test(arguments: StoreKind.allCases)
  func `what others removed is not made anew`(kind: StoreKind) async throws {
    let bench = try StoreBench(kind)
    bench.put("a.ics", item(mondays))
    var event = try await first(bench)
    bench.remove("a.ics")
    event.title = "mine"
    await #expect(throws: EventStoreError.self) { try await bench.store.save(event) }
    try await bench.store.refresh()
    await #expect(throws: EventStoreError.self) { try await bench.store.remove(event) }
    #expect(try await bench.names().isEmpty)
    let copy = try await bench.store.save(event.copy(in: StoreBench.calendar))
    #expect(copy.id != event.id)
    #expect(try await bench.agenda("2026-01-01", "2026-01-06") == ["20260105T090000 mine"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a list that was read once can be changed one event after another`(kind: StoreKind)
    async throws
  {
    let bench = try StoreBench(kind)
    bench.put("a.ics", item(mondays))
    let listed = try await bench.events("2026-01-01", "2026-12-31")
    for (number, var event) in listed.enumerated() {
      event.title = "Monday \(number)"
      try await bench.store.save(event)
      // Others' looks do not matter.
      if number == 4 { try await bench.store.refresh() }
    }
    let titles = try await bench.events("2026-01-01", "2026-12-31").map(\.title)
    #expect(titles == (0..<10).map { "Monday \($0)" })
    // What was not changed in the old value is not written back over what was.
    var first = listed[0]
    first.location = "Linz"
    #expect(try await bench.store.save(first).title == "Monday 0")
  }

  @Test func `nothing is written into a calendar that is read-only`() async throws {
    var traits = StorageTraits()
    traits.isReadOnly = true
    let bench = try StoreBench(.memory, traits: traits)
    bench.put("a.ics", item(mondays))
    var event = try await first(bench)
    event.title = "mine"
    await #expect(throws: EventStoreError.readOnly(calendar: "work")) {
      try await bench.store.save(event)
    }
    await #expect(throws: EventStoreError.readOnly(calendar: "work")) {
      try await bench.store.remove(event)
    }
    await #expect(throws: EventStoreError.readOnly(calendar: "work")) {
      try await bench.store.save(event.copy(in: StoreBench.calendar))
    }
  }

  @Test func `edits that cannot be are refused with their reason`() async throws {
    let bench = try StoreBench()
    bench.put("a.ics", item(mondays))
    let event = try await first(bench)
    var backwards = event
    backwards.end = try DateTime("2026-01-05T08:00", zone: "Europe/Vienna")
    await #expect(throws: EventStoreError.refused(.endNotAfterStart)) {
      try await bench.store.save(backwards)
    }
    var mixed = event
    mixed.end = try DateTime("2026-01-06")
    await #expect(throws: EventStoreError.refused(.mixedTimes)) {
      try await bench.store.save(mixed)
    }
    var noRule = event
    noRule.rule = "WEEKLY"
    await #expect(throws: EventStoreError.self) {
      try await bench.store.save(noRule, span: .futureEvents)
    }
    var odd = event
    odd.reminders = [Reminder(.fromStart(seconds: 0), action: "A:B")]
    await #expect(throws: EventStoreError.badReminder) { try await bench.store.save(odd) }
    let never = CalendarEvent(
      in: StoreBench.calendar, title: "", start: event.start, end: event.end)
    await #expect(throws: EventStoreError.notFound(nil)) { try await bench.store.remove(never) }
    try await bench.store.remove(event)
    await #expect(throws: EventStoreError.self) { try await bench.store.remove(event) }
    let elsewhere = event.copy(in: EventCalendar(id: "none", name: ""))
    await #expect(throws: EventStoreError.unknownCalendar("none")) {
      try await bench.store.save(elsewhere)
    }
    #expect(await bench.store.stagedItems.isEmpty)
  }

  @Test func `a save without a change writes nothing`() async throws {
    let bench = try StoreBench()
    bench.put("a.ics", item(mondays))
    let event = try await first(bench)
    for span in EventSpan.allCases {
      let saved = try await bench.store.save(event, span: span)
      #expect(saved == event)
    }
    #expect(bench.text("a.ics") == item(mondays))
    #expect(bench.memoryStorage?.counts.writes == 0)
  }
}
