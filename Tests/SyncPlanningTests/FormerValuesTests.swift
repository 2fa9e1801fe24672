import SyncModel
import SyncPlanning
import Testing

/// What a server kept as it was before an edit: the gym at nine, in the hall, became a run at ten.
@Suite struct FormerValuesTests {
  private static let before = ["DTSTART:20260105T090000Z", "DURATION:PT1H", "SUMMARY:Gym"]
  private static let ours = ["DTSTART:20260105T100000Z", "DURATION:PT1H", "SUMMARY:Run"]

  private static func item(_ lines: [String], _ kind: String = "VEVENT") -> ItemData {
    let start = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//EN", "BEGIN:\(kind)"]
    let text = (start + ["UID:gym"] + lines + ["END:\(kind)", "END:VCALENDAR", ""])
      .joined(separator: "\r\n")
    return ItemData(bytes: Array(text.utf8))
  }

  private func former(
    _ found: [String], of sent: [String] = ours, over old: [String] = before,
    _ kind: String = "VEVENT"
  ) -> FormerValues? {
    SentText(
      Self.item(sent, kind), over: Self.item(old, kind), isRewritten: true, zones: .ownDefinitions
    ).former(in: Self.item(found, kind))
  }

  @Test func `the time is put back, and the title is taken`() {
    let found = [Self.before[0], Self.before[1], "SUMMARY:Run", "X-SERVER:1"]
    let values = former(found)
    #expect(values?.names == ["time"] && values?.isAll == false)
    #expect(values?.text == Self.item([Self.before[0], Self.before[1], "SUMMARY:Run"]))
  }

  @Test func `nothing is taken`() {
    let all = former(Self.before + ["LAST-MODIFIED:20260107T080000Z"])
    #expect(all?.names == ["time", "title"] && all?.isAll == true)
    #expect(all?.text == Self.item(Self.before))
  }

  @Test(
    arguments: [
      ("as it was sent", Self.ours),
      ("an end for the duration", [Self.ours[0], "DTEND:20260105T110000Z", "SUMMARY:Run"]),
      ("another time and title", ["DTSTART:20260106T090000Z", "SUMMARY:Swim"]),
      ("no title", [Self.ours[0], Self.ours[1]]),
    ] as [(String, [String])])
  func `no former value is there`(what: String, found: [String]) {
    #expect(former(found) == nil)
  }

  @Test(
    arguments: [
      // What no server need keep, and what it writes out by itself.
      (["CLASS:PUBLIC", "TRANSP:OPAQUE", "X-A:1"], ["CLASS:PRIVATE", "TRANSP:TRANSPARENT"], nil),
      (["STATUS:CONFIRMED"], [], nil),
      // The same time in other words.
      (
        ["DTSTART:20260105T090000Z", "DTEND:20260105T100000Z"],
        ["DTSTART:20260105T090000Z", "DURATION:PT1H"], nil
      ),
      // Cut off where it was cut off before, and left out.
      (["SUMMARY:A long tit"], ["SUMMARY:A long title"], nil),
      // An empty text that it writes out in each item.
      (["LOCATION:"], [], nil),
      (["LOCATION:"], ["LOCATION:Hall"], nil),
      (["LOCATION:Hall"], [], "place"),
      (["LOCATION:Hall"], ["LOCATION:"], "place"),
      (["STATUS:CONFIRMED"], ["STATUS:CANCELLED"], "status"),
      (["DESCRIPTION:near"], ["DESCRIPTION:far"], "description"),
    ] as [([String], [String], String?)])
  func `the server has what there was before`(
    before: [String], sent: [String], name: String?
  ) {
    #expect(former(before, of: sent, over: before)?.names == name.map { [$0] })
  }

  @Test func `a cancelled occurrence and an end of a series are put back`() {
    let series = Self.before + ["RRULE:FREQ=DAILY"]
    let cancelled = series + ["EXDATE:20260106T090000Z"]
    #expect(former(series, of: cancelled, over: series)?.names == ["list of occurrences"])
    let ended = Self.before + ["RRULE:FREQ=DAILY;COUNT=3"]
    #expect(former(series, of: ended, over: series)?.names == ["rule"])
  }

  private static let longName = "X-" + String(repeating: "A", count: 200)
  private static let occurrence =
    before + ["RRULE:FREQ=DAILY", "END:VEVENT", "BEGIN:VEVENT", "UID:gym"]
    + ["RECURRENCE-ID:20260106T090000Z", "DTSTART:20260106T110000Z"] + before.dropFirst()

  @Test(
    arguments: [
      (Self.before, Self.ours, ["time", "title"]),
      (Self.ours, Self.ours, []),
      (["DESCRIPTION:A long te"], ["DESCRIPTION:A long text"], ["description"]),
      (Self.before + ["RRULE:FREQ=DAILY"], Self.occurrence, ["occurrences"]),
      (["X-COLOR:red"], ["X-COLOR:blue"], ["X-COLOR"]),
      (["SUMMARY:Gym"], ["SUMMARY:Run", Self.longName + ":1"], []),
    ] as [([String], [String], [String])])
  func `what is there otherwise than it was sent has a name`(
    found: [String], sent: [String], names: [String]
  ) {
    let text = SentText(
      Self.item(sent), over: Self.item(Self.before), isRewritten: true, zones: .ownDefinitions)
    #expect(text.unlikeNames(in: Self.item(found)) == names)
  }

  @Test func `a task stays done`() {
    let done = ["STATUS:COMPLETED", "PERCENT-COMPLETE:100", "SUMMARY:Gym"]
    let open = ["STATUS:NEEDS-ACTION", "SUMMARY:Run"]
    let found = ["STATUS:COMPLETED", "SUMMARY:Run"]
    #expect(former(found, of: open, over: done, "VTODO")?.names == ["status"])
  }
}
