import Foundation
import TestSupport
import Testing

/// What a message tells to paste does, as it stands there, what the message says.
@Suite struct MendTests {
  /// The commands of each line `do:` of a message, as words: nothing in these paths is quoted.
  private func mends(_ text: String) -> [[[String]]] {
    text.split(separator: "\n").filter { $0.contains("do: ") }.map { line in
      line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { !$0.offset.isMultiple(of: 2) }
        .map { $0.element.split(separator: " ").map { String($0) } }
    }
  }

  /// Runs a command of calgw without the name of the program.
  private func run(_ command: [String]?, _ more: [String] = [], in folders: TwoFolders)
    async throws -> CommandLine.Run
  {
    let words = try #require(command)
    #expect(words.first == "calgw")
    return try await folders.calgw.run(Array(words.dropFirst()) + more)
  }

  private func remove(_ name: String, in folders: TwoFolders) throws {
    try FileManager.default.removeItem(atPath: "\(folders.calgw.home)/\(name)")
  }

  private func synced(_ keys: String = "", _ uids: String...) async throws -> TwoFolders {
    let folders = try TwoFolders(keys)
    for uid in uids {
      for side in ["one", "two"] { try folders.write(side, uid, at: 10, uid) }
    }
    #expect(try await folders.calgw("sync").status == 0)
    return folders
  }

  @Test func `what a read-only side does not take ends as the first mend says`() async throws {
    let folders = try await synced("read_only = true", "choir", "dentist", "gym")
    try folders.write("one", "new", at: 10, "new")
    try folders.write("one", "choir", at: 11, "choir")
    try remove("two/work/choir.ics", in: folders)
    try folders.write("one", "dentist", at: 11, "dentist")
    try remove("one/work/gym.ics", in: folders)
    let held = try await folders.calgw("sync")
    #expect(held.status == 1)
    let mends = mends(held.errors)
    #expect(mends.count == 4, "\(held.errors)")
    for mend in mends {
      let run = try await run(mend.first, in: folders)
      #expect(run.status == 0, "\(mend): \(run.errors)")
    }
    #expect(try await folders.calgw("sync").status == 0)
    #expect(try folders.items("one") == ["dentist 10", "gym 10"])
    #expect(try folders.items("two") == ["dentist 10", "gym 10"])
  }

  @Test(arguments: ["push", "pull"])
  func `a pair of one direction offers nothing that goes the other way`(direction: String)
    async throws
  {
    let folders = try await synced(
      "confirm_delete = \"always\"\ndirection = \"\(direction)\"", "dentist", "gym")
    try remove(direction == "push" ? "one/work/gym.ics" : "two/work/gym.ics", in: folders)
    let held = try await folders.calgw("sync")
    #expect(held.status == 1)
    let mend = try #require(mends(held.errors).first)
    let taken = direction == "push" ? "local" : "remote"
    #expect(mend.first == ["calgw", "resolve", "--take", taken, "gym"], "\(held.errors)")
    #expect(!held.errors.contains("brings it back"), "\(held.errors)")
    #expect(try await run(mend.first, in: folders).status == 0)
    #expect(try folders.items("one") == ["dentist 10"])
    #expect(try folders.items("two") == ["dentist 10"])
  }

  @Test(arguments: [("push", "one", "two", "local"), ("pull", "two", "one", "remote")])
  func `nor does it offer what its own policy does not do`(
    direction: String, gone: String, edited: String, policy: String
  ) async throws {
    let folders = try await synced(
      "confirm_delete = \"always\"\ndirection = \"\(direction)\"", "dentist", "gym")
    try remove("\(gone)/work/gym.ics", in: folders)
    try folders.write(edited, "gym", at: 11, "gym")
    let held = try await folders.calgw("sync", "--conflict", policy)
    #expect(held.status == 1)
    #expect(held.errors.contains("run the sync with --conflict \(policy)"), "\(held.errors)")
    #expect(!held.errors.contains("this one alone"), "\(held.errors)")
    #expect(!held.errors.contains("brings it back"), "\(held.errors)")
    let run = try await folders.calgw("sync", "--conflict", policy, "--allow-mass-delete")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folders.items(edited) == ["dentist 10"])
  }

  @Test func `of a UID in two calendars a mend names the file, and the UID where it is one`()
    async throws
  {
    let folders = try TwoFolders("conflict = \"ask\"")
    let calgw = folders.calgw
    let calendars = ["work", "home"]
    for calendar in calendars { try calgw.write("one/\(calendar)/gym.ics", event("gym", "Gym")) }
    #expect(try await calgw("sync").status == 0)
    for calendar in calendars {
      try calgw.write("one/\(calendar)/gym.ics", event("gym", "Here"))
      try calgw.write("two/\(calendar)/gym.ics", event("gym", "There"))
    }
    let held = try await calgw("sync")
    #expect(held.status == 1)
    let files = calendars.map { "\(calgw.home)/one/\($0)/gym.ics" }
    let commands = mends(held.errors).compactMap(\.first)
    #expect(Set(commands) == Set(files.map { ["calgw", "resolve", $0] }), "\(held.errors)")
    #expect(try await calgw("status").output.contains("do: calgw resolve \(files[0])"))
    let unclear = try await calgw("resolve", "gym", "--take", "local")
    #expect(unclear.status == 64)
    #expect(files.allSatisfy { unclear.errors.contains($0) }, "\(unclear.errors)")
    for command in commands {
      #expect(try await run(command, ["--take", "local"], in: folders).status == 0)
    }
    #expect(try await calgw("status", "--exit-code").status == 0)
  }

  @Test func `a broken file of the second folder is named where it is, with what mends it`()
    async throws
  {
    let folders = try await synced("", "dentist", "gym")
    let (here, there) = (
      "\(folders.calgw.home)/one/work/gym.ics", "\(folders.calgw.home)/two/work/gym.ics"
    )
    try folders.calgw.write("two/work/gym.ics", "")
    let held = try await folders.calgw("sync")
    #expect(held.status == 1)
    #expect(held.errors.contains("where: p/work, \(there) on the remote side\n"), "\(held.errors)")
    #expect(
      mends(held.errors).first?.first == ["cp", "--backup=numbered", here, there],
      "\(held.errors)")
    // The difference from what was agreed on is looked up without a look at that folder.
    for command in [["status"], ["diff"], ["diff", "--remote"], ["diff", "gym"]] {
      let look = try await folders.calgw.run(command).output
      #expect(look.contains("in: \(there) on the remote side\n"), "\(look)")
      #expect(look.contains("`cp --backup=numbered \(here) \(there)`"), "\(look)")
    }
    try Data(contentsOf: URL(filePath: here)).save(to: URL(filePath: there))
    #expect(try await folders.calgw("sync").status == 0)
  }

  @Test func `nothing is to be copied from where the file is gone`() async throws {
    let folders = try await synced("", "dentist", "gym")
    try folders.calgw.write("two/work/gym.ics", "")
    try remove("one/work/gym.ics", in: folders)
    let mend = "do:    correct that file; or remove it, and the item is gone from both sides\n"
    let held = try await folders.calgw("sync")
    #expect(held.status == 1 && held.errors.contains(mend), "\(held.errors)")
    for command in [["status"], ["diff", "--remote"]] {
      let look = try await folders.calgw.run(command).output
      #expect(look.contains("do: correct that file; or remove it"), "\(look)")
    }
    try remove("two/work/gym.ics", in: folders)
    #expect(try await folders.calgw("sync").status == 0)
    for side in ["one", "two"] { #expect(try folders.items(side) == ["dentist 10"]) }
    #expect(try await folders.calgw("status", "--exit-code").status == 0)
  }

  @Test func `of an item in conflict the version of the broken file is named`() async throws {
    let folders = try await synced("conflict = \"ask\"", "dentist", "gym")
    try folders.write("one", "gym", at: 11, "gym")
    try folders.write("two", "gym", at: 12, "gym")
    #expect(try await folders.calgw("sync").status == 1)
    try folders.calgw.write("one/work/gym.ics", "")
    let held = try await folders.calgw("sync")
    #expect(held.status == 1)
    let mend = try #require(mends(held.errors).first)
    let restore = try #require(mend.first { $0.contains("restore") })
    #expect(restore.last?.hasPrefix("p/") == true, "\(held.errors)")
    _ = try await run(restore, in: folders)
    #expect(try folders.items("one") == ["dentist 10", "gym 11"])
  }

  @Test func `a file that is cut off names its log only where there is one`() async throws {
    let calgw = try CommandLine()
    let whole = event("gym", "Gym")
    func edit() async throws -> CommandLine.Run {
      try await calgw("edit", "\(calgw.home)/folder/gym.ics", "--summary", "Choir")
    }
    try calgw.write("folder/gym.ics", String(whole.prefix(80)))
    let first = try await edit()
    #expect(first.status == 65 && mends(first.errors) == [[]], "\(first.errors)")
    try calgw.write("folder/gym.ics", whole)
    #expect(try await edit().status == 0)
    try calgw.write("folder/gym.ics", String(whole.prefix(80)))
    let second = try await edit()
    #expect(second.status == 65)
    let log = try #require(mends(second.errors).first?.first)
    #expect(log == ["calgw", "log", "\(calgw.home)/folder/gym.ics"], "\(second.errors)")
    let shown = try await calgw.run(Array(log.dropFirst()))
    #expect(shown.status == 0 && shown.output.hasPrefix("edit-1 "), "\(shown.errors)")
  }

  @Test func `a path of any length is whole in what is to be pasted`() async throws {
    let calgw = try CommandLine()
    let deep = Array(repeating: String(repeating: "d", count: 200), count: 4)
      .joined(separator: "/")
    try calgw.configure("[pair.p]\nlocal = \"~/\(deep)\"\nremote = { local = \"~/two\" }\n")
    try calgw.write("\(deep)/work/gym.ics", event("gym", "Gym"))
    #expect(try await calgw("sync").status == 0)
    let file = "\(calgw.home)/\(deep)/work/gym.ics"
    try calgw.write("\(deep)/work/gym.ics", "")
    for command in [["sync"], ["edit", file, "--summary", "Choir"]] {
      let run = try await calgw.run(command)
      let log = try #require(mends(run.errors).first?.first, "\(run.errors)")
      #expect(log == ["calgw", "log", file], "\(run.errors)")
      let shown = try await calgw.run(Array(log.dropFirst()))
      #expect(shown.status == 0 && !shown.output.isEmpty, "\(shown.errors)")
    }
  }

  @Test(arguments: ["one", "two"])
  func `a series and a moved occurrence of it that have a file each become one item`(side: String)
    async throws
  {
    let folders = try await synced("", "gym")
    let series = event("choir", "Choir")
    try folders.calgw.write(
      "\(side)/work/choir.ics",
      series.replacing("SUMMARY:", with: "RRULE:FREQ=DAILY;COUNT=3\r\nSUMMARY:"))
    try folders.calgw.write(
      "\(side)/work/moved.ics",
      series.replacing(
        "DTSTART:20260105T100000Z",
        with: "RECURRENCE-ID:20260106T100000Z\r\nDTSTART:20260106T120000Z"))
    let held = try await folders.calgw("sync")
    #expect(held.status == 1)
    let commands = try #require(mends(held.errors).last, "\(held.errors)")
    let folder = "\(folders.calgw.home)/\(side)/work"
    let (file, old) = ("\(folder)/moved.ics", "\(folder)/moved.ics.old")
    try #require(commands.first == ["mv", "--backup=numbered", file, old], "\(held.errors)")
    try FileManager.default.moveItem(atPath: file, toPath: old)
    for command in commands.dropFirst() {
      let run = try await run(command, in: folders)
      #expect(run.status == 0, "\(command): \(run.errors)")
    }
    #expect(try await folders.calgw("sync").status == 0)
    for side in ["one", "two"] {
      let place = "\(folders.calgw.home)/\(side)/work/"
      let files = try FileManager.default.contentsOfDirectory(atPath: place)
        .filter { $0.hasSuffix(".ics") }.sorted()
      #expect(files == ["choir.ics", "gym.ics"])
      let text = try String(contentsOfFile: place + "choir.ics", encoding: .utf8)
      #expect(text.contains("RRULE:") && text.contains("DTSTART:20260106T120000Z"), "\(text)")
    }
  }

  @Test func `no command puts an occurrence over a single event of its UID`() async throws {
    let folders = try await synced("", "gym")
    let single = event("choir", "Choir")
    try folders.calgw.write("one/work/choir.ics", single)
    try folders.calgw.write(
      "one/work/moved.ics",
      single.replacing("DTSTART:", with: "RECURRENCE-ID:20260105T100000Z\r\nDTSTART:"))
    let held = try await folders.calgw("sync")
    #expect(held.status == 1)
    #expect(mends(held.errors).allSatisfy { $0.isEmpty }, "\(held.errors)")
    #expect(held.errors.contains("give the other a UID of its own"), "\(held.errors)")
  }

  @Test func `a broken file comes back with the version that is named`() async throws {
    let folders = try await synced("", "dentist", "gym")
    let whole = try Data(contentsOf: URL(filePath: "\(folders.calgw.home)/one/work/gym.ics"))
    for broken in ["", String(decoding: whole.prefix(80), as: UTF8.self)] {
      try folders.calgw.write("one/work/gym.ics", broken)
      let held = try await folders.calgw("sync")
      #expect(held.status == 1)
      let mend = try #require(mends(held.errors).first)
      #expect(mend.map { $0.prefix(2).last } == ["log", "restore"], "\(held.errors)")
      for command in mend {
        let run = try await run(command, in: folders)
        #expect(run.status == 0 && !run.output.isEmpty, "\(command): \(run.errors)")
      }
      #expect(try folders.items("one") == ["dentist 10", "gym 10"])
      #expect(try await folders.calgw("sync").status == 0)
    }
  }
}
