import EventEditing
import EventStore
import ICalendar
import SyncModel
import TestSupport
import Testing

@Suite struct QueryTests {
  @Test(arguments: StoreKind.allCases)
  func `a series is given occurrence by occurrence, sorted with the others`(kind: StoreKind)
    async throws
  {
    let bench = try StoreBench(kind)
    bench.put("a.ics", item(mondays))
    bench.put(
      "b.ics",
      item([
        "UID:single", "DTSTART:20260112T075900Z", "DURATION:PT30M", "SUMMARY:Early",
        "LOCATION:Linz",
        "DESCRIPTION:one\\, two", "LAST-MODIFIED:20251231T235959Z",
        "ORGANIZER;CN=Ann:mailto:ann@example.org",
        "ATTENDEE;PARTSTAT=accepted;CN=\"Doe, Jane\":mailto:jane@example.org",
        "BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER;RELATED=END:-PT5M", "END:VALARM",
      ]))
    let events = try await bench.events("2026-01-01", "2026-01-20")
    #expect(events.map(\.title) == ["Jour fixe", "Early", "Jour fixe", "Jour fixe"])
    #expect(
      events.map(\.start.value)
        == ["20260105T090000", "20260112T075900Z", "20260112T090000", "20260119T090000"])
    let early = try #require(events.dropFirst().first)
    #expect(early.occurrence == nil)
    #expect(early.id?.description == "work/single")
    #expect(early.end.value == "20260112T082900Z")
    #expect(early.location == "Linz")
    #expect(early.description == "one, two")
    #expect(early.lastModified == Instant(milliseconds: 1_767_225_599_000))
    #expect(early.organizer == Attendee(name: "Ann", address: "mailto:ann@example.org"))
    #expect(
      early.attendees == [
        Attendee(name: "Doe, Jane", address: "mailto:jane@example.org", status: "ACCEPTED")
      ])
    #expect(early.reminders == [Reminder(.fromEnd(seconds: -300), action: "AUDIO")])
    #expect(early.calendar.color == "#aa0000")
    let second = try #require(events.dropFirst(2).first)
    #expect(second.id?.description == "work/mondays@20260112T080000Z")
    #expect(second.externalIdentifier == "mondays")
    #expect(second.occurrence == .instant(1_768_204_800))
    #expect(second.startInstant == Instant(seconds: 1_768_204_800))
    #expect(second.zone == "Europe/Vienna")
    #expect(second.rule == "FREQ=WEEKLY;COUNT=10")
    #expect(!second.isDetached)
  }

  @Test func `overrides are given where they were moved to, and named by their original start`()
    async throws
  {
    let bench = try StoreBench()
    bench.put(
      "a.ics",
      item(
        mondays + ["EXDATE;TZID=Europe/Vienna:20260119T090000"],
        [
          "UID:mondays", "RECURRENCE-ID;TZID=Europe/Vienna:20260112T090000",
          "DTSTART;TZID=Asia/Tokyo:20260301T180000", "DTEND;TZID=Asia/Tokyo:20260301T190000",
          "SUMMARY:Moved",
        ]))
    #expect(
      try await bench.agenda("2026-01-05", "2026-02-01")
        == ["20260105T090000 Jour fixe", "20260126T090000 Jour fixe"])
    let moved = try #require(try await bench.events("2026-03-01", "2026-03-02").first)
    #expect(moved.title == "Moved")
    #expect(moved.zone == "Asia/Tokyo")
    #expect(moved.isDetached)
    #expect(moved.occurrence == .instant(1_768_204_800))
    let id = try #require(moved.id)
    #expect(try await bench.store.event(withIdentifier: id) == moved)
    let first = try await bench.store.event(withIdentifier: id.series)
    #expect(first?.start.value == "20260105T090000")
    let gone = EventIdentifier(
      calendar: "work", uid: id.uid, occurrence: .instant(1_768_204_800 + 7 * 86_400))
    #expect(try await bench.store.event(withIdentifier: gone) == nil)
  }

  @Test func `all-day events are days, also where days begin elsewhere`() async throws {
    let bench = try StoreBench()
    bench.put(
      "a.ics",
      item([
        "UID:trip", "DTSTART;VALUE=DATE:20260105", "DTEND;VALUE=DATE:20260107",
        "RRULE:FREQ=YEARLY;COUNT=2", "SUMMARY:Trip",
      ]))
    // Midnight in Vienna is 23:00 in UTC.
    let event = try #require(
      try await bench.events("2026-01-04T23:00:00Z", "2026-01-04T23:00:01Z").first)
    #expect(event.isAllDay)
    #expect(event.start.value == "20260105")
    #expect(event.end.value == "20260107")
    #expect(event.id?.description == "work/trip@20260105")
    #expect(try await bench.events("2026-01-06T23:00:00Z", "2026-01-07T23:00:00Z").isEmpty)
    #expect(try await bench.events("2026-01-01", "2026-01-04T23:00:00Z").isEmpty)
  }

  @Test func `the second of two equal times on the wall is given in UTC`() async throws {
    let bench = try StoreBench()
    bench.put(
      "a.ics",
      item([
        "UID:night", "DTSTART:20261025T003000Z", "RRULE:FREQ=HOURLY;COUNT=2", "SUMMARY:Night",
      ]))
    bench.put(
      "b.ics",
      item([
        "UID:vienna", "DTSTART;TZID=Europe/Vienna:20261025T013000",
        "RDATE:20261025T013000Z", "SUMMARY:Vienna",
      ]))
    #expect(
      try await bench.agenda("2026-10-24", "2026-10-26") == [
        "20261025T013000 Vienna", "20261025T003000Z Night", "20261025T013000Z Night",
        "20261025T013000Z Vienna",
      ])
  }

  @Test func `four years are given, and more are refused`() async throws {
    let bench = try StoreBench()
    bench.put(
      "a.ics", item(["UID:d", "DTSTART:20260101T000000Z", "RRULE:FREQ=MONTHLY", "SUMMARY:Rent"]))
    #expect(try await bench.events("2026-01-01", "2030-01-01").count == 48)
    #expect(try await bench.events("2028-02-29", "2032-02-29").count == 48)
    await #expect(throws: EventStoreError.rangeTooLong(days: 1463)) {
      try await bench.events("2026-01-01", "2030-01-03")
    }
    await #expect(throws: EventStoreError.self) {
      try await bench.store.events(
        matching: EventPredicate(
          from: Instant(milliseconds: .min), to: Instant(milliseconds: .max)))
    }
    #expect(try await bench.events("2030-01-01", "2026-01-01").isEmpty)
  }

  @Test func `a rule by the second ends in an error and not in all memory`() async throws {
    let bench = try StoreBench()
    bench.put("a.ics", item(["UID:s", "DTSTART:20000101T000000Z", "RRULE:FREQ=SECONDLY"]))
    #expect(try await bench.events("2026-01-01", "2026-01-01T00:01:00Z").count == 60)
    await #expect(throws: EventStoreError.tooManyEvents) {
      try await bench.events("2026-01-01", "2026-03-01")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `what cannot be read is named and hides nothing else`(kind: StoreKind) async throws {
    let bench = try StoreBench(kind)
    bench.put("a.ics", item(mondays))
    bench.put("b.ics", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n")
    bench.put("c.ics", item(["DTSTART:20260105T000000Z"]))
    bench.put("d.ics", item(mondays))
    bench.put("e.ics", item(["UID:1", "DTSTART:20260105T000000Z"], ["UID:2"]))
    bench.put(
      "f.ics", item(mondays).replacing("VEVENT", with: "VTODO").replacing("UID:", with: "UID:t"))
    #expect(try await bench.events("2026-01-01", "2026-01-20").count == 3)
    let found = try await bench.store.unreadableItems()
    #expect(found.map(\.href.text) == ["b.ics", "c.ics", "d.ics", "e.ics"])
    #expect(
      found.map(\.problem.code) == [.incomplete, .noUID, .duplicateUID, .severalUIDs])
    bench.remove("a.ics")
    try await bench.store.refresh()
    #expect(try await bench.events("2026-01-01", "2026-01-20").count == 3)
    #expect(try await bench.store.unreadableItems().count == 3)
  }

  @Test func `calendars are chosen by id, and carry their name`() async throws {
    let time = ModelClock()
    let (one, other) = (
      MemoryStorage(surroundings: time.surroundings),
      MemoryStorage(surroundings: time.surroundings)
    )
    one.put(Href("a.ics"), ItemData(bytes: Array(item(mondays).utf8)))
    other.put(Href("a.ics"), ItemData(bytes: Array(item(mondays).utf8)))
    let store = EventStore(
      [
        CalendarSource(EventCalendar(id: "one", name: "One"), storage: one),
        CalendarSource(EventCalendar(id: "two", name: "Two"), storage: other),
      ], zones: .machine, surroundings: time.surroundings)
    let day = (try instant("2026-01-05"), try instant("2026-01-06"))
    let both = try await store.events(matching: EventPredicate(from: day.0, to: day.1))
    #expect(both.map(\.calendar.name) == ["One", "Two"])
    #expect(Set(both.map(\.id)).count == 2)
    let two = try await store.events(
      matching: EventPredicate(from: day.0, to: day.1, calendars: ["two"]))
    #expect(two.map(\.calendar.id) == ["two"])
    await #expect(throws: EventStoreError.unknownCalendar("three")) {
      try await store.events(
        matching: EventPredicate(from: day.0, to: day.1, calendars: ["three"]))
    }
  }
}
