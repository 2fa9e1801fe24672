import Recurrence
import SyncModel
import SyncPlanning
import Testing

/// Which items have an occurrence in the window, and until when the others have none.
@Suite struct SyncWindowTests {
  /// 2026-06-01 to 2026-07-01.
  private let window = SyncWindow(from: Self.june, to: Self.july, zones: .empty)
  private static let june = Instant(seconds: 1_780_272_000)
  private static let july = Instant(seconds: 1_782_864_000)

  private func item(_ lines: [String], kind: String = "VEVENT") -> ItemData {
    let all = ["BEGIN:VCALENDAR", "VERSION:2.0"] + component(lines, kind) + ["END:VCALENDAR"]
    return ItemData(bytes: all.flatMap { Array(($0 + "\r\n").utf8) })
  }

  private func component(_ lines: [String], _ kind: String) -> [String] {
    ["BEGIN:\(kind)", "UID:u"] + lines + ["END:\(kind)"]
  }

  @Test(arguments: [
    ["DTSTART:20260615T100000Z"], ["DTSTART;VALUE=DATE:20260630"], ["DTSTART:20260601T000000Z"],
    // It began before and is not over.
    ["DTSTART:20260520T100000Z", "DTEND:20260601T000001Z"],
    ["DTSTART:20200105T100000Z", "RRULE:FREQ=MONTHLY"],
    ["DTSTART:20200105T100000Z", "RRULE:FREQ=YEARLY", "RDATE:20260610T100000Z"],
    // No place in time at all.
    ["SUMMARY:Some day"],
  ])
  func `an item with an occurrence in it is inside`(lines: [String]) {
    #expect(window.wait(of: item(lines)) == nil)
  }

  @Test(arguments: [
    ["DTSTART:20200105T100000Z", "RRULE:RSCALE=HEBREW;FREQ=MONTHLY"],
    ["DTSTART:20200105T100000Z", "RRULE:FREQ=DAILY;BYMONTH=99"],
    ["DTSTART:20200105T100000Z", "RRULE:FREQ=NONSENSE"],
    ["DTSTART:20200105T100000Z", "RDATE:soon"], ["DTSTART:20200105T100000Z", "DURATION:long"],
    ["DTSTART:20200105T100000Z", "DTSTART:20260615T100000Z"],
  ])
  func `an item of which nobody can tell is inside`(lines: [String]) {
    #expect(window.wait(of: item(lines)) == nil)
  }

  @Test func `exceptions that cannot be read hide nothing`() {
    let lines = ["DTSTART:20200105T100000Z", "EXDATE:soon", "EXRULE:FREQ=NONSENSE"]
    #expect(window.wait(of: item(lines)) == .outOfWindow(after: Self.june, until: nil))
  }

  @Test(
    arguments: [
      (["DTSTART:20260515T100000Z"], nil),
      (["DTSTART:20260520T100000Z", "DTEND:20260601T000000Z"], nil),
      (["DTSTART:20200615T100000Z", "RRULE:FREQ=MONTHLY;UNTIL=20260531T000000Z"], nil),
      // 2026-07-01T00:00:00Z, 2027-01-05T10:00:00Z and 2026-07-15T10:00:00Z.
      (["DTSTART:20260701T000000Z"], 1_782_864_000),
      (["DTSTART:20200105T100000Z", "RRULE:FREQ=YEARLY"], 1_799_143_200),
      (
        ["DTSTART:20260515T100000Z", "RRULE:FREQ=MONTHLY", "EXDATE:20260615T100000Z"],
        1_784_109_600
      ),
    ] as [([String], Int64?)])
  func `an item without one waits until its next`(lines: [String], next: Int64?) {
    let expected = Observation.Wait.outOfWindow(
      after: Self.june, until: next.map { Instant(seconds: $0) })
    #expect(window.wait(of: item(lines)) == expected)
  }

  @Test func `an override counts where it is, and not where it was`() {
    func moved(from: String, to: String) -> ItemData {
      let main = component(["DTSTART:20260515T100000Z", "RRULE:FREQ=MONTHLY;COUNT=2"], "VEVENT")
      let override = component(["RECURRENCE-ID:\(from)", "DTSTART:\(to)"], "VEVENT")
      let all = ["BEGIN:VCALENDAR"] + main + override + ["END:VCALENDAR"]
      return ItemData(bytes: all.flatMap { Array(($0 + "\r\n").utf8) })
    }
    #expect(window.wait(of: moved(from: "20260615T100000Z", to: "20260510T100000Z")) != nil)
    #expect(window.wait(of: moved(from: "20260515T100000Z", to: "20260610T100000Z")) == nil)
  }

  @Test func `to-dos count by when they are due, journal entries by their day`() {
    #expect(window.wait(of: item(["DUE:20260615T100000Z"], kind: "VTODO")) == nil)
    #expect(window.wait(of: item(["DUE:20260415T100000Z"], kind: "VTODO")) != nil)
    #expect(window.wait(of: item(["SUMMARY:Read a book"], kind: "VTODO")) == nil)
    #expect(window.wait(of: item(["DTSTART;VALUE=DATE:20260415"], kind: "VJOURNAL")) != nil)
  }

  @Test func `what was found once holds until the window reaches the next occurrence`() {
    let may = Instant(seconds: 1_777_593_600)
    let wait = Observation.Wait.outOfWindow(after: Self.june, until: Self.july)
    #expect(window.isOutside(wait))
    #expect(window.isOutside(.outOfWindow(after: Self.june, until: nil)))
    // A day later, and with an end beyond the next occurrence.
    let later = Instant(seconds: 1_780_358_400)
    #expect(SyncWindow(from: later, to: Self.july, zones: .empty).isOutside(wait))
    let beyond = Instant(milliseconds: Self.july.milliseconds + 1)
    #expect(!SyncWindow(from: Self.june, to: beyond, zones: .empty).isOutside(wait))
    // A longer past may hold occurrences that nobody looked for.
    #expect(!SyncWindow(from: may, to: Self.july, zones: .empty).isOutside(wait))
    #expect(!window.isOutside(.conflict))
    #expect(!window.isOutside(nil))
  }

  @Test func `a window without ends holds everything`() {
    let all = SyncWindow(
      from: Instant(milliseconds: .min), to: Instant(milliseconds: .max), zones: .empty)
    #expect(all.wait(of: item(["DTSTART:16010101T000000"])) == nil)
    #expect(all.wait(of: item(["DTSTART:99981231T000000Z"])) == nil)
  }
}
