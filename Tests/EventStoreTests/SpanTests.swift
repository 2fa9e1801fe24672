import EventEditing
import EventStore
import ICalendar
import SyncModel
import TestSupport
import Testing

@Suite struct SpanTests {
  private func bench(_ kind: StoreKind) throws -> StoreBench {
    let bench = try StoreBench(kind)
    bench.put("a.ics", item(mondays))
    return bench
  }

  private func monday(_ bench: StoreBench, _ number: Int) async throws -> CalendarEvent {
    let events = try await bench.events("2026-01-01", "2026-12-31")
    return try #require(events.dropFirst(number - 1).first)
  }

  @Test(arguments: StoreKind.allCases)
  func `this event alone is moved, and the series keeps its bytes`(kind: StoreKind) async throws {
    let bench = try bench(kind)
    var second = try await monday(bench, 2)
    second.move(to: try DateTime("2026-01-13T11:00", zone: "Europe/Vienna"))
    second.title = "Later, this week"
    let saved = try await bench.store.save(second, span: .thisEvent)
    #expect(saved.id == second.id)
    #expect(saved.isDetached)
    #expect(saved.end.value == "20260113T120000")
    #expect(
      try await bench.agenda("2026-01-01", "2026-01-20") == [
        "20260105T090000 Jour fixe", "20260113T110000 Later, this week",
        "20260119T090000 Jour fixe",
      ])
    let text = try #require(bench.text("a.ics"))
    let main = item(mondays).replacing("END:VCALENDAR\r\n", with: "")
    #expect(text.hasPrefix(main))
    #expect(text.contains("RECURRENCE-ID;TZID=Europe/Vienna:20260112T090000\r\n"))
    #expect(text.contains("SUMMARY:Later\\, this week\r\n"))
  }

  @Test(arguments: StoreKind.allCases)
  func `future events become a series of their own, which keeps the count`(kind: StoreKind)
    async throws
  {
    let bench = try bench(kind)
    var third = try await monday(bench, 3)
    third.move(to: try DateTime("2026-01-19T14:00", zone: "Europe/Vienna"))
    let saved = try await bench.store.save(third, span: .futureEvents)
    #expect(saved.externalIdentifier != "mondays")
    #expect(saved.start.value == "20260119T140000")
    #expect(saved.rule == "FREQ=WEEKLY;COUNT=8")
    let agenda = try await bench.agenda("2026-01-01", "2026-12-31")
    #expect(agenda.count == 10)
    #expect(
      agenda.prefix(3) == [
        "20260105T090000 Jour fixe", "20260112T090000 Jour fixe", "20260119T140000 Jour fixe",
      ])
    #expect(try await bench.names().count == 2)
    #expect(bench.text("a.ics")?.contains("RRULE:FREQ=WEEKLY;COUNT=2\r\n") == true)
    // The event that was saved can be changed on: here the later part's first occurrence.
    var again = saved
    again.title = "Afternoons"
    try await bench.store.save(again, span: .futureEvents)
    #expect(
      try await bench.agenda("2026-03-01", "2026-12-31") == [
        "20260302T140000 Afternoons", "20260309T140000 Afternoons",
      ])
    #expect(try await bench.names().count == 2)
  }

  @Test(arguments: StoreKind.allCases)
  func `future events at the first one are the whole series`(kind: StoreKind) async throws {
    let bench = try bench(kind)
    var first = try await monday(bench, 1)
    first.title = "Retro"
    first.rule = "FREQ=WEEKLY;INTERVAL=2;COUNT=3"
    let saved = try await bench.store.save(first, span: .futureEvents)
    #expect(saved.id == first.id)
    #expect(try await bench.names() == ["a.ics"])
    #expect(
      try await bench.agenda("2026-01-01", "2026-12-31") == [
        "20260105T090000 Retro", "20260119T090000 Retro", "20260202T090000 Retro",
      ])
    #expect(bench.text("a.ics")?.contains("X-OTHER;X-A=\"b,c\":kept\r\n") == true)
  }

  @Test func `a rule is none of one occurrence`() async throws {
    let bench = try bench(.memory)
    var second = try await monday(bench, 2)
    second.rule = "FREQ=DAILY"
    await #expect(
      throws: EventStoreError.refused(.notOfOneOccurrence(property: "RRULE"))
    ) { try await bench.store.save(second, span: .thisEvent) }
    #expect(bench.text("a.ics") == item(mondays))
  }

  @Test(arguments: StoreKind.allCases)
  func `removing takes one occurrence, the later ones, or all`(kind: StoreKind) async throws {
    let bench = try bench(kind)
    try await bench.store.remove(try await monday(bench, 2), span: .thisEvent)
    #expect(bench.text("a.ics")?.contains("EXDATE;TZID=Europe/Vienna:20260112T090000") == true)
    try await bench.store.remove(try await monday(bench, 3), span: .futureEvents)
    #expect(
      try await bench.agenda("2026-01-01", "2026-12-31") == [
        "20260105T090000 Jour fixe", "20260119T090000 Jour fixe",
      ])
    try await bench.store.remove(try await monday(bench, 1), span: .futureEvents)
    #expect(try await bench.names().isEmpty)
    #expect(try await bench.events("2026-01-01", "2026-12-31").isEmpty)
  }

  @Test(arguments: StoreKind.allCases, EventSpan.allCases)
  func `a new event is written whole, and any span changes it`(kind: StoreKind, span: EventSpan)
    async throws
  {
    let bench = try StoreBench(kind)
    let event = CalendarEvent(
      in: StoreBench.calendar, title: "Lunch",
      start: try DateTime("2026-07-01T12:30", zone: "Europe/Vienna"),
      end: try DateTime("2026-07-01T14:00", zone: "Europe/Vienna"), location: "Café; Linz",
      description: "bring\nnothing", reminders: [.minutesBefore(15), Reminder(.at(seconds: 0))])
    var saved = try await bench.store.save(event)
    let name = try #require(try await bench.names().first)
    let text = try #require(bench.text(name))
    #expect(saved.reminders == event.reminders)
    #expect(saved.startInstant == (try instant("2026-07-01T10:30:00Z")))
    #expect(text.contains("BEGIN:VTIMEZONE\r\nTZID:Europe/Vienna\r\n"))
    #expect(text.contains("LOCATION:Café\\; Linz\r\n"))
    #expect(text.contains("TRIGGER:-PT15M\r\n"))
    #expect(text.contains("TRIGGER;VALUE=DATE-TIME:19700101T000000Z\r\n"))
    saved.start = try DateTime("2026-07-02")
    saved.end = try DateTime("2026-07-04")
    saved.location = nil
    saved.reminders = [Reminder(.at(seconds: 0)), Reminder(.fromEnd(seconds: 0), action: "AUDIO")]
    let changed = try await bench.store.save(saved, span: span)
    #expect(changed.isAllDay)
    #expect(changed.reminders == saved.reminders)
    #expect(changed.location == nil)
    let after = try #require(bench.text(name))
    #expect(after.contains("DTEND;VALUE=DATE:20260704\r\n"))
    #expect(!after.contains("-PT15M"))
    #expect(after.contains("TRIGGER;VALUE=DATE-TIME:19700101T000000Z\r\n"))
  }

  @Test func `alarms of one occurrence are its own`() async throws {
    let bench = try bench(.memory)
    var second = try await monday(bench, 2)
    second.reminders = [.minutesBefore(10)]
    let saved = try await bench.store.save(second, span: .thisEvent)
    #expect(saved.reminders == [.minutesBefore(10)])
    #expect(try await monday(bench, 1).reminders.isEmpty)
    var third = try await monday(bench, 3)
    third.reminders = [.minutesBefore(20)]
    let later = try await bench.store.save(third, span: .futureEvents)
    #expect(later.reminders == [.minutesBefore(20)])
    #expect(try await monday(bench, 2).reminders == [.minutesBefore(10)])
    #expect(try await monday(bench, 10).reminders == [.minutesBefore(20)])
  }

  @Test func `another zone comes with its definition`() async throws {
    let bench = try bench(.memory)
    var second = try await monday(bench, 2)
    second.move(to: try DateTime("2026-01-12T18:00", zone: "Asia/Tokyo"))
    let saved = try await bench.store.save(second, span: .thisEvent)
    #expect(saved.zone == "Asia/Tokyo")
    #expect(saved.startInstant == (try instant("2026-01-12T09:00:00Z")))
    #expect(bench.text("a.ics")?.contains("TZID:Asia/Tokyo\r\n") == true)
    var third = try await monday(bench, 3)
    third.move(to: try DateTime("2026-01-19T18:00", zone: "Mars/Base"))
    await #expect(throws: EventStoreError.refused(.unknownZone("Mars/Base"))) {
      try await bench.store.save(third)
    }
  }

  @Test func `a night that loses an hour ends when it was said to end`() async throws {
    let bench = try StoreBench()
    bench.put(
      "a.ics",
      item([
        "UID:night", "DTSTART;TZID=Europe/Vienna:20260321T220000",
        "DTEND;TZID=Europe/Vienna:20260322T060000", "SUMMARY:Night shift",
      ]))
    bench.put(
      "b.ics",
      item([
        "UID:day", "DTSTART;TZID=Europe/Vienna:20260321T120000", "DURATION:P1D", "SUMMARY:Day",
      ]))
    for event in try await bench.events("2026-03-21", "2026-03-22") {
      var moved = event
      moved.move(
        to: .zoned(
          try #require(
            CivilDateTime(secondsSince1970: event.start.civil.secondsSince1970 + 7 * 86_400)),
          TimeZoneName("Europe/Vienna")))
      let saved = try await bench.store.save(moved)
      #expect(saved.end == moved.end)
    }
    #expect(bench.text("a.ics")?.contains("DTEND;TZID=Europe/Vienna:20260329T060000") == true)
    #expect(bench.text("b.ics")?.contains("DURATION:P1D\r\n") == true)
  }

  @Test func `alarms of the future reach the override that was changed`() async throws {
    let bench = try bench(.memory)
    var third = try await monday(bench, 3)
    third.title = "Special"
    third = try await bench.store.save(third)
    third.reminders = [.minutesBefore(5)]
    let later = try await bench.store.save(third, span: .futureEvents)
    #expect(later.reminders == [.minutesBefore(5)])
    #expect(later.title == "Special")
    #expect(try await monday(bench, 4).reminders == [.minutesBefore(5)])
    #expect(try await monday(bench, 2).reminders.isEmpty)
  }
}
