import Foundation
import TestSupport
import Testing

/// Folders that a person renames between two runs stay the collections that they were, on either
/// side of a pair of two directories.
@Suite struct RenamedFolderTests {
  /// The folders `a`, `b` and `c` in step, each with an item of its own name.
  private func synced() async throws -> CommandLine {
    let calgw = try CommandLine()
    try calgw.configure("[pair.p]\nlocal = \"~/one\"\nremote = { local = \"~/two\" }\n")
    for name in ["a", "b", "c"] {
      try calgw.write("one/\(name)/\(name).ics", event(name, "Title"))
    }
    #expect(try await calgw("sync").status == 0)
    return calgw
  }

  private func move(_ from: String, to other: String, in side: String = "one", _ calgw: CommandLine)
    throws
  {
    try FileManager.default.moveItem(
      atPath: "\(calgw.home)/\(side)/\(from)", toPath: "\(calgw.home)/\(side)/\(other)")
  }

  private func folders(_ side: String, _ calgw: CommandLine) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(calgw.home)/\(side)").sorted()
  }

  /// Edits an item where it lies now, and sees the edit arrive where its collection is.
  private func expectSync(
    of uid: String, in folder: String, with other: String, status: Int32 = 0, _ calgw: CommandLine
  ) async throws {
    try calgw.write("one/\(folder)/\(uid).ics", event(uid, "Edited"))
    let run = try await calgw("sync")
    #expect(run.status == status, "\(run.output) \(run.errors)")
    let there = try String(contentsOfFile: "\(calgw.home)/two/\(other)/\(uid).ics", encoding: .utf8)
    #expect(there.contains("SUMMARY:Edited"), "\(run.output) \(run.errors)")
  }

  @Test func `two that exchange their names`() async throws {
    let calgw = try await synced()
    try move("a", to: "x", calgw)
    try move("b", to: "a", calgw)
    try move("x", to: "b", calgw)
    try await expectSync(of: "a", in: "b", with: "a", calgw)
    try await expectSync(of: "b", in: "a", with: "b", calgw)
    #expect(try await calgw("sync").output.contains("nothing to do"))
  }

  @Test func `what a command edited before comes back under the name of now`() async throws {
    let calgw = try await synced()
    #expect(try await calgw("edit", "one/a/a.ics", "--summary", "Edited").status == 0)
    _ = try await calgw("sync")
    for (old, new) in [("a", "x"), ("x", "y")] {
      try move(old, to: new, calgw)
      #expect(try await calgw("sync").status == 0)
    }
    let run = try await calgw("restore", "edit-1")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    let text = try String(contentsOfFile: calgw.home + "/one/y/a.ics", encoding: .utf8)
    #expect(text == event("a", "Title"))
    try FileManager.default.removeItem(atPath: calgw.home + "/one/y")
    let gone = try await calgw("restore", "edit-1")
    #expect(gone.status == 66 && gone.errors.contains("bring it back"), "\(gone.errors)")
  }

  @Test func `the log has what was edited before, under the name of now and under the former ones`()
    async throws
  {
    let calgw = try await synced()
    #expect(try await calgw("edit", "one/a/a.ics", "--summary", "Edited").status == 0)
    #expect(try await calgw("sync").status == 0)
    for (old, new) in [("a", "x"), ("x", "y")] {
      try move(old, to: new, calgw)
      #expect(try await calgw("sync").status == 0)
    }
    for name in ["p/y", "one/y/a.ics", "p/x", "p/a"] {
      let log = try await calgw("log", name)
      #expect(log.status == 0, "\(name): \(log.errors)")
      for id in ["edit-1  ", "p/1  "] {
        #expect(log.output.contains(id), "\(name): \(log.output)")
      }
      let isFormer = ["p/x", "p/a"].contains(name)
      #expect(log.errors == (isFormer ? "note: \(name) is called p/y by now\n" : ""))
    }
    #expect(try await calgw("log", "p/none").errors.contains("and had none"))
  }

  @Test(arguments: [true, false])
  func `what was edited goes with its folder, and not with who gets the name`(
    isAtOnce: Bool
  ) async throws {
    let calgw = try await synced()
    #expect(try await calgw("edit", "one/a/a.ics", "--summary", "Edited").status == 0)
    #expect(try await calgw("sync").status == 0)
    for (old, new) in [("a", "x"), ("b", "a"), ("x", "b")] {
      try move(old, to: new, calgw)
      if !isAtOnce { #expect(try await calgw("sync").status == 0) }
    }
    #expect(try await calgw("sync").status == 0)
    #expect(try await calgw("log", "p/b").output.contains("edit-1  "))
    #expect(try await !calgw("log", "p/a").output.contains("edit-1  "))
    let run = try await calgw("restore", "edit-1")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    let text = try String(contentsOfFile: calgw.home + "/one/b/a.ics", encoding: .utf8)
    #expect(text == event("a", "Title"))
    #expect(!calgw.exists("one/a/a.ics"))
  }

  @Test func `a former name that another folder had, too, leads to none of them`() async throws {
    let calgw = try await synced()
    #expect(try await calgw("edit", "one/a/a.ics", "--summary", "Edited").status == 0)
    for (old, new) in [("a", "x"), ("x", "y"), ("b", "x")] {
      #expect(try await calgw("sync").status == 0)
      try move(old, to: new, calgw)
    }
    #expect(try await calgw("sync").status == 0)
    #expect(try await calgw("log", "p/a").errors == "note: p/a is called p/y by now\n")
    #expect(try await !calgw("log", "p/x").output.contains("edit-1  "))
    #expect(try await calgw("restore", "edit-1").status == 0)
    #expect(!calgw.exists("one/x/a.ics"))
    try move("x", to: "z", calgw)
    #expect(try await calgw("sync").status == 0)
    let several = try await calgw("log", "p/x").errors
    #expect(
      several.contains("several had that name") && several.contains("p/y or p/z"), "\(several)")
  }

  /// In both orders of the bytes of their names.
  @Test(arguments: [("a", "b"), ("b", "a")])
  func `a chain that ends at the name of one that is gone`(first: String, second: String)
    async throws
  {
    let calgw = try await synced()
    try FileManager.default.removeItem(atPath: calgw.home + "/one/c")
    try move(second, to: "c", calgw)
    try move(first, to: second, calgw)
    // The folder of `c` is gone, and that is said.
    try await expectSync(of: first, in: second, with: first, status: 74, calgw)
    try await expectSync(of: second, in: "c", with: second, status: 74, calgw)
    #expect(calgw.exists("two/c/c.ics"), "whose folder is gone keeps what it has there")
  }

  @Test func `on the second side one keeps its name here`() async throws {
    let calgw = try await synced()
    try move("a", to: "office", in: "two", calgw)
    try await expectSync(of: "a", in: "a", with: "office", calgw)
    #expect(try await calgw("sync").output.contains("nothing to do"))
    #expect(try folders("one", calgw) == ["a", "b", "c"])
    #expect(try folders("two", calgw) == ["b", "c", "office"])
  }

  @Test func `on the second side two exchange their names`() async throws {
    let calgw = try await synced()
    try move("a", to: "x", in: "two", calgw)
    try move("b", to: "a", in: "two", calgw)
    try move("x", to: "b", in: "two", calgw)
    try await expectSync(of: "a", in: "a", with: "b", calgw)
    try await expectSync(of: "b", in: "b", with: "a", calgw)
    #expect(try await calgw("sync").output.contains("nothing to do"))
  }

  /// As by a move to another disk, or `git checkout`.
  @Test(arguments: ["one", "two"])
  func `one that was copied, and whose original is gone, is a first sync under its new name`(
    side: String
  ) async throws {
    let calgw = try await synced()
    let place = "\(calgw.home)/\(side)/"
    try FileManager.default.copyItem(atPath: place + "a", toPath: place + "office")
    try FileManager.default.removeItem(atPath: place + "a")
    let name = side == "one" ? "office" : "a"
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("p/\(name) is another place than in the last run"), "\(run.errors)")
    #expect(try folders(side, calgw) == ["b", "c", "office"])
    #expect(try folders(side == "one" ? "two" : "one", calgw) == ["a", "b", "c"])
    try await expectSync(of: "a", in: name, with: side == "one" ? "a" : "office", calgw)
    #expect(try await calgw("sync").output.contains("nothing to do"))
  }

  /// As where two programs number their items.
  @Test(arguments: ["one", "two"])
  func `one that has other items under the same names is another`(side: String) async throws {
    let calgw = try await synced()
    try FileManager.default.removeItem(atPath: "\(calgw.home)/\(side)/a")
    try calgw.write("\(side)/diary/a.ics", event("diary", "Private"))
    let run = try await calgw("sync")
    #expect(run.status == (side == "one" ? 74 : 1), "\(run.output) \(run.errors)")
    let other = side == "one" ? "two" : "one"
    #expect(try folders(other, calgw) == ["a", "b", "c", "diary"])
    let kept = try String(contentsOfFile: "\(calgw.home)/\(other)/a/a.ics", encoding: .utf8)
    #expect(kept == event("a", "Title"))
  }

  @Test func `of two copies of one that is gone neither goes to a server a second time`()
    async throws
  {
    let world = try FolderAndCalendar()
    try world.write("a.ics", event("a", "Dentist"))
    _ = try await world.sync()
    let place = world.calgw.home + "/calendars/"
    for name in ["one", "two"] {
      try FileManager.default.copyItem(atPath: place + "work", toPath: place + name)
    }
    try FileManager.default.removeItem(atPath: place + "work")
    let run = try await world.calgw("sync")
    #expect(run.status == 74)
    #expect(
      run.errors.contains("one on the local side holds most of what work had"), "\(run.errors)")
    #expect(world.model.calendarPaths == [FolderAndCalendar.path])
    // The mend that is named.
    let mapping = "{ two = \"\(FolderAndCalendar.path)\" }"
    #expect(run.errors.contains("write \(mapping) into the pair's `collections`"), "\(run.errors)")
    try world.configure("collections = [\(mapping)]")
    #expect(try await world.sync().writes.isEmpty)
  }

  /// As after a backup was brought back, or a disk was mounted under another number.
  @Test(arguments: ["one", "two"])
  func `another one in its place is a first sync with it`(side: String) async throws {
    let calgw = try await synced()
    try FileManager.default.copyItem(
      atPath: "\(calgw.home)/\(side)/a", toPath: "\(calgw.home)/copy")
    try move("a", to: "../aside", in: side, calgw)
    try move("../copy", to: "a", in: side, calgw)
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("p/a is another place than in the last run"), "\(run.errors)")
    for side in ["one", "two"] { #expect(try folders(side, calgw) == ["a", "b", "c"]) }
    try await expectSync(of: "a", in: "a", with: "a", calgw)
  }
}
