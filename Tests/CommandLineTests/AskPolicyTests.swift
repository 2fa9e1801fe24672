import Foundation
import Glibc
import TestSupport
import Testing

/// The policy `ask` on a real terminal, and the answer that merges.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: access("/dev/ptmx", R_OK | W_OK) == 0))
struct AskPolicyTests {
  private static let choice = "or leave it (Enter)? "
  private static let titled = "Choir, in the church"

  /// The choir was moved here and has another title there, which fits together.
  private func mergeable() async throws -> TwoFolders {
    let folders = try TwoFolders("conflict = \"ask\"")
    try folders.write("one", "choir", at: 10, "Choir")
    #expect(try await folders.calgw("sync").status == 0)
    try folders.write("one", "choir", at: 15, "Choir")
    try folders.write("two", "choir", at: 10, Self.titled)
    return folders
  }

  /// Both sides moved the dentist, which does not.
  private func unmergeable(_ policy: String) async throws -> TwoFolders {
    let folders = try TwoFolders("conflict = \"\(policy)\"")
    try folders.write("one", "dentist", at: 10, "Dentist")
    #expect(try await folders.calgw("sync").status == 0)
    try folders.write("one", "dentist", at: 11, "Dentist")
    try folders.write("two", "dentist", at: 12, "Dentist")
    return folders
  }

  @Test(
    arguments: [
      ("m", ["\(titled) 15"]), ("Merged", ["\(titled) 15"]), ("l", ["Choir 15"]),
      ("r", ["\(titled) 10"]), ("b", ["Choir 15", "\(titled) 10"]),
    ] as [(String, [String])])
  func `what could be merged is asked about, too, and the answer holds on both sides`(
    answer: String, left: [String]
  ) async throws {
    let folders = try await mergeable()
    let run = try await folders.calgw.onTerminal(["sync"], answers: [(Self.choice, answer)])
    #expect(run.status == 0, "\(run.screen)")
    #expect(run.screen.contains("start 10:00 UTC → 15:00 UTC"), "\(run.screen)")
    #expect(run.screen.contains("title \"Choir\" → \"\(Self.titled)\""), "\(run.screen)")
    #expect(run.screen.contains("(m)erged, "), "\(run.screen)")
    #expect(run.screen.contains("(m)erged keeps all that both changed"), "\(run.screen)")
    for side in ["one", "two"] { #expect(try folders.items(side) == left.sorted()) }
    #expect(try await folders.calgw("status", "--exit-code").status == 0)
  }

  @Test func `what gives way in a merge stands there before the choice`() async throws {
    let folders = try await mergeable()
    try folders.write("one", "choir", at: 15, "Singing")
    // Beside the other one's, in the same second.
    try folders.write("two", "choir", at: 10, Self.titled)
    let run = try await folders.calgw.onTerminal(["sync"], answers: [(Self.choice, "m")])
    #expect(run.status == 0, "\(run.screen)")
    let heading =
      "of what both changed, (m)erged takes from the remote side (no time says which is newer):"
    let told = try #require(run.screen.range(of: heading), "\(run.screen)").upperBound
    let asked = try #require(run.screen.range(of: Self.choice)).lowerBound
    #expect(run.screen[told..<asked].contains("title \"Singing\" → \"\(Self.titled)\""))
    #expect(!run.screen[told..<asked].contains("start"), "that is the local side's alone")
    for side in ["one", "two"] { #expect(try folders.items(side) == ["\(Self.titled) 15"]) }
  }

  @Test func `without an answer nothing is merged, and everything else is synced`() async throws {
    let folders = try await mergeable()
    try folders.write("one", "gym", at: 13, "Gym")
    let run = try await folders.calgw.onTerminal(["sync"], answers: [(Self.choice, "")])
    #expect(run.status == 1, "\(run.screen)")
    #expect(try folders.items("one") == ["Choir 15", "Gym 13"])
    #expect(try folders.items("two") == ["\(Self.titled) 10", "Gym 13"])
    let later = try await folders.calgw.onTerminal(
      ["resolve", "choir"], answers: [(Self.choice, "m")])
    #expect(later.status == 0, "\(later.screen)")
    for side in ["one", "two"] {
      #expect(try folders.items(side) == ["\(Self.titled) 15", "Gym 13"])
    }
  }

  @Test(arguments: ["ask", "merge"])
  func `what cannot be merged is not offered to be, and that is no answer`(
    policy: String
  ) async throws {
    let folders = try await unmergeable(policy)
    let merged = try await folders.calgw.onTerminal(
      ["sync"], answers: [(Self.choice, "m"), (Self.choice, "")])
    #expect(merged.status == 1, "\(merged.screen)")
    #expect(!merged.screen.contains("(m)erged"), "\(merged.screen)")
    #expect(merged.screen.contains("it cannot be merged: the sides differ"), "\(merged.screen)")
    #expect(merged.screen.contains("or with --take local, remote or both;"), "\(merged.screen)")
    #expect(try folders.items("one") == ["Dentist 11"])
    #expect(try folders.items("two") == ["Dentist 12"])
    let again = try await folders.calgw.onTerminal(["sync"], answers: [(Self.choice, "r")])
    #expect(again.status == 0, "\(again.screen)")
    for side in ["one", "two"] { #expect(try folders.items(side) == ["Dentist 12"]) }
  }

  @Test(arguments: [("local", "Dentist 11"), ("remote", "Dentist 12")])
  func `a policy that settles a conflict asks nobody`(policy: String, left: String) async throws {
    let folders = try await unmergeable(policy)
    let run = try await folders.calgw.onTerminal(["sync"])
    #expect(run.status == 0, "\(run.screen)")
    #expect(!run.screen.contains(Self.choice))
    for side in ["one", "two"] { #expect(try folders.items(side) == [left]) }
  }

  /// The new part of a series that was split here waits for the series, and goes with it.
  @Test func `what waited for the answer waits no more once it is given`() async throws {
    let folders = try TwoFolders("after_sync = [\"sh\", \"-c\", \"cat > ~/told\"]")
    try folders.calgw.write("one/work/standup.ics", EventCommandTests.series)
    #expect(try await folders.calgw("sync").status == 0)
    let split = try await folders.calgw(
      "edit", "standup", "--in", "one/work", "--span", "future", "--occurrence",
      "2026-01-19T09:00Z", "--summary", "Later")
    #expect(split.status == 0, "\(split.errors)")
    let there = EventCommandTests.series
      .replacing("DTSTART:20260105T09", with: "DTSTART:20260105T10")
      .replacing("DTEND:20260105T09", with: "DTEND:20260105T10")
    try folders.calgw.write("two/work/standup.ics", there)
    let run = try await folders.calgw.onTerminal(["sync"], answers: [(Self.choice, "l")])
    #expect(run.screen.contains("it waits for the other part of its series"), "\(run.screen)")
    #expect(run.status == 0, "\(run.screen)")
    let told = try String(contentsOfFile: folders.calgw.home + "/told", encoding: .utf8)
    #expect(told.contains("\"status\":0") && told.contains("\"problems\":[]"), "\(told)")
    #expect(try await folders.calgw("sync").output == "p/work: nothing to do\n")
  }

  @Test(arguments: ["direction = \"pull\"", "read_only = true"])
  func `only what the pair can do is offered, and said to be possible`(key: String) async throws {
    let folders = try await mergeable()
    try folders.calgw.configure(
      """
      [pair.p]
      local = "~/one"
      remote = { local = "~/two" }
      conflict = "ask"
      \(key)
      """)
    let left = try await folders.calgw.onTerminal(
      ["sync"], answers: ["l", "m", "b", ""].map { (Self.choice, $0) })
    #expect(left.status == 1, "\(left.screen)")
    #expect(left.screen.contains("Take (r)emote, or leave it (Enter)? "), "\(left.screen)")
    #expect(left.screen.contains("or with --take remote;"), "\(left.screen)")
    #expect(!left.screen.contains("read-only"), "\(left.screen)")
    #expect(try folders.items("one") == ["Choir 15"])
    let taken = try await folders.calgw.onTerminal(["sync"], answers: [(Self.choice, "r")])
    #expect(taken.status == 0, "\(taken.screen)")
    for side in ["one", "two"] { #expect(try folders.items(side) == ["\(Self.titled) 10"]) }
  }

  @Test(arguments: ["push", "pull"])
  func `a run in one direction asks nothing`(command: String) async throws {
    let folders = try await mergeable()
    let run = try await folders.calgw.onTerminal([command])
    #expect(run.status == 1, "\(run.screen)")
    #expect(!run.screen.contains(Self.choice))
    #expect(try folders.items("one") == ["Choir 15"])
    #expect(try folders.items("two") == ["\(Self.titled) 10"])
  }

  /// What a server that writes anew makes of an item, met by a folder without a journal.
  @Test(arguments: ["sync", "push", "pull"])
  func `two spellings of one event that never agreed need no person`(command: String) async throws {
    let folders = try TwoFolders("conflict = \"ask\"")
    let day = event("trip", "Trip").replacing(
      "DTSTART:20260105T100000Z", with: "DTSTART;VALUE=DATE:20260105")
    let written = day.replacing("SUMMARY", with: "DURATION:P1D\r\nCLASS:PUBLIC\r\nSUMMARY")
    try folders.calgw.write("one/work/trip.ics", day)
    try folders.calgw.write("two/work/trip.ics", written)
    let run = try await folders.calgw.run([command])
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    for (side, text) in [("one", day), ("two", written)] {
      let file = "\(folders.calgw.home)/\(side)/work/trip.ics"
      #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    }
  }
}
