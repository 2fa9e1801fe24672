import CalgwKit
import ICalendar
import Recurrence
import Testing

/// What people write for a time. Now is Wednesday 2026-01-07, 14:37:12 in Vienna.
@Suite struct HumanTimeTests {
  static let vienna = ZoneCatalog.system.zone(named: "Europe/Vienna") ?? .utc
  /// `date -d '2026-01-07T13:37:12Z' +%s`
  static let now = 1_767_793_032

  private func parse(_ text: String, now: Int = now, zone: Zone = vienna) throws -> String {
    switch try HumanTime.parse(text, now: now, zone: zone) {
    case .day(let date): date.description
    case .wall(let civil): civil.description
    case .moment(let instant):
      try #require(CivilDateTime(secondsSince1970: instant)).description + "Z"
    }
  }

  @Test(arguments: [
    ("now", "2026-01-07T13:37:12Z"), ("today", "2026-01-07"), ("Tomorrow", "2026-01-08"),
    ("yesterday", "2026-01-06"), ("wed", "2026-01-07"), ("THU", "2026-01-08"),
    ("tuesday", "2026-01-13"), ("next wed", "2026-01-14"), ("last wed", "2025-12-31"),
    ("next thu", "2026-01-08"), ("last tuesday", "2026-01-06"),
    ("monday 9:30", "2026-01-12T09:30:00"),
    ("+2d", "2026-01-09"), ("-1w", "2025-12-31"), ("+1w2d", "2026-01-16"),
    ("+2d 14:00", "2026-01-09T14:00:00"), ("+90m", "2026-01-07T15:07:00Z"),
    ("-2h", "2026-01-07T11:37:00Z"), ("+1h30m", "2026-01-07T15:07:00Z"),
    ("+1d2h", "2026-01-08T15:37:00Z"), ("+90min", "2026-01-07T15:07:00Z"),
    ("14:00", "2026-01-07T14:00:00"), ("9:30:15", "2026-01-07T09:30:15"),
    ("2pm", "2026-01-07T14:00:00"), ("12am", "2026-01-07T00:00:00"),
    ("12:15 PM", "2026-01-07T12:15:00"), ("noon", "2026-01-07T12:00:00"),
    ("tomorrow noon", "2026-01-08T12:00:00"), ("fri midnight", "2026-01-09T00:00:00"),
    ("  fri   9:30  ", "2026-01-09T09:30:00"),
  ])
  func `words and distances`(text: String, expected: String) throws {
    #expect(try parse(text) == expected)
  }

  @Test(arguments: [
    ("2026-12-24", "2026-12-24"), ("20261224", "2026-12-24"), ("24.12.2026", "2026-12-24"),
    ("2026-1-5", "2026-01-05"), ("2024-02-29", "2024-02-29"),
    ("2026-12-24 14:00", "2026-12-24T14:00:00"), ("2026-12-24T14:00", "2026-12-24T14:00:00"),
    ("2026-12-24t14:00:59", "2026-12-24T14:00:59"), ("20261224T140000", "2026-12-24T14:00:00"),
    ("20261224T1400", "2026-12-24T14:00:00"), ("24.12.2026 2pm", "2026-12-24T14:00:00"),
    ("20261224T130000Z", "2026-12-24T13:00:00Z"),
    ("2026-12-24T14:00:00+01:00", "2026-12-24T13:00:00Z"),
    ("2026-12-24 14:00:00.250 -0530", "2026-12-24T19:30:00Z"),
    ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"), ("0000-01-01", "0000-01-01"),
    ("9999-12-31", "9999-12-31"),
  ])
  func `dates in digits`(text: String, expected: String) throws {
    #expect(try parse(text) == expected)
  }

  @Test(arguments: [
    "", " ", "soon", "next", "next week", "2026-02-29", "2026-13-01", "31.4.2026", "12/24/2026",
    "25:00", "13pm", "0am", "14", "9:3", "2026-12-24T", "2026-12-24T14", "tomorrow 25:00",
    "+2x", "+", "+d", "+2m1h", "+2h 14:00", "2026-12-24 14:00 extra", "10000-01-01",
    "+99999999999999999999d", "+3660001d", "-400000w", "2026-12-24T14:00+1", "now 14:00",
    "2026-12-24T14:00:00+99:99", "\u{1B}[2J", "٢٠٢٦-١٢-٢٤",
    "2026-12-24                                                             14:00",
  ])
  func `what is no time is refused with what to write`(text: String) throws {
    let error = try #require(throws: HumanTimeError.self) { try parse(text) }
    #expect(error.message.contains("is not"))
    #expect(error.hint.contains("tomorrow 14:00"))
    #expect(!error.message.unicodeScalars.contains("\u{1B}"))
  }

  @Test func `days of the calendar are not always 24 hours`() throws {
    // Clocks went forward on 2026-03-29 in Vienna; it is the evening before, 20:00.
    let now = try HumanTime.parse("2026-03-28T19:00Z", now: 0, zone: .utc).instant(in: .utc)
    #expect(try parse("+1d0h", now: now) == "2026-03-29T18:00:00Z")
    #expect(try parse("+24h", now: now) == "2026-03-29T19:00:00Z")
    #expect(try parse("tomorrow", now: now) == "2026-03-29")
    let gap = try HumanTime.parse("tomorrow 2:30", now: now, zone: Self.vienna)
    #expect(gap.instant(in: Self.vienna) - now == (5 * 60 + 30) * 60 + 3600)
  }

  @Test func `today is the day of the zone`() throws {
    let tokyo = try #require(ZoneCatalog.system.zone(named: "Asia/Tokyo"))
    #expect(try parse("today", now: Self.now + 7200, zone: tokyo) == "2026-01-08")
    #expect(try parse("today", now: 253_402_300_799, zone: .utc) == "9999-12-31")
    #expect(throws: HumanTimeError.self) { try parse("tomorrow", now: 253_402_300_799, zone: .utc) }
    #expect(throws: HumanTimeError.self) { try parse("today", now: Int.max / 2, zone: .utc) }
  }

  @Test(arguments: [
    ("PT75M", "PT1H15M"), ("75m", "PT1H15M"), ("1h30m", "PT1H30M"), ("2d", "P2D"), ("1w", "P1W"),
    ("1d12h", "P1DT12H"), ("90min", "PT1H30M"), ("45s", "PT45S"), ("0m", "PT0S"), ("P1W", "P1W"),
    ("pt1h", "PT1H"),
  ])
  func `durations`(text: String, expected: String) throws {
    #expect(try HumanDuration.parse(text).value == expected)
  }

  @Test(arguments: [
    "", "75", "m", "1h30", "-1h", "-PT1H", "1m1h", "1h1h", "1m1min", "P", "PT", "1y",
    "9999999999999d", "4000000d",
  ])
  func `what is no duration is refused`(text: String) throws {
    let error = try #require(throws: HumanTimeError.self) { try HumanDuration.parse(text) }
    #expect(error.message.contains("not a duration"))
    #expect(error.hint.contains("1h30m"))
  }

  /// In 2026 the United States have daylight time from 8 March to 1 November, as date(1) says.
  @Test func `daylight time without a rule has the one that glibc takes`() {
    let march = 1_774_000_800  // 2026-03-20T10:00Z
    let november = 1_793_872_800  // 2026-11-05T10:00Z
    for (value, summer, winter) in [("CET-1CEST", 7200, 3600), ("EST5EDT4", -14_400, -18_000)] {
      let environment = ProcessEnvironment(variables: ["TZ": value], workingDirectory: "/")
      let zone = SystemZones.local(environment)
      #expect(zone.offset(at: march) == summer)
      #expect(zone.offset(at: november) == winter)
    }
  }

  @Test(arguments: [
    ("Europe/Vienna", 3600), (":Europe/Vienna", 3600), ("/usr/share/zoneinfo/Asia/Tokyo", 32_400),
    ("CET-1CEST,M3.5.0,M10.5.0/3", 3600), ("EST5", -18_000), ("UTC", 0), ("", 0), ("Nowhere/X", 0),
    ("../../etc/passwd", 0), ("/etc/passwd", 0),
  ])
  func `the variable TZ says which zone is the local one`(value: String, offset: Int) {
    let environment = ProcessEnvironment(variables: ["TZ": value], workingDirectory: "/")
    #expect(SystemZones.local(environment).offset(at: Self.now) == offset)
    let summer = Self.now + 181 * 86_400
    if value.hasPrefix("CET") {
      #expect(SystemZones.local(environment).offset(at: summer) == 7200)
    }
  }
}
