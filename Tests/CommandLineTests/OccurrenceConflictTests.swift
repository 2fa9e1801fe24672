import TestSupport
import Testing

/// A conflict over one occurrence of a series says over which.
@Suite struct OccurrenceConflictTests {
  private static let words =
    "it cannot be merged: the sides differ in its occurrence of 12 January 2026, as in its start"
    + " or end, and nothing says which of the two the rest fits\n"

  /// A weekly series, of which one occurrence is at this hour.
  private func series(at hour: Int?) -> String {
    let weekly = event("gym", "Gym").replacing("SUMMARY", with: "RRULE:FREQ=WEEKLY\r\nSUMMARY")
    guard let hour else { return weekly }
    let lines = [
      "BEGIN:VEVENT", "UID:gym", "DTSTAMP:20260101T000000Z", "RECURRENCE-ID:20260112T100000Z",
      "DTSTART:20260112T\(hour)0000Z", "SUMMARY:Gym", "END:VEVENT", "END:VCALENDAR",
    ]
    return weekly.replacing("END:VCALENDAR", with: lines.joined(separator: "\r\n"))
  }

  @Test func `it is named by every command that shows the conflict`() async throws {
    let folders = try TwoFolders()
    try folders.calgw.write("one/work/gym.ics", series(at: nil))
    #expect(try await folders.calgw("sync").status == 0)
    try folders.calgw.write("one/work/gym.ics", series(at: 11))
    try folders.calgw.write("two/work/gym.ics", series(at: 12))
    let sync = try await folders.calgw("sync")
    #expect(sync.status == 1 && sync.errors.contains(Self.words), "\(sync.errors)")
    let status = try await folders.calgw("status").output
    #expect(status.contains(Self.words), "\(status)")
    let diff = try await folders.calgw("diff", "--remote", "gym").output
    #expect(diff.contains(Self.words), "\(diff)")
    let resolve = try await folders.calgw("resolve", "gym", "--take", "merged")
    #expect(resolve.status == 1 && resolve.errors.contains(Self.words), "\(resolve.errors)")
    let named = "\"schedule\",\"occurrence\":\"12 January 2026\""
    for command in ["sync", "status"] {
      let json = try await folders.calgw(command, "--json").output
      #expect(json.contains(named), "\(json)")
    }
  }

  @Test func `of a series as a whole none is named`() async throws {
    let folders = try TwoFolders()
    try folders.calgw.write("one/work/gym.ics", series(at: nil))
    #expect(try await folders.calgw("sync").status == 0)
    for (side, start) in [("one", "0105T11"), ("two", "0105T12")] {
      try folders.calgw.write(
        "\(side)/work/gym.ics", series(at: nil).replacing("0105T10", with: start))
    }
    let sync = try await folders.calgw("sync")
    #expect(sync.status == 1 && sync.errors.contains("the sides differ in its start"))
    let json = try await folders.calgw("sync", "--json").output
    #expect(json.contains("\"schedule\"") && !json.contains("\"occurrence\""), "\(json)")
  }
}
