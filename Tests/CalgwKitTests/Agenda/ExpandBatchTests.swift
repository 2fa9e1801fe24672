import CalgwKit
import Testing

/// A line in, a line out, whatever the line is.
@Suite struct ExpandBatchTests {
  private func answer(_ line: String, zone: String? = nil) throws -> String {
    try ExpandBatch(zone: zone, includesCancelled: false, now: 0).answer(Array(line.utf8)).text
  }

  private func request(_ lines: String, _ more: String = "") -> String {
    let ics = "BEGIN:VCALENDAR\\nBEGIN:VEVENT\\nUID:u\\n\(lines)\\nEND:VEVENT\\nEND:VCALENDAR\\n"
    return "{\"id\":1,\"ics\":\"\(ics)\"\(more)}"
  }

  @Test func `the occurrences of a window`() throws {
    // RFC 5545 §3.8.5.3: every 2nd Tuesday of a month… the first three of "MONTHLY;BYDAY=1FR".
    let line = request(
      "DTSTART;TZID=America/New_York:19970905T090000\\nDURATION:PT1H\\n"
        + "RRULE:FREQ=MONTHLY;COUNT=10;BYDAY=1FR\\nSUMMARY:x",
      ",\"from\":\"1997-09-01T00:00:00Z\",\"to\":\"1997-11-08T00:00:00Z\"")
    #expect(
      try answer(line) == """
        {"id":1,"instances":[\
        {"uid":"u","start":"1997-09-05T09:00:00-04:00","end":"1997-09-05T10:00:00-04:00",\
        "recurrenceId":"1997-09-05T09:00:00-04:00","summary":"x"},\
        {"uid":"u","start":"1997-10-03T09:00:00-04:00","end":"1997-10-03T10:00:00-04:00",\
        "recurrenceId":"1997-10-03T09:00:00-04:00","summary":"x"},\
        {"uid":"u","start":"1997-11-07T09:00:00-05:00","end":"1997-11-07T10:00:00-05:00",\
        "recurrenceId":"1997-11-07T09:00:00-05:00","summary":"x"}]}
        """)
  }

  @Test(arguments: ["\"ics\":5", "\"ics\":\"\",\"from\":5", "\"ics\":\"\",\"to\":[]"])
  func `a value of another kind is refused with the id`(members: String) throws {
    #expect(try answer("{\"id\":7,\(members)}").hasPrefix("{\"id\":7,\"error\":"))
  }

  @Test func `what does not recur has no recurrenceId; dates stay dates`() throws {
    let line = request("DTSTART;VALUE=DATE:20260105")
    #expect(
      try answer(line) == """
        {"id":1,"instances":[{"uid":"u","start":"2026-01-05","end":"2026-01-06",\
        "recurrenceId":null,"summary":""}]}
        """)
  }

  @Test func `a window is placed by the zone`() throws {
    let line = request(
      "DTSTART:20260105T233000",
      ",\"from\":\"2026-01-06T00:00:00Z\",\"to\":\"2026-01-07T00:00:00Z\"")
    #expect(try answer(line) == "{\"id\":1,\"instances\":[]}")
    #expect(try answer(line, zone: "America/New_York").contains("2026-01-05T23:30:00\""))
  }

  @Test(arguments: [
    ("{\"id\":\"a\",\"ics\":\"\"}", "{\"id\":\"a\",\"error\":\"the file is empty\"}"),
    ("{\"id\":true,\"ics\":\"x\"}", "{\"id\":true,\"error\":\"this is no iCalendar"),
    ("{\"id\":7}", "{\"id\":7,\"error\":\"\\\"ics\\\" is missing\"}"),
    ("", "{\"id\":null,\"error\""),
    ("not json", "{\"id\":null,\"error\""), ("[]", "{\"id\":null,\"error\""),
    ("{\"id\":1,\"ics\":5}", "{\"id\":1,\"error\""), ("{\"id\":\"\\ud800\"}", "{\"id\":null"),
    (
      "{\"id\":{},\"ics\":\"BEGIN:VCALENDAR\\nEND:VCALENDAR\\n\"}", "{\"id\":null,\"instances\":[]}"
    ),
    ("\u{0}", "{\"id\":null,\"error\""),
  ])
  func `a bad line has an error of its own`(line: String, expected: String) throws {
    let answer = try answer(line)
    #expect(answer.hasPrefix(expected), "\(answer)")
  }

  @Test func `so has one that is nested without end`() throws {
    let line = String(repeating: "[", count: 100_000)
    #expect(try answer(line).hasPrefix("{\"id\":null,\"error\""))
  }

  @Test(arguments: [
    ",\"from\":\"soon\"", ",\"to\":\"2026-13-01\"",
    ",\"from\":\"2026-01-02\",\"to\":\"2026-01-01\"",
  ])
  func `a window that means nothing is an error`(more: String) throws {
    #expect(try answer(request("DTSTART:20260101", more)).hasPrefix("{\"id\":1,\"error\":"))
  }

  @Test func `what a rule hides that cannot be read is told beside what there is`() throws {
    let line = request("DTSTART;VALUE=DATE:20260105\\nRRULE:FREQ=FORTNIGHTLY\\nSUMMARY:x")
    #expect(
      try answer(line) == """
        {"id":1,"instances":[{"uid":"u","start":"2026-01-05","end":"2026-01-06",\
        "recurrenceId":null,"summary":"x"}],\
        "note":"the RRULE of \\"x\\" in line 5 cannot be read, and is left out"}
        """)
  }

  @Test func `more occurrences than anybody wants are an error, and without an end the first ones`()
    throws
  {
    let lines = "DTSTART:20260101T000000Z\\nRRULE:FREQ=SECONDLY"
    let year = request(lines, ",\"from\":\"2026-01-01\",\"to\":\"2027-01-01\"")
    #expect(try answer(year).contains("more than 100000 occurrences"))
    let endless = try answer(request(lines))
    #expect(endless.hasSuffix("],\"truncated\":true}"))
    #expect(endless.matches(of: /"uid"/).count == 1000)
    let exclusion = request(lines + "\\nEXRULE:FREQ=SECONDLY")
    #expect(try answer(exclusion).contains("the search was ended"))
  }
}
