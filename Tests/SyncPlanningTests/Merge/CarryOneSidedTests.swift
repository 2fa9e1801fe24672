import ICalendar
import SyncPlanning
import TestSupport
import Testing

/// What one side alone changed, on its way to a side that spells times in another way.
@Suite struct CarryOneSidedTests {
  private static func zone(_ name: String) -> String {
    """
    BEGIN:VTIMEZONE
    TZID:\(name)
    BEGIN:STANDARD
    DTSTART:19701025T030000
    TZOFFSETFROM:+0200
    TZOFFSETTO:+0100
    RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
    END:STANDARD
    BEGIN:DAYLIGHT
    DTSTART:19700329T020000
    TZOFFSETFROM:+0100
    TZOFFSETTO:+0200
    RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
    END:DAYLIGHT
    END:VTIMEZONE

    """
  }

  /// A daily series from these lines, its override and its definitions.
  private func series(_ lines: String..., override: String = "", zones: String = "") -> String {
    let override =
      override.isEmpty
      ? "" : "BEGIN:VEVENT\nUID:1\n\(override.replacing(" | ", with: "\n"))\nEND:VEVENT\n"
    return """
      BEGIN:VCALENDAR
      VERSION:2.0
      \(zones)BEGIN:VEVENT
      UID:1
      \(lines.joined(separator: "\n"))
      RRULE:FREQ=DAILY
      END:VEVENT
      \(override)END:VCALENDAR

      """
  }

  private func carry(from base: String, to text: String, onto other: String) -> String? {
    let trees = [base, text, other].map { SyntaxTree(bytes: Array($0.utf8)) }
    return MergeCase.zones.carry(from: trees[0], to: trees[1], onto: trees[2])
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private let home = Self.zone("Europe/Vienna")
  private let custom = Self.zone("Custom Vienna")
  private let homeStart = "DTSTART;TZID=Europe/Vienna:20260301T100000"
  private let customStart = "DTSTART;TZID=Custom Vienna:20260301T100000"

  @Test func `a start in a zone of the other side's own brings the definition`() {
    let (here, there) = (series(homeStart, zones: home), series(customStart, zones: custom))
    let moved = "DTSTART;TZID=Custom Vienna:20260301T083000"
    #expect(
      carry(from: there, to: series(moved, zones: custom), onto: here)
        == series(moved, zones: home + custom))
    let back = "DTSTART;TZID=Europe/Vienna:20260301T083000"
    #expect(
      carry(from: here, to: series(back, zones: home), onto: there)
        == series(back, zones: custom + home))
  }

  @Test func `so do a date that is left out and an occurrence`() {
    let (here, there) = (series(homeStart, zones: home), series(customStart, zones: custom))
    let date = "EXDATE;TZID=Custom Vienna:20260302T100000"
    #expect(
      carry(from: there, to: series(customStart, date, zones: custom), onto: here)
        == here.replacing(
          "RRULE:FREQ=DAILY\nEND:VEVENT", with: "RRULE:FREQ=DAILY\n\(date)\nEND:VEVENT"
        ).replacing(home, with: home + custom))
    let occurrence =
      "RECURRENCE-ID;TZID=Custom Vienna:20260303T100000 | "
      + "DTSTART;TZID=Custom Vienna:20260303T120000"
    #expect(
      carry(
        from: there, to: series(customStart, override: occurrence, zones: custom), onto: here)
        == series(homeStart, override: occurrence, zones: home + custom))
  }

  @Test func `a zone that the other side does without stays so`() {
    let (here, there) = (series(homeStart, zones: home), series(homeStart))
    let moved = "DTSTART;TZID=Europe/Vienna:20260301T083000"
    #expect(carry(from: here, to: series(moved, zones: home), onto: there) == series(moved))
  }

  private let utcStart = "DTSTART:20260301T090000Z"

  @Test func `an occurrence under another spelling is the same one`() {
    let own = "RECURRENCE-ID;TZID=Europe/Vienna:20260303T100000 | SUMMARY:a"
    let theirs = "RECURRENCE-ID:20260303T090000Z | SUMMARY:a"
    let (here, there) = (
      series(homeStart, override: own, zones: home), series(utcStart, override: theirs)
    )
    let edited = there.replacing("SUMMARY:a", with: "SUMMARY:b")
    #expect(
      carry(from: there, to: edited, onto: here)
        == here.replacing("SUMMARY:a", with: "SUMMARY:b"))
    #expect(carry(from: there, to: series(utcStart), onto: here) == series(homeStart, zones: home))
  }

  @Test func `a date under another spelling is the same one`() {
    let here = series(
      homeStart, "EXDATE;TZID=Europe/Vienna:20260302T100000,20260303T100000,20260309T100000",
      zones: home)
    let there = series(utcStart, "EXDATE:20260302T090000Z,20260303T090000Z")
    let edited = series(utcStart, "EXDATE:20260303T090000Z,20260304T090000Z")
    #expect(
      carry(from: there, to: edited, onto: here)
        == series(
          homeStart, "EXDATE;TZID=Europe/Vienna:20260303T100000,20260309T100000",
          "EXDATE:20260304T090000Z", zones: home))
  }

  @Test func `an extra date is the same one however its length is said`() {
    let plain = "RDATE:20260304T120000Z"
    let period = "RDATE;VALUE=PERIOD:20260305T120000Z/"
    let here = series(homeStart, plain, "\(period)PT1H", zones: home)
    let there = series(utcStart, plain, "\(period)20260305T130000Z")
    #expect(
      carry(from: here, to: here.replacing("PT1H", with: "PT2H"), onto: there)
        == series(utcStart, plain, "\(period)PT2H"))
    #expect(
      carry(from: there, to: series(utcStart, plain), onto: here)
        == series(homeStart, plain, zones: home))
  }

  @Test func `no change changes nothing`() {
    let own = "RECURRENCE-ID;TZID=Europe/Vienna:20260303T100000 | SUMMARY:a"
    let theirs = "RECURRENCE-ID:20260303T090000Z | SUMMARY:b"
    let here = series(homeStart, override: own)
    let there = series(utcStart, override: theirs, zones: home)
    #expect(carry(from: there, to: there, onto: here) == here)
  }
}
