import Foundation
import TestSupport
import Testing

/// What is no event goes through the commands as an event does: tasks and journal entries.
@Suite struct TasksAndNotesTests {
  static let kinds = ["VTODO", "VJOURNAL"]

  /// The item `a` of a kind.
  private func item(_ kind: String, _ title: String, at hour: Int = 10) -> String {
    event("a", title).replacing("VEVENT", with: kind)
      .replacing("DTSTART:20260105T100000Z", with: "DTSTART:20260105T\(hour)0000Z")
  }

  private func text(_ calgw: CommandLine, _ name: String) throws -> String {
    try String(contentsOfFile: calgw.home + "/" + name, encoding: .utf8)
  }

  /// A pair of two directories with the collections `home` and `work`.
  private func pair() throws -> CommandLine {
    let calgw = try CommandLine()
    try calgw.configure("[pair.own]\nlocal = \"~/cal\"\nremote = { local = \"~/copy\" }\n")
    for name in ["home", "work"] { try calgw.write("cal/\(name)/.keep", "") }
    return calgw
  }

  // MARK: Edit and delete

  @Test(arguments: [("VTODO", "IN-PROCESS"), ("VJOURNAL", "FINAL")])
  func `an edit touches what is named, and is taken back`(
    kind: String, status: String
  ) async throws {
    let calgw = try CommandLine()
    let before = item(kind, "Pay")
    try calgw.write("work/a.ics", before)
    let done = try await calgw(
      "edit", "a", "--in", "work", "--summary", "Pay the rent", "--set", "STATUS=\(status)")
    #expect(done.status == 0, "\(done.errors)")
    let stamps = ["DTSTAMP:", "LAST-MODIFIED:", "SEQUENCE:"]
    let lines = try text(calgw, "work/a.ics").split(separator: "\r\n").map(String.init)
      .filter { line in !stamps.contains { line.hasPrefix($0) } }
    #expect(
      lines.sorted()
        == [
          "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//", "BEGIN:\(kind)", "UID:a",
          "DTSTART:20260105T100000Z", "SUMMARY:Pay the rent", "STATUS:\(status)", "END:\(kind)",
          "END:VCALENDAR",
        ].sorted())
    #expect(try await calgw("restore", "edit-1").status == 0)
    #expect(try text(calgw, "work/a.ics") == before)
  }

  @Test(arguments: kinds)
  func `a deletion takes the file away, and restore brings it back`(kind: String) async throws {
    let calgw = try CommandLine()
    let before = item(kind, "Pay")
    try calgw.write("work/a.ics", before)
    let deleted = try await calgw("delete", "a", "--in", "work")
    #expect(deleted.output == "\"Pay\": deleted\n", "\(deleted.errors)")
    #expect(!calgw.exists("work/a.ics"))
    #expect(try await calgw("restore", "edit-1").status == 0)
    #expect(try text(calgw, "work/a.ics") == before)
  }

  // MARK: Import and move

  @Test(arguments: kinds)
  func `an import makes it an item, and replaces it where it is told to`(
    kind: String
  ) async throws {
    let calgw = try pair()
    try calgw.write("new.ics", item(kind, "Pay"))
    let first = try await calgw("import", "new.ics", "--in", "own/work")
    #expect(first.output == "imported into own/work: 1 new\n", "\(first.errors)")
    #expect(try text(calgw, "cal/work/a.ics").contains("BEGIN:\(kind)\r\n"))
    let same = try await calgw("import", "new.ics", "--in", "own/work", "--json")
    #expect(same.output.contains("\"unchanged\":1"), "\(same.output)")
    try calgw.write("new.ics", item(kind, "Pay the rent"))
    #expect(try await calgw("import", "new.ics", "--in", "own/work").status == 1)
    #expect(try text(calgw, "cal/work/a.ics").contains("SUMMARY:Pay\r\n"))
    let updated = try await calgw("import", "new.ics", "--in", "own/work", "--update")
    #expect(updated.output == "imported into own/work: 1 replaced\n", "\(updated.errors)")
    #expect(try text(calgw, "cal/work/a.ics").contains("SUMMARY:Pay the rent\r\n"))
  }

  @Test(arguments: kinds)
  func `a move keeps the bytes, and is made on the other side`(kind: String) async throws {
    let calgw = try pair()
    let before = item(kind, "Pay")
    try calgw.write("cal/work/a.ics", before)
    #expect(try await calgw("sync").status == 0)
    #expect(calgw.exists("copy/work/a.ics"))
    let moved = try await calgw("move", "a", "own/home")
    #expect(moved.status == 0, "\(moved.errors)")
    #expect(try text(calgw, "cal/home/a.ics") == before)
    #expect(!calgw.exists("cal/work/a.ics"))
    let run = try await calgw("sync", "--allow-mass-delete")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try text(calgw, "copy/home/a.ics") == before)
    #expect(!calgw.exists("copy/work/a.ics"))
  }

  // MARK: Between two sides

  @Test(arguments: kinds)
  func `what a sync replaced comes back from the log`(kind: String) async throws {
    let folders = try TwoFolders()
    try folders.calgw.write("one/work/a.ics", item(kind, "Pay"))
    #expect(try await folders.calgw("sync").status == 0)
    try folders.calgw.write("one/work/a.ics", item(kind, "Pay the rent", at: 11))
    #expect(try await folders.calgw("sync").status == 0)
    #expect(try folders.items("two") == ["Pay the rent 11"])
    let run = try await folders.calgw("restore", "p/1")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try await folders.calgw("sync").status == 0)
    for side in ["one", "two"] {
      #expect(try folders.items(side) == ["Pay 10"])
      #expect(try text(folders.calgw, "\(side)/work/a.ics").contains("BEGIN:\(kind)\r\n"))
    }
  }

  @Test(
    arguments: kinds,
    [("local", ["Pay 11"]), ("remote", ["Pay 12"]), ("both", ["Pay 11", "Pay 12"])])
  func `a conflict is settled as a person says`(
    kind: String, choice: (take: String, left: [String])
  ) async throws {
    let folders = try TwoFolders("conflict = \"ask\"")
    try folders.calgw.write("one/work/a.ics", item(kind, "Pay"))
    #expect(try await folders.calgw("sync").status == 0)
    for (side, hour) in [("one", 11), ("two", 12)] {
      try folders.calgw.write("\(side)/work/a.ics", item(kind, "Pay", at: hour))
    }
    #expect(try await folders.calgw("sync").status == 1)
    let run = try await folders.calgw("resolve", "a", "--take", choice.take)
    #expect(run.status == 0, "\(run.errors)")
    for side in ["one", "two"] { #expect(try folders.items(side) == choice.left) }
    #expect(try await folders.calgw("sync").output == "p/work: nothing to do\n")
  }
}
