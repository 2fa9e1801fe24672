import Foundation
import TestSupport
import Testing

/// What `log` can be told: files that are there no more, files of no pair, collections.
@Suite struct LogNamesTests {
  @Test(arguments: ["a pair", "a calendar's URL", "an account's URL"])
  func `a file that was deleted is the item that had its name last`(place: String) async throws {
    let world = try FolderAndCalendar()
    var (file, pair) = ("calendars/work/choir-2026.ics", [String]())
    switch place {
    case "a calendar's URL":
      pair = ["--local", "calendars/work", "--remote"]
      pair.append(world.server.url + FolderAndCalendar.path.dropFirst())
    case "an account's URL": pair = ["--local", "calendars", "--remote", world.server.url]
    default: file = "./" + file
    }
    // A name that nobody could make of the UID.
    try world.write("choir-2026.ics", event("8f31", "Choir"))
    try world.write("gym.ics", event("77aa", "Gym"))
    #expect(try await world.calgw.run(["sync"] + pair).status == 0)
    try world.remove("choir-2026.ics")

    // Both sides still share it.
    let before = try await world.calgw.run(["log", file] + pair)
    #expect(before.status == 0 && before.output.isEmpty, "\(before)")
    #expect(before.errors.contains("note: no version of \(file) is in the log yet"), "\(before)")
    #expect(try await world.calgw.run(["sync"] + pair).status == 0)
    let log = try await world.calgw.run(["log", file] + pair)
    #expect(log.status == 0, "\(log.errors)")
    #expect(log.output.contains("\"Choir\" (8f31): deleted here"), "\(log.output)")
    #expect(log.output.split(separator: "\n").count == 1)
    let none = try await world.calgw.run(["log", "calendars/work/none.ics"] + pair)
    #expect(none.status == 66)
    let inStep = try await world.calgw.run(["diff", "calendars/work/gym.ics"] + pair)
    #expect(inStep.status == 0, "\(inStep.errors)")
  }

  @Test func `in its folder the name alone is enough, also once the file is deleted`() async throws
  {
    let folders = try await edited()
    try FileManager.default.removeItem(atPath: "\(folders.calgw.home)/one/work/choir.ics")
    #expect(try await folders.calgw("sync").status == 0)
    let inFolder = ["/usr/bin/env", "-C", "\(folders.calgw.home)/one/work"]
    let log = try await folders.calgw.run(["log", "choir.ics"], within: inFolder)
    #expect(log.status == 0, "\(log.errors)")
    let same = try await folders.calgw.run(["log", "./choir.ics"], within: inFolder)
    #expect(log.output == same.output && log.output.contains("deleted"), "\(log.output)")
    #expect(try await folders.calgw.run(["log", "none.ics"], within: inFolder).status == 66)
    #expect(try await folders.calgw("log", "choir.ics").status == 66)
  }

  @Test func `of a file that holds another item by now its former one is named`() async throws {
    let folders = try await edited()
    let file = "\(folders.calgw.home)/one/work/choir.ics"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacing("UID:choir", with: "UID:chor").write(
      toFile: file, atomically: true, encoding: .utf8)
    #expect(try await folders.calgw("sync").status == 0)
    let log = try await folders.calgw("log", file)
    #expect(log.status == 0 && log.output.isEmpty, "\(log)")
    #expect(log.errors.contains("another item before: `calgw log choir`"), "\(log.errors)")
    let former = try await folders.calgw("log", "choir")
    #expect(former.output.contains("first"), "\(former.output)")
  }

  /// The choir with one version in the log of the pair `p`.
  private func edited() async throws -> TwoFolders {
    let folders = try TwoFolders()
    for title in ["first", "second"] {
      try folders.write("one", "choir", at: 10, title)
      #expect(try await folders.calgw("sync").status == 0)
    }
    return folders
  }

  @Test func `a file in a folder of no pair is none of theirs, whatever its UID`() async throws {
    let folders = try await edited()
    try folders.write("other", "choir", at: 10, "Mine")
    let stranger = try await folders.calgw("log", "other/work/choir.ics")
    #expect(stranger.status == 64)
    #expect(stranger.output.isEmpty, "\(stranger.output)")
    #expect(stranger.errors.contains("is in no folder that is synced"), "\(stranger.errors)")
    #expect(try await folders.calgw("log", "other/work/none.ics").status == 66)

    let edit = try await folders.calgw("edit", "other/work/choir.ics", "--summary", "Ours")
    #expect(edit.status == 0, "\(edit.errors)")
    let own = try await folders.calgw("log", "other/work/choir.ics")
    #expect(own.status == 0 && own.output.hasPrefix("edit-1  "), "\(own)")
    #expect(!own.output.contains("p/1"), "\(own.output)")
    for side in ["one", "two"] {
      let log = try await folders.calgw("log", "\(side)/work/choir.ics")
      #expect(log.status == 0 && log.output.hasPrefix("p/1  "), "\(log)")
      #expect(!log.output.contains("edit-1"), "\(log.output)")
    }
  }

  @Test func `a pair that had the name before has a log of its own folders`() async throws {
    let folders = try await edited()
    for side in ["three", "four"] { try folders.write(side, "choir", at: 12, "Another") }
    try folders.calgw.configure(
      "[pair.p]\nlocal = \"~/three\"\nremote = { local = \"~/four\" }\n")
    #expect(try await folders.calgw("sync").status == 0)
    let new = try await folders.calgw("log", "three/work/choir.ics")
    #expect(new.status == 0 && new.output.isEmpty, "\(new)")
    let former = try await folders.calgw("log", "one/work/choir.ics")
    #expect(former.status == 0 && former.output.hasPrefix("p/1  "), "\(former)")
  }

  @Test func `a file is one item of one calendar, whatever has its UID in another`() async throws {
    let folders = try TwoFolders()
    for title in ["first", "second"] {
      for calendar in ["work", "home"] {
        let text = event("choir", "\(title) in \(calendar)")
        try folders.calgw.write("one/\(calendar)/choir.ics", text)
      }
      #expect(try await folders.calgw("sync").status == 0)
    }
    for calendar in ["work", "home"] {
      let log = try await folders.calgw("log", "one/\(calendar)/choir.ics")
      #expect(log.output.split(separator: "\n").count == 1, "\(log.output)")
      #expect(log.output.contains("\"first in \(calendar)\""), "\(log.output)")
    }
    #expect(try await folders.calgw("log", "choir").output.split(separator: "\n").count == 2)
  }

  @Test func `a file that came from another calendar has its versions from there`() async throws {
    let folders = try await edited()
    try folders.calgw.write("one/home/gym.ics", event("gym", "Gym"))
    let home = folders.calgw.home
    try FileManager.default.moveItem(
      atPath: "\(home)/one/work/choir.ics", toPath: "\(home)/one/home/choir.ics")
    #expect(try await folders.calgw("sync").status == 0)
    let log = try await folders.calgw("log", "one/home/choir.ics")
    #expect(log.status == 0 && log.output.contains("\"first\""), "\(log)")
  }

  @Test func `a collection of a pair has its part of the log`() async throws {
    let folders = try await edited()
    for title in ["Gym", "Pool"] {
      try folders.calgw.write("one/home/gym.ics", event("gym", title))
      #expect(try await folders.calgw("sync").status == 0)
    }
    for (name, titles) in [
      ("p/work", ["first"]), ("p/home", ["Gym"]), ("p/", ["Gym", "first"]),
      ("p", ["Gym", "first"]),
    ] {
      let log = try await folders.calgw("log", name)
      #expect(log.status == 0, "\(log.errors)")
      let lines = log.output.split(separator: "\n")
      #expect(lines.count == titles.count, "\(log.output)")
      for (line, title) in zip(lines, titles) { #expect(line.contains("\"\(title)\"")) }
    }
    let none = try await folders.calgw("log", "p/wrok")
    #expect(none.status == 64)
    #expect(none.errors.contains("no collection \"wrok\""), "\(none.errors)")
    #expect(none.errors.contains("did you mean \"work\"?"), "\(none.errors)")
    #expect(try await folders.calgw("log", "q/work").status == 66)
  }

  @Test func `a collection that was forgotten has the log that it had`() async throws {
    let folders = try TwoFolders()
    try folders.write("one", "choir", at: 10, "first")
    #expect(try await folders.calgw("sync").status == 0)
    for isEmpty in [true, false] {
      #expect(try await folders.calgw("forget", "p/work").status == 0)
      let log = try await folders.calgw("log", "p/work")
      #expect(log.status == 0 && log.errors.isEmpty, "\(log.errors)")
      #expect(log.output.isEmpty == isEmpty, "\(log.output)")
      #expect(try await folders.calgw("log", "p/wrok").status == 64)
      #expect(try await folders.calgw("sync").status == 0)
      try folders.write("one", "choir", at: 10, "second")
      #expect(try await folders.calgw("sync").status == 0)
    }
  }
}
