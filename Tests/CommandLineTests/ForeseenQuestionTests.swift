import Foundation
import Glibc
import TestSupport
import Testing

/// What a sync would ask a person: a dry run and `status` say so, and ask nothing.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: access("/dev/ptmx", R_OK | W_OK) == 0))
struct ForeseenQuestionTests {
  @Test func `on a terminal a dry run says that the run asks before it deletes`() async throws {
    let folders = try TwoFolders("confirm_delete = \"always\"")
    for uid in ["choir", "dentist", "gym"] { try folders.write("one", uid, at: 10, uid) }
    #expect(try await folders.calgw("sync").status == 0)
    for uid in ["choir", "gym"] {
      try FileManager.default.removeItem(atPath: folders.calgw.home + "/one/work/\(uid).ics")
    }
    let dry = try await folders.calgw.onTerminal(["sync", "--dry-run"])
    #expect(dry.status == 0, "\(dry.screen)")
    #expect(dry.screen.contains("up: 2 deleted"), "\(dry.screen)")
    #expect(dry.screen.contains("asks before it deletes 2 items"), "\(dry.screen)")
    #expect(!dry.screen.contains("[y/N]"), "\(dry.screen)")
    // What is allowed is not asked about, and who names an item has said yes.
    for silent in [["sync", "--allow-mass-delete"], ["resolve", "gym", "--take", "local"]] {
      let run = try await folders.calgw.onTerminal(silent + ["--dry-run"])
      #expect(run.status == 0 && !run.screen.contains("asks before"), "\(run.screen)")
    }
    let run = try await folders.calgw.onTerminal(
      ["sync"], answers: [("too? [y/N] ", "y"), ("too? [y/N] ", "y")])
    #expect(run.status == 0 && !run.screen.contains("asks before"), "\(run.screen)")
    #expect(try folders.items("two") == ["dentist 10"])
  }

  private func meeting(_ uid: String) -> String {
    let people = "ORGANIZER:mailto:a@example.org\r\nATTENDEE:mailto:b@example.org\r\n"
    return event(uid, "Meeting").replacing("END:VEVENT", with: people + "END:VEVENT")
  }

  /// - Parameter isThere: The server has the calendar already.
  @Test(arguments: [true, false])
  func `before a first sync a dry run and status know of the question about meetings`(
    isThere: Bool
  ) async throws {
    let world = try FolderAndCalendar()
    let folder = isThere ? "work" : "club"
    try world.calgw.write("calendars/\(folder)/gym.ics", event("gym", "Gym"))
    try world.calgw.write("calendars/\(folder)/review.ics", meeting("review"))
    let dry = try await world.calgw.onTerminal(["sync", "--dry-run"])
    #expect(dry.status == 0, "\(dry.screen)")
    #expect(dry.screen.contains("up: 2 new"), "\(dry.screen)")
    #expect(
      dry.screen.contains("asks before it uploads 1 item with attendees"), "\(dry.screen)")
    let status = try await world.calgw.onTerminal(["status"])
    #expect(status.screen.contains("nobody said yes to that"), "\(status.screen)")
    // A sync that can ask nobody sends what a person put there.
    let unseen = try await world.calgw("status")
    #expect(!unseen.output.contains("nobody said yes to that"), "\(unseen.output)")
    let run = try await world.calgw.onTerminal(["sync"], answers: [("Upload? [y/N] ", "n")])
    #expect(run.status == 1, "\(run.screen)")
    #expect(run.screen.contains("1 item with attendees is new"), "\(run.screen)")
  }

  @Test func `after a lost journal status knows what waits, before the sync that meets it`()
    async throws
  {
    let world = try FolderAndCalendar()
    try world.write("gym.ics", event("gym", "Gym"))
    _ = try await world.sync()
    try world.write("review.ics", meeting("review"))
    try world.write("walk.ics", event("walk", "Walk"))
    try FileManager.default.removeItem(atPath: world.calgw.home + "/state")
    let status = try await world.calgw("status")
    let lines = status.output.split(separator: "\n")
    #expect(
      lines.filter { $0.contains("nobody said yes to that") }.count == 1, "\(status.output)")
    let dry = try await world.calgw("sync", "--dry-run")
    let run = try await world.calgw("sync")
    for each in [dry, run] {
      #expect(each.status == 1)
      #expect(each.errors.contains("\"Meeting\" (review.ics)"), "\(each.errors)")
    }
    #expect(world.there() == ["gym", "walk"])
  }
}
