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
    #expect(mends(held.errors).first?.first == ["cp", here, there], "\(held.errors)")
    let status = try await folders.calgw("status").output
    #expect(status.contains("in: \(there) on the remote side\n"), "\(status)")
    try Data(contentsOf: URL(filePath: here)).write(to: URL(filePath: there))
    #expect(try await folders.calgw("sync").status == 0)
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
