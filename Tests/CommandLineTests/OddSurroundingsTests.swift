import Foundation
import TestSupport
import Testing

/// What goes on around a run: hooks that edit, and a machine that is in another time zone.
@Suite struct OddSurroundingsTests {
  @Test func `what a hook edits in the folder travels with the next run`() async throws {
    let folders = try TwoFolders(
      #"after_sync = ["sed", "-i", "s/Dentist/Doctor/", "one/work/dentist.ics"]"#)
    for side in ["one", "two"] { try folders.write(side, "dentist", at: 10, "Dentist") }
    #expect(try await folders.calgw("sync").status == 0)
    #expect(try folders.items("one") == ["Doctor 10"])
    #expect(try folders.items("two") == ["Dentist 10"])
    let next = try await folders.calgw("sync", "--json")
    #expect(next.status == 0, "\(next.output)")
    #expect(next.output.contains("\"pushed\":{\"created\":0,\"updated\":1,\"deleted\":0}"))
    #expect(try folders.items("two") == ["Doctor 10"])
    let quiet = try await folders.calgw("sync")
    #expect(quiet.output.contains("nothing to do"), "\(quiet.output)")
  }

  /// Summer time begins, or the person flies to Tokyo: nothing that was synced is news.
  @Test(arguments: ["Asia/Tokyo", "America/New_York", "UTC"])
  func `another time zone of the machine changes nothing`(zone: String) async throws {
    let folders = try TwoFolders()
    try folders.write("one", "dentist", at: 10, "Dentist")
    let zoned = event("gym", "Gym").replacing(
      "DTSTART:20260105T100000Z", with: "DTSTART;TZID=Europe/Vienna:20260329T023000")
    try folders.calgw.write("one/work/gym.ics", zoned)
    let floating = event("run", "Run").replacing("100000Z", with: "100000")
    try folders.calgw.write("two/work/run.ics", floating)
    #expect(try await folders.calgw("sync", environment: ["TZ": "Europe/Vienna"]).status == 0)
    let run = try await folders.calgw("sync", environment: ["TZ": zone])
    #expect(run.status == 0)
    #expect(run.output.contains("nothing to do"), "\(run.output)")
  }
}
