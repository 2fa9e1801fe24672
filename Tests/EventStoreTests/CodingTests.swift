import EventEditing
import EventStore
import Foundation
import ICalendar
import TestSupport
import Testing

@Suite struct CodingTests {
  @Test func `an event is the same after it was written as JSON and read, and can be saved`()
    async throws
  {
    let bench = try StoreBench()
    bench.put(
      "a.ics",
      item(
        mondays + [
          "ORGANIZER:mailto:a@example.org", "ATTENDEE;ROLE=CHAIR:mailto:b@example.org",
          "LAST-MODIFIED:20260101T000000Z", "LOCATION:Linz", "DESCRIPTION:d",
          "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-P1D", "DESCRIPTION:x", "END:VALARM",
        ]))
    bench.put("b.ics", item(["UID:ü / @%", "DTSTART;VALUE=DATE:20260101", "SUMMARY:day"]))
    bench.put("c.ics", item(["UID:f", "DTSTART:20260101T120000", "RDATE:20260103T120000"]))
    bench.put("d.ics", item(["UID:u", "DTSTART:20260102T120000Z", "DURATION:PT1H"]))
    let events = try await bench.events("2026-01-01", "2026-01-13")
    #expect(events.count == 6)
    let json = try JSONEncoder().encode(events)
    let read = try JSONDecoder().decode([CalendarEvent].self, from: json)
    #expect(read == events)
    var monday = try #require(read.last)
    monday.title = "from JSON"
    #expect(try await bench.store.save(monday).title == "from JSON")
  }

  @Test func `times are written as people read them`() throws {
    var event = CalendarEvent(
      in: StoreBench.calendar, title: "t",
      start: try DateTime("2026-01-05T09:00", zone: "Asia/Tokyo"),
      end: try DateTime("2026-01-05T01:00:00Z"))
    func fields() throws -> [String: [String: String]] {
      let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(event))
      let values = try #require(object as? [String: Any])
      return values.compactMapValues { $0 as? [String: String] }
    }
    #expect(try fields()["start"] == ["time": "2026-01-05T09:00:00", "zone": "Asia/Tokyo"])
    #expect(try fields()["end"] == ["time": "2026-01-05T01:00:00Z"])
    event.start = try DateTime("2026-01-05")
    #expect(try fields()["start"] == ["date": "2026-01-05"])
    event.start = .zoned(event.end.civil, TimeZoneName(bytes: [0xFF]))
    let back = try JSONDecoder().decode(CalendarEvent.self, from: JSONEncoder().encode(event))
    #expect(back == event)
  }

  @Test(arguments: ["", "work", "work/", "/x@", "work/x@tomorrow", "work/%4", "work/%GG"])
  func `what is no identifier is refused`(text: String) throws {
    #expect(EventIdentifier(text) == nil)
    let json = try JSONEncoder().encode([text])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([EventIdentifier].self, from: json)
    }
  }

  @Test(arguments: [
    nil, GivenTime.instant(1_768_204_800), .date(CivilDateTime(secondsSince1970: 0)?.date),
    .wall(CivilDateTime(secondsSince1970: 1_768_204_800)),
  ])
  func `an identifier is one word and comes back`(occurrence: GivenTime?) {
    for uid in ["a", "ü@x.org", "1/2%20", "\u{0}"] {
      let id = EventIdentifier(
        calendar: "a/b c", uid: Array(uid.utf8) + [0xFF], occurrence: occurrence)
      #expect(EventIdentifier(id.description) == id)
      #expect(!id.description.contains(" "))
    }
  }
}

extension GivenTime {
  fileprivate static func date(_ date: CivilDate?) -> GivenTime? { date.map { .date($0) } }
  fileprivate static func wall(_ wall: CivilDateTime?) -> GivenTime? { wall.map { .wall($0) } }
}
