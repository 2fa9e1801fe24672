import Foundation
import Testing

/// What event commands replaced is put back where its file is broken by now, and back again.
@Suite struct EditRestoreTests {
  private let calgw: CommandLine

  init() throws { calgw = try CommandLine() }

  /// Without what calgw took away: an empty one stays for a minute, for an editor that has it open.
  private var files: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: calgw.home + "/folder")
        .filter { !$0.hasPrefix(".calgw-") }
    }
  }

  private func text() throws -> String {
    try String(contentsOfFile: calgw.home + "/folder/a.ics", encoding: .utf8)
  }

  @Test func `what was mended is taken back, mended again and taken back, in one file`()
    async throws
  {
    let nameless = event("a", "Dentist").replacing("UID:a\r\n", with: "")
    try calgw.write("folder/a.ics", nameless)
    _ = try await calgw("check", "--fix", "folder")
    let mended = try text()
    #expect(mended.contains("\r\nUID:"))
    for (id, expected) in [("edit-1", nameless), ("edit-2", mended), ("edit-3", nameless)] {
      let run = try await calgw("restore", id)
      #expect(run.status == (expected == nameless ? 1 : 0), "\(run.errors)")
      #expect(run.errors.contains("no whole item") == (expected == nameless), "\(run.errors)")
      #expect(run.errors.contains("[no-uid]") == (expected == nameless), "\(run.errors)")
      #expect(try text() == expected)
      #expect(try files == ["a.ics"])
    }
  }

  @Test func `the machine-readable form names the whole path`() async throws {
    try calgw.write("folder/a.ics", event("a", "Dentist"))
    _ = try await calgw("edit", "folder/a.ics", "--summary", "Doctor")
    let run = try await calgw("restore", "edit-1", "--json", "--dry-run")
    #expect(run.output.contains("\"file\":\"\(calgw.home)/folder/a.ics\""), "\(run.output)")
  }

  @Test(arguments: ["", String(event("a", "Doctor").prefix(120))])
  func `a version from before an edit comes back over a broken file`(broken: String) async throws {
    let whole = event("a", "Dentist")
    try calgw.write("folder/a.ics", whole)
    let edit = try await calgw("edit", "a", "--in", "folder", "--summary", "Doctor")
    #expect(edit.status == 0, "\(edit.errors)")
    try calgw.write("folder/a.ics", broken)
    for (id, expected) in [("edit-1", whole), ("edit-2", broken), ("edit-3", whole)] {
      let run = try await calgw("restore", id)
      #expect(run.status == (expected == broken ? 1 : 0), "\(run.errors)")
      #expect(run.errors.contains("[incomplete]") == (expected == broken), "\(run.errors)")
      #expect(try text() == expected)
      #expect(try files == ["a.ics"])
    }
  }

  /// The dentist and the gym in one file.
  private func both(_ dentist: String, _ gym: String) -> String {
    let second = gym.split(separator: "BEGIN:VEVENT", maxSplits: 1)[1]
    return dentist.replacing("END:VCALENDAR\r\n", with: "BEGIN:VEVENT" + second)
  }

  @Test func `a file that holds another item, too, is not written over`() async throws {
    let dentist = event("a", "Dentist")
    try calgw.write("folder/a.ics", dentist)
    #expect(
      try await calgw("edit", "a", "--in", "folder", "--summary", "Doctor").status == 0)
    let joined = both(dentist, event("gym", "Gym"))
    try calgw.write("folder/a.ics", joined)
    let run = try await calgw("restore", "edit-1")
    #expect(run.status == 65, "\(run.output)")
    #expect(run.errors.contains("holds another item, too, 'gym'"), "\(run.errors)")
    #expect(try text() == joined)
  }

  @Test func `nor in a pair, where the other one would be deleted on the server`() async throws {
    let folders = try TwoFolders()
    for uid in ["dentist", "gym"] { try folders.write("one", uid, at: 10, uid) }
    #expect(try await folders.calgw("sync").status == 0)
    try folders.write("one", "dentist", at: 11, "doctor")
    #expect(try await folders.calgw("sync").status == 0)
    let place = folders.calgw.home + "/one/work/"
    let dentist = try String(contentsOfFile: place + "dentist.ics", encoding: .utf8)
    let gym = try String(contentsOfFile: place + "gym.ics", encoding: .utf8)
    try folders.calgw.write("one/work/dentist.ics", both(dentist, gym))
    try FileManager.default.removeItem(atPath: place + "gym.ics")
    let run = try await folders.calgw("restore", "p/1")
    #expect(run.status == 1, "\(run.output)")
    #expect(run.errors.contains("holds another item, too, 'gym'"), "\(run.errors)")
    _ = try await folders.calgw("sync")
    #expect(try folders.items("two") == ["doctor 11", "gym 10"])
  }

  /// The command by which a restore that has made an item is undone; nil where none is named.
  private func undoing(_ run: CommandLine.Run) -> [String]? {
    guard let told = run.errors.firstRange(of: "to remove it again: ") else { return nil }
    let command = run.errors[told.upperBound...].split(separator: "`").first
    return command?.split(separator: " ").dropFirst().map { String($0) }
  }

  @Test func `an item that a sync had deleted comes back with what removes it again`()
    async throws
  {
    let folders = try TwoFolders()
    for uid in ["dentist", "choir", "gym", "yoga"] { try folders.write("one", uid, at: 10, uid) }
    #expect(try await folders.calgw("sync").status == 0)
    try FileManager.default.removeItem(atPath: folders.calgw.home + "/one/work/dentist.ics")
    #expect(try await folders.calgw("sync").status == 0)
    let dry = try await folders.calgw("restore", "p/1", "--dry-run")
    #expect(dry.status == 0 && undoing(dry) == nil, "\(dry.errors)")
    let run = try await folders.calgw("restore", "p/1")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("\"dentist\" was not there any more"), "\(run.errors)")
    #expect(try folders.items("two") == ["choir 10", "dentist 10", "gym 10", "yoga 10"])

    let undone = try await folders.calgw.run(try #require(undoing(run), "\(run.errors)"))
    #expect(undone.status == 0, "\(undone.errors)")
    #expect(try await folders.calgw("sync").status == 0)
    for side in ["one", "two"] {
      #expect(try folders.items(side) == ["choir 10", "gym 10", "yoga 10"])
    }
  }

  @Test func `so does one that an event command had deleted, and none that was only edited`()
    async throws
  {
    try calgw.write("folder/a.ics", event("a", "Dentist"))
    #expect(try await calgw("delete", "folder/a.ics").status == 0)
    let run = try await calgw("restore", "edit-1")
    #expect(run.status == 0 && calgw.exists("folder/a.ics"), "\(run.errors)")
    let undone = try await calgw.run(try #require(undoing(run), "\(run.errors)"))
    #expect(undone.status == 0, "\(undone.errors)")
    #expect(!calgw.exists("folder/a.ics"))

    try calgw.write("folder/b.ics", event("b", "Gym"))
    #expect(try await calgw("edit", "folder/b.ics", "--summary", "Sports").status == 0)
    let back = try await calgw("restore", "edit-3")
    #expect(back.status == 0 && undoing(back) == nil, "\(back.errors)")
    let text = try String(contentsOfFile: calgw.home + "/folder/b.ics", encoding: .utf8)
    #expect(text == event("b", "Gym"))
  }

  /// A second pair beside `p`, with a folder `home`.
  private func withOtherPair() throws -> TwoFolders {
    let folders = try TwoFolders("[pair.q]\nlocal = \"~/three\"\nremote = { local = \"~/four\" }")
    try folders.write("one", "dentist", at: 10, "dentist")
    try folders.calgw.write("three/home/.keep", "")
    return folders
  }

  @Test(arguments: ["edit-1", "p/1"])
  func `what was moved to another pair comes back, and where it is besides is said`(
    id: String
  ) async throws {
    let folders = try withOtherPair()
    for arguments in [["sync"], ["move", "dentist", "q/home"], ["sync"]] {
      let run = try await folders.calgw.run(arguments)
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(try folders.items("two").isEmpty)
    let run = try await folders.calgw("restore", id)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folders.items("one") == ["dentist 10"])
    let words = "/three/home/dentist.ics has it, too"
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test func `an item of that UID in another pair is no place where it was moved`() async throws {
    let folders = try withOtherPair()
    try folders.write("three", "dentist", at: 10, "dentist")
    #expect(try await folders.calgw("sync").status == 0)
    try FileManager.default.removeItem(atPath: folders.calgw.home + "/one/work/dentist.ics")
    #expect(try await folders.calgw("sync").status == 0)
    let run = try await folders.calgw("restore", "p/1")
    #expect(run.status == 0, "\(run.errors)")
    #expect(!run.errors.contains("has it, too"), "\(run.errors)")
  }

  /// In its old calendar it would be there twice, be the move synced or not.
  @Test(arguments: [false, true])
  func `what was moved within its pair is moved back, and not restored`(
    isSynced: Bool
  ) async throws {
    let folders = try TwoFolders()
    try folders.write("one", "dentist", at: 10, "dentist")
    #expect(try await folders.calgw("sync").status == 0)
    try folders.write("one", "dentist", at: 11, "doctor")
    #expect(try await folders.calgw("sync").status == 0)
    try folders.calgw.write("one/home/.keep", "")
    for arguments in [["edit", "dentist", "--summary", "surgeon"], ["move", "dentist", "p/home"]] {
      let run = try await folders.calgw.run(arguments)
      #expect(run.status == 0, "\(run.errors)")
    }
    if isSynced { #expect(try await folders.calgw("sync").status == 0) }
    let versions = [("p/1", "dentist 10"), ("edit-1", "doctor 11"), ("edit-2", "surgeon 11")]
    for (id, _) in versions {
      for options in [["--dry-run"], []] {
        let run = try await folders.calgw.run(["restore", id] + options)
        #expect(run.status == 65 && run.output.isEmpty, "\(id): \(run.output) \(run.errors)")
        #expect(run.errors.contains("`calgw move --in p/home dentist p/work`"), "\(run.errors)")
        // The move's own version is the one that is moved back.
        let isAgain = run.errors.contains("then `calgw restore \(id)` works")
        #expect(isAgain == (id != "edit-2"), "\(run.errors)")
      }
    }
    #expect(try folders.items("one").isEmpty)

    let back = try await folders.calgw("move", "--in", "p/home", "dentist", "p/work")
    #expect(back.status == 0, "\(back.errors)")
    #expect(try await folders.calgw("sync").status == 0)
    for (id, expected) in versions {
      let run = try await folders.calgw("restore", id)
      #expect(run.status == 0, "\(id): \(run.output) \(run.errors)")
      #expect(try folders.items("one") == [expected])
    }
  }
}
