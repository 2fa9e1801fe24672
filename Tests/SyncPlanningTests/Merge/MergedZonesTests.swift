import ICalendar
import SyncModel
import SyncPlanning
import Testing

/// A choir's Mondays, whose zone each side's program calls by a name of its own: what comes out
/// defines every zone that it names (RFC 5545 §3.6.5).
@Suite struct MergedZonesTests {
  /// Of one clock.
  private static let names = ["Customized Time Zone", "W. Europe Standard Time", "Europe/Vienna"]

  enum Dates: String, CaseIterable {
    case cancelled = "EXDATE"
    case added = "RDATE"

    func line(_ day: String, in zone: String) -> String {
      "\(rawValue);TZID=\(zone):\(day)T190000"
    }
  }

  private static func series(
    in zone: String, _ lines: [String] = [], override: [String] = []
  ) -> SyntaxTree {
    let definition = [
      "BEGIN:VTIMEZONE", "TZID:\(zone)", "BEGIN:STANDARD", "DTSTART:19701025T030000",
      "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100",
      "END:STANDARD", "BEGIN:DAYLIGHT", "DTSTART:19700329T020000",
      "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200",
      "END:DAYLIGHT", "END:VTIMEZONE",
    ]
    let main = [
      "BEGIN:VEVENT", "UID:choir", "DTSTAMP:20251101T080000Z",
      "DTSTART;TZID=\(zone):20260105T190000", "DTEND;TZID=\(zone):20260105T210000",
      "RRULE:FREQ=WEEKLY;BYDAY=MO", "SUMMARY:Choir",
    ]
    let text =
      ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//EN"] + definition + main + lines
      + ["END:VEVENT"] + override + ["END:VCALENDAR", ""]
    return SyntaxTree(bytes: Array(text.joined(separator: "\r\n").utf8))
  }

  /// The zones that a text names and does not define.
  private func undefined(_ bytes: [UInt8]) -> Set<String> {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
    let defined = lines.filter { $0.hasPrefix("TZID:") }.map { String($0.dropFirst(5)) }
    let named = lines.compactMap { line -> String? in
      guard let place = line.firstRange(of: ";TZID=") else { return nil }
      return String(line[place.upperBound...].prefix { $0 != ":" })
    }
    return Set(named).subtracting(defined)
  }

  private func join(
    _ base: BothSides<SyntaxTree>, _ local: SyntaxTree, _ remote: SyntaxTree, newer: Side
  ) -> MergedTexts? {
    let outcome = merge(
      base: base, local: local, remote: remote, times: MergeCase.times(newer: newer.rawValue))
    guard case .merged(let texts) = outcome else { return nil }
    return texts
  }

  @Test(arguments: Dates.allCases, names)
  func `a date on each side, whatever each calls the zone`(dates: Dates, base: String) throws {
    let before = Self.series(in: base)
    for here in Self.names {
      for there in Self.names {
        let local = Self.series(
          in: here, [dates.line("20260119", in: here), "LOCATION:Aula"])
        let remote = Self.series(in: there, [dates.line("20260202", in: there)])
        for newer in Side.allCases {
          let merged = try #require(
            join(BothSides(before, before), local, remote, newer: newer), "\(here), \(there)")
          #expect(undefined(merged.local).isEmpty, "\(here), \(there)")
          #expect(merged.remote == merged.local, "\(here), \(there)")
        }
      }
    }
  }

  @Test func `an occurrence made here brings its zone to a server with one of its own`() throws {
    let (own, server) = (Self.names[0], Self.names[1])
    let base = BothSides(Self.series(in: own), Self.series(in: server))
    let local = Self.series(
      in: own,
      override: [
        "BEGIN:VEVENT", "UID:choir", "DTSTAMP:20251101T080000Z", "RECURRENCE-ID:20260119T180000Z",
        "DTSTART;TZID=\(own):20260119T190000", "DTEND;TZID=\(own):20260119T210000",
        "SUMMARY:Concert", "END:VEVENT",
      ])
    let remote = Self.series(in: server, ["LOCATION:Aula"])
    for newer in Side.allCases {
      let merged = try #require(join(base, local, remote, newer: newer))
      #expect(undefined(merged.local).isEmpty)
      #expect(undefined(merged.remote).isEmpty)
      let text = String(decoding: merged.remote, as: UTF8.self)
      #expect(text.contains("SUMMARY:Concert"))
    }
  }
}
